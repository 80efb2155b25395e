"""The read side of every folder of results: its manifest, its tables as lazy polars frames, and what is wrong with it.

`Run` and `TournamentRun` say what is particular to them.
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
    is_open,
    manifest_misfits,
    paper_faults,
    strays,
)
from wallsim.runs.folder.journal import Journal
from wallsim.runs.folder.layout import CODEBOOK, JOURNAL, MANIFEST, PartFile, identity_hash

if TYPE_CHECKING:
    import polars as pl

EARLIER = "was written by an earlier version of wallsim, which this one cannot read; play it again in a new folder"
_LATER = "was written by a later version of wallsim, which this one cannot read"


@dataclass(frozen=True)
class ResultFolder:
    """A finished folder of results: its path, manifest and part files."""

    folder: Path
    manifest: dict[str, Any]
    files: tuple[PartFile, ...]

    what: ClassVar[str]  # what such a folder holds, in a word
    kind: ClassVar[str | None]  # how its identity names it
    formats: ClassVar[tuple[int, ...]]  # that can be read
    shape: ClassVar[dict[str, Any]]  # of the manifest

    @property
    def hash(self) -> str:
        """The sha256 over all that decides the rows, in hexadecimal."""
        found: str = self.manifest["experiment"]["hash"]
        return found

    @property
    def identity(self) -> dict[str, Any]:
        """All that decides the rows: engine version, rules, board, tower, policies, seed."""
        found: dict[str, Any] = self.manifest["experiment"]["identity"]
        return found

    @property
    def tables(self) -> tuple[str, ...]:
        """The names of the tables that were written."""
        return tuple(self.manifest["rows"])

    def scan(self, table: str, *, check: bool = True) -> pl.LazyFrame:
        """A table as a lazy frame, its files checked against their digests first unless told not to.

        InputError if there is no such table, RunError if a file is missing or damaged.
        """
        parts = [part for part in self.files if part.table == table]
        if not parts:
            raise InputError(f"{self.folder}: has no table {table!r}; it has {', '.join(self.tables)}")
        damaged = [part.file for part in parts if check and not part.is_whole(self.folder)]
        if damaged:
            raise RunError(
                f"{self.folder}: missing or damaged: {', '.join(damaged)}; play the {self.what} again to mend it"
            )
        import polars as pl

        return pl.scan_parquet([self.folder / part.file for part in parts], glob=False)

    def codebook(self) -> str:
        """The folder's codebook as Markdown; InputError if it cannot be read."""
        return read_codebook(self.folder)

    @classmethod
    def open(cls, folder: str | Path) -> Self:
        """What a finished folder holds.

        InputError if it holds nothing of the kind, RunError if it is unfinished or damaged.
        """
        folder = Path(folder)
        path = folder / MANIFEST
        with readable(folder):
            if not path.exists():
                raise RunError(f"{folder}: {cls._progress(folder)}; the command that began it resumes it")
            data = path.read_bytes()
        try:
            manifest = json.loads(data)
            misfits = manifest_misfits(manifest, cls.shape)
            files = tuple(PartFile.read(entry) for entry in manifest["files"]) if not misfits else ()
        except (ValueError, KeyError, TypeError, RecursionError):
            misfits, files, manifest = ["its JSON"], (), {}
        if misfits and (folder / JOURNAL).exists():
            cls.read_journal(folder)  # refuses a folder of another kind
        cls._refuse_other_formats(path, manifest)
        if not misfits and identity_hash(manifest["experiment"]["identity"]) != manifest["experiment"]["hash"]:
            misfits = ["experiment.hash"]
        if not misfits:
            with readable(folder):
                misfits = list(cls.further_misfits(folder, manifest, files))
        if misfits:
            shown = ", ".join(misfits[:5])
            raise RunError(f"{path}: is damaged ({shown}); delete it and play the {cls.what} again to restore it")
        return cls(folder, manifest, files)

    @classmethod
    def verify(cls, folder: str | Path) -> list[str]:
        """Every damage of a folder, finished or not, one line each; an empty list if all is as written.

        InputError if it holds nothing of the kind or cannot be read, RunError if journal or manifest make no sense at
        all.
        """
        folder = Path(folder)
        with readable(folder):
            journal = cls.read_journal(folder)
            finished = cls.open(folder) if (folder / MANIFEST).exists() else None
            found = [f"{JOURNAL}: has unreadable lines"] if journal.torn else []
            if journal.head is None:
                found.append(f"{JOURNAL}: has no first line")
            games = finished.manifest["games"] if finished and is_open(journal.identity) else None
            games = journal.identity.get("games", games)
            if games is not None:
                faults = chunk_faults(journal, games, finished=finished is not None)
                found += [f"{JOURNAL}: {fault}" for fault in faults]
            if journal.head is not None:
                found += cls.side_faults(folder, journal.head["hash"])
            bad = (part for part in journal.parts().values() if not part.is_whole(folder))
            found += [f"{part.file}: {part.harm(folder)}" for part in bad]
            if finished:
                claimed = journal.head["hash"] if journal.head else finished.hash
                faults = differences(finished.manifest, finished.files, journal)
                found += [f"{MANIFEST}: {fault}" for fault in faults]
                found += paper_faults(folder, finished.manifest["papers"])
                found += finished.further_faults(claimed)
                others = strays(folder, [*finished.tables], finished.files)
                found += [f"{name}: is none of this {cls.what}'s files" for name in others]
        return found

    @classmethod
    def read_journal(cls, folder: Path) -> Journal:
        """The journal of such a folder; InputError for another, RunError if it is damaged. OSError passes."""
        journal = any_journal(folder, cls.what)
        kind = journal.identity.get("kind")
        if journal.head and kind != cls.kind:
            other = "run" if kind is None else kind
            command = "summary" if kind is None else kind
            raise InputError(f"{folder}: holds a {other}, not a {cls.what}; `wallsim {command} {folder}` shows it")
        return journal

    @classmethod
    def further_misfits(cls, folder: Path, manifest: dict[str, Any], files: tuple[PartFile, ...]) -> Iterable[str]:
        """What else makes a manifest of the right form unreadable; OSError passes."""
        return ()

    def further_faults(self, claimed: str) -> Iterable[str]:
        """What else is wrong with the folder, whose journal claims to be of an identity with the hash `claimed`."""
        return ()

    @classmethod
    def side_faults(cls, folder: Path, hash_: str) -> Iterable[str]:
        """What is wrong with files that an unfinished folder may have too; `hash_` is that of its identity."""
        return ()

    @classmethod
    def _progress(cls, folder: Path) -> str:
        journal = cls.read_journal(folder)
        games = "" if is_open(journal.identity) else f" of {journal.identity.get('games', 0):,}"
        return f"the {cls.what} is not finished: {journal.done:,}{games} games are there"

    @classmethod
    def _refuse_other_formats(cls, path: Path, manifest: Any) -> None:
        form = manifest.get("format") if isinstance(manifest, dict) else None
        if type(form) is int and form not in cls.formats:
            raise RunError(f"{path}: {EARLIER if form < max(cls.formats) else _LATER}")


@contextmanager
def readable(folder: Path) -> Iterator[None]:
    """Turn what keeps a folder from being read into an InputError: no permission, a name that no file can have."""
    try:
        yield
    except OSError as error:
        raise InputError(f"{error.filename or folder}: cannot be read: {error.strerror or error}") from None


def any_journal(folder: Path, what: str = "run") -> Journal:
    """The journal of a folder of any kind; InputError if there is none, RunError if it is damaged. OSError passes."""
    if not (folder / JOURNAL).is_file():
        raise InputError(f"{folder}: no {what} lies there (its folder has a {JOURNAL})")
    return Journal(folder)


def kind_of(folder: str | Path) -> str | None:
    """How the identity names what a folder holds, finished or not: None for a run, and where nothing is known.

    InputError if it cannot be read, RunError if its journal makes no sense.
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
