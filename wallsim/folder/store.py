"""A folder of chunks while it is played: its lock, its journal, its documents, and its finished chunks.

Order of writing: lock, the journal's header (created by one process only), the documents, then for each chunk the part
files of every table and one receipt in the journal, finally `manifest.json`. Chunks without a receipt are missing. The
header has a copy of every document, so that damaged ones are written again; a damaged header is rebuilt from the
request and the receipts.
"""

from __future__ import annotations

import hashlib
import threading
from abc import abstractmethod
from collections.abc import Collection, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from wallsim.errors import InputError
from wallsim.escaping import in_shell
from wallsim.experiment.chunks import ChunkLayout
from wallsim.experiment.identity import identity_hash
from wallsim.folder.address import Folder
from wallsim.folder.checks import refuse_other_identity
from wallsim.folder.checksummed_json import sealed_document
from wallsim.folder.file_stores import file_store
from wallsim.folder.journal import ChunkRecord, Header, Journal, slice_journal
from wallsim.folder.layout import (
    BOARD,
    CODEBOOK,
    EXPERIMENT,
    FORMAT,
    FORMATS,
    JOURNAL,
    MANIFEST,
    POLICIES,
    is_part,
    write_part,
)
from wallsim.folder.local_files import LOCK, FileFacts, FileStore
from wallsim.folder.lock import FolderLock, lock_of_slice, nothing_added, refuse_files
from wallsim.folder.log import GROWS, Log, log_record
from wallsim.folder.manifest import receipts_of_manifest

if TYPE_CHECKING:  # a folder is also opened for writing without polars
    from wallsim.folder.chunk_tables import PlayedChunk

Slice = tuple[int, int]  # number I and count N: the chunks I modulo N


