"""The table of the study `lineups` that says line-up A against C in skill, made from the register."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan
from typing import Any

from wallsim.analysis.claims.plays import MIDDLING, MIDDLING_POLICY
from wallsim.markdown import markdown_table
from wallsim.report.tables.estimates import in_words, number
from wallsim.stats.intervals import LEVEL, side_of
from wallsim.studies.figure import LINEUP, Figure, Figures
from wallsim.studies.games import block_size

from .estimates import HEAD_SIZE, Design, erring_blocks, plays_at_home
from .judgement import BETTER, ERRORS, OUTCOMES, POINTS, WEAKER, WINS, WORSE, tables_of
from .judgement_figures import GAP, LEVEL_ERRORS, WEAKER_PLAYER, sure_of_gaps, with_errors

_DECIMALS = {POINTS: 2, WINS: 1}
_HEADS = {POINTS: "VP", WINS: "wins, % points"}


def judgement_table(figures: Figures, design: Design) -> str:
    """One row for each player of line-up A: what it has more than C at its table; and which errors make both level."""
    tables, rows = tables_of(plays_at_home(design)), []
    items = [(f"{error:g} VP" if error else "none", with_errors(error)) for error in ERRORS]
    for name, item in [*items, ("the next weaker play", WEAKER_PLAYER)]:
        rows.append((name, *(_gap(figures, design, outcome, item, play) for outcome in OUTCOMES for play in tables)))
    level = (_level(figures.of(LEVEL_ERRORS[outcome], **_at(design, play))) for outcome in OUTCOMES for play in tables)
    rows.append((f"{BETTER} and {WORSE} are level at", *level))
    heads = (f"added errors of {BETTER}", *(f"{_HEADS[outcome]}, {play}" for outcome in OUTCOMES for play in tables))
    return f"{markdown_table(heads, rows)}\n\n{_words(figures, design)}"


def _at(design: Design, play: str) -> dict[str, Any]:
    return {"players": HEAD_SIZE, "play": play, "tower": design.towers[0], "setup": LINEUP}


def _gap(figures: Figures, design: Design, outcome: str, item: str, play: str) -> str:
    figure = figures.of(GAP[outcome], item, **_at(design, play))
    return in_words(figure.value, figure.interval(sure_of_gaps(design)), _DECIMALS[outcome], "+")


def _level(figure: Figure) -> str:
    """Errors in VP with their interval, one of whose ends may not be reached."""
    if isnan(figure.low):  # too few blocks, or the largest errors are known not to be enough
        return f"over {ERRORS[-1]:g} VP" if isnan(figure.value) else f"{number(figure.value, 2)} VP"
    if isnan(figure.value):
        return f"at least {number(figure.low, 2)} VP"
    top = f"over {ERRORS[-1]:g}" if isnan(figure.high) else number(figure.high, 2)
    return f"{number(figure.value, 2)} VP ({number(figure.low, 2)} to {top})"


def _words(figures: Figures, design: Design) -> str:
    tables, sure = tables_of(plays_at_home(design)), sure_of_gaps(design)
    blocks = erring_blocks(design) * block_size(HEAD_SIZE)
    seed = next(iter(tables.values())).seed
    weaker = ", ".join(f"{WEAKER[play]} ({play})" for play in tables)
    few = f" {sure.too_few(blocks, 'blocks')}" if blocks < sure.min_blocks else ""
    return (
        f"What line-up {BETTER} has more than {WORSE} at the same table, where the player with {BETTER} judges every "
        "option with added random errors of this standard deviation, or is of the next weaker play, and all others "
        f"play as named. {_in_skill(figures, design)} The next weaker play of each column: {weaker}. Both line-ups are "
        "level where the gap is 0 by linear interpolation; in brackets the errors at which it is not known who has "
        f"more. {blocks:,} game numbers in {2 * HEAD_SIZE} arrangements, seed {seed}, tower {design.towers[0]}; the ± "
        f"are half-widths of {sure.n_comparisons} simultaneous {LEVEL:.0%} intervals.{few}"
    )


def _in_skill(figures: Figures, design: Design) -> str:
    """What line-up A instead of C is worth: in errors, and in steps from one policy or play to a weaker one."""
    plays = list(tables_of(plays_at_home(design)))
    levels = (f"{_level(figures.of(LEVEL_ERRORS[POINTS], **_at(design, play)))} in {play} play" for play in plays)
    words = [f"In points, {BETTER} instead of {WORSE} makes up for errors of {', '.join(levels)}."]
    if MIDDLING in plays:
        words += _in_grades(figures, design)
    for side, told in ((-1, "less than"), (0, "not distinguishable from"), (1, "more than")):
        there = [play for play in plays if _side(figures, design, WINS, WEAKER_PLAYER, play) == side]
        if there:
            words.append(f"In wins it is {told} the gap to the next weaker play in {_joined(there)} play.")
    return " ".join(words)


def _in_grades(figures: Figures, design: Design) -> list[str]:
    """Between which grades of middling play the errors are that make both line-ups level in points, if it is known."""
    sides = {error: _side(figures, design, POINTS, with_errors(error), MIDDLING) for error in ERRORS}
    enough = [error for error, side in sides.items() if side > 0 and error > 0]
    too_much = [error for error, side in sides.items() if side < 0]
    if not enough or not too_much:
        return []
    return [
        f"In middling play that is more than the gap from `{MIDDLING_POLICY}` to `{_grade(max(enough))}`, and less "
        f"than that to `{_grade(min(too_much))}`."
    ]


def _joined(names: Sequence[str]) -> str:
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last


def _grade(error: float) -> str:
    return f"{MIDDLING_POLICY}-noise-{round(10 * error):02}"


def _side(figures: Figures, design: Design, outcome: str, item: str, play: str) -> int:
    return side_of(figures.of(GAP[outcome], item, **_at(design, play)).interval(sure_of_gaps(design)))
