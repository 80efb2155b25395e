"""Reading a folder of results: its manifest, its tables as lazy polars frames, and its errors.

`Run` and `TournamentRun` add what is specific to them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self

from wallsim.errors import InputError, RunError, some_of
from wallsim.escaping import escaped_line, in_shell
from wallsim.experiment.identity import identity_hash
from wallsim.folder.address import Folder
from wallsim.folder.checks import (
    PLAY_AGAIN,
    document_errors,
    journal_errors,
    link_errors,
    obstacles,
    unknown_files,
)
from wallsim.folder.file_stores import file_store
from wallsim.folder.journal import Header, Journal
from wallsim.folder.layout import (
    CODEBOOK,
    EXPERIMENT,
    JOURNAL,
    MANIFEST,
    SCENARIOS,
    PartFile,
    is_part,
    part_name,
)
from wallsim.folder.local_files import FileStore
from wallsim.folder.log import LOG, grown_documents, log_errors, record_errors
from wallsim.folder.manifest import differences, read_manifest, sealed_manifest
from wallsim.folder.part_schema import Expected, part_errors

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True)
class ResultFolder:
    """A finished folder of results: its path, manifest and part files."""

    folder: Folder
    manifest: dict[str, Any]
    files: tuple[PartFile, ...]

    what: ClassVar[str]  # the name of the contents in messages
    kind: ClassVar[str | None]  # the value of `kind` in the identity
    shape: ClassVar[dict[str, Any]]  # required shape of the manifest
    last: ClassVar[tuple[str, ...]] = (MANIFEST,)  # the files that are written last: with them it is finished

    def _repr_html_(self) -> str:
        """What notebooks show: the folder and the rows of its tables."""
        rows = "".join(
            f"<tr><th>{escape(name)}</th><td>{number:,}</td></tr>" for name, number in self.manifest["rows"].items()
        )
        head = f"<caption>{escape(escaped_line(f'{self.what} in {self.folder}'))}</caption>"
        return f"<table>{head}<tr><th>table</th><th>rows</th></tr>{rows}</table>"

    @property
    def hash(self) -> str:
        """The sha256 of the identity, in hexadecimal."""
        digest: str = self.manifest["experiment"]["hash"]
        return digest

    @property
    def identity(self) -> dict[str, Any]:
        """Everything that decides the rows: engine version, rules, board, tower, policies, seed."""
        facts: dict[str, Any] = self.manifest["experiment"]["identity"]
        return facts

    @property
    def tables(self) -> tuple[str, ...]:
        """The names of the tables that were written."""
        return tuple(self.manifest["rows"])

    @property
    def place(self) -> FileStore:
        """Where the files are."""
        return file_store(self.folder)

    def scan(self, table: str, *, check: bool = True) -> pl.LazyFrame:
        """A table as a lazy frame; with `check` its files are first compared with their digests and numbers of rows.

        Polars reads the files when the frame is collected; what is changed between the check and then is not noticed.
        InputError if there is no such table or no answer of an object store, RunError if a file is missing or damaged.
        """
        parts = [part for part in self.files if part.table == table]
        if not parts:
            raise InputError(f"{self.folder}: has no table {table!r}; it has {', '.join(self.tables)}")
        place = self.place
        if check:
            self._refuse_damaged(parts)
        import polars as pl

        frame = pl.scan_parquet([place.url(part.file) for part in parts], glob=False, **place.polars_options)
        expected = self._expected[table]
        return frame if expected is None else expected.widened(frame)

    def _refuse_damaged(self, parts: list[PartFile]) -> None:
        with readable(self.place):
            results = self.footer_errors(parts)
        damaged = [part.file for part, errors in zip(parts, results, strict=True) if errors is None]
        if damaged:
            raise RunError(f"{self.folder}: missing or damaged: {some_of(damaged)}; {self.repair_hint(self.place)}")
        for error in (error for errors in results for error in errors or ()):
            raise RunError(f"{self.folder}: {error}; {PLAY_AGAIN}")

    def footer_errors(self, parts: Iterable[PartFile]) -> list[list[str] | None]:
        """What the footer of each file says otherwise than the manifest; None for a file that is not whole."""
        return list(self.place.several(lambda part: self._part_errors(part, part.footer(self.place)), parts))

    def _part_errors(self, part: PartFile, footer: bytes | None) -> list[str] | None:
        # The errors of a file's footer; None for a file that is not whole.
        if footer is None:
            return None
        return part_errors(part, footer, self._expected[part.table], self._chunks.get(part.file))

    @cached_property
    def _expected(self) -> dict[str, Expected | None]:
        return {table: self.expected(table) for table in {part.table for part in self.files}}

    @cached_property
    def _chunks(self) -> dict[str, dict[str, Any]]:
        # By the names of their files: of 10,000 chunks, each file's would otherwise be sought among all.
        tables = self._expected
        return {part_name(table, chunk["chunk"]): chunk for chunk in self.manifest["chunks"] for table in tables}

    def expected(self, table: str) -> Expected | None:
        """What the footers of a table's files are to say; None for a table that is not known."""
        return None

    def codebook(self) -> str:
        """The folder's codebook as Markdown; InputError if it cannot be read."""
        return read_codebook(self.folder)

    @classmethod
    def open(cls, folder: str | Path) -> Self:
        """Open a finished folder.

        InputError if it has no results of this kind or another format, RunError if it is unfinished or damaged.
        """
        with readable(folder) as place:
            try:
                data = place.read(MANIFEST)
            except FileNotFoundError:
                raise RunError(f"{place}: {cls.progress(place)}; {cls.repair_hint(place, 'resumes')}") from None
        manifest, files, errors = read_manifest(place, data, cls.shape)
        if errors and place.size(JOURNAL) is not None:
            cls.read_journal(place)  # refuses a folder of another kind
        if not errors and identity_hash(manifest["experiment"]["identity"]) != manifest["experiment"]["hash"]:
            errors = ["experiment.hash"]
        if not errors:
            with readable(place):
                errors = list(cls.further_manifest_errors(place, manifest, files))
        if errors:
            raise RunError(f"{place}/{MANIFEST}: is damaged ({', '.join(errors[:5])}); {cls.repair_hint(place)}")
        return cls(place.folder, manifest, files)

    @classmethod
    def verify(cls, folder: str | Path) -> list[str]:
        """All damage in a folder, finished or not, one line per error; an empty list if nothing has changed.

        InputError if it has no results of this kind or another format, or cannot be read; RunError if journal or
        manifest cannot be interpreted.
        """
        with readable(folder) as place:
            ended = place.exists(MANIFEST) or place.is_link(MANIFEST)
            journal = cls.read_journal(place, ended=ended)
            errors, finished = list(journal.errors), None
            if ended:
                try:
                    finished = cls.open(folder)
                except RunError as error:
                    errors.append(str(error).removeprefix(f"{place}/"))
            errors += journal_errors(journal, finished)
            errors += cls.side_errors(place, journal.header.hash if journal.header else "")
            parts = journal.parts()
            checked = cls._checked(place, parts, finished)
            errors += [f"{name}: {parts[name].damage(place)}" for name, result in checked.items() if result is None]
            errors += link_errors(place, cls.all_tables())
            named = (JOURNAL, MANIFEST, LOG, *(journal.header.papers if journal.header else ()))
            errors += obstacles(place, cls.all_tables(), named)
            if journal.header is not None:
                # They are written after the header, so a run that was killed in its first moments may lack some.
                begun = bool(journal.records) or finished is not None
                papers = journal.header.digests.items()
                expected = {name: digest for name, digest in papers if begun or place.size(name) is not None}
                grown = grown_documents(place) if finished is None else set()
                expected = {name: digest for name, digest in expected.items() if place.digest(name) not in grown}
                errors += document_errors(place, expected)
            elif finished:
                errors += document_errors(place, finished.manifest["papers"])
            if finished:
                journal_hash = journal.header.hash if journal.header else finished.hash
                different = list(differences(finished.manifest, finished.files, journal))
                errors += [f"{MANIFEST}: {difference}" for difference in different]
                errors += finished.further_errors(journal_hash)
                errors += finished.unknown_files()
                forged = (error for result in checked.values() for error in result or ())
                errors += (error if different else f"{error}; {PLAY_AGAIN}" for error in forged)
                errors += record_errors(place, finished.manifest.get("log"))
            errors += log_errors(place, ended=ended)
        return list(dict.fromkeys(errors))

    def unknown_files(self) -> list[str]:
        """The Parquet files in the folders of tables that do not belong there, each with what is to be done about it.

        Only files that have the name of a part are deleted when the rest is repaired.
        """
        others = unknown_files(self.place, self.all_tables(), self.files)
        return [
            f"{name}: does not belong to this {self.what}{'' if is_part(name) else '; remove it'}" for name in others
        ]

    @classmethod
    def all_tables(cls) -> tuple[str, ...]:
        """The names of all tables that results of this kind can have."""
        raise NotImplementedError

    @staticmethod
    def _checked(
        place: FileStore, parts: Mapping[str, PartFile], finished: ResultFolder | None
    ) -> dict[str, list[str] | None]:
        # By file of the journal: the errors of its footer by the manifest, None if it is not whole.
        listed = {part.file: part for part in finished.files} if finished else {}

        def check(part: PartFile) -> list[str] | None:
            footer = part.footer(place)
            if finished is None or part.file not in listed:
                return None if footer is None else []
            return finished._part_errors(listed[part.file], footer)

        return dict(zip(parts, place.several(check, parts.values()), strict=True))

    @classmethod
    def read_journal(cls, place: FileStore, *, ended: bool = False) -> Journal:
        """The journal; `ended`: nobody may be writing. OSError is passed on.

        InputError for another kind or format, RunError if it cannot be read.
        """
        journal = any_journal(place, cls, ended=ended)
        kind = journal.identity.get("kind")
        if journal.header and kind != cls.kind:
            other = "run" if kind is None else kind
            command = "summary" if kind is None else kind
            raise InputError(
                f"{place}: contains a {other}, not a {cls.what}; `wallsim {command} {in_shell(place)}` shows it"
            )
        return journal

    @classmethod
    def headed_journal(cls, place: FileStore) -> tuple[Header, Journal]:
        """The header and the journal; RunError also for a damaged header, otherwise as `read_journal`."""
        journal = cls.read_journal(place)
        if journal.header is None:
            raise RunError(f"{place}: {journal.errors[0]}; {cls.repair_hint(place)}")
        return journal.header, journal

    @classmethod
    def further_manifest_errors(
        cls, place: FileStore, manifest: dict[str, Any], files: tuple[PartFile, ...]
    ) -> Iterable[str]:
        """Further errors that make a manifest of the required shape unreadable; OSError is passed on."""
        return ()

    def further_errors(self, journal_hash: str) -> Iterable[str]:
        """Further errors of the folder; `journal_hash` is the hash of the identity according to the journal."""
        return ()

    @classmethod
    def side_errors(cls, place: FileStore, hash_: str) -> Iterable[str]:
        """Errors of files that an unfinished folder may also have; `hash_` is that of its identity."""
        return ()

    @classmethod
    def repair_hint(cls, place: FileStore, repairs: str = "repairs") -> str:
        """What plays what is missing or damaged, for messages."""
        return f"the command that started it {repairs} it"

    @classmethod
    def progress(cls, place: FileStore) -> str:
        """How far an unfinished folder is, in words; the errors are those of `read_journal`."""
        journal = cls.read_journal(place)
        if journal.header_damaged:
            return f"{JOURNAL}: line 1 is damaged; {journal.done:,} games are finished"
        games = journal.header.games if journal.header else None
        return f"the {cls.what} is not finished: {journal.done:,}{f' of {games:,}' if games else ''} games are finished"


