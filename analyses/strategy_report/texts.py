"""The texts that people write for the report, `docs/report/*.md`: their parts, their tokens, and their errors.

In their Markdown stand

- `{ID}`: the value of a figure with its half-width, with one decimal. After a bar: `+` for a sign, a number of
  decimals, `value` for no half-width, `null` for the fair value; `{price.thaler.4p/casual/spielbyweb@fall-2|2 value}`.
- `{claim:ID|holds: words|depends: words|not known: words}`: the words of the verdict on a claim, whose id is that of
  its figures without the cell.
- `{need:NAME|words}`: words that rest on a condition of the first page (`front.py`); where it holds no longer, no
  report is written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import wallsim
from wallsim.analysis.claims.answers import STATEMENTS, UNKNOWN
from wallsim.errors import InputError
from wallsim.report.tables.traced import judged
from wallsim.studies.claims import CLAIM
from wallsim.studies.figure import Figure, figure_id
from wallsim.studies.finding import TOKEN, in_a_sentence
from wallsim.studies.running import Result

from ..robustness.answers import project_answers
from .chapters import GROUPS, primary_ids, results, same_question
from .front import NEEDS

FRONT, README = "front", "readme"
NAMES = (FRONT, README, *GROUPS)
VERDICTS = (*STATEMENTS, UNKNOWN)
_UNITS = r"VP|Thalers?|points?|percentage|%|per cent|times"
_COUNTS = "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|half|quarter|third|twice"
_NOT_READ = re.compile(r"`[^`\n]*`|\]\([^)\n]*\)|<!--.*?-->", re.DOTALL)
_RAW = re.compile(
    rf"(?<!\w)[+−-]?\d[\d,.]*|\b(?:{_COUNTS})\b(?=\s+(?:more\s+|less\s+)?(?:{_UNITS})(?!\w))", re.IGNORECASE
)
_JUDGING = re.compile(
    r"\b(?:fair(?:er|est|ly|ness)?|unfair(?:ly)?|best|better|worst|worse|always|never|beat(?:s|en)?|level|equal(?:ly)?|"
    r"strong(?:er|est)|weak(?:er|est)|superior|optimal)\b", re.IGNORECASE
)  # fmt: skip

Part = tuple[str, str]  # a heading, and what stands below it before the next


@dataclass
class Known:
    """What sentences may speak of: figures, claims with their verdicts, and findings, of the studies of the report."""

    results: Mapping[str, Result]

    @cached_property
    def verdicts(self) -> dict[str, str]:
        """The word of the verdict on every claim, by its id."""
        return {
            figure_id(study, CLAIM, outcome, players=players): answer.word
            for (study, outcome, players), (_, answer) in project_answers().items()
        }

    def figure(self, key: str) -> Figure | None:
        """The figure with an id; None without one."""
        result = self.results.get(key.partition(".")[0])
        return result.figures.get(key) if result is not None else None

    def read(self, key: str) -> Figure:
        """The figure with an id. KeyError without one."""
        return self.results[key.partition(".")[0]].figures[key]

    def primary(self, figure: Figure) -> list[str]:
        """The ids of the primary figures of the question that a figure answers."""
        return primary_ids(same_question(figure, self.results[figure.id.partition(".")[0]].figures))

    def words_of(self, token: str) -> str:
        """The words of a token, without its braces. InputError if it has none."""
        head, *parts = (part.strip() for part in token.split("|"))
        if head.startswith("claim:"):
            return self._claim(head.removeprefix("claim:"), parts)
        if head.startswith("need:"):
            return self._needed(" ".join(head.removeprefix("need:").split()), "|".join(parts))
        figure = self.figure(head)
        if figure is None:
            raise InputError(f"{head!r} is no figure of the register; `wallsim figures` lists them")
        return in_a_sentence(figure, " ".join(parts))

    def _claim(self, key: str, parts: Sequence[str]) -> str:
        if key not in self.verdicts:
            raise InputError(f"{key!r} is no claim; its id is that of its figures without the cell")
        words = {verdict: text.strip() for verdict, _, text in (part.partition(":") for part in parts)}
        for verdict in words:
            if verdict not in VERDICTS:
                raise InputError(f"{verdict!r} is no verdict; the verdicts are {', '.join(VERDICTS)}")
        verdict = self.verdicts[key]
        if verdict not in words:
            raise InputError(f"{key}: its verdict is {verdict!r}, for which there are no words")
        return judged(words[verdict], key)

    def _needed(self, name: str, words: str) -> str:
        if name not in NEEDS:
            raise InputError(f"{name!r} is no condition; they are {', '.join(map(repr, NEEDS))}")
        if not NEEDS[name](self.read):
            raise InputError(f"{name!r} holds no longer; write the sentence anew")
        return words


def read_texts(folder: Path | None = None) -> dict[str, str]:
    """All texts by the names of their files, without the ending: those of a folder, by default those that ship.

    The latter lie in a wheel, or beside the package in a source tree. InputError if there are none.
    """
    top = Path(wallsim.__file__).parent
    shipped = (each for each in (top / "_data" / "report", top.parent / "docs" / "report") if each.is_dir())
    if (place := folder or next(shipped, None)) is None:
        raise InputError("report: the texts of docs/report are missing beside the package")
    return {path.stem: path.read_text("utf-8") for path in sorted(place.glob("*.md"))}


def written_texts(known: Known, texts: Mapping[str, str] | None = None) -> dict[str, list[Part]]:
    """The texts of the report, by default those that ship, with their numbers and verdicts, by heading.

    InputError for one that is missing, and for the first token that has no words, with its place.
    """
    texts, found = read_texts() if texts is None else texts, {}
    for name in NAMES:
        if name not in texts:
            raise InputError(f"docs/report/{name}.md: is missing")
        try:
            parts = re.split(r"^## ", written(texts[name], known).removeprefix("# "), flags=re.MULTILINE)
        except InputError as error:
            raise InputError(f"docs/report/{name}.md:{error}") from None
        found[name] = [(title.strip(), body.strip()) for title, _, body in (part.partition("\n") for part in parts)]
    return found


def written(text: str, known: Known) -> str:
    """A text with the words of its tokens. InputError for the first that has none, with its line and column."""

    def words(found: re.Match[str]) -> str:
        try:
            return known.words_of(found[1])
        except InputError as error:
            raise InputError(f"{_position(text, found.start())}: {error}") from None

    return TOKEN.sub(words, text)


def _position(text: str, place: int) -> str:
    """A place of a text as LINE:COLUMN, both from 1."""
    return f"{text.count(chr(10), 0, place) + 1}:{place - text.rfind(chr(10), 0, place)}"


def report_errors(folder: Path | None = None, known: Known | None = None) -> list[str]:
    """What is wrong in the texts of the report, one line each: FILE:LINE:COLUMN: what. Those of a folder if given.

    They may speak of what is `known`, by default of all published studies.
    """
    texts = read_texts(folder)
    missing = [f"docs/report/{name}.md: is missing" for name in NAMES if name not in texts]
    unread = [f"docs/report/{name}.md: is the text of no group" for name in texts if name not in NAMES]
    return [*missing, *unread, *text_errors(texts, known or Known(results()))]


def text_errors(texts: Mapping[str, str], known: Known) -> list[str]:
    """What must not stand in the texts, one line each: FILE:LINE:COLUMN: what."""
    return [
        f"docs/report/{name}.md:{_position(text, place)}: {words}"
        for name, text in texts.items()
        for place, words in sorted(_problems(name, text, known))
    ]


def _problems(name: str, text: str, known: Known) -> Iterator[tuple[int, str]]:
    """Tokens without words, braces that are no token, and numbers and judging words that no token gives."""
    for token in TOKEN.finditer(text):
        try:
            known.words_of(token[1])
        except InputError as error:
            yield token.start(), str(error)
        # The first page has one number for a question.
        key = token[1].partition("|")[0].strip()
        is_answer = name == FRONT and (text[: token.start()].endswith("**") or token.start() < text.find("\n"))
        figure = known.figure(key) if is_answer else None
        if figure is not None and key not in (first := known.primary(figure)):
            yield token.start(), f"{key!r} is not the primary figure of its question; take {' or '.join(first)}"
    bare = re.sub(r"^## .*\?$", _blank, TOKEN.sub(_blank, text), flags=re.MULTILINE)  # questions judge nothing
    for brace in re.finditer(r"[{}]", bare):
        yield brace.start(), f"{brace[0]!r} belongs to no pair of braces"
    bare = _NOT_READ.sub(_blank, bare)
    for number in _RAW.finditer(bare):
        found = number[0].strip()
        yield number.start(), f"{found!r} is a number of its own; write the id of a figure in braces"
    for word in _JUDGING.finditer(bare):
        yield word.start(), f"{word[0]!r} judges; write it as words of a claim, {{claim:ID|holds: words}}"


def _blank(found: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", found[0])
