"""The folder of a tuning while it lasts: who may write there, and its journal, a line a generation and a check."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from wallsim.runs.commit import TEMPORARY, append_line, write_whole
from wallsim.runs.errors import InputError
from wallsim.runs.store import LOCK, lock_folder, refuse_others

JOURNAL = "journal.jsonl"
_KEYS = {"generation", "check"}


class Journal:
    """A tuning's folder held for writing, as a context manager, and what its journal says.

    `lines` are the entries behind the head in their order: objects with `generation` or `check`. What stands behind a
    torn or damaged line does not count, and goes with it.
    """

    def __init__(self, folder: Path, identity: dict[str, Any]) -> None:
        """Claim a folder for a tuning: make it, or take up what lies there.

        InputError if it cannot be written, is in use, or holds anything but this tuning.
        """
        self.folder = folder
        self.lines: list[dict[str, Any]] = []
        self._path = folder / JOURNAL
        self._lock = -1
        try:
            folder.mkdir(parents=True, exist_ok=True)
            _refuse_strangers(folder)
            self._lock = lock_folder(folder)
            self._take_up(identity)
        except OSError as error:
            self.close()
            raise InputError(f"{folder}: cannot be written: {error.strerror}; name another folder (--out)") from None
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Journal:
        """The journal itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Give the folder free."""
        self.close()

    def close(self) -> None:
        """Give the folder free; safe to call twice."""
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1

    @property
    def generations(self) -> int:
        """How many generations it holds."""
        return sum("generation" in line for line in self.lines)

    def enter(self, line: dict[str, Any]) -> None:
        """Write an entry and wait until it is on the disk."""
        append_line(self._path, json.dumps(line))
        self.lines.append(line)

    def _take_up(self, identity: dict[str, Any]) -> None:
        for leftover in self.folder.glob(f".*{TEMPORARY}"):
            leftover.unlink()
        if not self._path.exists():
            write_whole(self._path, (json.dumps({"tuning": identity}) + "\n").encode())
            return
        head, *rest = self._path.read_bytes().split(b"\n")
        refuse_others(self.folder, _head(head), identity, "tuning")
        kept = [head]
        for line in rest[:-1]:
            entry = _entry(line)
            if entry is None:
                break
            kept.append(line)
            self.lines.append(entry)
        if [*kept, b""] != [head, *rest]:
            write_whole(self._path, b"\n".join([*kept, b""]))


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
    return entry if isinstance(entry, dict) and _KEYS & entry.keys() else None


def _refuse_strangers(folder: Path) -> None:
    if (folder / JOURNAL).exists():
        if _head((folder / JOURNAL).read_bytes().split(b"\n")[0]) is None:
            raise InputError(f"{folder}: {JOURNAL} is not the journal of a tuning; name another folder (--out)")
        return
    strange = sorted(p.name for p in folder.iterdir() if p.name != LOCK and p.suffix != TEMPORARY)
    if strange:
        shown = ", ".join(strange[:3]) + (" ..." if len(strange) > 3 else "")
        raise InputError(f"{folder}: holds other files ({shown}); name an empty or a new folder (--out)")
