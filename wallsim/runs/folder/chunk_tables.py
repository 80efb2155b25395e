"""Converting the engine's integer matrices to polars frames with narrow types and names instead of codes."""

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

# The NumPy types of plain numbers; codes of seats and names are int8.
_NUMBERS: dict[str, Any] = {"int8": np.int8, "int16": np.int16, "int32": np.int32, "int64": np.int64}


class ChunkTables:
    """Collects the results of a chunk, batch by batch, as narrow contiguous columns."""

    def __init__(self, tables: tuple[str, ...], words: Vocabulary, first: int) -> None:
        """Start with empty tables; `first` is the number of the chunk's first game."""
        self._words = words
        self._buffers = {table: _TableBuffer(table, words) for table in tables}
        self._next = first

    def add(self, played: Tables) -> None:
        """Convert the matrices of the next games and store them; RunError if a value is out of range for its type."""
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
    def __init__(self, table: str, words: Vocabulary) -> None:
        self._table = table
        self._columns = words.columns(table)
        every = columns_of(table, words.expansions)
        wanted = [place for place, column in enumerate(every) if column in self._columns]
        self._wanted = None if len(wanted) == len(every) else wanted
        self._types = [np.dtype(_NUMBERS.get(column.kind, np.int8)) for column in self._columns]
        self._minimum = np.array([np.iinfo(kind).min for kind in self._types])
        self._maximum = np.array([np.iinfo(kind).max for kind in self._types])
        self._pieces: list[list[np.ndarray]] = [[] for _ in self._columns]

    def add(self, matrix: np.ndarray, games: np.ndarray) -> None:
        if not len(matrix):
            return
        if self._wanted is not None:
            matrix = matrix[:, self._wanted]
        wrong = (matrix.min(axis=0) < self._minimum) | (matrix.max(axis=0) > self._maximum)
        if wrong.any():
            column = self._columns[int(np.argmax(wrong))]
            raise RunError(f"{self._table}.{column.name}: value out of range for {column.kind}")
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
    return seats if dtype == pl.UInt8 else as_enum(seats, dtype)


def as_enum(codes: pl.Series, dtype: pl.Enum) -> pl.Series:
    """Codes as the words of an Enum; polars before 2.0 casts, which later versions refuse."""
    return codes.cat.to(dtype) if hasattr(codes.cat, "to") else codes.cast(dtype)


# A win shared by k seats is written as k; no win as 0.
SHARES = np.array([0.0, *(1 / k for k in range(1, MAX_PLAYERS + 1))], np.float32)
