"""The tables of the study `amounts`, and its answer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from wallsim.analysis.claims.cells import Cell
from wallsim.markdown import markdown_table
from wallsim.report.tables.estimates import in_words, number
from wallsim.rules.amounts import PRINTED
from wallsim.rules.terms import ROUND_NAMES, TILES
from wallsim.stats.blocks import Estimate
from wallsim.stats.intervals import LEVEL, Confidence
from wallsim.studies.changes import Change
from wallsim.studies.outcomes import LEADER, POINTS, SPREAD
from wallsim.studies.scope import Scope
from wallsim.studies.words import table_of

from .estimates import DOUBLED, STYLES, OneAtATime, Turned, in_fours
from .surface import FAIR, LINEUPS, RESPONSES, VARIABLES, Fairness, Surface, amounts_of

_LEVEL_WINS = 2.0  # percentage points from a quarter of the wins: a line-up within them is level


def told(change: Change | Estimate, sure: Confidence, digits: int = 2) -> str:
    """An estimate with the half-width of its interval."""
    estimate = change.estimate if isinstance(change, Change) else change
    return in_words(estimate.value, estimate.interval(sure), digits, "+")


def answer_words(
    turned: OneAtATime,
    twice: Mapping[str, Sequence[Change]],
    found: np.ndarray,
    confirmed: Mapping[Cell, tuple[Fairness, Fairness]],
) -> str:
    """The answer: what moves the spread and decisiveness, doubled tiles, and how near to fair the numbers come."""
    games = turned.games[turned.scope.baseline_cell()]
    sure = Confidence(LEVEL, 3 * len(games))
    name = max(games, key=lambda each: abs(games[each][SPREAD].estimate.value))
    moved = [f"`{each}`" for each, changes in games.items() if _side(changes[LEADER], sure)]
    rounds = [change for each in twice.values() for change in each[1:]]
    joint = Confidence(LEVEL, len(rounds))
    gains, losses = (sum(_side(change, joint) == side for change in rounds) for side in (1, -1))
    before, after = confirmed[turned.scope.baseline_cell()]
    nearer = sum(two.range_of_tiles() < one.range_of_tiles() for one, two in confirmed.values())
    tiles = f"{number(before.range_of_tiles(), 2)} to {number(after.range_of_tiles(), 2)} VP a round"
    lineups = f"{number(before.range_of_lineups(), 1)} to {number(after.range_of_lineups(), 1)} percentage points"
    return (
        f"**Answer.** In strong play the spread of points moves most with `{name}`, by "
        f"{told(games[name][SPREAD], sure)} VP from its lower to its higher value; the wins of year one's leader are "
        f"known to move with {', '.join(moved) or 'none'}. With a doubled gift a tile is known to be worth more in "
        f"{gains} of {len(rounds)} pairs of tile and round, and less in {losses}. The fairest numbers that were found "
        f"bring the best tile and the worst from {tiles} apart, and nearer to each other in {nearer} of "
        f"{len(confirmed)} cells; the best line-up and the worst from {lineups} of wins, so that turning numbers for "
        "all alike does not make the printed line-ups fair."
    )


def games_table(turned: OneAtATime, rows: Sequence[Turned]) -> str:
    """One row a number: points, spread, the wins of year one's leader and wins by line-up, in the baseline cell."""
    cell = turned.scope.baseline_cell()
    outcomes = (POINTS, SPREAD, LEADER)
    sure = Confidence(LEVEL, len(rows) * (len(outcomes) + len(LINEUPS)))
    lines, used = [], []
    for each in rows:
        whole, lineups = turned.games[cell][each.name], turned.lineups[each.name]
        shown = [whole[outcome] for outcome in outcomes]
        of_lineups = [lineups[letter] for letter in LINEUPS]
        lines.append(
            (
                *_head(each),
                *(told(one, sure) for one in shown[:2]),
                *(told(one, sure, 1) for one in (shown[2], *of_lineups)),
            )
        )
        used += [*shown, *of_lineups]
    heads = ("number", "from → to", *outcomes, *(f"wins of {letter}, % points" for letter in LINEUPS))
    return (
        table_of(in_fours(turned.scope), heads, lines, sure, used)
        + " * with all expansions, played by `strong-4p-bigbox`."
    )


def robust_table(turned: OneAtATime, rows: Sequence[Turned]) -> str:
    """One row a number that moves the spread or the leader's wins in some cell: where, and between which values."""
    cells = {each.name: [one for one in turned.games.values() if each.name in one] for each in rows}
    sure = Confidence(LEVEL, 2 * sum(map(len, cells.values())))
    lines = []
    for each in rows:
        found = [[one[each.name][outcome] for one in cells[each.name]] for outcome in (SPREAD, LEADER)]
        sides = [[_side(change, sure) for change in changes] for changes in found]
        if any(any(one) for one in sides):
            told_sides = [
                f"up in {one.count(1)}, down in {one.count(-1)}" if any(one) else "not known in any" for one in sides
            ]
            ends = [_ends(changes) for changes in found]
            pairs = [text for pair in zip(ends, told_sides, strict=True) for text in pair]
            lines.append((*_head(each), str(len(cells[each.name])), *pairs))
    heads = ("number", "from → to", "cells", "spread of VP", "known", "leader's wins, % points", "known")
    scope = in_fours(turned.scope)
    few = f" {sure.too_few(scope.others, 'blocks')}" if scope.others < sure.min_blocks else ""
    return (
        f"{markdown_table(heads, lines)}\n\nLeast and most over the cells of play and tower; only numbers that move "
        f"either in some cell are shown. At least {scope.others} blocks a cell, {sure.n_comparisons:,} simultaneous "
        f"{LEVEL:.0%} intervals.{few} * with all expansions, judged by one line of strong play."
    )


