"""The page of the study `editions`: all tables and the picture, made from the register."""

from __future__ import annotations

from collections import Counter

from matplotlib.figure import Figure as Picture

from wallsim.markdown import markdown_table
from wallsim.report.tables.estimates import in_words, number
from wallsim.runs.experiment_file import load_experiment
from wallsim.stats.intervals import LEVEL, Confidence
from wallsim.studies.figure import Figure, Figures
from wallsim.studies.outcomes import LEADER, OUTCOMES, POINTS, SPREAD
from wallsim.studies.scope import Scope
from wallsim.studies.study import Page
from wallsim.studies.table_captions import scope_words, table_of

from .estimates import (
    CHANGED,
    EXPANDED,
    EXPERIMENT,
    FIRST,
    LIMITS,
    SECOND,
    Variant,
    cells_for,
    plays_of,
    side,
    variants,
)  # fmt: skip
from .figures import (
    GAMES,
    HEADLINE,
    PICTURE,
    PLAYERS,
    SEAT,
    SHOWN,
    VERDICT,
    item,
    plays_shown,
    seat,
    sure_of_changes,
    sure_of_headline,
    sure_of_picture,
    sure_of_seats,
    sure_of_verdicts,
)  # fmt: skip
from .finding import both_tables, finding_of, is_idle
from .picture import Row, switches_at_a_glance

_NEVER = "does not matter"


def page(figures: Figures, scope: Scope) -> Page:
    """The finding with the settings that matter most, and all tables."""
    scenarios = len(variants()) + len({variant.base for variant in variants()})
    parts = (
        scope_words(scope, load_experiment(EXPERIMENT), scenarios),
        idle_words(figures, scope),
        change_table(figures, scope),
        seat_table(figures, scope),
        verdict_rows(figures, scope),
    )
    finding = None if scope.quick else finding_of(figures, scope)
    return Page(finding, both_tables(figures, scope), "\n\n".join(parts))


def verdict(figures: Figures, scope: Scope, variant: Variant) -> str:
    """Whether a variant matters: within the limits in all cells, or in how many of them each outcome moves."""
    if is_idle(figures, scope, variant):
        return _NEVER
    sure, played = sure_of_verdicts(scope), cells_for(scope, variant)
    counts = {}
    for outcome in LIMITS:
        result = (figures.of(VERDICT, item(variant, outcome), players=PLAYERS, cell=cell) for cell in played)
        counts[outcome] = Counter(side(each, each.error, outcome, sure) for each in result)
    cells = len(played)
    moved = [f"{_short(outcome)} in {count['moves']}" for outcome, count in counts.items() if count["moves"]]
    unknown = [f"{_short(outcome)} in {count['open']}" for outcome, count in counts.items() if count["open"]]
    parts = [f"moves {', '.join(moved)} of {cells} cells"] if moved else []
    parts += [f"not known: {', '.join(unknown)}{'' if moved else f' of {cells} cells'}"] if unknown else []
    return "; ".join(parts)


def idle_words(figures: Figures, scope: Scope) -> str:
    """Which switches do not matter, and what the first edition changes."""
    switches = [variant for variant in variants() if variant.mark]
    idle = [each for each in switches if is_idle(figures, scope, each)]
    named = [f"`{each.name}`" + (" *" if each.base == EXPANDED else "") for each in idle]
    sure = sure_of_headline()
    edition = next(variant for variant in variants() if not variant.mark)
    first = {outcome: _shown(figures, scope, HEADLINE, edition, outcome) for outcome in (POINTS, SPREAD, LEADER)}
    each = [one.value for one in figures.cells(VERDICT, item(edition, POINTS), players=PLAYERS).values()]
    return (
        f"In no cell do these settings matter for a seat's points, their spread and the wins of year one's leader: "
        f"{', '.join(named) or 'none'} (* judged with expansions, by one line of strong play). The first edition "
        f"against the second brings {_as_text(first[POINTS], sure)} VP a seat, between {number(min(each), 1, '+')} and "
        f"{number(max(each), 1, '+')} over all cells, {_as_text(first[SPREAD], sure)} in spread and "
        f"{_as_text(first[LEADER], sure)} percentage points in the wins of year one's leader."
    )


