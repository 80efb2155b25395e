"""What the folders of all searches have in common: a journal of lines, and derived files with their checksums."""

from __future__ import annotations

import shlex
from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any

from wallsim.errors import InputError, RunError
from wallsim.escaping import in_shell
from wallsim.folder.address import Folder
from wallsim.folder.derived import CHECKSUMS, derived_errors, read_checksums
from wallsim.folder.file_stores import file_store
from wallsim.folder.journal_text import (
    JournalText,
    LineShape,
    entry_of,
    header_line,
    header_of,
    is_remainder_of,
    read_text,
    search_hash,
    without_hash,
)
from wallsim.folder.kind import Kind, Progress, State
from wallsim.folder.layout import JOURNAL
from wallsim.folder.line_journal import keep_copy
from wallsim.folder.local_files import FileStore
from wallsim.folder.lock import locked
from wallsim.folder.result_folder import readable
from wallsim.rules.files import read_json


class SearchKind(ABC):
    """A kind of search; see `Kind`."""

    what: str
    kind: str  # the key of the header of its journal

    @abstractmethod
    def shape(self, identity: dict[str, Any] | None) -> LineShape:
        """The lines of its journal, by the identity in the header if that is known."""

    @abstractmethod
    def has_lines(self, place: FileStore, text: JournalText) -> bool:
        """Whether a journal without a whole header, or a folder without a journal, is of this kind by all the rest."""

    @abstractmethod
    def further_errors(self, place: FileStore, text: JournalText, shape: LineShape) -> Iterator[str]:
        """The errors of other files than the journal and those with checksums, one line each. OSError is passed on."""

    @abstractmethod
    def result_of(self, place: FileStore) -> dict[str, Any] | None:
        """The contents of the result if its bytes are those that were written. OSError is passed on."""

    @abstractmethod
    def progress_of(self, place: FileStore, text: JournalText) -> Progress:
        """How much of it is done. OSError is passed on."""

    @abstractmethod
    def result_names(self, result: dict[str, Any]) -> tuple[str, ...]:
        """The names of the derived files of a result."""

    @abstractmethod
    def unsealed(self, place: FileStore) -> str:
        """The name of a result's file that is there although there are no checksums; empty without one."""

    def recognises(self, place: FileStore) -> bool:
        """Whether a folder is of this kind, by the header of its journal, or by everything else if that is damaged."""
        try:
            data = place.read(JOURNAL)
        except (FileNotFoundError, RunError):  # missing, or not a regular file
            return self.has_lines(place, JournalText())
        header = data.partition(b"\n")[0]
        if header_of(header, self.kind) is not None:
            return True
        shape, entry = self.shape(None), entry_of(header)
        if entry is not None and self.kind not in entry and shape.position(without_hash(entry)) is None:
            return False  # the header of something else, whose journal may be long
        return self.has_lines(place, read_text(data, shape))

    def verify(self, folder: Folder) -> list[str]:
        """All damage, one line per error: of the journal, the result files and what belongs to them."""
        place = file_store(folder)
        with readable(place):
            return list(dict.fromkeys(self._errors(place)))

    def missing(self, place: FileStore) -> str:
        """The checksums of the results."""
        return "" if place.size(CHECKSUMS) is not None else CHECKSUMS

    def unfinished(self, place: FileStore, missing: str) -> str:
        """How much of the search is done, or that its result has no checksum."""
        if result := self.unsealed(place):
            return f"{result} has no checksum, since an earlier version or a stopped command wrote it"
        return self.progress(place.folder).words(missing)

    def advice(self, place: FileStore, verb: str) -> str:
        """The command that began it."""
        return f"{self._command(place)} {verb} it"

    def show_command(self, folder: Folder) -> str:
        """The command that shows a finished folder, in words."""
        place = file_store(folder)
        with readable(place):
            return f"{self._command(place)} shows it"

    def progress(self, folder: Folder) -> Progress:
        """How much of it is done; of how much only a finished one says."""
        place = file_store(folder)
        with readable(place):
            return self.progress_of(place, self._text(place)[0])

    def size(self, folder: Folder) -> int:
        """The bytes of the journal, the positions, and the files with checksums."""
        place = file_store(folder)
        with readable(place):
            return sum(place.size(name) or 0 for name in self.all_files(place))

    def all_files(self, place: FileStore) -> Iterator[str]:
        """The names of all files that belong to the folder. OSError is passed on."""
        yield from (JOURNAL, *_digests(place))

    def as_kind(self) -> Kind:
        """What it is to every command."""
        return Kind(
            self.what,
            self.recognises,
            self._errors,
            self.missing,
            self.advice,
            lambda place: self.progress(place.folder),
            lambda place: self.size(place.folder),
            lambda place: self.show_command(place.folder),
            lambda place: self.restore(place.folder),
            self.unfinished,
        )

    def state(self, folder: Folder) -> State:
        """How far the folder is."""
        return self.as_kind().state(file_store(folder))

    def restore(self, folder: Folder) -> list[str]:
        """Repair a journal of which nothing is missing; returns the names of restored files.

        RunError with the command, if known, that plays or computes the rest.
        """
        place = file_store(folder)
        with readable(place):
            errors, state = list(self._errors(place)), self.state(folder)
            text, header = self._text(place)
            rest = [error for error in errors if not error.startswith(f"{JOURNAL}: line ")]
            if rest or text.gaps or header is None:
                shown = (rest or errors)[0]
                raise RunError(f"{place}: {shown}; {state.repair_hint}")
            if not state.finished:
                raise RunError(f"{place}: {state.words}")
        if not errors:
            return []
        with locked(place):
            keep_copy(place)
            place.write(JOURNAL, b"\n".join([header, *(line.raw for line in text.lines.values()), b""]))
        return [JOURNAL]

    def _text(self, place: FileStore) -> tuple[JournalText, bytes | None]:
        # The journal, empty without one, and its header, which may have been rebuilt from the result.
        try:
            data = place.read(JOURNAL)
        except FileNotFoundError:
            return JournalText(), None
        result = self.result_of(place)
        known = (result or {}).get("settings")
        identity = header_of(data.partition(b"\n")[0], self.kind) or known
        search = search_hash(self.kind, identity) if identity is not None else None
        finished = place.size(CHECKSUMS) is not None
        text = read_text(data, self.shape(identity), search=search, finished=finished)
        if text.header is not None:
            return text, text.header_line
        header = header_line(self.kind, known) if known is not None else b""
        proven = bool(header) and (is_remainder_of(text.header_line, header) or text.search == search)
        return text, header if proven else None

    def _errors(self, place: FileStore) -> Iterator[str]:
        if not place.exists(JOURNAL):
            yield f"{JOURNAL}: is missing"
        try:
            text, _ = self._text(place)
        except RunError as error:
            yield str(error).removeprefix(f"{place}/")
            return
        yield from (f"{JOURNAL}: {error}" for error in text.errors)
        result = self.result_of(place)
        yield from derived_errors(place, self.result_names(result) if result is not None else ())
        yield from self.further_errors(place, text, self.shape(text.header))

    def _command(self, place: FileStore) -> str:
        # Quoted again: a stranger's result must not suggest anything but a command of this program.
        result = self.result_of(place)
        try:
            words = shlex.split(str((result or {}).get("command", "")))
        except ValueError:
            words = []
        if words[:1] != ["wallsim"]:
            return "the command that began it"
        return f"`{shlex.join(words)} --out {in_shell(place)}`"


def sealed_json(place: FileStore, name: str) -> dict[str, Any] | None:
    """The object in a derived file, if its bytes are those that were written. OSError is passed on."""
    digest = _digests(place).get(name)
    if digest is None or place.digest(name) != digest:
        return None
    try:
        contents = read_json(place.read(name))
    except ValueError:
        return None
    return contents if isinstance(contents, dict) else None


def _digests(place: FileStore) -> dict[str, str]:
    try:
        return read_checksums(place) or {}
    except (InputError, RunError):
        return {}


def sealed_names(place: FileStore, ending: str) -> list[str]:
    """The names of the derived files with this ending."""
    return [name for name in _digests(place) if name.endswith(ending)]