class ChunkStore(FolderLock):
    """A folder of chunks locked for writing, as a context manager."""

    what: str  # the name of the contents in messages
    all_tables: tuple[str, ...]  # that such results can have
    shrinks = False  # whether fewer games than were planned are all that is wanted, and not a part of them
    form = FORMAT  # of a new folder; an existing one keeps its format

    def __init__(
        self,
        place: FileStore,
        facts: dict[str, Any],
        tables: tuple[str, ...],
        layout: ChunkLayout,
        name: str | None = None,
        *,
        slice_: Slice | None = None,
        grows: bool = False,
    ) -> None:
        """Lock a folder for the games of an identity: create it, or resume an existing one.

        `layout` divides a new folder into chunks, while an existing one keeps its division; with more games than it has
        they are added. `name` is the experiment's name, which is written into the files. `slice_`: only these chunks
        are played, beside other slices. InputError if the folder cannot be written, is in use, or contains anything
        other than these games; RunError for a full disk.
        """
        self.identity, self.hash = facts, identity_hash(facts)
        self.tables, self.games, self.layout, self.name = tables, layout.games, layout, name
        self.wanted = layout.games  # of the folder's games, which may be more
        self.slice, self._grows = slice_, grows
        self.journal_name = JOURNAL if slice_ is None else slice_journal(*slice_)
        self.dropped: list[str] = []  # files of finished chunks that were missing or damaged
        self.repaired: list[str] = []  # documents that were
        self.log = Log(place)
        self._guard = threading.Lock()
        self.acquire(place)

    @abstractmethod
    def documents(self) -> dict[str, bytes]:
        """The documents beside the tables by name, in the order of writing."""

    # --------------------------------------------------------------------------------------------------- chunks

    @property
    def chunks(self) -> int:
        """The number of chunks of the folder's games."""
        return self.layout.count

    def span(self, chunk: int) -> tuple[int, int]:
        """The first game and the number of games of a chunk."""
        return self.layout.span(chunk)

    def missing(self) -> Iterator[int]:
        """The numbers of the chunks that are to be played here and are not finished, in order."""
        return (chunk for chunk in self._own() if chunk not in self.records)

    def _own(self) -> range:
        number, count = self.slice or (0, 1)
        return range(number, self._wanted_chunks, count)

    @property
    def _wanted_chunks(self) -> int:
        return replace(self.layout, games=self.wanted).count

    @property
    def wanted_end(self) -> int:
        """The end of the chunk with the last of the wanted games."""
        return self.layout.end_of(self.wanted)

    @property
    def own_games(self) -> tuple[int, int]:
        """How many games of the chunks that are to be played here are finished, and all of them."""
        spans = {chunk: self.span(chunk)[1] for chunk in self._own()}
        return sum(games for chunk, games in spans.items() if chunk in self.records), sum(spans.values())

    @property
    def unplayed(self) -> int:
        """The number of chunks that are to be played here and are not finished."""
        return sum(1 for _ in self.missing())

    def is_whole(self) -> bool:
        """Whether all chunks of the folder's games are finished."""
        return len(self.records) == self.chunks

    def is_finished_after_checks(self) -> bool:
        """Whether all chunks are finished, and the manifest is written; files are compared if nothing is missing."""
        while self.is_whole() and self.check_next():
            pass
        return self.is_whole() and self.place.size(MANIFEST) is not None

    def commit(self, chunk: int, played: PlayedChunk) -> ChunkRecord:
        """Write the part files of a chunk; the record has no times of the session yet. OSError if the disk is full."""
        first, games = self.span(chunk)
        files = tuple(write_part(self.place, part.table, chunk, part.data, part.rows) for part in played.parts)
        return ChunkRecord(chunk, first, games, files, played.engine_cpu)

    def record_chunk(self, record: ChunkRecord) -> None:
        """Append the receipt of a finished chunk to the journal."""
        self.place.append(self.journal_name, record.line(self.header))
        with self._guard:
            self.records[record.chunk] = record
            self.history.append(record)

    def _text(self, journal: Journal, name: str, without: Collection[int] = ()) -> bytes:
        return journal.text(name, self.header.line() if name == JOURNAL else b"", without)

    def withdraw(self, chunks: set[int]) -> None:
        """Delete the receipts of chunks, so that they are played again; a slice deletes those that it has recorded."""
        with self._guard:
            journal = Journal(self.place)
            for name in (self.journal_name, *(journal.slices if self.slice is None else ())):
                self.place.write(name, self._text(journal, name, chunks))
            for chunk in chunks:
                del self.records[chunk]
            self.history[:] = [record for record in self.history if record.chunk not in chunks]

    def document_digests(self) -> dict[str, str]:
        """The digests of the documents that were written, by name."""
        return self.header.digests

    def check_next(self) -> bool:
        """Compare the files of a finished chunk with their digests, while others are played; whether more are left.

        A chunk with damaged files counts as missing from then on.
        """
        if not self.unchecked:
            return False
        record = self.unchecked[-1]
        bad = [part.file for part in record.files if not part.is_whole(self.place)]
        with self._guard:
            if bad:
                self.dropped += bad
                del self.records[record.chunk]
                self.place.delete(MANIFEST)
            self.unchecked.pop()
        return bool(self.unchecked)

    def remove_strays(self) -> None:
        """Delete part files of no finished chunk, once all are: of other runs, or of more games than there are."""
        known = {part.file for record in self.records.values() for part in record.files}
        folders = [table for table in self.all_tables if not self.place.is_link(table)]
        strays = [name for table in folders for name in self.place.facts(table) if is_part(name) and name not in known]
        for name in strays:
            self.place.delete(name)
        if strays:
            self.log.write("deleted", files=strays)

    def finish(self, manifest: dict[str, Any]) -> None:
        """Write the manifest, which makes the run finished."""
        self._repair_documents()  # what was damaged since the beginning
        self.place.write(MANIFEST, sealed_document({**manifest, "log": log_record(self.place)}))

    # ------------------------------------------------------------------------------------------ opening a folder

    def take_locks(self) -> None:
        """Lock the folder, or share its lock with other slices; the process that gathers them waits for all."""
        if self.slice is None:
            super().take_locks()
            return
        self.hold(lock_of_slice(self.place))
        number, count = self.slice
        whose = f"another wallsim process with slice {number}/{count}"
        self.hold(self.place.lock(f"{LOCK}-{number}-of-{count}"), whose)

    def load_or_begin(self) -> None:
        """Read the header and the receipts, and put in order what needs it; or write the header."""
        journal = Journal(self.place)
        header = journal.header
        if header is None and not journal.header_damaged:
            header = self._begin()
            journal = Journal(self.place)
        elif header is None:
            header = self._rebuilt(journal)
        else:
            self.refuse_other_identity(header)
        self.header, self.name, self.form = header, header.name, header.format
        self.games = self.wanted if self.shrinks else max(self.wanted, header.games or self.wanted)
        self.layout = ChunkLayout(self.games, header.chunk, header.first_chunk)
        self._take(journal)
        for table in self.tables:
            self.place.make_folder(table)
        if self.slice is None:
            self._put_in_order(journal)
            return
        if header.games is not None and header.games < self.wanted:  # somebody else has just begun with fewer
            raise nothing_added(self.place, header.games)
        self._write_missing_documents(header)  # the process that wrote the header may have been killed
        if not self.place.create(self.journal_name, b"") and self.journal_name in journal.torn:
            self.place.write(self.journal_name, self._text(journal, self.journal_name))

    def _take(self, journal: Journal) -> None:
        # Sizes now, digests beside the play; what was written after the last receipt first.
        self.history = journal.all
        self.records: dict[int, ChunkRecord] = {}
        late: list[ChunkRecord] = []
        early: list[ChunkRecord] = []
        there: dict[str, FileFacts] = {}
        for folder in ("", *self.tables):
            there |= self.place.facts(folder)
        last = max((there[name].time for name in journal.lines if name in there), default=0)
        wanted = self._wanted_chunks
        for record in sorted(journal.fitting(self.layout), key=lambda record: -record.chunk):
            if record.chunk >= wanted:  # only the first games are asked for
                self.records[record.chunk] = record
                continue
            bad = [part.file for part in record.files if not part.seems_whole(there.get(part.file))]
            self.dropped += bad
            if not bad:
                self.records[record.chunk] = record
                changed = any(there[part.file].time > last for part in record.files)
                (late if changed else early).append(record)
        # From the end; a slice leaves the checks to the process that gathers the slices.
        self.unchecked = [] if self.slice is not None else early + late

    def _put_in_order(self, journal: Journal) -> None:
        # Only with the whole folder locked: no other process is writing.
        self.place.remove_leftovers(("", BOARD, POLICIES, *self.tables))
        self.log.repair()
        self._grow(journal)
        self._repair_documents()
        if self.unplayed or self.header != journal.header:
            self.place.delete(MANIFEST)  # it is written again at the end; the journal differs from it from now on
        rewrite = JOURNAL in journal.torn or journal.header_damaged or self.header != journal.header
        unfit = {*journal.records} - {*self.records}
        if rewrite or unfit:
            self.place.write(JOURNAL, self._text(journal, JOURNAL, unfit))
        for name in journal.slices:
            if unfit or name in journal.torn:
                self.place.write(name, self._text(journal, name, unfit))

    def _repair_documents(self) -> None:
        # By the copies in the header; what they say was digested when it was first written.
        for name, digest in self.header.digests.items():
            if self.place.digest(name) != digest:
                self.place.write_document(name, self.header.papers[name])
                self.repaired.append(name)

    def _grow(self, journal: Journal) -> None:
        # The experiment with its new number of games, and the number with which the folder was finished before, or
        # found to have too few. Without a manifest it is unfinished, whatever is written first.
        other = self.header.games is not None and self.header.games != self.games
        if not other and self.header.grows >= self._grows:
            return
        name, data = next(iter(self.documents().items()))
        papers = {**self.header.papers, name: data.decode("utf-8", "surrogateescape")}
        played = self.header.grows and journal.done >= (self.header.games or 0)
        seen = other and (played or self.place.size(MANIFEST) is not None)
        looks = (*self.header.looks, self.header.games) if seen and self.header.games else self.header.looks
        self.place.delete(MANIFEST)
        self.header = replace(
            self.header, games=self.games, looks=looks, grows=self.header.grows or self._grows, papers=papers
        )
        self.log.write(GROWS, games=self.games, sha256=self.header.digests[name])
        self.place.write_document(name, papers[name])

    def _begin(self) -> Header:
        # Usually an empty folder; one whose journal is missing keeps the chunks of its manifest.
        lost = receipts_of_manifest(self.place, self.hash)
        self._recognise_format()
        self.games = max([self.wanted, *(0 if self.shrinks else record.first + record.games for record in lost)])
        header = self._create_header()
        for record in lost:
            self.place.append(JOURNAL, record.line(header))
        self.repaired += [JOURNAL] * bool(lost)
        return header

    def _create_header(self) -> Header:
        header = self._new_header(self.layout.chunk, self.layout.first)
        if not self.place.create(JOURNAL, header.line() + b"\n"):  # another slice was first
            there = Journal(self.place).header
            if there is None:
                raise InputError(
                    f"{self.place}: {JOURNAL} is damaged; `wallsim repair {in_shell(self.place)}` repairs it"
                )
            self.refuse_other_identity(there)
            header = there
        self._write_missing_documents(header)
        return header

    def _write_missing_documents(self, header: Header) -> None:
        # Several slices may do so at once, with the same bytes.
        for name, text in header.papers.items():
            if self.place.size(name) is None:
                self.place.write_document(name, text)

    def _rebuilt(self, journal: Journal) -> Header:
        """The header that was lost, from what is to be played here and from the receipts."""
        if self.slice is not None:
            raise InputError(f"{self.place}: {JOURNAL} is damaged; `wallsim repair {in_shell(self.place)}` repairs it")
        if not all(self.hash.startswith(work.run) for work in journal.works):
            raise InputError(f"{self.place}: contains another {self.what}; choose another folder")
        sizes = [(work.chunk, work.first) for work in journal.works]
        chunk, first = sizes[-1] if sizes else (self.layout.chunk, self.layout.first)
        self._recognise_format()
        self.repaired.append(JOURNAL)
        return self._new_header(chunk, first)

    def _new_header(self, chunk: int, first: int | None) -> Header:
        papers = {name: data.decode("utf-8", "surrogateescape") for name, data in self.documents().items()}
        return Header(
            self.name, self.hash, self.identity, chunk, first, self.games, grows=self._grows, papers=papers,
            format=self.form,
        )  # fmt: skip

    def _recognise_format(self) -> None:
        # The format of a folder without a whole header is that of its codebook.
        there = self.place.digest(CODEBOOK)
        for form in (self.form, *FORMATS):
            self.form = form
            if there is None or hashlib.sha256(self.documents()[CODEBOOK]).hexdigest() == there:
                return

    def refuse_foreign_files(self) -> None:
        """InputError for other files in a folder that has neither a journal nor the documents of these games."""
        if self.place.size(JOURNAL) is not None or receipts_of_manifest(self.place, self.hash):
            return
        experiment, first = self.documents().get(EXPERIMENT), None
        if experiment is not None and self.place.size(EXPERIMENT) is not None:
            first = self.place.read(EXPERIMENT).partition(b"\n")[0]
        if experiment is None or first != experiment.partition(b"\n")[0]:
            refuse_files(self.place, unless=JOURNAL)

    def refuse_other_identity(self, header: Header) -> None:
        """InputError if the folder with this header has other results."""
        theirs = header.identity
        if theirs.get("kind") != self.identity.get("kind"):
            raise InputError(f"{self.place}: contains results other than this {self.what}; choose another folder")
        refuse_other_identity(self.place, theirs, self.identity, self.what)


def games_in(folder: Folder) -> int:
    """The number of games up to the end of the last finished chunk of a folder; 0 without a journal."""
    records = Journal(file_store(folder)).records.values()
    return max((record.first + record.games for record in records), default=0)
