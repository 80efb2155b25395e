"""The table of the study `lineups` that says line-up A against C in skill, made from the register."""

from __future__ import annotations

from typing import Any

from wallsim.markdown import markdown_table
from wallsim.report.tables.estimates import in_words, number
from wallsim.stats.intervals import LEVEL
from wallsim.studies.figure import LINEUP, Figure, Figures

from .estimates import HEAD_SIZE, Design, erring_blocks, plays_at_home
from .judgement import BETTER, ERRORS, OUTCOMES, POINTS, WEAKER, WINS, WORSE, tables_of
from .judgement_figures import GAP, LEVEL_ERRORS, WEAKER_PLAYER, is_reached, sure_of_gaps, with_errors

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
    if not is_reached(figure.value):
        return f"over {ERRORS[-1]:g} VP"
    if figure.ends is None:
        return f"{number(figure.value, 1)} VP"
    low, high = figure.ends
    top = f"{number(high, 1)}" if is_reached(high) else f"over {ERRORS[-1]:g}"
    return f"{number(figure.value, 1)} VP ({number(low, 1)} to {top})"


def _words(figures: Figures, design: Design) -> str:
    tables, sure = tables_of(plays_at_home(design)), sure_of_gaps(design)
    blocks = erring_blocks(design) * 6 * HEAD_SIZE
    seed = next(iter(tables.values())).seed
    weaker = ", ".join(f"{WEAKER[play]} ({play})" for play in tables)
    few = f" {sure.too_few(blocks, 'blocks')}" if blocks < sure.min_blocks else ""
    return (
        f"What line-up {BETTER} has more than {WORSE} at the same table, where the player with {BETTER} judges every "
        "option with added random errors of this standard deviation and all others play as named. In middling play the "
        "errors are those of the policies `balanced-noise-02` to `balanced-noise-32`. The next weaker play of each "
        f"column: {weaker}. Both line-ups are level where the gap is 0 by linear interpolation; in brackets the errors "
        f"at which it is not known who has more. {blocks:,} game numbers in 8 arrangements, seed {seed}, tower "
        f"{design.towers[0]}; the ± are half-widths of {sure.n_comparisons} simultaneous {LEVEL:.0%} intervals.{few}"
    )
