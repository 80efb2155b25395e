"""Converting the engine's integer matrices to polars frames with narrow types and names instead of codes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from wallsim.engine.columns import BIDS, RESULT_TABLES, SOURCES, Column, columns_of
from wallsim.errors import RunError
from wallsim.rules.board import Board
from wallsim.rules.ruleset import LETTERS, Ruleset
from wallsim.rules.terms import BATTLE_KINDS, MAX_PLAYERS, RESULTS, SEASONS, TILES

if TYPE_CHECKING:  # reading results does not need the engine
    from wallsim.engine.arena import Tables
    from wallsim.runs.components import Components
    from wallsim.runs.experiment import Experiment

TABLES = tuple(table.name for table in RESULT_TABLES)
ON_REQUEST = tuple(table.name for table in RESULT_TABLES if table.on_request)

# Plain numbers: the NumPy type and the polars type of a column.
_NUMBERS: dict[str, tuple[Any, Any]] = {
    "int8": (np.int8, pl.Int8),
    "int16": (np.int16, pl.Int16),
    "int32": (np.int32, pl.Int32),
    "int64": (np.int64, pl.Int64),
}


@dataclass(frozen=True)
class Vocabulary:
    """The names of codes in one run, by kind of column, in the order of the codes.

    The values of `lineup` and `policy` follow from the seat: `by_seat` has their code for each seat, -1 for none.
    `expansions` are those in play; they decide the columns of `seats` and `seasons`.
    """

    names: dict[str, tuple[str, ...]]
    by_seat: dict[str, tuple[int, ...]]
    expansions: tuple[str, ...] = ()

    def columns(self, table: str) -> tuple[Column, ...]:
        """The columns of a table in this run. KeyError for an unknown table."""
        return columns_of(table, self.expansions)

    def dtype(self, kind: str) -> Any:
        """The polars type of a kind of column. KeyError for an unknown kind."""
        if kind in _NUMBERS:
            return _NUMBERS[kind][1]
        if kind == "win":
            return pl.Float32
        return pl.UInt8 if kind == "seat" else pl.Enum(self.names[kind])


def vocabulary(parts: Components) -> Vocabulary:
    """The names of a run: the board's counties and events, the policies in alphabetical order, the expansions."""
    return make_vocabulary(parts.board, parts.ruleset, parts.names())


def make_vocabulary(board: Board, ruleset: Ruleset, seated: Sequence[str]) -> Vocabulary:
    """The names of games on a board under a ruleset; `seated` names the policy of each seat."""
    policies = tuple(sorted(set(seated)))
    letters = ruleset.letters()
    return Vocabulary(
        names={
            "lineup": tuple(LETTERS),
            "policy": policies,
            "county": board.counties,
            "event": board.events,
            "tile": TILES,
            "season": SEASONS,
            "bid": BIDS,
            "battle": BATTLE_KINDS,
            "result": RESULTS,
            "source": SOURCES,
        },
        by_seat={
            "lineup": tuple(LETTERS.index(letter) if letter else -1 for letter in letters),
            "policy": tuple(map(policies.index, seated)),
        },
        expansions=ruleset.expansions,
    )


def schema(table: str, words: Vocabulary) -> dict[str, Any]:
    """The polars type of each column of a table by name, in column order."""
    return {column.name: words.dtype(column.kind) for column in words.columns(table)}


def tables_of(experiment: Experiment) -> tuple[str, ...]:
    """The names of the tables that a run writes; tables on request depend on the experiment's key of that name."""
    return tuple(table for table in TABLES if table not in ON_REQUEST or getattr(experiment, table))


class ChunkTables:
    """Collects the results of a chunk, batch by batch, as narrow contiguous columns."""

    def __init__(self, tables: tuple[str, ...], words: Vocabulary, first: int) -> None:
        """Start with empty tables; `first` is the number of the chunk's first game."""
        self._words = words
        self._buffers = {table: _TableBuffer(table, words.columns(table)) for table in tables}
        self._next = first

    def add(self, played: Tables) -> None:
        """Convert the matrices of the next games and store them; RunError if a number does not fit its type."""
        count = len(played.games)
        for table, buffer in self._buffers.items():
            matrix = getattr(played, table)
            if table in ("battles", "counties"):
                games = self._next + matrix[:, 0].astype(np.int64)
            else:
                games = np.arange(self._next, self._next + count).repeat(len(matrix) // count)
            buffer.add(matrix, games)
        self._next += count

    def frame(self, table: str) -> pl.DataFrame:
        """All stored rows of a table as a frame; they are removed from the buffer."""
        return self._buffers[table].frame(self._words)


class _TableBuffer:
    def __init__(self, table: str, columns: tuple[Column, ...]) -> None:
        self._table = table
        self._columns = columns
        self._types = [np.dtype(_NUMBERS.get(column.kind, (np.int8,))[0]) for column in self._columns]
        self._least = np.array([np.iinfo(kind).min for kind in self._types])
        self._most = np.array([np.iinfo(kind).max for kind in self._types])
        self._pieces: list[list[np.ndarray]] = [[] for _ in self._columns]

    def add(self, matrix: np.ndarray, games: np.ndarray) -> None:
        if not len(matrix):
            return
        wrong = (matrix.min(axis=0) < self._least) | (matrix.max(axis=0) > self._most)
        if wrong.any():
            column = self._columns[int(np.argmax(wrong))]
            raise RunError(f"{self._table}.{column.name}: a number does not fit {column.kind}")
        self._pieces[0].append(games)
        for place, kind in enumerate(self._types[1:], start=1):
            self._pieces[place].append(matrix[:, place].astype(kind))

    def frame(self, words: Vocabulary) -> pl.DataFrame:
        series = []
        for column, kind, pieces in zip(self._columns, self._types, self._pieces, strict=True):
            values = np.concatenate(pieces) if pieces else np.zeros(0, kind)
            pieces.clear()
            series.append(pl.Series(column.name, *_finished(column, values, words)))
        return pl.DataFrame(series)


def _finished(column: Column, values: np.ndarray, words: Vocabulary) -> tuple[Any, Any]:
    dtype = words.dtype(column.kind)
    if column.kind == "win":
        return SHARES[values], dtype
    if column.kind in words.by_seat:
        values = np.array(words.by_seat[column.kind], np.int8)[values]
    if column.kind == "seat" or column.kind in words.names:  # codes; -1 for "none" becomes null
        return _named(values, dtype), dtype
    return values, dtype


def _named(codes: np.ndarray, dtype: Any) -> pl.Series:
    seats = pl.Series(codes).cast(pl.UInt8, strict=False)  # -1 becomes null
    return seats if dtype == pl.UInt8 else seats.cat.to(dtype)


# A win shared by k seats is written as k; no win as 0.
SHARES = np.array([0.0, *(1 / k for k in range(1, MAX_PLAYERS + 1))], np.float32)
