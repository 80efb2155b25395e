"""What a study of effects has played, kept in its folder, so that an interrupted study goes on where it stopped.

Each scenario of a cell has a file of its own, named by a hash of all that decides its numbers: the experiment, the
interventions, the games, and the source of what is counted. So nothing played otherwise is ever taken for it.
"""

from __future__ import annotations

import hashlib
import inspect
import io
import zipfile
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from wallsim.runs.components import identity_hash
from wallsim.runs.folder.commit import write_whole

PARTS = "parts"


class Kept:
    """The arrays of scenarios in a folder's `parts`; without a folder nothing is kept."""

    def __init__(self, folder: str | Path | None) -> None:
        """Creates the folder if it is missing."""
        self._parts = None if folder is None else Path(folder) / PARTS
        if self._parts is not None:
            self._parts.mkdir(parents=True, exist_ok=True)

    def get(
        self, facts: Mapping[str, Any], source: Callable, play: Callable[[], Mapping[str, np.ndarray]]
    ) -> dict[str, np.ndarray]:
        """The arrays played under these facts: those of the file, or else those that `play` returns.

        `facts` are hashed as JSON; `source` is a function whose file decides the numbers, too. A file that is damaged,
        which its checksums tell, is played and written again.
        """
        if self._parts is None:
            return dict(play())
        file = inspect.getsourcefile(source)
        text = b"" if file is None else Path(file).read_bytes()
        path = self._parts / f"{identity_hash({**facts, 'source': hashlib.sha256(text).hexdigest()})}.npz"
        found = _read(path)
        if found is None:
            found = dict(play())
            packed = io.BytesIO()
            np.savez_compressed(packed, allow_pickle=False, **found)
            write_whole(path, packed.getvalue())
        return found


def _read(path: Path) -> dict[str, np.ndarray] | None:
    try:
        with np.load(io.BytesIO(path.read_bytes()), allow_pickle=False) as arrays:
            return dict(arrays)
    except (OSError, ValueError, EOFError, zipfile.BadZipFile, zlib.error):
        return None
