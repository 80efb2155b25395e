"""The folder of a learning, whose chunks are positions."""

from __future__ import annotations

from wallsim.runs.learning.chunk_store import ChunkStore
from wallsim.runs.learning.positions import Positions


class Store(ChunkStore):
    """A learning's folder locked for writing, as a context manager, and the positions that it has."""

    def write(self, players: int, chunk: int, positions: Positions) -> None:
        """Store a chunk, and wait until it is on the disk; the errors are those of `write_arrays`."""
        self.write_arrays(players, chunk, {"games": len(positions.ends)}, positions._asdict())

    def read(self, players: int, chunk: int) -> Positions:
        """A chunk that the folder has."""
        return Positions(**self.read_arrays(players, chunk))
