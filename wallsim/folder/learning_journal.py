"""The journals' lines of learning and teaching and the names of their files, read without NumPy or the compiler."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Any, ClassVar

from wallsim.folder.journal_text import LineShape, Position
from wallsim.folder.local_files import FileStore

BLOCK = 50  # games of one seating, the unit of all intervals
CHUNK = 40  # blocks that are played and stored together
LEARNING = "learning"  # the kind of work in the header of a journal
POSITIONS = "positions"
_CHUNK = ("players", "chunk", "sha256")
_FILE = re.compile(r"[0-9]+p-[0-9]{5,}\.npz")
MOST_CHUNKS = 100_000  # of 2,000 games
LESSON_BLOCK = 20  # games of one seating, the unit of all intervals
LESSON_CHUNK = 20  # blocks that are played and stored together
TEACHING = "teaching"  # the kind of work in the header of a journal


class ChunkLines(LineShape):
    """The lines of a learning: chunks in order, in each one the numbers of players in the order of the command.

    `room` is the folder of the chunks' files, within that of the learning; `counts` are what a line says that a chunk
    has.
    """

    kind = LEARNING
    room: ClassVar[str] = POSITIONS
    counts: ClassVar[tuple[str, ...]] = ("games",)
    may_repeat: ClassVar[bool] = True

    def __init__(self, players: Sequence[int] = ()) -> None:
        """Lines for these numbers of players; without them lines may be in any order."""
        self._players = tuple(players)
        self.in_order = bool(players)

    def position(self, entry: dict[str, Any]) -> Position | None:
        """The chunk, and the place of its number of players among all."""
        if entry.keys() != {*_CHUNK, *self.counts} or not isinstance(entry["sha256"], str):
            return None
        players, chunk, *counts = (entry[key] for key in ("players", "chunk", *self.counts))
        if not all(type(number) is int for number in (players, chunk, *counts)) or not 0 <= chunk <= MOST_CHUNKS:
            return None
        if not self._players:
            return chunk, players
        return (chunk, self._players.index(players)) if players in self._players else None

    def missing(self, positions: Collection[Position]) -> list[Position]:
        """Chunks that come before the last of some positions."""
        if not positions:
            return []
        last, places = max(positions), range(len(self._players))
        every = ((chunk, place) for chunk in range(last[0] + 1) for place in places)
        return [position for position in every if position < last and position not in positions]

    def name(self, position: Position) -> str:
        """The file of a chunk."""
        chunk, place = position
        return self.file(self._players[place] if self._players else place, chunk)

    def chunk(self, position: Position) -> tuple[int, int]:
        """The number of players and the chunk at a position."""
        return self._players[position[1]], position[0]

    @classmethod
    def file(cls, players: int, chunk: int) -> str:
        """The name of the file of a chunk within the folder of the learning."""
        return f"{cls.room}/{players}p-{chunk:05d}.npz"

    @classmethod
    def has_files(cls, place: FileStore) -> bool:
        """Whether a folder has files of chunks."""
        return any(_FILE.fullmatch(name.removeprefix(f"{cls.room}/")) for name in place.names(cls.room, ".npz"))


class LessonLines(ChunkLines):
    """The lines of a teaching: chunks in order, in each one the numbers of players in the order of the command."""

    kind = TEACHING
    room = "lessons"
    counts = ("games", "lessons")