def change_table(figures: Figures, scope: Scope) -> str:
    """One row per variant: the games that change, and by how much each outcome does, in the shown cell."""
    sure, rows = sure_of_changes(), []
    used: list[Figure] = []
    for variant in variants():
        here = {outcome: _shown(figures, scope, SHOWN, variant, outcome) for outcome in (CHANGED, *OUTCOMES)}
        cells = [in_words(here[CHANGED].value, here[CHANGED].interval(sure), 1, top=100.0)]
        cells += [_as_text(here[outcome], sure) for outcome in OUTCOMES]
        rows.append((f"`{variant.name}`", _where(scope, variant), *cells))
        used += [here[outcome] for outcome in OUTCOMES]
    heads = ("changed", "compared in", CHANGED, *OUTCOMES)
    note = " Shown is strong play with line-ups; who drafts first is shown in the draft."
    return table_of(scope, heads, rows, sure, used) + note


def seat_table(figures: Figures, scope: Scope) -> str:
    """One row per variant: the wins of every seat, which has the line-up of its letter unless it is a draft."""
    sure = sure_of_seats()
    result = {
        variant.name: [
            figures.of(SEAT, seat(variant, number), players=PLAYERS, cell=cells_for(scope, variant)[0])
            for number in range(PLAYERS)
        ]
        for variant in variants()
    }
    rows = [(f"`{name}`", *(_as_text(each, sure) for each in seats)) for name, seats in result.items()]
    heads = ("wins, % points", *(f"seat {number}, line-up {letter}" for number, letter in enumerate("ABCD")))
    used = [each for seats in result.values() for each in seats]
    return table_of(scope, heads, rows, sure, used)


def verdict_rows(figures: Figures, scope: Scope) -> str:
    """One row per variant: the share of games that change over all cells, and the verdict."""
    rows = []
    for variant in variants():
        shares = [one.value for one in figures.cells(GAMES, item(variant, CHANGED), players=PLAYERS).values()]
        ends = f"{number(min(shares), 1)} to {number(max(shares), 1)}"
        plays = len(plays_of(variant.base)) if not scope.quick else len(scope.plays)
        rows.append(
            (f"`{variant.name}`", variant.base, str(len(shares)), str(plays), ends, verdict(figures, scope, variant))
        )
    table = markdown_table(("changed", "compared in", "cells", "plays", "games that change, %", "verdict"), rows)
    sure = sure_of_verdicts(scope)
    few = f" {sure.too_few(scope.others, 'blocks')}" if scope.others < sure.min_blocks else ""
    limits = ", ".join(f"{limit:g} in {outcome}" for outcome, limit in LIMITS.items())
    return (
        f"{table}\n\nA setting does not matter in a cell where the interval of each change lies within {limits}; it "
        f"moves an outcome where the interval excludes 0 and reaches beyond. At least {scope.others:,} blocks a "
        f"cell, {sure.n_comparisons:,} simultaneous {LEVEL:.0%} intervals.{few}"
    )


def picture(figures: Figures, scope: Scope) -> Picture:
    """For every variant the games that change, and the change of a seat's points in every play."""
    rows = []
    for variant in variants():
        home = cells_for(scope, variant)[0]
        cells = {play: home._replace(play=play) for play in plays_shown(scope, variant)}
        rows.append(
            Row(
                variant.name if variant.base in (SECOND, FIRST) else f"{variant.name} *",
                {
                    play: figures.of(GAMES, item(variant, CHANGED), players=PLAYERS, cell=cell).value
                    for play, cell in cells.items()
                },
                {
                    play: figures.of(PICTURE, item(variant, POINTS), players=PLAYERS, cell=cell)
                    for play, cell in cells.items()
                },
            )
        )
    tower = load_experiment(EXPERIMENT).tower
    title = "Games that each setting changes, and what it does to a seat's points\n"
    title += f"Tower {tower}, line-ups, and for A3 the draft; * with all expansions; simultaneous {LEVEL:.0%} intervals"
    return switches_at_a_glance(
        rows, [play.name for play in scope.plays], LIMITS[POINTS], sure_of_picture(scope), title
    )


def _shown(figures: Figures, scope: Scope, quantity: str, variant: Variant, outcome: str) -> Figure:
    return figures.of(quantity, item(variant, outcome), players=PLAYERS, cell=cells_for(scope, variant)[0])


def _where(scope: Scope, variant: Variant) -> str:
    return variant.base if cells_for(scope, variant)[0].setup == "lineup" else f"{variant.base}, draft"


def _short(outcome: str) -> str:
    return {POINTS: "points", SPREAD: "their spread", LEADER: "the leader's wins"}[outcome]


def _as_text(each: Figure, sure: Confidence) -> str:
    return in_words(each.value, each.interval(sure), 2, "+")
