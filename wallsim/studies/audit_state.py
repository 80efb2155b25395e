"""An audit in progress: which stored parts of a study are played again, and what differs."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from wallsim.errors import InputError

_in_progress: list[Audit] = []  # threads share it


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
            self._compared(f"parts/{name}", name, _same(stored, dict(play())))
        return stored

    def file(self, path: Path, play: Callable[[], bytes]) -> None:
        """Compare another stored file with the bytes played now if it was drawn. NotPlayedError without it."""
        if not path.is_file():
            raise NotPlayedError(f"{path.name}: is missing: the study is unfinished, or other code played it")
        if path.name in self.drawn:
            self._compared(path.name, path.name, path.read_bytes() == play())

    def folder(self, path: Path) -> None:
        """NotPlayedError unless the run or tournament in a folder is finished."""
        if not (path / "manifest.json").is_file():
            raise NotPlayedError(f"{path.name}: is not finished")

    def _compared(self, shown: str, name: str, same: bool) -> None:
        with self._guard:
            self.reached.add(name)
            if not same:
                self.errors.append(f"{shown}: differs from the replay")


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
