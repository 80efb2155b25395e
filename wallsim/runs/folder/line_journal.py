"""A locked folder with a journal: a head that says what it is of, then a JSON object a line for each finished part.

Every line is sealed, except in journals that earlier versions began.
"""

from __future__ import annotations

import json
from abc import abstractmethod
from pathlib import Path
from typing import Any

from wallsim.errors import InputError, RunError
from wallsim.runs.folder.commit import TEMPORARY, append_line, write_whole
from wallsim.runs.folder.identity import refuse_other_identity
from wallsim.runs.folder.lock import FolderLock, refuse_files
from wallsim.runs.folder.place import Place, read_bounded
from wallsim.runs.folder.sealing import SealError, is_sealed_line, read_sealed_line, sealed_line

JOURNAL = "journal.jsonl"


class LineJournal(FolderLock):
    """A folder locked for writing, as a context manager, whose journal tells what was finished before.

    An incomplete line and all lines after it are discarded.
    """

    folder: Path

    def __init__(self, folder: Path, identity: dict[str, Any], kind: str) -> None:
        """Lock a folder for work of a `kind`, a word for the head: create it, or resume an existing one.

        InputError if it cannot be written, is in use, or contains anything other than this work.
        """
        self._identity = identity
        self._kind = kind
        self._path = folder / JOURNAL
        self.acquire(Place(folder))

    @abstractmethod
    def take(self, entry: dict[str, Any]) -> bool:
        """Take in an entry that was read; False if it is not whole."""

    def write_line(self, entry: dict[str, Any]) -> None:
        """Append an entry and wait until it is on the disk."""
        append_line(self._path, sealed_line(entry))

    def refuse_foreign_files(self) -> None:
        """InputError for another kind of journal, and for files without a journal."""
        if self._path.exists():
            if self._head(read_bounded(self._path).split(b"\n")[0]) is None:
                raise InputError(
                    f"{self.folder}: {JOURNAL} is not the journal of a {self._kind}; choose another folder (--out)"
                )
        else:
            refuse_files(self.place)

    def load_or_begin(self) -> None:
        """Read the complete entries, or write the head."""
        for leftover in self.folder.rglob(f".*{TEMPORARY}"):
            leftover.unlink()
        if not self._path.exists():
            write_whole(self._path, sealed_line({self._kind: self._identity}) + b"\n")
            return
        head, *rest = read_bounded(self._path).split(b"\n")
        refuse_other_identity(self.folder, self._head(head), self._identity, self._kind)
        kept = [head]
        for line in rest[:-1]:
            entry = entry_of(line, sealed=is_sealed_line(head))
            if entry is None or not self.take(entry):
                break
            kept.append(line)
        if [*kept, b""] != [head, *rest]:
            write_whole(self._path, b"\n".join([*kept, b""]))

    def _head(self, line: bytes) -> Any:
        return (entry_of(line) or {}).get(self._kind)


def entry_of(line: bytes, *, sealed: bool = False) -> dict[str, Any] | None:
    """The JSON object of a line, None if it is none, or is damaged; with `sealed` also if it has no seal."""
    try:
        entry = read_sealed_line(line) if sealed or is_sealed_line(line) else json.loads(line)
    except (SealError, ValueError, RecursionError):
        return None
    return entry if isinstance(entry, dict) else None


def entries_in(folder: Path) -> list[dict[str, Any]]:
    """The entries in the journal of a folder, whole or not, without the head; none if it cannot be read."""
    try:
        head, *lines = read_bounded(folder / JOURNAL).split(b"\n")
    except (OSError, RunError):
        return []
    sealed = is_sealed_line(head)
    return [entry for line in lines if (entry := entry_of(line, sealed=sealed)) is not None]
