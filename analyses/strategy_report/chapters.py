"""The chapters of the report: what every study found, as its own page says it, by the register alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from wallsim.analysis.claims.answers import DEPENDS, FAILS, LITTLE, SAME, UNKNOWN, Answer
from wallsim.errors import InputError
from wallsim.report.tables.traced import judged
from wallsim.studies.catalogue import load_study, own_studies
from wallsim.studies.claims import CLAIM
from wallsim.studies.figure import figure_id
from wallsim.studies.finding import Finding
from wallsim.studies.published import published_studies
from wallsim.studies.publishing import as_published
from wallsim.studies.running import Result
from wallsim.studies.traced_figures import TracedFigures

from ..robustness.answers import Judged, project_answers, published_claims
from ..robustness.sources import PLAYERS
from .units import check_units

# In the order in which a reader meets them; a study that is in no group has no chapter.
# The title and the opening of a group are in docs/report/GROUP.md.
GROUPS: Mapping[str, Sequence[str]] = {
    "play": ("play",),
    "lineups": ("lineups", "first_look", "draft"),
    "tiles": ("tiles", "price"),
    "events": ("events",),
    "rules": ("expansions", "editions", "amounts"),
    "tower": ("tower",),
    "players": ("ladder", "skill", "casual", "zoo"),
}

_NONE = Finding("", "", "", "A quick look, in few cells and games, makes no finding.", "")


class Chapter(NamedTuple):
    """A study in the report: its finding, its table as Markdown, how it was measured, its seed, how many figures."""

    name: str
    question: str
    finding: Finding
    table: str
    method: str
    seed: int
    figures: int


class Claims(NamedTuple):
    """The claims of the whole project with four players by their answer, each in words with the mark of its id."""

    holds: list[str]
    little: list[str]
    depends: list[str]
    unknown: list[str]
    same: list[str]
    fails: list[str]


def results() -> dict[str, Result]:
    """The published results of all studies of the report, traced.

    InputError if the register lacks one, and for a figure with another unit than the others of its question.
    """
    names = [name for group in GROUPS.values() for name in group]
    missing = [name for name in names if name not in published_studies()]
    if missing or not set(names) <= set(own_studies()):
        raise InputError(f"report: the register of figures lacks {', '.join(missing) or 'the studies'}; "
                         "`wallsim study NAME --publish` adds one in a checkout")  # fmt: skip
    found = {name: as_published(load_study(name)) for name in names}
    for result in found.values():
        check_units(result.figures)
    return {name: traced_result(result) for name, result in found.items()}


def traced_result(result: Result) -> Result:
    """The same with traced figures, so that pages have the id of every number that is written from one."""
    return replace(result, figures=TracedFigures(result.figures))


def chapter_of(result: Result, *, quick: bool = False) -> Chapter:
    """The chapter of a study. InputError if its figures make no finding, unless it may be a `quick` look."""
    study, page = result.study, result.page
    finding = page.finding or (_NONE._replace(title=study.question) if quick else None)
    if finding is None:
        raise InputError(f"report: {study.name}: its published figures make no finding")
    title, _, question = study.question.partition(": ")
    method = " ".join((study.doc or "").partition("\n")[2].split())
    return Chapter(
        study.name, f"{title}: {question}".removesuffix(": "), finding, page.table, method, study.experiment().seed,
        len(result.figures),
    )  # fmt: skip


def claims() -> Claims:
    """All claims with four players, sorted by their answer."""
    asked: Mapping[tuple[str, str, int], Judged] = published_claims()
    sides: dict[str, list[str]] = {side: [] for side in Claims._fields}
    for key, answer in project_answers().items():
        if key[2] == PLAYERS:
            claim = figure_id(key[0], CLAIM, key[1], players=PLAYERS)
            sides[_side(answer)].append(judged(asked[key].claim.words, claim))
    return Claims(**sides)


def _side(answer: Answer) -> str:
    sides = {DEPENDS: "depends", LITTLE: "little", UNKNOWN: "unknown", SAME: "same", FAILS: "fails"}
    return sides.get(answer.word, "holds")
