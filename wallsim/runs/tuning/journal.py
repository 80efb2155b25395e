"""The journal of a tuning in progress: one line per generation and per check."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from wallsim.runs.folder.line_journal import JOURNAL as JOURNAL
from wallsim.runs.folder.line_journal import LineJournal, entries_in

TUNING = "tuning"  # the kind of search in the head of a journal
_CHECK = {"check", "findings"}
_GENERATION = {"generation", "asked", "scores", "mean", "score", "share", "error", "step", "joined"}


class Journal(LineJournal):
    """A tuning's folder locked for writing, as a context manager, and the entries of its journal.

    `lines` are the entries after the head in order: objects with `generation` or `check`.
    """

    def __init__(self, folder: Path, identity: dict[str, Any], kind: str = TUNING) -> None:
        """Lock a folder for a tuning, or a search of another `kind`; InputError as for every journal."""
        self.lines: list[dict[str, Any]] = []
        super().__init__(folder, identity, kind)

    @property
    def generations(self) -> int:
        """The number of generations in the journal."""
        return sum("generation" in line for line in self.lines)

    def append(self, line: dict[str, Any]) -> None:
        """Append an entry and wait until it is on the disk."""
        self.write_line(line)
        self.lines.append(line)

    def take(self, entry: dict[str, Any]) -> bool:
        """Keep an entry that is a whole generation or check."""
        if not _is_whole(entry):
            return False
        self.lines.append(entry)
        return True


def kept_generations(folder: Path) -> int:
    """The number of complete generations in the journal of a folder; 0 if it cannot be read."""
    return sum("generation" in entry and _is_whole(entry) for entry in entries_in(folder))


def _is_whole(entry: dict[str, Any]) -> bool:
    return (_CHECK if "check" in entry else _GENERATION) <= entry.keys()
