"""The texts that people write for the report, `docs/report/*.md`: their folder, their parts, and their errors."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import wallsim
from wallsim.errors import InputError
from wallsim.studies.sentences import TOKEN

from .primary import primary_ids
from .sentences import Known, Problem, position, token_problems

HEADLINE, TAKEAWAYS = "headline", "takeaways"
_TOP = Path(wallsim.__file__).parent
_UNITS = r"VP|Thalers?|points?|percentage|%|per cent|times"
_COUNTS = "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|half|quarter|third|twice"
_JUDGING = (
    "fair(?:er|est|ly|ness)?|unfair(?:ly)?|best|better|worst|worse|always|never|beat(?:s|en)?|level|equal(?:ly)?|"
    "strong(?:er|est)|weak(?:er|est)|superior|optimal"
)
_NOT_READ = re.compile(r"`[^`\n]*`|\]\([^)\n]*\)|<!--.*?-->", re.DOTALL)
_RAW = re.compile(
    rf"(?<!\w)[+−-]?\d[\d,.]*|\b(?:{_COUNTS})\b(?=\s+(?:more\s+|less\s+)?(?:{_UNITS})(?!\w))", re.IGNORECASE
)
_WORD = re.compile(rf"\b(?:{_JUDGING})\b", re.IGNORECASE)


class Part(NamedTuple):
    """A heading of the second level with what stands below it."""

    title: str
    body: str


class Text(NamedTuple):
    """A text: its title, what stands before the first heading of the second level, and its parts."""

    title: str
    opening: str
    parts: list[Part]


def texts_folder() -> Path:
    """The folder of the texts, in a wheel or beside the package in a source tree. InputError if there is none."""
    for folder in (_TOP / "_data" / "report", _TOP.parent / "docs" / "report"):
        if folder.is_dir():
            return folder
    raise InputError("report: the texts of docs/report are missing beside the package")


def read_texts(folder: Path | None = None) -> dict[str, str]:
    """All texts by the names of their files, without the ending; those of another folder if it is given."""
    return {path.stem: path.read_text("utf-8") for path in sorted((folder or texts_folder()).glob("*.md"))}


def parted(text: str) -> Text:
    """A text in its parts."""
    head, *rest = re.split(r"^## ", text, flags=re.MULTILINE)
    title, _, opening = head.partition("\n")
    parts = [Part(*map(str.strip, each.partition("\n")[::2])) for each in rest]
    return Text(title.removeprefix("# ").strip(), opening.strip(), parts)


def text_errors(texts: dict[str, str], known: Known) -> list[str]:
    """What must not stand in the texts, one line each: FILE:LINE:COLUMN: what."""
    errors = []
    for name, text in texts.items():
        found = sorted([*token_problems(text, known), *_word_problems(text), *_other_values(name, text, known)])
        errors += [f"docs/report/{name}.md:{position(text, each.place)}: {each.words}" for each in found]
    return errors


def _word_problems(text: str) -> Iterator[Problem]:
    bare = TOKEN.sub(_blank, text)
    bare = _NOT_READ.sub(_blank, bare)
    for number in _RAW.finditer(bare):
        yield Problem(
            number.start(), f"{number[0].strip()!r} is a number of its own; write the id of a figure in braces"
        )
    for word in _WORD.finditer(bare):
        yield Problem(word.start(), f"{word[0]!r} judges; write it as words of a claim, {{claim:ID|holds: words}}")


def _other_values(name: str, text: str, known: Known) -> Iterator[Problem]:
    # The headline and the takeaways show one value a question and table.
    for token in TOKEN.finditer(text) if name in (HEADLINE, TAKEAWAYS) else ():
        key = token[1].partition("|")[0].strip()
        figure = known.figure(key)
        if figure is not None and key not in (first := primary_ids(known.question(figure))):
            yield Problem(
                token.start(), f"{key!r} is not the primary figure of its question; take {' or '.join(first)}"
            )


def _blank(found: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", found[0])
