"""Contrasts: how numbers differ between two runs of the same games, with intervals.

The sums of each game over some seats are read line by line in batches of games. Runs may have millions of games, so
that neither the rows of their tables nor a number per game and line is ever held for all of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import nan, sqrt
from typing import NamedTuple

import numpy as np

from wallsim.analysis.contrasts.groups import Split
from wallsim.analysis.contrasts.pairing import Pairing
from wallsim.analysis.contrasts.seat_tables import SeatTable, season_tables, seat_table
from wallsim.rules.terms import SEASON_NAMES
from wallsim.stats.intervals import NO_ERROR, Confidence, Interval
from wallsim.stats.ratios import Moments, RatioSums
from wallsim.stats.sparse_pairs import SparsePairs, pairs_of_sums
from wallsim.stats.stages import students_tails

WIN = "win"


@dataclass(frozen=True)
class Contrast:
    """A number in both runs and its paired change, second minus first.

    `who` says over which seats the number is taken, `group` which games or rounds, empty for all. `first`, `second`
    and `change` come from one block per game of the pairing; only `counted` of these blocks have cases. `pairs` are the
    differences of wins, per case times `scale`; None for others.
    """

    column: str
    who: str
    group: str
    first: Moments
    second: Moments
    change: Moments
    counted: int
    same: bool  # in every game
    pairs: SparsePairs | None = None
    scale: float = 1.0

    @property
    def error(self) -> float:
        """The standard error of the change among the blocks with cases; nan if there are fewer than two."""
        if self.counted < 2:
            return nan
        # The blocks without cases have no influence: only the divisors change.
        counted, blocks = self.counted, self.change.blocks
        return self.change.error * sqrt(counted / (counted - 1) * (blocks - 1) / blocks)

    @property
    def pairing_gain(self) -> float:
        """The share of the variance that pairing saves: 1 - var(change) / (var(first) + var(second)).

        0 as if the runs were independent, 1 if they move together, negative if pairing hurts; nan without variance.
        """
        apart = self.first.squares + self.second.squares
        return 1 - self.change.squares / apart if apart > NO_ERROR else nan

    def interval(self, confidence: Confidence) -> Interval | None:
        """Tango's interval for wins and Student's t for others, one of the simultaneous intervals of `confidence`.

        None if fewer games have cases than `confidence` needs, or if the change is the same in all games, except for
        wins.
        """
        if self.pairs is None or self.counted < confidence.min_blocks:
            return confidence.around(self.change.value, self.error, self.counted)
        low, high = self.pairs.interval(confidence)
        return self.scale * low, self.scale * high

    def p_value(self, confidence: Confidence) -> float:
        """The p-value of no change, of the test that belongs to the interval; nan where there is none."""
        if self.interval(confidence) is None:
            return nan
        if self.pairs is not None:
            return self.pairs.p_value()
        return 2 * min(students_tails(self.change.value, self.error, self.counted, 0.0))


class ContrastSums:
    """What a contrast needs of its games, which are added batch by batch and not stored."""

    def __init__(self, column: str, who: str, group: str) -> None:
        """No games yet."""
        self._key = column, who, group
        self._first, self._second, self._change = RatioSums(), RatioSums(), RatioSums()
        self._counted, self._same = 0, True
        self._cases = self._most_cases = 0.0
        self._rises = self._falls = self._squares = 0.0  # of wins

    def add(self, first: np.ndarray, second: np.ndarray, cases: np.ndarray) -> None:
        """Add games: a sum of each in both runs, and the cases that both are divided by, all float64 [games]."""
        change = second - first
        for sums, totals in ((self._first, first), (self._second, second), (self._change, change)):
            sums.add(totals, cases)
        self._counted += int(np.count_nonzero(cases > 0))
        self._same = self._same and not change.any()
        if self._key[0] == WIN:
            self._cases += float(cases.sum())
            self._most_cases = max(self._most_cases, float(cases.max()))
            self._rises += float(change[change > 0].sum())
            self._falls -= float(change[change < 0].sum())
            self._squares += float((change * change).sum())

    def contrast(self) -> Contrast | None:
        """The contrast of all games that were added; None without cases."""
        if not self._counted:
            return None
        pairs, scale = None, 1.0
        if self._key[0] == WIN:
            # Differences per case are between -1 and 1; games with more cases weigh more.
            most = self._most_cases
            pairs = pairs_of_sums(self._counted, self._rises / most, self._falls / most, self._squares / most**2)
            scale = most / (self._cases / self._counted)
        return Contrast(
            *self._key, self._first.moments(), self._second.moments(), self._change.moments(),
            self._counted, self._same, pairs, scale,
        )  # fmt: skip


TREATED, OTHERS, TABLE, EACH = "treated seat", "other seats", "table", "each seat"
DEVIATION, MARGIN = "table, standard deviation", "table, best minus worst"
_POINTS = ("vp", "vp_with_board")  # the columns whose spread over the table is reported
_GAMES = 65_536  # of a batch at most
_CELLS = 2**23  # values of both tables' columns that a batch holds

_Pair = tuple[np.ndarray, np.ndarray]
_Tables = tuple[SeatTable, ...]


class Piece(NamedTuple):
    """A line in a batch of games: its sums in both runs and the cases that both are divided by, float64 [games]."""

    column: str
    who: str
    group: str
    first: np.ndarray
    second: np.ndarray
    cases: np.ndarray

    @property
    def key(self) -> tuple[str, str, str]:
        """The column, whose, and the group, which tell lines apart."""
        return self[:3]


@dataclass(frozen=True)
class Lines:
    """The lines of a comparison of two runs.

    `splits` are games whose table is shown, and, where there are `treated` seats, int64 [games] in both runs, those of
    the treated and the other seats too. `cells` are separate groups of seats, bool [games, seats] by their
    name, in `seat_columns`. `by_moment` says that the columns are those of `seasons` after every moment, which then are
    the splits.
    """

    pairing: Pairing
    columns: tuple[str, ...]
    splits: tuple[Split, ...] = ()
    treated: _Pair | None = None
    cells: Mapping[str, np.ndarray] = field(default_factory=dict)
    seat_columns: tuple[str, ...] = ()
    by_moment: bool = False

    @property
    def batch(self) -> int:
        """The number of games that are read at a time: fewer if more columns and moments are read of each."""
        moments = len(SEASON_NAMES) if self.by_moment else 1
        return max(1, min(_GAMES, _CELLS // (self.pairing.players * max(1, len(self.columns)) * moments)))

    def batches(self, games: int | None = None) -> Iterator[Iterator[Piece]]:
        """The pieces of all lines in batches of so many games, by default `batch`; in every batch in the same order.

        RunError if rows are missing or damaged.
        """
        size, numbers = games or self.batch, self.pairing.games
        name = "seasons" if self.by_moment else "seats"
        scanned = [(run, run.scan(name)) for run in self.pairing.runs]
        for start in range(0, len(numbers), size):
            at = slice(start, start + size)
            if self.by_moment:
                one, other = (season_tables(run, numbers[at], self.columns, rows=rows) for run, rows in scanned)
                yield self._pieces({name: (one[name], other[name]) for name in one}, at)
            else:
                both = tuple(seat_table(run, numbers[at], self.columns, rows) for run, rows in scanned)
                yield self._pieces(dict.fromkeys([*(split.name for split in self.splits), *self.cells], both), at)

    def _pieces(self, tables: Mapping[str, _Tables], at: slice) -> Iterator[Piece]:
        for split in self.splits:
            yield from self._of_split(tables[split.name], split, at)
        for group, cells in self.cells.items():
            yield from _of_cells(tables[group], self.seat_columns, EACH, group, (cells[at], cells[at]))

    def _of_split(self, tables: _Tables, split: Split, at: slice) -> Iterator[Piece]:
        games = split.games[at]
        if self.treated is not None:
            seats = np.arange(self.pairing.players)
            one, other = (of_run[at, None] == seats for of_run in self.treated)
            inside = games[:, None]
            yield from _of_cells(tables, self.columns, TREATED, split.name, (one & inside, other & inside))
            without_wins = tuple(name for name in self.columns if name != WIN)
            yield from _of_cells(tables, without_wins, OTHERS, split.name, (~one & inside, ~other & inside))
        yield from _of_table(tables, self.columns, split.name, games)


def _of_cells(tables: _Tables, columns: tuple[str, ...], who: str, group: str, cells: _Pair) -> Iterator[Piece]:
    """The mean over some seats of each game; `cells`, bool [games, seats], of both runs."""
    cases = cells[0].sum(axis=1).astype(np.float64)  # the same in both runs, where a treated seat may sit elsewhere
    for column in columns:
        first, second = ((table.values(column) * cell).sum(axis=1) for table, cell in zip(tables, cells, strict=True))
        yield Piece(column, who, group, first, second, cases)


def _of_table(tables: _Tables, columns: tuple[str, ...], group: str, games: np.ndarray) -> Iterator[Piece]:
    cases = games.astype(np.float64)
    for column in columns:
        if column == WIN:
            continue
        values = [table.values(column) for table in tables]
        measures = {TABLE: [table.mean(axis=1) for table in values]}
        if column in _POINTS:
            measures[DEVIATION] = [table.std(axis=1) for table in values]
            measures[MARGIN] = [np.ptp(table, axis=1) for table in values]
        for who, (first, second) in measures.items():
            yield Piece(column, who, group, first * cases, second * cases, cases)
