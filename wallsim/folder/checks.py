"""Checks of the journal, the documents and the files of a folder of results, and of what it is the folder of."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

from wallsim.errors import MOST_LISTED, InputError
from wallsim.experiment.chunks import ChunkLayout
from wallsim.folder.address import Folder
from wallsim.folder.file_stores import file_store
from wallsim.folder.journal import Journal
from wallsim.folder.layout import JOURNAL, PartFile, is_part
from wallsim.folder.local_files import FileStore

# Of a file that has the digest of its receipt, but not the contents: to every command that plays it seems whole.
PLAY_AGAIN = "no command mends that; delete the folder, and play it again with the command that started it"


def journal_errors(journal: Journal, finished: Any) -> Iterator[str]:
    """Receipts that match no chunk, and chunks that a finished run lacks; `finished` is that run, or None."""
    if journal.header is None:
        return
    games = journal.header.games or (finished.manifest["games"] if finished else None)
    if games is None:
        return
    layout = ChunkLayout(games, journal.header.chunk, journal.header.first_chunk)
    fitting = {record.chunk for record in journal.fitting(layout)}
    for number in sorted(journal.records.keys() - fitting):
        yield f"{JOURNAL}: chunk {number}: does not belong to this run"
    if finished:
        missing = (number for number in range(layout.count) if number not in journal.records)
        yield from (f"{JOURNAL}: chunk {number}: is missing" for number in islice(missing, MOST_LISTED))


def link_errors(place: FileStore, tables: Sequence[str]) -> Iterator[str]:
    """The folders of tables that are symbolic links, into which nothing is written."""
    yield from (f"{table}: is a symbolic link; remove it" for table in tables if place.is_link(table))


def obstacles(place: FileStore, tables: Sequence[str], names: Iterable[str]) -> Iterator[str]:
    """Folders of the names of files, and files of the names of tables' folders; nothing here removes them."""
    folders = set(place.folders())
    yield from (f"{name}: is a folder; remove it" for name in names if name in folders)
    for table in tables:
        if place.size(table) is not None:
            yield f"{table}: is not a folder; remove it"
        elif table in folders:
            inside = (f"{table}/{name}" for name in file_store(place.folder / table).folders())
            yield from (f"{name}: is a folder; remove it" for name in inside if is_part(name))


def document_errors(place: FileStore, digests: dict[str, str]) -> Iterator[str]:
    """The documents beside the tables that are missing or changed by their digests; OSError is passed on."""
    for name, digest in digests.items():
        if place.size(name) is None:
            yield f"{name}: is missing"
        elif place.digest(name) != digest:
            yield f"{name}: its bytes have changed"


def unknown_files(place: FileStore, tables: Sequence[str], files: tuple[PartFile, ...]) -> list[str]:
    """Parquet files in the tables' folders that the run did not write; OSError is passed on."""
    known = {part.file for part in files}
    there = [table for table in tables if not place.is_link(table)]
    return sorted(name for table in there for name in place.names(table, ".parquet") if name not in known)


def refuse_other_identity(place: FileStore | Folder, theirs: dict[str, Any], ours: dict[str, Any], what: str) -> None:
    """InputError with the differences between two identities, if any; `what` is the name of the contents."""
    if shown := differences_of(theirs, ours):
        raise InputError(f"{place}: contains another {what}: {shown}; choose another folder")


def differences_of(theirs: dict[str, Any], ours: dict[str, Any], here: str = "here") -> str:
    """The differences between two identities in words, empty if there are none; `here` is where the second one is."""
    different = [key for key in {**theirs, **ours} if theirs.get(key) != ours.get(key)]
    return "; ".join(
        f"{key} is {_shortened(theirs.get(key))} there, {_shortened(ours.get(key))} {here}" for key in different
    )


def _shortened(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= 80 else text[:77] + "..."
