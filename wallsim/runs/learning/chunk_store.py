"""The folder of a learning or a teaching: its lock, a journal with a line for each chunk, and the chunks' files."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from wallsim.errors import RunError
from wallsim.runs.folder.journal_text import Position
from wallsim.runs.folder.line_journal import JOURNAL, OTHER_VERSIONS, LineJournal, entries_in
from wallsim.runs.learning.journal_lines import ChunkLines


class ChunkStore(LineJournal):
    """A folder locked for writing, as a context manager, and the chunks of games that it has, as arrays by name.

    A chunk counts once its line is in the journal; a file that is missing or damaged is played again.
    """

    lines: type[ChunkLines] = ChunkLines

    def __init__(self, folder: Path, identity: dict[str, Any]) -> None:
        """Lock a folder: create it, or resume an existing one; the errors are those of every journal."""
        self._shape_of_chunks = self.lines(tuple(dict.fromkeys(cell["players"] for cell in identity["cells"])))
        super().__init__(folder, identity, self._shape_of_chunks, (self.lines.room,))
        self._chunks = {(entry["players"], entry["chunk"]): entry for entry in self.entries.values()}
        self._whole: set[tuple[int, int]] = set()

    def has(self, players: int, chunk: int) -> bool:
        """Whether a chunk was played and its file is whole."""
        key = players, chunk
        if key in self._chunks and key not in self._whole and self._digest(*key) == self._chunks[key]["sha256"]:
            self._whole.add(key)
        return key in self._whole

    def missing(self, wanted: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
        """The chunks among these that have to be played, and those that the repair of the journal needs."""
        needed = {*wanted, *map(self._shape_of_chunks.chunk, self.gaps)}
        return [key for key in sorted(needed, key=self._order) if not self.has(*key)]

    def damaged(self, wanted: Iterable[tuple[int, int]]) -> list[str]:
        """The files of chunks among these that have a line in the journal and are not whole, one line each."""
        return [
            f"{self.lines.file(*key)}: {'its bytes have changed' if self._digest(*key) else 'is missing'}"
            for key in wanted
            if key in self._chunks and not self.has(*key)
        ]

    def write_arrays(
        self, players: int, chunk: int, counts: Mapping[str, int], arrays: Mapping[str, np.ndarray]
    ) -> None:
        """Store a chunk that has so many games (and lessons), and wait until it is on the disk.

        RunError if its line in the journal is of another file; then nothing is written.
        """
        key, name = (players, chunk), self.lines.file(players, chunk)
        buffer = io.BytesIO()
        np.savez_compressed(buffer, **arrays)  # type: ignore[arg-type]
        data, known = buffer.getvalue(), self._chunks.get(key)
        digest = hashlib.sha256(data).hexdigest()
        line = {"players": players, "chunk": chunk, **counts, "sha256": digest}
        if known is not None and known != line:
            raise RunError(
                f"{self.folder}: {name}: played again it differs from line {self.number(self._order(key))} of "
                f"{JOURNAL}; its packages may have other versions, and nothing is lost; {OTHER_VERSIONS}"
            )
        if self._digest(*key) != digest:
            self.place.make_folder(self.lines.room)
            self.place.write(name, data)
        if known is None:
            self.write_line(line)
            self._chunks[key] = line
            if self.pending and not self.gaps:
                self.repair()
        self._whole.add(key)

    def read_arrays(self, players: int, chunk: int) -> dict[str, np.ndarray]:
        """The arrays of a chunk that the folder has."""
        with np.load(self.folder / self.lines.file(players, chunk)) as arrays:
            return dict(arrays)

    def _digest(self, players: int, chunk: int) -> str | None:
        return self.place.digest(self.lines.file(players, chunk))

    def _order(self, key: tuple[int, int]) -> Position:
        players, chunk = key
        line = {"players": players, "chunk": chunk, **dict.fromkeys(self.lines.counts, 0), "sha256": ""}
        position = self._shape_of_chunks.position(line)
        assert position is not None, key
        return position


def stored_games(folder: Path, lines: type[ChunkLines]) -> int:
    """The number of games in the journal of a folder; 0 if it cannot be read."""
    return sum(entry["games"] for entry in entries_in(folder, lines()))