def worth_table(turned: OneAtATime, rows: Sequence[Turned]) -> str:
    """One row a number: the worth of each tile, held in every round, and the wins of each style, in the baseline."""
    sure, lines, used = Confidence(LEVEL, len(rows) * (len(TILES) + len(STYLES))), [], []
    for each in rows:
        tiles = [turned.tiles[each.name][tile] for tile in TILES]
        styles = [turned.styles[each.name][style] for style in STYLES]
        lines.append((*_head(each), *(told(one, sure) for one in tiles), *(told(one, sure, 1) for one in styles)))
        used += [*tiles, *styles]
    heads = ("number", "from → to", *(f"tile `{tile}`, VP a round" for tile in TILES))
    heads += tuple(f"`{style}`, % points" for style in STYLES)
    note = (
        " A tile is held in every round, and none with the same luck; the styles sit at one table, in each seat once. "
        "* with all expansions."
    )
    return table_of(in_fours(turned.scope), heads, lines, sure, used) + note


def doubled_table(twice: Mapping[str, Sequence[Change]], scope: Scope) -> str:
    """One row a tile: how much more it is worth with a doubled gift, in the mean of the rounds and in each."""
    sure = Confidence(LEVEL, sum(map(len, twice.values())))
    lines = []
    for tile, each in twice.items():
        gift = ", ".join(f"{name} = {value}" for name, value in DOUBLED[tile].items())
        lines.append((f"`{tile}`", gift, *(told(one, sure) for one in each)))
    blocks = next(iter(twice.values()))[0].estimate.blocks
    few = f" {sure.too_few(blocks, 'blocks')}" if blocks < sure.min_blocks else ""
    return (
        f"{markdown_table(('tile', 'doubled gift', 'all rounds', *ROUND_NAMES), lines)}\n\nVP more that a tile in one "
        f"round brings against none, with the gift doubled: {blocks:,} blocks of 24 in the baseline cell; "
        f"{sure.n_comparisons} simultaneous {LEVEL:.0%} intervals.{few}"
    )


def surface_table(fitted: Surface) -> str:
    """How well the fits predict points of the design that they have not seen."""
    low, high = zip(*VARIABLES.values(), strict=True)
    bounds = ", ".join(f"`{name}` {a} to {b}" for name, a, b in zip(VARIABLES, low, high, strict=True))
    lines = [(name, f"{100 * fitted.explained[name]:.0f}") for name in RESPONSES]
    names = [f"tile `{name}`" if name in TILES else f"wins of line-up {name}" for name, _ in lines]
    table = markdown_table(
        ("response", "variance explained, %"), [(name, line[1]) for name, line in zip(names, lines, strict=True)]
    )
    return (
        f"Turned at once: {bounds}; {len(fitted.points) - 1} points and the printed numbers, strong "
        f"play.\n\n{table}\n\n"
        "The share of the variance between points that the fitted surface explains of points it has not seen, in "
        "five-fold cross-validation; sampling error is part of the rest."
    )


def fairness_tables(found: np.ndarray, confirmed: Mapping[Cell, tuple[Fairness, Fairness]]) -> str:
    """The fairest numbers found, what they do to tiles and line-ups in the first cell, and the ranges in all."""
    changed = {name: value for name, value in amounts_of(found).items() if value != PRINTED[name]}
    numbers = ", ".join(f"`{name}` = {value} (printed {PRINTED[name]})" for name, value in changed.items())
    cell, (before, after) = next(iter(confirmed.items()))
    sure = Confidence(LEVEL, 2 * len(RESPONSES))
    lines = [(f"tile `{tile}`, VP a round", *_both(before.tiles[tile], after.tiles[tile], sure, 2)) for tile in TILES]
    lines += [
        (f"line-up {letter}, wins, %", *_both(before.lineups[letter], after.lineups[letter], sure, 1))
        for letter in LINEUPS
    ]
    one = markdown_table((cell.in_words(confirmed), "printed", "found"), lines)
    ranges = [
        (
            each.in_words(confirmed),
            *(number(kind.range_of_tiles(), 2) for kind in pair),
            *(number(kind.range_of_lineups(), 1) for kind in pair),
            _level(pair[1]),
        )
        for each, pair in confirmed.items()
    ]
    heads = ("cell", "tiles, printed", "tiles, found", "line-ups, printed", "line-ups, found", "level line-ups, found")
    return (
        f"The fairest numbers found: {numbers}.\n\n{one}\n\nConfirmed on games that no search saw; "
        f"{sure.n_comparisons} simultaneous {LEVEL:.0%} intervals.\n\n{markdown_table(heads, ranges)}\n\n"
        "Best less worst: of the tiles in VP a round, of the line-ups in percentage points of wins. A line-up is level "
        f"within {_LEVEL_WINS:g} points of a quarter of the wins."
    )


def _level(found: Fairness) -> str:
    level = [letter for letter, share in found.lineups.items() if abs(share.value - FAIR) < _LEVEL_WINS]
    return ", ".join(level) or "none"


def _both(before: Estimate, after: Estimate, sure: Confidence, digits: int) -> tuple[str, str]:
    first, second = (in_words(each.value, each.interval(sure), digits) for each in (before, after))
    return first, second


def _head(each: Turned) -> tuple[str, str]:
    mark = " *" if each.base == "all expansions" else ""
    return f"`{each.name}`{mark}", f"{each.low} → {each.high}"


def _side(change: Change, sure: Confidence) -> int:
    interval = change.estimate.interval(sure)
    return 0 if interval is None else int(interval[0] > 0) - int(interval[1] < 0)


def _ends(changes: Iterable[Change]) -> str:
    values = [each.estimate.value for each in changes]
    return f"{number(min(values), 2, '+')} to {number(max(values), 2, '+')}"
