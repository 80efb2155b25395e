"""The sums compared between two runs, line by line: those of each game over some seats, in batches of games.

Runs may have millions of games, so that neither the rows of their tables nor a number per game and line is ever held
for all of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from wallsim.analysis.contrasts.contrast import WIN
from wallsim.analysis.contrasts.groups import Split
from wallsim.analysis.contrasts.pairing import Pairing
from wallsim.analysis.contrasts.seat_tables import SeatTable, season_tables, seat_table
from wallsim.rules.terms import SEASON_NAMES

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
    cells: Mapping[str, np.ndarray] | None = None
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
                yield self._after_moments(one, other, at)
            else:
                yield self._pieces(tuple(seat_table(run, numbers[at], self.columns, rows) for run, rows in scanned), at)

    def _after_moments(self, one: dict[str, SeatTable], other: dict[str, SeatTable], at: slice) -> Iterator[Piece]:
        for split in self.splits:
            yield from self._of_split((one[split.name], other[split.name]), split, at)

    def _pieces(self, tables: _Tables, at: slice) -> Iterator[Piece]:
        for split in self.splits:
            yield from self._of_split(tables, split, at)
        for group, cells in (self.cells or {}).items():
            yield from _of_cells(tables, self.seat_columns, EACH, group, (cells[at], cells[at]))

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
