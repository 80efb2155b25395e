"""The cache of a study: the counts of its games, stored in its folder, so that an interrupted study resumes.

    FOLDER/parts/DIGEST.npz          arrays
    FOLDER/parts/checksums.jsonl     the sha256 of each

A part is named by the hash of its design: the study, what is counted, the experiments with rules, weights and
interventions, the numbers of games, COUNT_VERSION of the study and the engine version. Nothing played under another
design is ever taken for it, and the text of a file counts nowhere. An audit compares drawn parts with what is played
now.
"""

from __future__ import annotations

import hashlib
import io
import threading
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from wallsim.engine.version import ENGINE_VERSION
from wallsim.errors import InputError, RunError
from wallsim.experiment.experiment import Experiment
from wallsim.experiment.identity import identity_hash
from wallsim.folder.commit import append_line, create_whole, write_whole
from wallsim.folder.file_stores import file_store
from wallsim.folder.local_files import read_bounded
from wallsim.folder.study_folder import INDEX, PARTS, index_line, read_index

Design = TypeVar("Design", bound=Mapping[str, Any])
Arrays = Mapping[str, np.ndarray]
MOST_BYTES = 1 << 30  # of the arrays of a part
_guard = threading.Lock()  # of the index, which several threads write
_in_progress: list[Audit] = []  # threads share it


class Cache:
    """The arrays of a study's parts in a folder; without a folder nothing is stored."""

    def __init__(self, folder: str | Path | None, study: str = "", count_version: int = 1) -> None:
        """Creates the folder if it is missing, and removes damaged lines of the index."""
        self._study, self._version = study, count_version
        self._parts = None if folder is None else Path(folder) / PARTS
        self._digests: dict[str, str] = {}
        if folder is None or self._parts is None:
            return
        self._parts.mkdir(parents=True, exist_ok=True)
        self._index = Path(folder) / INDEX
        self._is_earlier = not self._index.exists()
        index = read_index(file_store(folder))
        self._digests = index.records
        if index.torn:
            write_whole(self._index, index.text(INDEX))

    def get(self, counted: str, design: Design, play: Callable[[Design], Arrays]) -> dict[str, np.ndarray]:
        """The arrays of a design: those of the part that has them, or else those that `play` returns for it.

        `counted` names what is counted; another count has another name. `design` is everything that decides the
        numbers: experiments, interventions, numbers, texts, and mappings and sequences of these; `play` is given it,
        and plays nothing else. A part that is damaged, which its sha256 tells, is played and written again.
        """
        if self._parts is None:
            return dict(play(design))
        path = self._parts / f"{self.key(counted, design)}.npz"
        result = self._read(path)
        if (audit := audit_in_progress()) is not None:
            return audit.part(path.name, result, lambda: play(design))
        if result is None:
            result = dict(play(design))
            data = packed(result)
            write_whole(path, data)
            self._list(path.name, data)
        return result

    def key(self, counted: str, design: Mapping[str, Any]) -> str:
        """The hash that names the part of a design."""
        about = {"study": self._study, "counted": counted, "count_version": self._version}
        return identity_hash({**about, "engine_version": ENGINE_VERSION, "design": as_data(design)})

    def _read(self, path: Path) -> dict[str, np.ndarray] | None:
        try:
            data = read_bounded(path)
        except (OSError, RunError):
            return None
        digest = self._digests.get(path.name)
        if digest is not None:
            return unpacked(data) if hashlib.sha256(data).hexdigest() == digest else None
        # Its writer was killed before the line of the index: whole if it is what its own arrays are packed to.
        result = unpacked(data)
        if result is None or not (self._is_earlier or packed(result) == data):
            return None
        self._list(path.name, data)
        return result

    def _list(self, name: str, data: bytes) -> None:
        digest = hashlib.sha256(data).hexdigest()
        with _guard:
            if self._digests.get(name) != digest:
                self._digests[name] = digest
                create_whole(self._index, b"")
                append_line(self._index, index_line(name, digest))


def as_data(design: Any) -> Any:
    """A design as JSON: an experiment becomes its hash with the games; TypeError for what is no data."""
    if isinstance(design, Experiment):
        return design.hash(with_games=True)
    if isinstance(design, Mapping):
        return {str(name): as_data(value) for name, value in design.items()}
    if isinstance(design, str | int | float | bool | None):
        return design
    if isinstance(design, Sequence):
        return [as_data(value) for value in design]
    raise TypeError(f"{type(design).__name__}: a design has experiments, numbers, texts, mappings and sequences alone")


def packed(arrays: Arrays) -> bytes:
    """Arrays as the bytes of a part; equal arrays give equal bytes with the same packages."""
    data = io.BytesIO()
    np.savez_compressed(data, allow_pickle=False, **arrays)
    return data.getvalue()


def unpacked(data: bytes) -> dict[str, np.ndarray] | None:
    """The arrays of a part; None if it is damaged."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as packed_files:
            if sum(each.file_size for each in packed_files.infolist()) > MOST_BYTES:
                return None
        with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
            return dict(arrays)
    except (OSError, ValueError, EOFError, MemoryError, zipfile.BadZipFile, zlib.error, NotImplementedError):
        return None


class NotPlayedError(InputError):
    """Something that the study has not played yet, or not with this code."""


class Audit:
    """Compares drawn parts with what is played now; no other part is played."""

    def __init__(self, drawn: Iterable[str]) -> None:
        """`drawn` are the names of the files to be played again."""
        self.drawn = frozenset(drawn)
        self.reached: set[str] = set()
        self.errors: list[str] = []
        self._guard = threading.Lock()

    def part(
        self, name: str, stored: dict[str, np.ndarray] | None, play: Callable[[], Mapping[str, np.ndarray]]
    ) -> dict[str, np.ndarray]:
        """The stored arrays of a part, compared with those played now if it was drawn. NotPlayedError without any."""
        if stored is None:
            raise NotPlayedError(f"parts/{name}: is missing: the study is unfinished, or other code played it")
        if name in self.drawn:
            same = _same(stored, dict(play()))
            with self._guard:
                self.reached.add(name)
                self.errors += [] if same else [f"parts/{name}: differs from the replay"]
        return stored

    def folder(self, path: Path) -> None:
        """NotPlayedError unless the run or tournament in a folder is finished."""
        if not (path / "manifest.json").is_file():
            raise NotPlayedError(f"{path.name}: is not finished")


def _same(one: Mapping[str, np.ndarray], other: Mapping[str, np.ndarray]) -> bool:
    def facts(arrays: Mapping[str, np.ndarray]) -> dict[str, tuple[str, tuple[int, ...], bytes]]:
        return {name: (str(each.dtype), each.shape, np.asarray(each).tobytes()) for name, each in arrays.items()}

    return facts(one) == facts(other)


@contextmanager
def auditing(audit: Audit) -> Iterator[None]:
    """Let all that is stored be read, and the drawn parts be played again, meanwhile."""
    _in_progress.append(audit)
    try:
        yield
    finally:
        _in_progress.remove(audit)


def audit_in_progress() -> Audit | None:
    """The audit in progress; None while a study is played."""
    return _in_progress[-1] if _in_progress else None
