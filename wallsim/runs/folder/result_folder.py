"""Reading a folder of results: its manifest, its tables as lazy polars frames, and its faults.

`Run` and `TournamentRun` add what is specific to them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self

from wallsim.errors import InputError, RunError
from wallsim.runs.folder.checks import (
    chunk_faults,
    differences,
    document_faults,
    is_open,
    manifest_faults,
    unknown_files,
)
from wallsim.runs.folder.journal import Journal
from wallsim.runs.folder.layout import CODEBOOK, JOURNAL, MANIFEST, SCENARIOS, PartFile, identity_hash

if TYPE_CHECKING:
    import polars as pl

EARLIER_VERSION = (
    "was written by an earlier version of wallsim, which this one cannot read; play it again in a new folder"
)
LATER_VERSION = "was written by a later version of wallsim, which this one cannot read"


@dataclass(frozen=True)
class ResultFolder:
    """A finished folder of results: its path, manifest and part files."""

    folder: Path
    manifest: dict[str, Any]
    files: tuple[PartFile, ...]

    what: ClassVar[str]  # the name of the contents in messages
    kind: ClassVar[str | None]  # the value of `kind` in the identity
    formats: ClassVar[tuple[int, ...]]  # formats that can be read
    shape: ClassVar[dict[str, Any]]  # required shape of the manifest

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

    def scan(self, table: str, *, check: bool = True) -> pl.LazyFrame:
        """A table as a lazy frame; with `check` its files are first compared with their digests.

        InputError if there is no such table, RunError if a file is missing or damaged.
        """
        parts = [part for part in self.files if part.table == table]
        if not parts:
            raise InputError(f"{self.folder}: has no table {table!r}; it has {', '.join(self.tables)}")
        damaged = [part.file for part in parts if check and not part.is_whole(self.folder)]
        if damaged:
            raise RunError(
                f"{self.folder}: missing or damaged: {', '.join(damaged)}; play the {self.what} again to repair it"
            )
        import polars as pl

        return pl.scan_parquet([self.folder / part.file for part in parts], glob=False)

    def codebook(self) -> str:
        """The folder's codebook as Markdown; InputError if it cannot be read."""
        return read_codebook(self.folder)

    @classmethod
    def open(cls, folder: str | Path) -> Self:
        """Open a finished folder.

        InputError if it has no results of this kind, RunError if it is unfinished or damaged.
        """
        folder = Path(folder)
        path = folder / MANIFEST
        with readable(folder):
            if not path.exists():
                raise RunError(f"{folder}: {cls._progress(folder)}; the command that started it resumes it")
            data = path.read_bytes()
        try:
            manifest = json.loads(data)
            shape_faults = manifest_faults(manifest, cls.shape)
            files = tuple(PartFile.read(entry) for entry in manifest["files"]) if not shape_faults else ()
        except (ValueError, KeyError, TypeError, RecursionError):
            shape_faults, files, manifest = ["its JSON"], (), {}
        if shape_faults and (folder / JOURNAL).exists():
            cls.read_journal(folder)  # refuses a folder of another kind
        cls._refuse_other_formats(path, manifest)
        if not shape_faults and identity_hash(manifest["experiment"]["identity"]) != manifest["experiment"]["hash"]:
            shape_faults = ["experiment.hash"]
        if not shape_faults:
            with readable(folder):
                shape_faults = list(cls.further_manifest_faults(folder, manifest, files))
        if shape_faults:
            shown = ", ".join(shape_faults[:5])
            raise RunError(f"{path}: is damaged ({shown}); delete it and play the {cls.what} again to restore it")
        return cls(folder, manifest, files)

    @classmethod
    def verify(cls, folder: str | Path) -> list[str]:
        """All damage in a folder, finished or not, one line per fault; an empty list if nothing has changed.

        InputError if it has no results of this kind or cannot be read, RunError if journal or manifest cannot be
        interpreted.
        """
        folder = Path(folder)
        with readable(folder):
            journal = cls.read_journal(folder)
            finished = cls.open(folder) if (folder / MANIFEST).exists() else None
            faults = [f"{JOURNAL}: has unreadable lines"] if journal.torn else []
            if journal.head is None:
                faults.append(f"{JOURNAL}: has no first line")
            games = finished.manifest["games"] if finished and is_open(journal.identity) else None
            games = journal.identity.get("games", games)
            if games is not None:
                in_chunks = chunk_faults(journal, games, finished=finished is not None)
                faults += [f"{JOURNAL}: {fault}" for fault in in_chunks]
            if journal.head is not None:
                faults += cls.side_faults(folder, journal.head["hash"])
            bad = (part for part in journal.parts().values() if not part.is_whole(folder))
            faults += [f"{part.file}: {part.damage(folder)}" for part in bad]
            if finished:
                journal_hash = journal.head["hash"] if journal.head else finished.hash
                different = differences(finished.manifest, finished.files, journal)
                faults += [f"{MANIFEST}: {difference}" for difference in different]
                faults += document_faults(folder, finished.manifest["papers"])
                faults += finished.further_faults(journal_hash)
                others = unknown_files(folder, [*finished.tables], finished.files)
                faults += [f"{name}: does not belong to this {cls.what}" for name in others]
        return faults

    @classmethod
    def read_journal(cls, folder: Path) -> Journal:
        """The journal; InputError for a folder of another kind, RunError if it is damaged. OSError is passed on."""
        journal = any_journal(folder, cls.what)
        kind = journal.identity.get("kind")
        if journal.head and kind != cls.kind:
            other = "run" if kind is None else kind
            command = "summary" if kind is None else kind
            raise InputError(f"{folder}: contains a {other}, not a {cls.what}; `wallsim {command} {folder}` shows it")
        return journal

    @classmethod
    def further_manifest_faults(
        cls, folder: Path, manifest: dict[str, Any], files: tuple[PartFile, ...]
    ) -> Iterable[str]:
        """Further faults that make a manifest of the required shape unreadable; OSError is passed on."""
        return ()

    def further_faults(self, journal_hash: str) -> Iterable[str]:
        """Further faults of the folder; `journal_hash` is the hash of the identity according to the journal."""
        return ()

    @classmethod
    def side_faults(cls, folder: Path, hash_: str) -> Iterable[str]:
        """Faults of files that an unfinished folder may also have; `hash_` is that of its identity."""
        return ()

    @classmethod
    def _progress(cls, folder: Path) -> str:
        journal = cls.read_journal(folder)
        games = "" if is_open(journal.identity) else f" of {journal.identity.get('games', 0):,}"
        return f"the {cls.what} is not finished: {journal.done:,}{games} games are finished"

    @classmethod
    def _refuse_other_formats(cls, path: Path, manifest: Any) -> None:
        form = manifest.get("format") if isinstance(manifest, dict) else None
        if type(form) is int and form not in cls.formats:
            raise RunError(f"{path}: {EARLIER_VERSION if form < max(cls.formats) else LATER_VERSION}")


