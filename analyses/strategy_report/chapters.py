"""The chapters of the report: what every study found, as its own page says it, by the register alone.

Below a chapter stand the questions that its figures answer. A question is asked by figures whose ids differ in play,
tower and set-up alone. Of the figures of casual play, and of those of strong play, the primary one is that of the
default tower and of the set-up of the table: printed line-ups for casual players, a draft for experienced ones, or the
other set-up if that was not played. Where neither was played it is the figure of no play. All others are other true
values of the question.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from wallsim import __version__
from wallsim.analysis.claims.answers import DEPENDS, FAILS, HOLDS, NEVER_WORSE, UNKNOWN
from wallsim.analysis.claims.cells import default_plays
from wallsim.errors import InputError
from wallsim.policies.catalogue import load_policy
from wallsim.policies.exploitability import WAYS, load_ways
from wallsim.report.tables.estimates import half_width, share
from wallsim.report.tables.traced import Traced, judged, sources_in, unmarked
from wallsim.studies.catalogue import load_study, own_studies
from wallsim.studies.claims import CLAIM
from wallsim.studies.figure import LINEUP, Figure, Figures, figure_id
from wallsim.studies.finding import Finding
from wallsim.studies.other_tables import all_tables, traced_figures
from wallsim.studies.published import published_studies, refuse_other_engines
from wallsim.studies.publishing import as_published
from wallsim.studies.running import Result
from wallsim.studies.scope import BASELINE_TOWER, CASUAL_TABLE, EXPERIENCED_TABLE, PLAYERS
from wallsim.studies.table_page import tables_with_headings

from ..robustness.answers import project_answers
from .html import as_html, as_line, rendered

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
EXPLOITED = "exploitability"  # begins the ids of best responses, and is the name of their file of data
_STUDIES = [name for group in GROUPS.values() for name in group]
_SIDES = {
    HOLDS: "Holds", DEPENDS: "Differs between bots, towers or set-ups", UNKNOWN: "Not known",
    NEVER_WORSE: "Never worse by more than a margin", FAILS: "Fails",
}  # fmt: skip
_CHECKS = "Restates a rule or arithmetic"


def results(names: Sequence[str] = _STUDIES) -> dict[str, Result]:
    """The published results of some studies of the report, by default of all, traced.

    InputError if the register lacks one, and for a figure with another unit than the others of its question.
    """
    missing = [name for name in names if name not in published_studies()]
    if missing or not set(names) <= set(own_studies()):
        raise InputError(f"report: the register of figures lacks {', '.join(missing) or 'the studies'}; "
                         "`wallsim study NAME --publish` adds one in a checkout")  # fmt: skip
    refuse_other_engines(names)
    found = {name: as_published(load_study(name)) for name in names}
    for result in found.values():
        check_units(result.figures)
    return {name: traced_result(result) for name, result in found.items()}


@contextmanager
def complete_register() -> Iterator[None]:
    """Inside, a figure that the register lacks is an InputError that names its file."""
    try:
        yield
    except KeyError as error:
        study = str(error.args[0]).partition(".")[0]
        if study not in published_studies():
            raise
        raise InputError(f"data/figures/{study}.csv: has no {error}") from None


def check_units(figures: Figures) -> None:
    """InputError for a figure whose unit is not that of the other figures of its question."""
    units: dict[str, tuple[str, str]] = {}
    for key, figure in figures.items():
        first, unit = units.setdefault(question_of(key).partition("@")[0], (key, figure.unit))
        if figure.unit != unit:
            raise InputError(f"data/figures/{figures.study}.csv: {key}: unit {figure.unit!r} differs from {unit!r} of "
                             f"{first}")  # fmt: skip


def traced_result(result: Result) -> Result:
    """The same with traced figures, so that pages have the id of every number that is written from one."""
    return replace(result, figures=traced_figures(result.figures))


def finding_of(result: Result, *, quick: bool = False) -> Finding:
    """What a study found. InputError if its figures make no finding, unless it may be a `quick` look."""
    if result.page.finding is not None:
        return result.page.finding
    if not quick:
        raise InputError(f"report: {result.study.name}: its published figures make no finding")
    return Finding(result.study.question, "", "", "A quick look, in few cells and games, makes no finding.", "")


def chapter_of(
    result: Result, files: Mapping[str, str], texts: Iterable[str] = (), *, quick: bool = False
) -> dict[str, Any]:
    """The chapter of a study, as `templates/frame.html.j2` and the pages show it.

    Its questions are those of the figures on its first screen and in `texts`, whose numbers are marked; `files` of the
    report are said by what they show. InputError as `finding_of` has it.
    """
    study, figures, finding = result.study, result.figures, finding_of(result, quick=quick)
    texts = [finding.title, *finding.sentences().values(), result.page.table, *texts]
    ids = dict.fromkeys(key for text in texts for source in sources_in(text) for key in source.ids)
    shown = [figures[key] for key in ids if key in figures]
    title, _, question = study.question.partition(": ")
    sample = sample_of(shown)
    return {
        "name": study.name, "question": as_line(f"{title}: {question}".removesuffix(": ")), "finding": finding,
        "table": result.page.table, "method": as_html(" ".join((study.doc or "").partition("\n")[2].split())),
        "questions": _questions_of(shown, figures), "sample": sample, "files": files,
        "citation": f"“{unmarked(finding.title)}”. wallsim {__version__}, study {study.name}, engine version "
                    f"{figures.engine}, seed {study.experiment().seed}{', ' if sample else ''}{sample}. "
                    f"{result.note}".strip(),
    }  # fmt: skip


def _questions_of(shown: Iterable[Figure], figures: Figures) -> list[tuple[Any, ...]]:
    """Each question that figures answer: its id without a cell, its unit, and the cells of the figures.

    First the ids and cells of the primary figures, then the cells of the others that are shown.
    """
    asked: dict[str, list[str]] = {}
    for figure in shown:
        asked.setdefault(question_of(figure.id), []).append(figure.id)
    result = []
    for question, ids in asked.items():
        one = figures[ids[0]]
        first = primary_ids(same_question(one, figures))
        primary, others = ([(key, place) for key in keys if (place := key.partition("@")[0].partition("/")[2])]
                           for keys in (first, [key for key in ids if key not in first]))  # fmt: skip
        result.append((question, one.unit, primary, [place for _, place in others]))
    return result


def sample_of(figures: Iterable[Figure]) -> str:
    """How many units of errors figures rest on, in words: `200 blocks`, `1,000 to 3,996 blocks and 132 casts`."""
    sizes: dict[str, list[int]] = {}
    for figure in figures:
        if figure.n:
            sizes.setdefault(figure.n_unit, []).append(figure.n)
    ranges = {unit: dict.fromkeys((min(found), max(found))) for unit, found in sizes.items()}
    return " and ".join(f"{' to '.join(f'{n:,}' for n in ends)} {unit}" for unit, ends in ranges.items())


def question_of(key: str) -> str:
    """The question of an id: the id without its cell; a moment is a part of the question."""
    return re.sub("/[^@]*", "", key)


def same_question(figure: Figure, figures: Figures) -> list[Figure]:
    """The figures of a study that answer the same question as this one, in any play, tower and set-up."""
    head = question_of(figure.id).partition("@")[0]
    return [each for each in figures.headed(head) if each.moment == figure.moment]


def primary_ids(figures: Iterable[Figure]) -> list[str]:
    """The ids of the primary figures among those of one question, casual before experienced."""
    figures, result = list(figures), []
    for table in (CASUAL_TABLE, EXPERIENCED_TABLE):
        fitting = [each for each in figures if each.play == table.play and each.tower in ("", BASELINE_TOWER)]
        fitting.sort(key=lambda each: ((each.setup or LINEUP) != table.setup, each.tower == ""))
        result += [figure.id for figure in fitting[:1]]
    return result or [figure.id for figure in figures if not figure.play]


def claims() -> dict[str, list[str]]:
    """The findings of the whole project with four players by their answer, in words with the mark of their ids.

    A margin stands with its finding. Checks follow, each with its answer.
    """
    sides: dict[str, list[str]] = {side: [] for side in (*_SIDES.values(), _CHECKS)}
    for asked, (each, answer) in project_answers().items():
        if asked.players == PLAYERS:
            claim = figure_id(asked.study, CLAIM, asked.outcome, players=PLAYERS)
            more = f" ({each.said(answer)})" if each.claim.check or answer.word == NEVER_WORSE else ""
            sides[_CHECKS if each.claim.check else _SIDES[answer.word]].append(judged(each.claim.words + more, claim))
    return sides


def players() -> list[tuple[str, str, str, str]]:
    """The bots from weak to strong, with four players: their play, policy, what it is, and its best response."""
    rows = []
    for play in default_plays():
        beaten, ways = "not measured", load_ways().get((play.policy, PLAYERS), {}).values()
        if best := max(ways, default=None, key=lambda each: each.share):
            ids = (response_id(play.policy, best.way),)
            wins, low, high = (Traced(value, ids, "%") for value in (best.share, best.low, best.high))
            beaten = f"{share(wins, 0)}{half_width((low, high), 0, 100)} %: {WAYS[best.way]}"
        rows.append((play.name, play.policy, load_policy(play.policy).description.replace("`", ""), beaten))
    return rows


def response_id(policy: str, way: str) -> str:
    """The id of what the best response of a way wins against a policy, whose row is in EXPLOITED."""
    return figure_id(EXPLOITED, way, policy, players=PLAYERS)


def study_page(result: Result) -> str:
    """The page of a study, played or published; figures in it have their ids. A quick look has no finding."""
    result = traced_result(result)
    tables = tables_with_headings(all_tables(result))
    chapter = chapter_of(result, {}, [tables], quick=True)
    return rendered("study.html.j2", chapter=chapter, table=as_html(chapter["table"]), tables=as_html(tables))
