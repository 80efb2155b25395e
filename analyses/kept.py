"""What a study of effects has played, kept in its folder, so that an interrupted study goes on where it stopped.

Each scenario of a cell has a file of its own, named by a hash of all that decides its numbers: the experiment, the
interventions, the games, and the source of what is counted. So nothing played otherwise is ever taken for it. The
index `parts/checksums.jsonl` has the sha256 of each.
"""

from __future__ import annotations

import hashlib
import inspect
import io
import threading
import zipfile
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from analyses.auditing import audit_in_progress
from wallsim.runs.components import identity_hash
from wallsim.runs.folder.commit import append_line, create_whole, write_whole
from wallsim.runs.folder.place import place_of
from wallsim.runs.folder.sealing import sealed_line
from wallsim.runs.study_folder import INDEX, PARTS, read_index

_guard = threading.Lock()  # of the index, which several threads write


class Kept:
    """The arrays of scenarios in a folder's `parts`; without a folder nothing is kept."""

    def __init__(self, folder: str | Path | None) -> None:
        """Creates the folder if it is missing, and removes damaged lines of the index."""
        self._parts = None if folder is None else Path(folder) / PARTS
        self._digests: dict[str, str] = {}
        if folder is None or self._parts is None:
            return
        self._parts.mkdir(parents=True, exist_ok=True)
        self._index = Path(folder) / INDEX
        self._is_earlier = not self._index.exists()
        index = read_index(place_of(folder))
        self._digests = index.digests
        if index.damaged or index.torn:
            lines = [_line(name, digest) + b"\n" for name, digest in self._digests.items()]
            write_whole(self._index, b"".join(lines))

    def get(
        self, facts: Mapping[str, Any], source: Callable, play: Callable[[], Mapping[str, np.ndarray]]
    ) -> dict[str, np.ndarray]:
        """The arrays played under these facts: those of the file, or else those that `play` returns.

        `facts` are hashed as JSON; `source` is a function whose file decides the numbers, too. A file that is damaged,
        which its sha256 tells, is played and written again.
        """
        if self._parts is None:
            return dict(play())
        file = inspect.getsourcefile(source)
        text = b"" if file is None else Path(file).read_bytes()
        path = self._parts / f"{identity_hash({**facts, 'source': hashlib.sha256(text).hexdigest()})}.npz"
        found = self._read(path)
        if (audit := audit_in_progress()) is not None:
            return audit.part(path.name, found, play)
        if found is None:
            found = dict(play())
            data = packed(found)
            write_whole(path, data)
            self._list(path.name, data)
        return found

    def _read(self, path: Path) -> dict[str, np.ndarray] | None:
        try:
            data = path.read_bytes()
        except OSError:
            return None
        digest = self._digests.get(path.name)
        if digest is not None:
            return unpacked(data) if hashlib.sha256(data).hexdigest() == digest else None
        # Written by an earlier version, or its writer was killed before the line of the index: whole if it is what its
        # own arrays are packed to, or, of an earlier version, by the checksums of the archive.
        found = unpacked(data)
        if found is None or not (self._is_earlier or packed(found) == data):
            return None
        self._list(path.name, data)
        return found

    def _list(self, name: str, data: bytes) -> None:
        digest = hashlib.sha256(data).hexdigest()
        with _guard:
            if self._digests.get(name) != digest:
                self._digests[name] = digest
                create_whole(self._index, b"")
                append_line(self._index, _line(name, digest))


def _line(name: str, digest: str) -> bytes:
    return sealed_line({"file": name, "sha256": digest})


def packed(arrays: Mapping[str, np.ndarray]) -> bytes:
    """Arrays as the bytes of a part; equal arrays give equal bytes with the same packages."""
    data = io.BytesIO()
    np.savez_compressed(data, allow_pickle=False, **arrays)
    return data.getvalue()


def unpacked(data: bytes) -> dict[str, np.ndarray] | None:
    """The arrays of a part; None if it is damaged."""
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
            return dict(arrays)
    except (OSError, ValueError, EOFError, zipfile.BadZipFile, zlib.error):
        return None
