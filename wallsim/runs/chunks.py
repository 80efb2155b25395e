"""How the games of a run are cut into chunks, which are played and committed one by one.

The cut depends on the experiment alone, never on workers or interruptions. Where an experiment says no `chunk`, the
first chunks are small and later ones larger, so that an interruption early in a slow run loses little.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property
from typing import Any

FIRST_CHUNK = 50  # games of the first chunk where none is given
_ALIKE = 2  # so many chunks of a size before the next size, twice as large


@dataclass(frozen=True)
class ChunkLayout:
    """The chunks of `games` games: `chunk` games each, or from `first` games on ever more, up to `chunk`."""

    games: int
    chunk: int
    first: int | None = None

    @staticmethod
    def of_head(head: dict[str, Any], games: int) -> ChunkLayout:
        """The layout of so many games that the first line of a journal names."""
        return ChunkLayout(games, head["chunk"], head.get("first_chunk"))

    @cached_property
    def _starts(self) -> tuple[int, ...]:
        # The first games of the chunks that are smaller than `chunk`, and of the first that is not.
        starts, size = [0], self.chunk if self.first is None else self.first
        while size < self.chunk and starts[-1] < self.games:
            starts += [starts[-1] + size * (number + 1) for number in range(_ALIKE)]
            size *= 2
        return tuple(starts)

    @property
    def count(self) -> int:
        """How many chunks there are."""
        growing = self._starts
        if growing[-1] >= self.games:
            return bisect_right(growing, self.games - 1)
        return len(growing) - 1 + -(-(self.games - growing[-1]) // self.chunk)

    def span(self, number: int) -> tuple[int, int]:
        """First game and number of games of a chunk."""
        growing = self._starts
        if number < len(growing) - 1:
            first, end = growing[number], growing[number + 1]
        else:
            first = growing[-1] + (number - len(growing) + 1) * self.chunk
            end = first + self.chunk
        return first, min(end, self.games) - first
