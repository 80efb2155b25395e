"""The tables of the study `lineups`, as Markdown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from wallsim.analysis.claims.cells import Cell
from wallsim.analysis.claims.robustness import Robustness
from wallsim.markdown import markdown_table
from wallsim.report.tables.estimates import NOTHING, in_words, number, of_estimate
from wallsim.report.tables.verdicts import verdict_table
from wallsim.rules.board import load_board
from wallsim.stats.blocks import Estimate, combined
from wallsim.stats.hotelling import JointTest, hotelling_of_two
from wallsim.stats.intervals import LEVEL, Confidence

from .estimates import (
    HEAD_SIZE,
    NEAR,
    Figures,
    Lineups,
    OfSize,
    equal_seats,
    experiment_of,
    outcomes,
    pooled,
    same_everywhere,
)
from .games import letters_of, spread_of
from .mends import COUNTIES, POINTS, PRINTED, after_exchange, counties_of
from .neighbours import FEATURES, OWN, lands
from .search import FULL, SEED, cells_of

_TOP = 100.0


def under(found: Lineups, sure: Confidence, sizes: Sequence[int] | None = None) -> str:
    """The line under a table: blocks, level, and the assumed data that it rests on."""
    kept = found.sizes if sizes is None else sizes
    each = {players: found.design.numbers(players) for players in kept}
    blocks = ", ".join(f"{count:,} with {players} players" for players, count in each.items())
    fewest = min(each.values())
    few = f" {sure.too_few(fewest, 'blocks')}" if fewest < sure.min_blocks else ""
    return (
        f"Blocks in every cell: {blocks}; the ± are half-widths of {sure.n_comparisons:,} simultaneous {LEVEL:.0%} "
        f"intervals.{few}{_assumed(found, kept)}"
    )


def _assumed(found: Lineups, sizes: Sequence[int] | Mapping[int, object]) -> str:
    words = []
    for players in sizes:
        cell = next(iter(found.sizes[players].cells))
        figures = experiment_of(players, cell).components().assumed()
        words += [f"{players} players, {figure}" for figure in figures]
    return f" Assumed, not printed: {'; '.join(words)}." if words else ""


def pool_of(found: OfSize, version: str, cells: Sequence[Cell] | None = None) -> Figures:
    """The mean over some cells, by default all, each with the same weight."""
    return pooled([found.cells[cell][version] for cell in cells or list(found.cells)])


def spreads(found: OfSize, version: str) -> dict[Cell, Estimate]:
    """The spread of wins in every cell."""
    return {cell: spread_of(figures[version].shares) for cell, figures in found.cells.items()}


def mean_of(estimates: Sequence[Estimate]) -> Estimate:
    """The mean of estimates of the same blocks."""
    return combined([1 / len(estimates)] * len(estimates), estimates)


def versions_table(found: Lineups) -> str:
    """One row per line-up: its wins over all cells, as printed and with each mend, side by side."""
    kinds = list(dict.fromkeys(kind for size in found.sizes.values() for kind in size.versions))
    sure = Confidence(LEVEL, sum(size.players * len(size.versions) for size in found.sizes.values()))
    rows = []
    for players, size in found.sizes.items():
        pools = {kind: pool_of(size, kind).shares for kind in size.versions}
        for letter in letters_of(players):
            shares = [of_estimate(pools[kind][letter], sure, 1, _TOP) if kind in pools else NOTHING for kind in kinds]
            rows.append((str(players), letter, number(100 / players, 1), *shares))
    heads = ("players", "line-up", "fair, %", *(f"wins, %, {kind}" for kind in kinds))
    return f"{markdown_table(heads, rows)}\n\nThe mean of all cells. {under(found, sure)}"


def spread_table(found: Lineups) -> str:
    """One row per version: what it is, the spread of wins in the cells, and how many cells are level."""
    count = sum(len(size.versions) for size in found.sizes.values())
    many = sum(size.players * len(size.versions) * len(size.cells) for size in found.sizes.values())
    sure, each = Confidence(LEVEL, 3 * count), Confidence(LEVEL, many)
    board, rows = load_board(), []
    for players, size in found.sizes.items():
        for kind in size.versions:
            here = spreads(size, kind)
            values = [spread.value for spread in here.values()]
            parts = [[here[cell] for cell in cells] for cells in (list(here), size.unseen, size.foreign)]
            together = pool_of(size, kind).shares.values()
            furthest = max(abs(share.value - 100 / players) for share in together)
            levels = [is_level(size.cells[cell][kind], players, each) for cell in size.cells]
            words = size.mends[kind].in_words(board) if kind in size.mends else NOTHING
            rows.append((
                str(players), kind, words,
                *(of_estimate(mean_of(part), sure, 1) if part else NOTHING for part in parts),
                f"{number(min(values), 1)} to {number(max(values), 1)}",
                f"{number(furthest, 1)}{' (level)' if furthest <= NEAR else ''}",
                f"{levels.count(True)}, {levels.count(False)}, {levels.count(None)}",
            ))  # fmt: skip
    heads = (
        "players", "version", "what changes", "spread of wins, mean of cells", "in cells the search never saw",
        "in cells of which it saw neither play nor tower",
        "least to largest", "furthest from fair, all cells together", "cells level, not level, not known",
    )  # fmt: skip
    return (
        f"{markdown_table(heads, rows)}\n\nThe spread of wins is the standard deviation of the line-ups' shares around "
        f"the fair one, in percentage points. Line-ups are level where every share lies within {NEAR:g} percentage "
        f"points of the fair one; a cell is said to be level or not where the {many:,} simultaneous intervals of "
        f"all shares say so. {under(found, sure)}"
    )


def is_level(figures: Figures, players: int, sure: Confidence) -> bool | None:
    """Whether all shares are within `NEAR` of the fair one, as their intervals say; None where they do not say."""
    away = [share.interval(sure) for share in figures.shares.values()]
    if any(each is None for each in away):
        return None
    ends = [(each[0] - 100 / players, each[1] - 100 / players) for each in away if each is not None]
    if all(-NEAR <= low and high <= NEAR for low, high in ends):
        return True
    return False if any(low > NEAR or high < -NEAR for low, high in ends) else None


def handicap_table(found: Lineups) -> str:
    """One row per line-up: the games that the handicap was read from, fresh games of the same cells, and all others."""
    sure = Confidence(LEVEL, 4 * sum(found.sizes))
    rows, again, tests = [], [], []
    for players, size in found.sizes.items():
        same = cells_of(players) if set(cells_of(players)) <= set(size.cells) else []
        fresh, other = (pool_of(size, POINTS, cells) if cells else None for cells in (same, size.unseen))
        for letter, half in zip(letters_of(players), size.mends[POINTS].halves, strict=True):
            columns = (size.read[PRINTED], size.read[POINTS], fresh, other)
            rows.append((
                str(players), letter, number(half / 2, 1),
                *(NOTHING if each is None else of_estimate(each.shares[letter], sure, 1, _TOP) for each in columns),
            ))  # fmt: skip
        again.append(f"{players} players {_halves(size.again)}")
        if fresh is not None:
            test = hotelling_of_two(_free(size.read[POINTS]), _free(fresh))
            tests.append(f"with {players} players {_tested(test)}")
    heads = (
        "players", "line-up", "handicap, VP", "games it was read from, as printed", "the same games with it",
        "fresh games of the same cells", "all other cells",
    )  # fmt: skip
    part = ", only a part of which is here" if found.design.read < FULL.read else ""
    tested = f" Joint tests at 1 % that fresh games have the shares of those read: {'; '.join(tests)}." if tests else ""
    return (
        f"{markdown_table(heads, rows)}\n\nShares of wins in %. The handicap was read from games of seed {SEED}{part}; "
        f"read off these again, it is "
        f"{'; '.join(again)}.{tested} {under(found, sure)}"
    )


def _free(figures: Figures) -> np.ndarray:
    # The shares of each block but that of the last line-up, which follows from the others.
    return np.stack([each.value + each.influence for each in figures.shares.values()][:-1], axis=1)


def own_handicaps(size: OfSize) -> str:
    """The handicap that would level each cell alone, by tower and play."""
    towers, plays = (list(dict.fromkeys(getattr(cell, field) for cell in size.cells)) for field in ("tower", "play"))
    rows = [
        (f"`{tower}`", *(_halves(size.handicaps[Cell(play, tower, "lineup")]) for play in plays)) for tower in towers
    ]
    return markdown_table((f"VP for {', '.join(letters_of(size.players))}", *plays), rows)


def _halves(halves: Sequence[int]) -> str:
    return ", ".join(number(half / 2, 1) for half in halves)


def printed_table(found: Lineups, size: OfSize, *, points: bool) -> str:
    """One row per play, per tower and per cell: wins, or points above the mean, as printed."""
    cells = list(size.cells)
    groups = {"all cells": cells}
    groups |= {f"{play} play": [cell for cell in cells if cell.play == play] for play in {c.play: 0 for c in cells}}
    groups |= {f"tower `{tower}`": [c for c in cells if c.tower == tower] for tower in {c.tower: 0 for c in cells}}
    groups |= {f"{cell.play}, `{cell.tower}`": [cell] for cell in cells}
    sure, rows = Confidence(LEVEL, len(groups) * size.players), []
    for name, members in groups.items():
        pool = pool_of(size, PRINTED, members)
        shown = [
            in_words(
                each.value, each.interval(sure), 2 if points else 1, "+" if points else "", None if points else _TOP
            )
            for each in (pool.points if points else pool.shares).values()
        ]
        rows.append((name, *shown))
    what = "VP above the table's mean" if points else "wins, %"
    heads = (f"{size.players} players, {what}", *letters_of(size.players))
    return f"{markdown_table(heads, rows)}\n\n{under(found, sure, [size.players])}"


def seats_table(found: Lineups) -> str:
    """One row per number of players: wins and points by seat over all line-ups and cells, and two joint tests."""
    sure, rows, tests = Confidence(LEVEL, 2 * sum(found.sizes)), [], []
    most = max(found.sizes)
    for players, size in found.sizes.items():
        seats = list(size.seats.values())
        for what, decimals, sign, of_seat in (
            ("wins, %", 2, "", [mean_of([each.shares[seat] for each in seats]) for seat in range(players)]),
            ("VP above the mean", 2, "+", [mean_of([each.points[seat] for each in seats]) for seat in range(players)]),
        ):
            cells = [in_words(each.value, each.interval(sure), decimals, sign) for each in of_seat]
            rows.append((str(players), what, *cells, *[NOTHING] * (most - players)))
        tests.append(
            f"With {players} players, that seats win alike: {_tested(equal_seats(size))}; that it does not matter for "
            f"the wins of line-ups which of them sits where: {_tested(same_everywhere(size))}."
        )
    heads = ("players", "all line-ups alike", *(f"seat {seat}" for seat in range(most)))
    return (
        f"{markdown_table(heads, rows)}\n\n{under(found, sure)} Two joint tests over all cells (Hotelling), each at "
        f"1 %. {' '.join(tests)}"
    )


def _tested(test: JointTest | None) -> str:
    if test is None:
        return "too few blocks for this test"
    chance = "p < 0.001" if test.p_value < 0.001 else f"p = {test.p_value:.3f}"
    kept = "rejected" if test.p_value < 0.01 else "not rejected"
    return f"F = {test.f:.2f} with {test.degrees[0]} and {test.degrees[1]:,} degrees, {chance}, {kept}"


def borders_table(found: Lineups) -> str:
    """One row per line-up: its borders on the map, what is printed on its counties, and what it has above the mean.

    As printed, and for the two line-ups that exchange counties with their new ones.
    """
    board, rows = load_board(), []
    sure = Confidence(LEVEL, sum(found.sizes) + 2 * len(found.sizes))
    for players, size in found.sizes.items():
        printed = {letter: list(names) for letter, names in counties_of(board, players).items()}
        edited = {letter: list(names) for letter, names in after_exchange(board, size.mends[COUNTIES]).items()}
        for version, lineups, letters in (
            (PRINTED, printed, letters_of(players)), (COUNTIES, printed | edited, tuple(edited)),
        ):  # fmt: skip
            pool, land = pool_of(size, version).points, lands(board, players, lineups)
            for letter in letters:
                own, others, free, *rest = land[letter].features
                each = ", ".join(f"{other} {count}" for other, count in land[letter].borders.items())
                above = in_words(pool[letter].value, pool[letter].interval(sure), 2, "+")
                cells = (own, f"{others} ({each})", free, *rest)
                rows.append((str(players), letter, version, *map(str, cells), above))
    heads = ("players", "line-up", "version", *FEATURES, "VP above the mean")
    return f"{markdown_table(heads, rows)}\n\nThe last column is the mean of all cells. {under(found, sure)}"


def land_table(found: Lineups) -> str:
    """One row per feature of a line-up's land: what one more brings in points, by play."""
    sure = Confidence(LEVEL, len(FEATURES) * len(found.land))
    rows = [
        (
            feature,
            *(in_words(each[feature].value, each[feature].interval(sure), 2, "+") for each in found.land.values()),
        )
        for feature in FEATURES
    ]
    blocks = next(iter(found.land.values()))[OWN].blocks
    few = f" {sure.too_few(blocks, 'blocks')}" if blocks < sure.min_blocks else ""
    return (
        f"{markdown_table(('VP for one more of', *found.land), rows)}\n\n{HEAD_SIZE} players, tower "
        f"`{found.design.towers[0]}`; every exchange of two counties between two line-ups on the same {blocks:,} game "
        f"numbers, one game each: a number is a block. The ± are half-widths of {sure.n_comparisons} simultaneous "
        f"{LEVEL:.0%} intervals.{few}"
    )


def claims_table(size: OfSize, judged: Robustness) -> str:
    """One row per claim with its verdict."""
    table = verdict_table(judged.verdicts, judged.estimates, judged.confidence)
    return f"{size.players} players, {len(size.cells)} cells.\n\n{table}"


def claimed(size: OfSize) -> dict[Cell, dict[str, Estimate]]:
    """The outcomes of claims by cell."""
    return {cell: outcomes(versions) for cell, versions in size.cells.items()}


def best_of(size: OfSize) -> str:
    """The mend with the least mean spread of wins over the cells that the search never saw, else over all."""
    cells = size.unseen or list(size.cells)
    return min(size.mends, key=lambda kind: sum(spreads(size, kind)[cell].value for cell in cells))