def says_the_same(kind: type[ResultFolder], place: FileStore) -> bool:
    """Whether a folder has a manifest, and it is whole and says what the journal says."""
    try:
        finished = kind.open(place.folder)
        journal = kind.read_journal(place)
    except RunError:
        return False
    hash_ = journal.header.hash if journal.header else ""
    log = record_errors(place, finished.manifest.get("log"))
    return not any((*differences(finished.manifest, finished.files, journal), *finished.further_errors(hash_), *log))


@contextmanager
def readable(folder: str | Path | FileStore) -> Iterator[FileStore]:
    """Read a folder: an OSError becomes an InputError, as for lacking rights or an invalid file name."""
    place = folder if isinstance(folder, FileStore) else file_store(folder)
    try:
        yield place
    except OSError as error:
        raise InputError(f"{error.filename or place}: cannot be read: {error.strerror or error}") from None


def any_journal(place: FileStore, reader: type[ResultFolder] | None = None, *, ended: bool = False) -> Journal:
    """The journal of a folder, of any kind without a reader; OSError is passed on.

    RunError if it is missing, InputError without any.
    """
    what = "run" if reader is None else reader.what
    if place.size(SCENARIOS) is not None:
        raise InputError(f"{place}: contains scenarios, not one {what}; name the folder of one, {place}/scenario=NAME")
    journal = Journal(place, ended=ended)
    if not journal.exists:
        if place.size(MANIFEST) is not None or place.size(EXPERIMENT) is not None:
            raise RunError(f"{place}: {JOURNAL} is missing; {(reader or ResultFolder).repair_hint(place)}")
        raise InputError(f"{place}: contains no {what} (there is no {JOURNAL})")
    return journal


def kind_of(folder: str | Path) -> str | None:
    """The kind of results in a folder, finished or not, by its identity: None for a run, and without results.

    InputError if it cannot be read.
    """
    with readable(folder) as place:
        identity = Journal(place).identity or sealed_manifest(place).get("experiment", {}).get("identity", {})
    return identity.get("kind") if isinstance(identity, dict) else None


def read_codebook(folder: str | Path) -> str:
    """The codebook of a folder of any kind, finished or not; InputError if there is none or it cannot be read."""
    with readable(folder) as place:
        any_journal(place)
        return place.read(CODEBOOK).decode("utf-8", "replace")
