"""Converting the engine's narrow integer matrices to polars frames with plain types and names instead of codes."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import polars as pl

from wallsim.engine.columns import Column, columns_of
from wallsim.errors import RunError
from wallsim.folder.schema import Vocabulary
from wallsim.rules.terms import MAX_PLAYERS

if TYPE_CHECKING:  # only type checkers need the engine here
    from wallsim.engine.arena import Tables

# The NumPy types of plain numbers in which they are collected and checked; codes of seats and names are int8.
_NUMBERS: dict[str, Any] = {"int8": np.int8, "int16": np.int16, "int32": np.int32, "int64": np.int64}

_BLOCK = 250  # rows that are transposed at once, so that the cache holds them


class PlayedPart(NamedTuple):
    """The Parquet file of a table of a chunk: its table, its number of rows, and its bytes."""

    table: str
    rows: int
    data: bytes


class PlayedChunk(NamedTuple):
    """What a chunk was played to: a file for each table, and the CPU seconds inside the compiled engine."""

    parts: tuple[PlayedPart, ...]
    engine_cpu: float


class WideMemory(threading.local):
    """Memory for the numbers of one frame at a time, each thread's own: new memory takes a tenth of a run's time."""

    _memory = np.empty(0, np.int64)

    def __reduce__(self) -> tuple[Any, ...]:
        """Another process has memory of its own."""
        return WideMemory, ()

    def of(self, columns: int, rows: int) -> np.ndarray:
        """Numbers without values, int64 [columns, rows]; those handed out before are overwritten."""
        if self._memory.size < columns * rows:
            # Twice, since chunks grow; memory that is not touched costs nothing.
            self._memory = np.empty(2 * columns * rows, np.int64)
        return self._memory[: columns * rows].reshape(columns, rows)


class ChunkTables:
    """Collects the results of a chunk, batch by batch, as contiguous columns."""

    def __init__(self, tables: tuple[str, ...], words: Vocabulary, first: int, games: int = 0) -> None:
        """Start with empty tables; `first` is the number of the chunk's first game.

        `games` is the number of games of the chunk, for which memory is allocated at once; more are allowed.
        """
        self._words = words
        self._buffers = {table: _TableBuffer(table, words) for table in tables}
        self._next, self._end = first, first + games

    def add(self, played: Tables) -> None:
        """Store the matrices of the next games; RunError if a value is out of range for its column's type."""
        count = len(played.games)
        batches = max(1.0, (self._end - self._next) / max(1, count))
        for table, buffer in self._buffers.items():
            matrix = getattr(played, table)
            if not len(matrix):
                continue
            if table in ("battles", "counties"):
                games = self._next + matrix[:, 0].astype(np.int64)
            else:
                games = np.arange(self._next, self._next + count).repeat(len(matrix) // count)
            buffer.add(matrix, games, batches)
        self._next += count

    def frame(self, table: str, memory: WideMemory | None = None) -> pl.DataFrame:
        """All stored rows of a table as a frame, which is valid until `memory` is used again; the buffer is emptied."""
        return self._buffers[table].frame(self._words, memory or WideMemory())


class _TableBuffer:
    def __init__(self, table: str, words: Vocabulary) -> None:
        self._table = table
        self._columns = words.columns(table)
        every = columns_of(table, words.expansions)
        wanted = [place for place, column in enumerate(every) if column in self._columns]
        self._wanted = None if len(wanted) == len(every) else wanted
        self._types = [np.dtype(_NUMBERS.get(column.kind, np.int8)) for column in self._columns]
        self._type = np.result_type(np.int16, *self._types[1:])  # of the memory for all columns but the game
        self._minimum = np.array([np.iinfo(kind).min for kind in self._types])
        self._maximum = np.array([np.iinfo(kind).max for kind in self._types])
        self._games: list[np.ndarray] = []
        self._rows = 0
        self._filled: list[np.ndarray] = []  # [columns, rows]
        self._memory, self._used = np.empty((len(self._columns), 0), self._type), 0

    def add(self, matrix: np.ndarray, games: np.ndarray, batches: float) -> None:
        """Store rows; `batches` is the number of matrices as long as this one that the chunk has from here on."""
        if self._wanted is not None:
            matrix = matrix[:, self._wanted]
        count = len(matrix)
        if self._memory.shape[1] - self._used < count:
            self._close()
            self._memory = np.empty((len(self._columns), int(count * batches)), self._type)
        stored = self._memory[:, self._used : self._used + count]
        columns = stored if matrix.dtype == self._type else np.empty(stored.shape, matrix.dtype)
        for start in range(0, count, _BLOCK):
            columns[:, start : start + _BLOCK] = matrix[start : start + _BLOCK].T
        wrong = (columns.min(axis=1) < self._minimum) | (columns.max(axis=1) > self._maximum)
        if wrong.any():
            column = self._columns[int(np.argmax(wrong))]
            raise RunError(f"{self._table}.{column.name}: value out of range for {column.kind}")
        if columns is not stored:
            stored[:] = columns
        self._games.append(games)
        self._used += count
        self._rows += count

    def frame(self, words: Vocabulary, memory: WideMemory) -> pl.DataFrame:
        self._close()
        numbers = iter(memory.of(sum(column.kind in _NUMBERS for column in self._columns), self._rows))
        series = []
        for place, column in enumerate(self._columns):
            pieces = [filled[place] for filled in self._filled] if place else self._games
            values = next(numbers) if column.kind in _NUMBERS else np.empty(self._rows, np.int8)
            if pieces:
                np.concatenate(pieces, out=values, casting="same_kind")
            series.append(_finished(column, values, words).alias(column.name))
        self._games, self._filled, self._rows = [], [], 0
        return pl.DataFrame(series)

    def _close(self) -> None:
        if self._used:
            self._filled.append(self._memory[:, : self._used])
        self._memory, self._used = self._memory[:, :0], 0


def _finished(column: Column, values: np.ndarray, words: Vocabulary) -> pl.Series:
    dtype = words.dtype(column.kind)
    if column.kind == "win":
        return pl.Series(SHARES[values]).cast(dtype)
    if column.kind in words.by_seat:
        values = np.array(words.by_seat[column.kind], np.int8)[values]
    if column.kind == "seat" or column.kind in words.names:  # codes; -1 for "none" becomes null
        codes = _codes(values)
        return codes.cast(dtype) if column.kind == "seat" else as_enum(codes, dtype)
    return pl.Series(values).cast(dtype)


def _codes(values: np.ndarray) -> pl.Series:
    codes, absent = pl.Series(values.view(np.uint8)), values < 0
    # A cast that turns -1 into null takes ten times as long.
    return codes.set(pl.Series(absent), None) if absent.any() else codes


def as_enum(codes: pl.Series, dtype: pl.Enum) -> pl.Series:
    """Codes as the words of an Enum; polars before 2.0 casts, which later versions refuse."""
    return codes.cat.to(dtype) if hasattr(codes.cat, "to") else codes.cast(dtype)


# A win shared by k seats is written as k; no win as 0.
SHARES = np.array([0.0, *(1 / k for k in range(1, MAX_PLAYERS + 1))])
