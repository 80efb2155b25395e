"""How the games of a run are divided into chunks, which are played and committed one by one.

The division depends on the experiment alone, never on workers or interruptions. Without a `chunk` in the experiment,
the first chunks are small and later ones larger, so that an early interruption of a slow run loses little.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property

MAX_CHUNKS = 1_000_000  # of a run; records of finished chunks are held in memory, about 2 kB each
MAX_CHUNK = 1_000_000  # games of a chunk, which are played in memory
FIRST_CHUNK = 50  # games of the first chunk if the experiment has no `chunk`
_CHUNKS_PER_SIZE = 2  # number of chunks of one size before the size doubles


@dataclass(frozen=True)
class ChunkLayout:
    """The chunks of `games` games: `chunk` games each, or starting at `first` games and growing up to `chunk`."""

    games: int
    chunk: int
    first: int | None = None

    @cached_property
    def _starts(self) -> tuple[int, ...]:
        # First games of the chunks smaller than `chunk`, and of the first chunk of full size.
        starts, size = [0], self.chunk if self.first is None else self.first
        while size < self.chunk and starts[-1] < self.games:
            starts += [starts[-1] + size * (number + 1) for number in range(_CHUNKS_PER_SIZE)]
            size *= 2
        return tuple(starts)

    @property
    def count(self) -> int:
        """The number of chunks."""
        growing = self._starts
        if growing[-1] >= self.games:
            return bisect_right(growing, self.games - 1)
        return len(growing) - 1 + -(-(self.games - growing[-1]) // self.chunk)

    def end_of(self, games: int) -> int:
        """The end of the chunk in which the last of `games` games lies."""
        first, size = self.span(ChunkLayout(min(games, self.games), self.chunk, self.first).count - 1)
        return first + size

    def span(self, number: int) -> tuple[int, int]:
        """The first game and the number of games of a chunk."""
        growing = self._starts
        if number < len(growing) - 1:
            first, end = growing[number], growing[number + 1]
        else:
            first = growing[-1] + (number - len(growing) + 1) * self.chunk
            end = first + self.chunk
        return first, min(end, self.games) - first
