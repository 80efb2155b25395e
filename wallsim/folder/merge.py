"""Merging folders of the same run that were played on different disks, chunk by chunk."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from wallsim.errors import InputError
from wallsim.experiment.chunks import ChunkLayout
from wallsim.folder.checks import differences_of
from wallsim.folder.file_stores import file_store
from wallsim.folder.journal import ChunkRecord, Header, Journal
from wallsim.folder.local_files import FileStore
from wallsim.folder.lock import failed
from wallsim.folder.result_folder import readable
from wallsim.folder.results import Run
from wallsim.folder.run_store import log_merged_versions
from wallsim.folder.schema import ON_REQUEST, TABLES
from wallsim.folder.store import ChunkStore


class Merged(NamedTuple):
    """What was merged: the games that were copied, those the folder has now and is to have, and damaged files."""

    copied: int
    finished: int
    games: int
    damaged: tuple[str, ...]


def merge(folder: str | Path, sources: Sequence[str | Path]) -> Merged:
    """Copy the finished chunks that a folder lacks from other folders of the same run, each checked by its digest.

    The folder is created if it is missing. Damaged files of the others are left out. Afterwards `repair` or `play_run`
    plays what is missing and writes the manifest. InputError for another run, RunError for a damaged journal and if the
    disk is full; copied files stay.
    """
    if not sources:
        raise InputError("FROM: name at least one folder to merge from")
    result = [(place, *_read(place)) for place in map(file_store, sources)]
    with readable(folder) as target:
        into = Journal(target).header
    headers = []
    if into is not None and into.identity.get("kind") == Run.kind:
        headers.append((target, into))
    headers += [(place, header) for place, header, _ in result]
    _refuse_different(headers)  # before anything is written
    games = max(header.games or 0 for _, header in headers)
    copied, damaged = 0, []
    with _MergedStore(target, result[0][1], games) as store:
        fitting = {record.chunk for _, _, journal in result for record in journal.fitting(store.layout)}
        if not fitting <= store.records.keys():  # first, so that a process that is killed leaves none out
            log_merged_versions(store.log, [place for place, _, _ in result])
        for place, _, journal in result:
            for record in sorted(journal.fitting(store.layout), key=lambda record: record.chunk):
                if record.chunk in store.records:
                    continue
                bad = [part.file for part in record.files if not part.is_whole(place)]
                damaged += [f"{place}/{name}" for name in bad]
                if not bad:
                    _copy(record, place, store)
                    copied += record.games
        done, whole = store.own_games
        return Merged(copied, done, whole, tuple(damaged))


def _refuse_different(headers: Sequence[tuple[FileStore, Header]]) -> None:
    (first, one), *others = headers
    for place, header in others:
        if different := differences_of(header.identity, one.identity, f"in {first}"):
            raise InputError(f"{place}: is another run than {first}: {different}; merge folders of the same run")
        if header.format != one.format:
            raise InputError(
                f"{place}: has format {header.format}, and {first} format {one.format}; merge folders of the same one"
            )
        if (header.chunk, header.first_chunk) != (one.chunk, one.first_chunk):
            raise InputError(
                f"{place}: its chunks are of other sizes than those of {first}; both need the same `chunk`"
            )


class _MergedStore(ChunkStore):
    """The folder that is merged into, locked for writing."""

    what, all_tables = "run", TABLES

    def __init__(self, place: FileStore, header: Header, games: int) -> None:
        self._documents, self.form = header.papers, header.format
        tables = tuple(table for table in TABLES if table not in ON_REQUEST or header.identity.get(table))
        super().__init__(
            place, header.identity, tables, ChunkLayout(games, header.chunk, header.first_chunk), header.name
        )

    def documents(self) -> dict[str, bytes]:
        """Those of the folder that is merged from."""
        return {name: text.encode("utf-8", "surrogateescape") for name, text in self._documents.items()}


def _read(place: FileStore) -> tuple[Header, Journal]:
    with readable(place):
        return Run.headed_journal(place)


def _copy(record: ChunkRecord, source: FileStore, store: ChunkStore) -> None:
    try:
        for part in record.files:
            store.place.write(part.file, source.read(part.file))
        store.record_chunk(record)
    except OSError as error:
        raise failed(store.folder, error) from error
