"""Sentences that people write for the report: their numbers are ids of the register, their verdicts claims.

In the Markdown of `docs/report` stand

- `{ID}`: the value of a figure with its half-width, with one decimal. After a bar: `+` for a sign, a number of
  decimals, `value` for no half-width; `{price.thaler.4p/casual/spielbyweb@fall-2|2 value}`.
- `{claim:ID|holds: words|depends: words|not known: words}`: the words of the verdict on a claim, whose id is that of
  its figures without the cell. Where *holds, size varies* has no words those of *holds* are taken.
- `{finding:STUDY|title}`: a sentence that the study makes from the register: title, casual, experienced,
  differs or unknown.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import NamedTuple

from wallsim.analysis.claims.answers import HOLDS, STATEMENTS, UNKNOWN, VARIES
from wallsim.errors import InputError
from wallsim.report.tables.traced import judged
from wallsim.studies.claims import CLAIM
from wallsim.studies.figure import Figure, figure_id
from wallsim.studies.running import Result
from wallsim.studies.sentences import TOKEN, in_a_sentence

from ..robustness.answers import project_answers
from .primary import same_question

VERDICTS = (*STATEMENTS, UNKNOWN)
_SENTENCES = ("title", "casual", "experienced", "differs", "unknown")


class Problem(NamedTuple):
    """What is wrong at a place of a text: the place counts characters from 0."""

    place: int
    words: str


class Known:
    """What sentences may speak of: figures, claims with their verdicts, and findings of studies."""

    def __init__(self, results: Mapping[str, Result]) -> None:
        """The results of the studies of the report."""
        self._results = results

    @property
    def studies(self) -> tuple[str, ...]:
        """The names of the studies."""
        return tuple(self._results)

    @cached_property
    def verdicts(self) -> dict[str, str]:
        """The word of the verdict on every claim, by its id."""
        return {
            figure_id(study, CLAIM, outcome, players=players): answer.word
            for (study, outcome, players), answer in project_answers().items()
        }

    def figure(self, key: str) -> Figure | None:
        """The figure with an id; None without one."""
        result = self._results.get(key.partition(".")[0])
        return result.figures.get(key) if result is not None else None

    def question(self, figure: Figure) -> list[Figure]:
        """The figures that answer the same question as this one, in other plays, towers and set-ups."""
        return same_question(figure, self._results[figure.id.partition(".")[0]].figures)

    def words_of(self, token: str) -> str:
        """The words of a token, without its braces. InputError if it has none."""
        head, *parts = (part.strip() for part in token.split("|"))
        kind, colon, name = head.partition(":")
        written: Mapping[str, Callable[[str, list[str]], str]] = {"claim": self._claim, "finding": self._finding}
        if colon and kind in written:
            return written[kind](name, parts)
        return self._number(head, parts)

    def _number(self, key: str, parts: list[str]) -> str:
        figure = self.figure(key)
        if figure is None:
            raise InputError(f"{key!r} is no figure of the register; `wallsim figures` lists them")
        return in_a_sentence(figure, " ".join(parts))

    def _claim(self, key: str, parts: list[str]) -> str:
        if key not in self.verdicts:
            raise InputError(f"{key!r} is no claim; its id is that of its figures without the cell")
        words = {}
        for part in parts:
            verdict, _, each = part.partition(":")
            if verdict not in VERDICTS:
                raise InputError(f"{verdict!r} is no verdict; the verdicts are {', '.join(VERDICTS)}")
            words[verdict] = each.strip()
        verdict = self.verdicts[key]
        found = words.get(verdict, words.get(HOLDS) if verdict == VARIES else None)
        if found is None:
            raise InputError(f"{key}: its verdict is {verdict!r}, for which there are no words")
        return judged(found, key)

    def _finding(self, study: str, parts: list[str]) -> str:
        if study not in self._results:
            raise InputError(f"{study!r} is no study of the report")
        if len(parts) != 1 or parts[0] not in _SENTENCES:
            raise InputError(f"{'|'.join(parts)!r} is not one of {', '.join(_SENTENCES)}")
        if not (sentence := str(getattr(self._results[study].page.finding, parts[0]))):
            raise InputError(f"finding:{study}: the study has no sentence {parts[0]!r}; leave it out")
        return sentence


def written(text: str, known: Known) -> str:
    """A text with the words of its tokens. InputError for the first that has none, with its line and column."""

    def words(found: re.Match[str]) -> str:
        try:
            return known.words_of(found[1])
        except InputError as error:
            raise InputError(f"{position(text, found.start())}: {error}") from None

    return TOKEN.sub(words, text)


def token_problems(text: str, known: Known) -> Iterator[Problem]:
    """The tokens of a text that have no words, and braces that are no token."""
    for found in TOKEN.finditer(text):
        try:
            known.words_of(found[1])
        except InputError as error:
            yield Problem(found.start(), str(error))
    blanked = TOKEN.sub(lambda found: " " * len(found[0]), text)
    for brace in re.finditer(r"[{}]", blanked):
        yield Problem(brace.start(), f"{brace[0]!r} belongs to no pair of braces")


def position(text: str, place: int) -> str:
    """A place of a text as LINE:COLUMN, both from 1."""
    return f"{text.count(chr(10), 0, place) + 1}:{place - text.rfind(chr(10), 0, place)}"
