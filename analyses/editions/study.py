"""Editions: what do the first edition and each switch of the rules change?

    .venv/bin/python -m analyses.editions results/editions docs/studies/editions.png --into docs/studies/editions.md

Method. Every other setting of a switch is played on the same games as the default, and each game is compared with
itself: whether anything in its rows differs, and by how much points, their spread, the margin, the wins of year one's
leader and the wins by seat change. Switches of the leaders and the food track are played with all expansions, those of
the first edition in that edition, and who drafts first in a draft. A block is 24 games in a row, the unit of all
errors. A cell is a play, a tower calibration and a set-up; the baseline, that of `editions.toml`, has most blocks. A
switch does not matter in a cell where the intervals of its changes lie within LIMITS, which were set before any game
of this seed; the intervals of all switches, cells and outcomes hold simultaneously. With expansions there is one line
of strong play. With --quick there are few cells.
"""

from __future__ import annotations

import sys
from argparse import Namespace
from collections import Counter
from pathlib import Path

from analyses.effect_files import write_results
from matplotlib.figure import Figure

from analyses import driver
from wallsim.markdown import markdown_table
from wallsim.report.figures.editions import Row, switches_at_a_glance
from wallsim.report.tables.estimates import in_words, number
from wallsim.runs.experiment_file import load_experiment
from wallsim.stats.intervals import LEVEL, Confidence
from wallsim.studies.changes import Change
from wallsim.studies.outcomes import LEADER, OUTCOMES, POINTS, SPREAD
from wallsim.studies.words import scope_words, table_of

from .estimates import (
    CHANGED,
    EXPANDED,
    EXPERIMENT,
    FIRST,
    LIMITS,
    SECOND,
    Editions,
    Variant,
    comparisons,
    digest,
    plays_of,
    scope_of,
    sides,
    study,
    variants,
)

MARKS = ("editions figures",)
_NEVER = "does not matter"


def answer(args: Namespace) -> driver.Answer:
    """Play all rulesets, and make the tables."""
    scope = scope_of(args.games, args.quick)
    hashed = digest(scope)  # raises for a wrong experiment before anything is played
    found = study(scope, args.folder, args.workers)
    save(found, args.folder)
    text = figures(found)
    return driver.Answer(hashed, dict.fromkeys(MARKS, text), text, picture(found))


STUDY = driver.Study(__file__, __doc__, MARKS, driver.add_size, answer)


def save(found: Editions, folder: str | Path) -> None:
    """Write the changes of the shown cell of each variant into a folder."""
    shown = {
        (variant.name, outcome, " ".join(found.home(variant))): change
        for variant in variants()
        for outcome, change in found.changes[found.home(variant)][variant.name].items()
    }
    write_results(folder, {"variants": shown}, digest(found.scope), found.scope)


def figures(found: Editions) -> str:
    """All tables with the answer above them."""
    experiment = load_experiment(EXPERIMENT)
    return "\n\n".join(
        (
            scope_words(found.scope, experiment, len(variants()) + len({variant.base for variant in variants()})),
            answer_words(found),
            change_table(found),
            seat_table(found),
            verdict_rows(found),
        )
    )


def sure_of_verdicts(found: Editions) -> Confidence:
    """The confidence of the intervals behind the verdicts."""
    return Confidence(LEVEL, comparisons(found))


def verdict(found: Editions, variant: Variant) -> str:
    """Whether a variant matters: within the limits in all cells, or in how many of them each outcome moves."""
    counts = {outcome: Counter(each) for outcome, each in sides(found, variant, sure_of_verdicts(found)).items()}
    cells = len(found.cells(variant))
    if all(count["small"] == cells for count in counts.values()):
        return _NEVER
    moved = [f"{_short(outcome)} in {count['moves']}" for outcome, count in counts.items() if count["moves"]]
    unknown = [f"{_short(outcome)} in {count['open']}" for outcome, count in counts.items() if count["open"]]
    told = [f"moves {', '.join(moved)} of {cells} cells"] if moved else []
    told += [f"not known: {', '.join(unknown)}{'' if moved else f' of {cells} cells'}"] if unknown else []
    return "; ".join(told)


def answer_words(found: Editions) -> str:
    """The answer in two sentences: which switches do not matter, and what moves points most."""
    switches = [variant for variant in variants() if variant.mark]
    never = [variant for variant in switches if verdict(found, variant) == _NEVER]
    idle = [f"`{variant.name}`" + (" *" if variant.base == EXPANDED else "") for variant in never]
    sure = Confidence(LEVEL, len(variants()) * len(OUTCOMES))
    effects = [(variant, found.changes[found.home(variant)][variant.name][POINTS]) for variant in switches]
    most, effect = max(effects, key=lambda pair: abs(pair[1].estimate.value))
    edition = next(variant for variant in variants() if not variant.mark)
    first = found.changes[found.home(edition)][edition.name]
    each = [found.changes[cell][edition.name][POINTS].estimate.value for cell in found.cells(edition)]
    return (
        f"**Answer.** Of {len(switches)} settings {len(idle)} do not matter in any cell for a seat's points, their "
        f"spread and the wins of year one's leader: {', '.join(idle) or 'none'} (* judged with expansions, by one line "
        f"of strong play). Most points move with `{most.name}`, {_told(effect, sure)} VP a seat in "
        f"{_where(found, most)}; the first edition against the second brings {_told(first[POINTS], sure)} VP a seat, "
        f"between {number(min(each), 1, '+')} and {number(max(each), 1, '+')} over all cells, "
        f"{_told(first[SPREAD], sure)} in spread and {_told(first[LEADER], sure)} percentage points in the wins of "
        "year one's leader."
    )


