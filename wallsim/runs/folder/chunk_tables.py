"""Converting the engine's integer matrices to narrow columns of numbers and codes, for files and for polars frames."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from wallsim.engine.columns import Column, columns_of
from wallsim.errors import RunError
from wallsim.rules.terms import MAX_PLAYERS
from wallsim.runs.folder.schema import Vocabulary

if TYPE_CHECKING:  # only type checkers need the engine here
    from wallsim.engine.arena import Tables

_INT8 = np.iinfo(np.int8)
# The NumPy types of plain numbers; codes of seats and names are int8. Only the first column, the game, is wider.
_NUMBERS: dict[str, Any] = {"int8": np.int8, "int16": np.int16}


class ChunkTables:
    """Collects the results of a chunk, batch by batch, as narrow contiguous columns."""

    def __init__(self, tables: tuple[str, ...], words: Vocabulary, first: int) -> None:
        """Start with empty tables; `first` is the number of the chunk's first game."""
        self._words = words
        self._buffers = {table: _TableBuffer(table, words) for table in tables}
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

    def columns(self, table: str) -> list[np.ndarray]:
        """The columns of all stored rows of a table, which are removed from the buffer.

        One array per column: int64 of games, of others int8, or int16 if a number needs it, with codes for names and
        seats, -1 for none, and the number of seats that share a win for shares.
        """
        return self._buffers[table].taken()

    def frame(self, table: str) -> pl.DataFrame:
        """All stored rows of a table as a frame; they are removed from the buffer."""
        columns = zip(self._words.columns(table), self.columns(table), strict=True)
        return pl.DataFrame([pl.Series(column.name, *_named(column, codes, self._words)) for column, codes in columns])


class _TableBuffer:
    def __init__(self, table: str, words: Vocabulary) -> None:
        self._table = table
        self._columns = words.columns(table)
        every = columns_of(table, words.expansions)
        wanted = [place for place, column in enumerate(every) if column in self._columns]
        self._wanted = None if len(wanted) == len(every) else wanted
        self._by_seat = {
            place: np.array(words.by_seat[column.kind], np.int8)
            for place, column in enumerate(self._columns)
            if column.kind in words.by_seat
        }
        kinds = [_NUMBERS.get(column.kind, np.int8) for column in self._columns[1:]]
        self._types = [np.dtype(kind) for kind in (np.int64, *kinds)]
        self._minimum = np.array([np.iinfo(kind).min for kind in self._types])
        self._maximum = np.array([np.iinfo(kind).max for kind in self._types])
        self._pieces: list[list[np.ndarray]] = [[] for _ in self._columns]

    def add(self, matrix: np.ndarray, games: np.ndarray) -> None:
        if not len(matrix):
            return
        chosen = matrix.T if self._wanted is None else matrix.T[self._wanted]
        columns = np.ascontiguousarray(chosen)  # once for all columns: reading each with gaps takes longer
        low, high = columns.min(axis=1), columns.max(axis=1)
        wrong = (low < self._minimum) | (high > self._maximum)
        if wrong.any():
            column = self._columns[int(np.argmax(wrong))]
            raise RunError(f"{self._table}.{column.name}: a number does not fit {column.kind}")
        self._pieces[0].append(games)
        narrow = (low >= _INT8.min) & (high <= _INT8.max)
        for place, fits in enumerate(narrow[1:], start=1):
            self._pieces[place].append(columns[place].astype(np.int8 if fits else np.int16))

    def taken(self) -> list[np.ndarray]:
        columns = []
        for place, (kind, pieces) in enumerate(zip(self._types, self._pieces, strict=True)):
            values = np.concatenate(pieces) if pieces else np.zeros(0, kind)
            pieces.clear()
            columns.append(self._by_seat[place][values] if place in self._by_seat else values)
        return columns


def _named(column: Column, codes: np.ndarray, words: Vocabulary) -> tuple[Any, Any]:
    dtype = words.dtype(column.kind)
    if column.kind == "win":
        return SHARES[codes], dtype
    if column.kind == "seat" or column.kind in words.names:
        seats = pl.Series(codes).cast(pl.UInt8, strict=False)  # -1 becomes null
        return (seats if dtype == pl.UInt8 else as_enum(seats, dtype)), dtype
    return codes, dtype


def as_enum(codes: pl.Series, dtype: pl.Enum) -> pl.Series:
    """Codes as the words of an Enum; polars before 2.0 casts, which later versions refuse."""
    return codes.cat.to(dtype) if hasattr(codes.cat, "to") else codes.cast(dtype)


# A win shared by k seats is written as k; no win as 0.
SHARES = np.array([0.0, *(1 / k for k in range(1, MAX_PLAYERS + 1))], np.float32)
