"""The chapters of the report: what every study found, as its own page says it, by the register alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from wallsim.analysis.claims.answers import DEPENDS, UNKNOWN, Answer
from wallsim.errors import InputError
from wallsim.studies.catalogue import load_study, own_studies
from wallsim.studies.finding import Finding
from wallsim.studies.published import published_studies
from wallsim.studies.publishing import as_published
from wallsim.studies.running import Result

from ..robustness.answers import Judged, project_answers, published_claims
from ..robustness.figures import PLAYERS

# In the order in which a reader meets them; a study that is in no group has no chapter.
GROUPS: Mapping[str, Sequence[str]] = {
    "How they play, and what players say": ("play",),
    "Line-ups and counties": ("lineups", "first_look", "draft"),
    "Tiles, places and Thalers": ("tiles", "price"),
    "Events": ("events",),
    "Expansions, editions and numbers": ("expansions", "editions", "amounts"),
    "The tower": ("tower",),
    "Who played": ("ladder", "skill", "casual", "zoo"),
}
TAKEAWAYS = ("play", "lineups", "draft", "tiles", "price", "events")


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
    """The claims of the whole project with four players by their answer, each in words."""

    holds: list[str]
    depends: list[str]
    unknown: list[str]


def results() -> dict[str, Result]:
    """The published results of all studies of the report. InputError if the register lacks one."""
    names = [name for group in GROUPS.values() for name in group]
    missing = [name for name in names if name not in published_studies()]
    if missing or not set(names) <= set(own_studies()):
        raise InputError(f"report: the register of figures lacks {', '.join(missing) or 'the studies'}; "
                         "`wallsim study NAME --publish` adds one in a checkout")  # fmt: skip
    return {name: as_published(load_study(name)) for name in names}


def chapter_of(result: Result) -> Chapter:
    """The chapter of a study. InputError if its figures make no finding."""
    study, page = result.study, result.page
    if page.finding is None:
        raise InputError(f"report: {study.name}: its published figures make no finding")
    title, _, question = study.question.partition(": ")
    method = " ".join((study.doc or "").partition("\n")[2].split())
    return Chapter(
        study.name, f"{title}: {question}", page.finding, page.table, method, study.experiment().seed,
        len(result.figures),
    )  # fmt: skip


def claims() -> Claims:
    """All claims with four players, sorted by whether they hold, depend or are not known."""
    asked: Mapping[tuple[str, str, int], Judged] = published_claims()
    sides: dict[str, list[str]] = {"holds": [], "depends": [], "unknown": []}
    for key, answer in project_answers().items():
        if key[2] == PLAYERS:
            sides[_side(answer)].append(asked[key].claim.words)
    return Claims(*sides.values())


def _side(answer: Answer) -> str:
    return {DEPENDS: "depends", UNKNOWN: "unknown"}.get(answer.word, "holds")