def change_table(found: Editions) -> str:
    """One row per variant: the games that change, and by how much each outcome does, in the shown cell."""
    sure, rows = Confidence(LEVEL, len(variants()) * (1 + len(OUTCOMES))), []
    used: list[Change] = []
    for variant in variants():
        here = found.changes[found.home(variant)][variant.name]
        cells = [in_words(here[CHANGED].estimate.value, here[CHANGED].estimate.interval(sure), 1, top=100.0)]
        cells += [_told(here[outcome], sure) for outcome in OUTCOMES]
        rows.append((f"`{variant.name}`", _where(found, variant), *cells))
        used += [here[outcome] for outcome in OUTCOMES]
    heads = ("changed", "compared in", CHANGED, *OUTCOMES)
    note = " Shown is strong play with line-ups; who drafts first is shown in the draft."
    return table_of(found.scope, heads, rows, sure, used) + note


def seat_table(found: Editions) -> str:
    """One row per variant: the wins of every seat, which has the line-up of its letter unless it is a draft."""
    sure = Confidence(LEVEL, 4 * len(variants()))
    rows = [(f"`{variant.name}`", *(_told(each, sure) for each in found.seats[variant.name])) for variant in variants()]
    heads = ("wins, % points", *(f"seat {seat}, line-up {letter}" for seat, letter in enumerate("ABCD")))
    used = [each for seats in found.seats.values() for each in seats]
    return table_of(found.scope, heads, rows, sure, used)


def verdict_rows(found: Editions) -> str:
    """One row per variant: the share of games that change over all cells, and the verdict."""
    rows = []
    for variant in variants():
        shares = [found.changes[cell][variant.name][CHANGED].estimate.value for cell in found.cells(variant)]
        ends = f"{number(min(shares), 1)} to {number(max(shares), 1)}"
        plays = len(plays_of(variant.base)) if not found.scope.quick else len(found.scope.plays)
        rows.append((f"`{variant.name}`", variant.base, str(len(shares)), str(plays), ends, verdict(found, variant)))
    table = markdown_table(("changed", "compared in", "cells", "plays", "games that change, %", "verdict"), rows)
    sure = sure_of_verdicts(found)
    few = f" {sure.too_few(found.scope.others, 'blocks')}" if found.scope.others < sure.min_blocks else ""
    limits = ", ".join(f"{limit:g} in {outcome}" for outcome, limit in LIMITS.items())
    return (
        f"{table}\n\nA setting does not matter in a cell where the interval of each change lies within {limits}; it "
        f"moves an outcome where the interval excludes 0 and reaches beyond. At least {found.scope.others:,} blocks a "
        f"cell, {sure.n_comparisons:,} simultaneous {LEVEL:.0%} intervals.{few}"
    )


def picture(found: Editions) -> Figure:
    """For every variant the games that change, and the change of a seat's points in every play."""
    return switches_at_a_glance(*drawn(found))


def drawn(found: Editions) -> tuple[list[Row], list[str], float, Confidence, str]:
    """What the picture shows: a row a variant, the plays, the limit of points, the confidence, and the title."""
    rows = []
    for variant in variants():
        here = [cell for cell in found.cells(variant) if (cell.tower, cell.setup) == found.home(variant)[1:]]
        each = {cell.play: found.changes[cell][variant.name] for cell in here}
        rows.append(
            Row(
                variant.name if variant.base in (SECOND, FIRST) else f"{variant.name} *",
                {play: change[CHANGED].estimate.value for play, change in each.items()},
                {play: change[POINTS].estimate for play, change in each.items()},
            )
        )
    sure = Confidence(LEVEL, sum(len(row.points) for row in rows))
    tower = load_experiment(EXPERIMENT).tower
    title = f"Tower {tower}, line-ups, and for A3 the draft; * with all expansions; simultaneous {LEVEL:.0%} intervals"
    return rows, [play.name for play in found.scope.plays], LIMITS[POINTS], sure, title


def _where(found: Editions, variant: Variant) -> str:
    return variant.base if found.home(variant).setup == "lineup" else f"{variant.base}, draft"


def _short(outcome: str) -> str:
    return {POINTS: "points", SPREAD: "their spread", LEADER: "the leader's wins"}[outcome]


def _told(each: Change, sure: Confidence) -> str:
    return in_words(each.estimate.value, each.estimate.interval(sure), 2, "+")


if __name__ == "__main__":
    sys.exit(driver.run(STUDY))
