"""A locked folder with a journal: a header that describes the work, then one line of JSON for each finished part.

Every line is sealed, except in journals that earlier versions began. A damaged journal is never rewritten before it has
been copied, and whole lines stay as they are.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from wallsim.errors import InputError, RunError, some_of
from wallsim.folder.checks import refuse_other_identity
from wallsim.folder.checksummed_json import sealed_line
from wallsim.folder.commit import TEMPORARY
from wallsim.folder.derived import CHECKSUMS
from wallsim.folder.journal_text import (
    SEARCH,
    JournalText,
    Line,
    LineShape,
    Position,
    entry_of,
    header_line,
    is_remainder_of,
    read_text,
    search_hash,
)
from wallsim.folder.layout import JOURNAL
from wallsim.folder.local_files import FileStore
from wallsim.folder.lock import FolderLock, refuse_files

COPY = f"{JOURNAL}.damaged-"  # the beginning of the name of a copy of a damaged journal; a number follows
OTHER_VERSIONS = "repeat the command with the versions that began it, or in another folder"


class LineJournal(FolderLock):
    """A folder locked for writing, as a context manager, whose journal tells what was finished before.

    Missing or damaged lines leave gaps, which have to be filled: the caller plays them again, calls `write_line` for
    each, and `repair` after the last one. Until then the file stays as it is. `repairs` says what was damaged, one
    line each.
    """

    folder: Path

    def __init__(self, folder: Path, identity: dict[str, Any], shape: LineShape, belongings: tuple[str, ...]) -> None:
        """Lock a folder for work whose lines have this shape: create it, or resume an existing one.

        `belongings` are names of other files of such work, by which a folder without a journal is recognised.
        InputError if it cannot be written, is in use, or contains anything other than this work; RunError if its
        journal is missing or cannot be repaired.
        """
        self._identity = identity
        self._shape = shape
        self._belongings = belongings
        self._search = search_hash(shape.kind, identity)
        self._lines: dict[Position, Line] = {}
        self._header, self._hashed = header_line(shape.kind, identity), True
        self.gaps: set[Position] = set()
        self.pending = False
        self.repairs: list[str] = []
        self._path = folder / JOURNAL
        self.acquire(FileStore(folder))

    def entry(self, position: Position) -> dict[str, Any] | None:
        """The entry of a whole line; None if there is none."""
        line = self._lines.get(position)
        return None if line is None else line.entry

    def number(self, position: Position) -> int:
        """The number of a whole line in the file as it was opened."""
        return self._lines[position].number

    @property
    def entries(self) -> dict[Position, dict[str, Any]]:
        """The entries of all whole lines by position, in order."""
        return {position: line.entry for position, line in self._lines.items()}

    def write_line(self, entry: dict[str, Any]) -> None:
        """Append an entry and wait until it is on the disk; during a repair, hold it back for `repair`."""
        position = self._shape.position(entry)
        assert position is not None, entry
        raw = sealed_line({**entry, SEARCH: self._search} if self._hashed else entry)
        if not self.pending:
            self.place.append(JOURNAL, raw)
        number = len(self._lines) + 2
        self._lines = dict(sorted({**self._lines, position: Line(number, raw, entry)}.items()))
        self.gaps.discard(position)

    def repair(self) -> None:
        """Write the repaired journal in place of the damaged one, which has no gaps any more."""
        assert not self.gaps
        self.place.write(JOURNAL, b"\n".join([self._header, *(line.raw for line in self._lines.values()), b""]))
        self.pending = False

    def refuse_foreign_files(self) -> None:
        """InputError for another kind of journal and for files without a journal, RunError if it is only missing."""
        if self.place.exists(JOURNAL) or self.place.is_link(JOURNAL):
            self._refuse_other_work(self._read())
            return
        belongings = [name for name in self._belongings if self.place.exists(name)]
        if belongings:
            raise RunError(
                f"{self.folder}: {JOURNAL} is missing beside {belongings[0]}; put it back, or repeat the command with "
                "another folder"
            )
        refuse_files(self.place)

    def load_or_begin(self) -> None:
        """Read the complete entries, or write the header."""
        for leftover in self.folder.rglob(f".*{TEMPORARY}"):
            leftover.unlink()
        if not self.place.exists(JOURNAL):
            self.place.write(JOURNAL, self._header + b"\n")
            return
        text = self._read()
        self._refuse_other_work(text)  # it may have come into being meanwhile
        self._lines, self.gaps = text.lines, set(text.gaps)
        self._hashed = text.search is not None or not text.lines
        if text.header is not None:
            self._header = text.header_line
        if text.errors:
            self._report(text)
        self.pending = bool(self.gaps)
        if (text.errors or text.torn) and not self.pending:
            self.repair()

    def _read(self) -> JournalText:
        finished = self.place.size(CHECKSUMS) is not None
        return read_text(self.place.read(JOURNAL), self._shape, search=self._search, finished=finished)

    def _refuse_other_work(self, text: JournalText) -> None:
        if text.header is not None:
            refuse_other_identity(self.folder, text.header, self._identity, self._shape.kind)
        elif text.search != self._search and not is_remainder_of(text.header_line, self._header):
            what, choose = self._shape.kind, "choose another folder"
            if not text.lines or entry_of(text.header_line) is not None:
                raise InputError(f"{self.folder}: {JOURNAL} is not the journal of a {what}; {choose}")
            if text.search is not None:
                raise InputError(
                    f"{self.folder}: line 1 of {JOURNAL} is damaged, and the other lines belong to another {what} than "
                    f"this command's; repeat the command that began it, or {choose}"
                )
            raise RunError(
                f"{self.folder}: line 1 of {JOURNAL} is damaged, and the other lines do not say which {what} they "
                f"belong to, since an earlier version wrote them; {choose}"
            )

    def _report(self, text: JournalText) -> None:
        copy = keep_copy(self.place)
        self.repairs += [f"{JOURNAL}: {error}" for error in text.errors]
        again = some_of([self._shape.name(position) for position in text.gaps])
        self.repairs.append(
            f"{JOURNAL} is repaired{f': {again} played again' if again else ''}; the damaged file is saved as {copy}"
        )


def keep_copy(place: FileStore) -> str:
    """Copy a damaged journal to a new file beside it, unless that was done before; returns the copy's name."""
    data, number = place.read(JOURNAL), 1
    while not place.create(f"{COPY}{number}", data):
        if place.digest(f"{COPY}{number}") == place.digest(JOURNAL):
            break
        number += 1
    return f"{COPY}{number}"


def entries_in(folder: Path, shape: LineShape) -> list[dict[str, Any]]:
    """The entries of the whole lines in the journal of a folder, in order; none if it cannot be read."""
    try:
        text = read_text(FileStore(folder).read(JOURNAL), shape)
    except (OSError, RunError):
        return []
    return [line.entry for line in text.lines.values()]
