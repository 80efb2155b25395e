"""The folder of a learning: its lock, a journal with a line for each chunk of games, and the files of the chunks."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np

from wallsim.runs.folder.commit import file_digest, make_folders, write_whole
from wallsim.runs.folder.line_journal import JOURNAL as JOURNAL
from wallsim.runs.folder.line_journal import LineJournal, entries_in
from wallsim.runs.learning.positions import Positions

POSITIONS = "positions"
_CHUNK = {"players", "chunk", "games", "sha256"}


class Store(LineJournal):
    """A learning's folder locked for writing, as a context manager, and the chunks that it has.

    A chunk counts once its line is in the journal; a file that is missing or damaged is played again.
    """

    def __init__(self, folder: Path, identity: dict[str, Any]) -> None:
        """Lock a folder for a learning: create it, or resume an existing one.

        InputError if it cannot be written, is in use, or contains anything other than this learning.
        """
        self._chunks: dict[tuple[int, int], str] = {}
        super().__init__(folder, identity, "learning")

    def has(self, players: int, chunk: int) -> bool:
        """Whether a chunk was played and its file is whole."""
        digest, path = self._chunks.get((players, chunk)), self._file(players, chunk)
        return digest is not None and path.is_file() and file_digest(path) == digest

    def write(self, players: int, chunk: int, positions: Positions) -> None:
        """Keep a chunk, and wait until it is on the disk."""
        buffer = io.BytesIO()
        np.savez_compressed(buffer, features=positions.features, ends=positions.ends)
        path = self._file(players, chunk)
        make_folders(path.parent)
        write_whole(path, buffer.getvalue())
        digest, games = file_digest(path), len(positions.ends)
        line = {"players": players, "chunk": chunk, "games": games, "sha256": digest}
        self.write_line(line)
        self._chunks[players, chunk] = digest

    def read(self, players: int, chunk: int) -> Positions:
        """A chunk that the folder has."""
        with np.load(self._file(players, chunk)) as arrays:
            return Positions(arrays["features"], arrays["ends"])

    def _file(self, players: int, chunk: int) -> Path:
        return self.folder / POSITIONS / f"{players}p-{chunk:05d}.npz"

    def take(self, entry: dict[str, Any]) -> bool:
        """Know of a chunk from its whole line."""
        if not _is_whole(entry):
            return False
        self._chunks[entry["players"], entry["chunk"]] = entry["sha256"]
        return True


def kept_games(folder: Path) -> int:
    """The number of games in the journal of a folder; 0 if it cannot be read."""
    return sum(entry["games"] for entry in entries_in(folder) if _is_whole(entry))


def _is_whole(entry: dict[str, Any]) -> bool:
    return entry.keys() >= _CHUNK
