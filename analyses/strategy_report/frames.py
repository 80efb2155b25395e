"""The frame of a chapter: which figures it shows, on how many units of errors they rest, and how to cite it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from markupsafe import Markup

from wallsim import __version__
from wallsim.engine.version import ENGINE_VERSION
from wallsim.report.tables.traced import sources_in, unmarked
from wallsim.studies.figure import Figure, Figures

from .html import as_html
from .primary import place_of, primary_ids, question_of, same_question


class Question(NamedTuple):
    """The figures of a chapter that answer one question: its id without a cell, its unit, and the cells.

    `primary` are the primary figures, id and cell; `others` the cells of the other figures shown. A question that is
    asked in no cell has neither.
    """

    key: str
    unit: str
    primary: list[tuple[str, str]]
    others: list[str]


class File(NamedTuple):
    """A file of the report: its place, and what it has."""

    place: str
    words: str


class Frame(NamedTuple):
    """What stands below a chapter: method, questions, size of samples in words, files, and the line to cite."""

    method: Markup
    questions: list[Question]
    sample: str
    files: list[File]
    citation: str


def frame_of(
    title: str,
    method: str,
    figures: Figures,
    seed: int,
    texts: Iterable[str],
    files: Sequence[File] = (),
    *,
    csv: bool = True,
) -> Frame:
    """The frame of a chapter that shows `texts`, whose numbers are marked; `csv` if all figures lie beside it."""
    study = figures.study
    ids = dict.fromkeys(key for text in texts for source in sources_in(text) for key in source.ids)
    shown = [figures[key] for key in ids if key in figures]
    sample = sample_of(shown)
    every = [File(f"data/{study}.csv", "all figures of the study as CSV")] if csv else []
    citation = (
        f"“{unmarked(title)}”. wallsim {__version__}, study {study}, engine version {ENGINE_VERSION}, seed {seed}"
        f"{', ' if sample else ''}{sample}."
    )
    return Frame(as_html(method), questions_of(shown, figures), sample, [*every, *files], citation)


def questions_of(shown: Iterable[Figure], figures: Figures) -> list[Question]:
    """The questions that some figures of a study answer, in their order."""
    asked: dict[str, list[Figure]] = {}
    for figure in shown:
        asked.setdefault(question_of(figure.id), []).append(figure)
    result = []
    for key, here in asked.items():
        first = primary_ids(same_question(here[0], figures))
        primary = [(each, place_of(figures[each])) for each in first if place_of(figures[each])]
        others = [place_of(each) for each in here if each.id not in first and place_of(each)]
        result.append(Question(key, here[0].unit, primary, others))
    return result


def sample_of(figures: Iterable[Figure]) -> str:
    """How many units of errors figures rest on, in words: `200 blocks`, `1,000 to 3,996 blocks and 132 casts`."""
    sizes: dict[str, list[int]] = {}
    for figure in figures:
        if figure.n:
            sizes.setdefault(figure.n_unit, []).append(figure.n)
    words = []
    for unit, found in sizes.items():
        least, most = min(found), max(found)
        words.append(f"{least:,} {unit}" if least == most else f"{least:,} to {most:,} {unit}")
    return " and ".join(words)
