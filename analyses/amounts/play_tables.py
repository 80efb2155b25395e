"""What every number changes in all kinds of play beside each other: points, decisiveness, and wins by line-up."""

from __future__ import annotations

from collections.abc import Sequence

from wallsim.analysis.claims.cells import Cell
from wallsim.markdown import code, markdown_table
from wallsim.report.tables.estimates import NOTHING, in_words
from wallsim.stats.intervals import LEVEL, Confidence, side_of
from wallsim.studies.figure import Figure, Figures
from wallsim.studies.outcomes import LEADER, POINTS, SPREAD
from wallsim.studies.scope import Scope

from .estimates import Turned, in_fours, turned_in
from .figures import (
    BY_CELL,
    PLAYERS,
    POINTS_BY_CELL,
    WINS_BY_PLAY,
    item,
    play_cells,
    sure_of_cells,
    sure_of_plays,
)
from .surface import LINEUPS


def play_tables(figures: Figures, scope: Scope) -> list[str]:
    """One table for each outcome: a row per number, a column per kind of play."""
    judged, points = sure_of_cells(scope), sure_of_cells(scope, 1)
    tables = [
        _table(figures, scope, POINTS_BY_CELL, POINTS, points, POINTS, 2),
        _table(figures, scope, BY_CELL, SPREAD, judged, SPREAD, 2),
        _table(figures, scope, BY_CELL, LEADER, judged, LEADER, 1),
    ]
    tables += [
        _table(figures, scope, WINS_BY_PLAY, letter, sure_of_plays(scope), f"wins of line-up {letter}, % points", 1)
        for letter in LINEUPS
    ]
    return [*tables, turns_words(figures, scope)]


def turns_words(figures: Figures, scope: Scope) -> str:
    """Which numbers are known to help a line-up in one kind of play and to harm it in another."""
    sure, found = sure_of_plays(scope), []
    for each in turned_in(scope):
        for letter in LINEUPS:
            sides: dict[int, list[str]] = {1: [], -1: []}
            for cell, figure in _by_play(figures, scope, WINS_BY_PLAY, each, letter).items():
                if side := side_of(figure.interval(sure)):
                    sides[side].append(cell.play)
            if all(sides.values()):
                helps, harms = (" and ".join(sides[side]) for side in (1, -1))
                found.append(f"{code(each.name)} helps line-up {letter} in {helps} play and harms it in {harms} play")
    return (
        f"From the lower to the higher value {'; '.join(found)}."
        if found
        else "No number is known to help a line-up in one kind of play and to harm it in another."
    )


def _table(
    figures: Figures, scope: Scope, quantity: str, outcome: str, sure: Confidence, head: str, decimals: int
) -> str:
    cells, rows = play_cells(scope), []
    for each in turned_in(scope):
        found = _by_play(figures, scope, quantity, each, outcome)
        rows.append((code(each.name), f"{each.low} → {each.high}", *_row(found, cells, sure, decimals)))
    blocks = in_fours(scope).others
    few = f" {sure.too_few(blocks, 'blocks')}" if blocks < sure.min_blocks else ""
    return (
        f"{markdown_table((f'change of: {head}', 'from → to', *(cell.play for cell in cells)), rows)}\n\nPrinted "
        f"line-ups, tower {scope.baseline_cell().tower}; at least {blocks:,} blocks of four games, "
        f"{sure.n_comparisons:,} simultaneous {LEVEL:.0%} intervals.{few}"
    )


def _row(found: dict[Cell, Figure], cells: Sequence[Cell], sure: Confidence, decimals: int) -> list[str]:
    texts = []
    for cell in cells:
        figure = found.get(cell)
        texts.append(NOTHING if figure is None else in_words(figure.value, figure.interval(sure), decimals, "+"))
    return texts


def _by_play(figures: Figures, scope: Scope, quantity: str, each: Turned, outcome: str) -> dict[Cell, Figure]:
    found = figures.cells(quantity, item(each.name, outcome), players=PLAYERS)
    return {cell: found[cell] for cell in play_cells(scope) if cell in found}
