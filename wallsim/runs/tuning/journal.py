"""The folder of a tuning in progress: its lock and its journal, one line per generation and per check."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from wallsim.errors import InputError
from wallsim.runs.folder.commit import TEMPORARY, append_line, write_whole
from wallsim.runs.folder.lock import FolderLock, refuse_files
from wallsim.runs.folder.store import refuse_other_identity

JOURNAL = "journal.jsonl"
_CHECK = {"check", "findings"}
_GENERATION = {"generation", "asked", "scores", "mean", "score", "share", "error", "step", "joined"}


class Journal(FolderLock):
    """A tuning's folder locked for writing, as a context manager, and the entries of its journal.

    `lines` are the entries after the head in order: objects with `generation` or `check`. An incomplete line and all
    lines after it are discarded.
    """

    def __init__(self, folder: Path, identity: dict[str, Any]) -> None:
        """Lock a folder for a tuning: create it, or resume an existing one.

        InputError if it cannot be written, is in use, or contains anything other than this tuning.
        """
        self.lines: list[dict[str, Any]] = []
        self._identity = identity
        self._path = folder / JOURNAL
        self.acquire(folder)

    @property
    def generations(self) -> int:
        """The number of generations in the journal."""
        return sum("generation" in line for line in self.lines)

    def append(self, line: dict[str, Any]) -> None:
        """Append an entry and wait until it is on the disk."""
        append_line(self._path, json.dumps(line))
        self.lines.append(line)

    def refuse_foreign_files(self) -> None:
        """InputError for another kind of journal, and for files without a journal."""
        if self._path.exists():
            if _head(self._path.read_bytes().split(b"\n")[0]) is None:
                raise InputError(
                    f"{self.folder}: {JOURNAL} is not the journal of a tuning; choose another folder (--out)"
                )
        else:
            refuse_files(self.folder)

    def load_or_begin(self) -> None:
        """Read the complete entries, or write the head."""
        for leftover in self.folder.glob(f".*{TEMPORARY}"):
            leftover.unlink()
        if not self._path.exists():
            write_whole(self._path, (json.dumps({"tuning": self._identity}) + "\n").encode())
            return
        head, *rest = self._path.read_bytes().split(b"\n")
        refuse_other_identity(self.folder, _head(head), self._identity, "tuning")
        kept = [head]
        for line in rest[:-1]:
            entry = _entry(line)
            if entry is None:
                break
            kept.append(line)
            self.lines.append(entry)
        if [*kept, b""] != [head, *rest]:
            write_whole(self._path, b"\n".join([*kept, b""]))


def kept_generations(folder: Path) -> int:
    """The number of complete generations in the journal of a folder; 0 if it cannot be read."""
    try:
        _, *lines = (folder / JOURNAL).read_bytes().split(b"\n")
    except OSError:
        return 0
    return sum("generation" in (_entry(line) or {}) for line in lines)


def _head(line: bytes) -> Any:
    try:
        return json.loads(line)["tuning"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return None


def _entry(line: bytes) -> dict[str, Any] | None:
    try:
        entry = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(entry, dict):
        return None
    return entry if (_CHECK if "check" in entry else _GENERATION) <= entry.keys() else None