@contextmanager
def readable(folder: Path) -> Iterator[None]:
    """Turn an OSError while reading a folder into an InputError: no permission, an invalid file name."""
    try:
        yield
    except OSError as error:
        raise InputError(f"{error.filename or folder}: cannot be read: {error.strerror or error}") from None


def any_journal(folder: Path, what: str = "run") -> Journal:
    """The journal of a folder of any kind; InputError without one, RunError if damaged. OSError is passed on."""
    if (folder / SCENARIOS).is_file():
        raise InputError(f"{folder}: holds scenarios, not one {what}; name the folder of one, {folder}/scenario=NAME")
    if not (folder / JOURNAL).is_file():
        raise InputError(f"{folder}: contains no {what} (there is no {JOURNAL})")
    return Journal(folder)


def kind_of(folder: str | Path) -> str | None:
    """The kind of results in a folder, finished or not, by its identity: None for a run and without a journal.

    InputError if it cannot be read, RunError if its journal is damaged.
    """
    path = Path(folder)
    with readable(path):
        return Journal(path).identity.get("kind") if (path / JOURNAL).is_file() else None


def read_codebook(folder: str | Path) -> str:
    """The codebook of a folder of any kind, finished or not; InputError if there is none or it cannot be read."""
    folder = Path(folder)
    with readable(folder):
        any_journal(folder)
        return (folder / CODEBOOK).read_bytes().decode("utf-8", "replace")
