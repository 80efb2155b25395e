"""The journal of a folder of results: a header, which says what is played, and a receipt for every finished chunk.

Every line is sealed. Chunks without a receipt are treated as missing. A slice of a run has a journal of its own beside
the run's, `journal-I-of-N.jsonl`, with receipts only; together they are the folder's journal.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import asdict, dataclass, field
from typing import Any

from wallsim.errors import RunError
from wallsim.escaping import in_shell
from wallsim.experiment.chunks import MAX_CHUNK, MAX_CHUNKS, ChunkLayout
from wallsim.experiment.identity import identity_hash
from wallsim.folder.checksummed_json import SealError, read_lines, read_sealed_line, sealed_line
from wallsim.folder.layout import FORMAT, FORMATS, JOURNAL, PartFile, is_document, refuse_other_format
from wallsim.folder.local_files import FileStore
from wallsim.rules.files import read_json

_HASH_DIGITS = 16  # of the run's hash in each receipt
_HEADER = JOURNAL, 1  # its file and the number of its line
_SLICE = re.compile(r"journal-[0-9]+-of-[0-9]+\.jsonl")


@dataclass(frozen=True)
class Header:
    """What is played into a folder: the first line of its journal.

    `games` is how many it is to have; `chunk` and `first_chunk` divide them into chunks, see `ChunkLayout`. `looks` are
    the numbers of games with which it was finished before games were added. `grows`: games are added until an interval
    is short enough. `papers` are the texts of the documents beside the tables by name.
    """

    name: str | None
    hash: str
    identity: dict[str, Any]
    chunk: int
    first_chunk: int | None = None
    games: int | None = None
    looks: tuple[int, ...] = ()
    grows: bool = False
    papers: dict[str, str] = field(default_factory=dict)
    format: int = FORMAT

    def line(self) -> bytes:
        """The header as a line of a journal."""
        return sealed_line({"format": self.format, **asdict(self)})

    @property
    def layout(self) -> ChunkLayout:
        """The chunks of the games that the folder is to have."""
        return ChunkLayout(self.games or MAX_CHUNKS * self.chunk, self.chunk, self.first_chunk)

    def owns(self, run: str, chunk: Any, first: Any) -> bool:
        """Whether a receipt that begins like this is of this run and its division into chunks."""
        return self.hash.startswith(run) and (chunk, first) == (self.chunk, self.first_chunk)

    @staticmethod
    def read(fields: Any) -> Header | None:
        """The header in the fields of a line; None if they are not one."""
        if not isinstance(fields, dict) or not isinstance(facts := fields.get("identity"), dict):
            return None
        games, chunk, first = fields.get("games"), fields.get("chunk"), fields.get("first_chunk")
        papers, looks = fields.get("papers"), fields.get("looks", [])
        if type(chunk) is not int or fields.get("format") not in FORMATS or not isinstance(papers, dict):
            return None
        numbers = [number for number in (games, first) if number is not None]
        whole = (
            all(type(number) is int and number >= 1 for number in (chunk, *numbers))
            and chunk <= MAX_CHUNK
            and (games is None or games <= chunk * MAX_CHUNKS)
            and all(isinstance(text, str) for text in papers.values())
            and all(map(is_document, papers))
            and isinstance(looks, list)
            and all(type(number) is int for number in looks)
            and identity_hash(facts) == fields.get("hash")
        )
        if not whole:
            return None
        name = fields.get("name")
        return Header(
            name if isinstance(name, str) else None, fields["hash"], facts, chunk, first, games,
            tuple(looks), fields.get("grows") is True, papers, fields["format"],
        )  # fmt: skip


@dataclass(frozen=True)
class ChunkRecord:
    """The receipt of a finished chunk: its number, games and files, and the times of its session up to that moment."""

    chunk: int
    first: int
    games: int
    files: tuple[PartFile, ...]
    engine_cpu: float  # CPU seconds inside the compiled engine for this chunk
    session: str = ""
    wall: float = 0.0  # of the session so far
    cpu: float = 0.0  # of the session so far, all threads
    workers: int = 1  # of the session
    compiling: float = 0.0  # seconds of wall time before the session began to play
    versions: str = ""  # the digest of those that played it; receipts of earlier versions of wallsim have none

    @staticmethod
    def read(line: dict[str, Any]) -> ChunkRecord:
        """The record in a journal line; KeyError, TypeError or ValueError for an invalid one."""
        record = ChunkRecord(**{**line, "files": tuple(PartFile.read(file) for file in line["files"])})
        whole = (record.chunk, record.first, record.games, record.workers)
        times = (record.engine_cpu, record.wall, record.cpu, record.compiling)
        if not all(type(number) is int for number in whole) or not all(type(s) in (int, float) for s in times):
            raise TypeError("not a number")
        if not isinstance(record.session, str) or not isinstance(record.versions, str):
            raise TypeError("not a text")
        return record

    def line(self, header: Header) -> bytes:
        """The receipt as a line of the journal with this header.

        It names the run and its chunks, so that a damaged header can be rebuilt from what is left.
        """
        return sealed_line(
            {"run": header.hash[:_HASH_DIGITS], "chunks": [header.chunk, header.first_chunk], **asdict(self)}
        )


class Journal:
    """The journal of a folder: its header and the last receipt of every chunk.

    `header` is None without a journal, and if the first line is damaged (`header_damaged`). `errors` has a line for
    each damaged one. `torn`: a file has to be written again before lines are added to it.
    """

    def __init__(self, place: FileStore) -> None:
        """Read all journals of a folder.

        InputError for another format, RunError for a journal that is not a regular file; OSError is passed on.
        """
        self.header: Header | None = None
        self.exists = self.header_damaged = False
        # The beginnings of the hashes of runs in the receipts, and the division into chunks there.
        self.runs: set[str] = set()
        self.sizes: tuple[int, int | None] | None = None
        self.records: dict[int, ChunkRecord] = {}
        self.all: list[ChunkRecord] = []
        self.errors: list[str] = []
        self.torn: set[str] = set()
        self.lines: dict[str, list[tuple[int, bytes]]] = {}  # whole receipts by file, each with its chunk
        self.unended: list[str] = []  # errors of last lines without an end; in a finished folder nobody writes them
        self.slices = [name for name in place.names("", ".jsonl") if _SLICE.fullmatch(name)]
        for name in (JOURNAL, *self.slices):
            self._read(place, name)
        if self.exists and self.header is None:
            self.header_damaged = True
            missing = place.size(JOURNAL) is None
            self.errors.insert(0, f"{JOURNAL}: {'is missing' if missing else 'line 1 is damaged'}")

    def _read(self, place: FileStore, name: str) -> None:
        try:
            data = place.read(name)
        except FileNotFoundError:
            return
        except RunError as error:
            raise RunError(
                f"{error}; remove it: `wallsim repair {in_shell(place)}`, or the command that started it, writes it "
                "again"
            ) from None
        self.exists = True
        first, end, _ = data.partition(b"\n")
        if name == JOURNAL and end:
            self.header = _header_of(first, place)
        # Without a header its own line may be the unfinished one.
        lines = read_lines(data, b'{"run": "' if self.header else b"{")
        sound, damaged = self.lines.setdefault(name, []), lines.damaged
        result: dict[int, ChunkRecord] = {}
        for number, (line, fields) in lines.whole.items():
            if name == JOURNAL and number == 1:
                continue
            record = self._receipt(fields)
            if record is None:
                damaged.append(number)
            else:
                sound.append((record.chunk, line))
                result[record.chunk] = record
                self.all.append(record)
        if lines.unended or damaged:
            self.torn.add(name)
        self.errors += [f"{name}: line {number} is damaged" for number in sorted(damaged) if (name, number) != _HEADER]
        self.unended += [f"{name}: line {lines.unended} is damaged"] if lines.unended else []
        # The process that gathers slices writes into the run's journal, which is read first and takes precedence.
        self.records = {**result, **self.records}

    def _receipt(self, fields: dict[str, Any]) -> ChunkRecord | None:
        try:
            run, (chunk, first) = fields.pop("run"), fields.pop("chunks")
            if self.header is not None and not self.header.owns(run, chunk, first):
                return None
            self.runs.add(run)
            self.sizes = chunk, first
            return ChunkRecord.read(fields)
        except (ValueError, KeyError, TypeError):
            return None

    @property
    def identity(self) -> dict[str, Any]:
        """The identity in the header; empty without a header."""
        return self.header.identity if self.header else {}

    @property
    def done(self) -> int:
        """The number of games in finished chunks."""
        return sum(record.games for record in self.records.values())

    def text(self, name: str, header: Header, without: Collection[int] = ()) -> bytes:
        """The journal of this name with another header, if it has one, and without the receipts of some chunks."""
        lines = [header.line()] if name == JOURNAL else []
        lines += [line for chunk, line in self.lines.get(name, ()) if chunk not in without]
        return b"".join(line + b"\n" for line in lines)

    def parts(self) -> dict[str, PartFile]:
        """The part files of the finished chunks, by path."""
        records = [self.records[number] for number in sorted(self.records)]
        return {part.file: part for record in records for part in record.files}

    def fitting(self, layout: ChunkLayout) -> Iterator[ChunkRecord]:
        """The receipts of chunks of this layout."""
        for number, record in self.records.items():
            if 0 <= number < layout.count and (record.first, record.games) == layout.span(number):
                yield record


def _header_of(line: bytes, place: FileStore) -> Header | None:
    try:
        fields = read_sealed_line(line)
    except SealError:
        if (earlier := _earlier_header(line)) is not None:
            refuse_other_format(place, earlier.get("format"))
        return None
    if type(fields.get("format")) is int:
        refuse_other_format(place, fields["format"])
    return Header.read(fields)


def _earlier_header(line: bytes) -> dict[str, Any] | None:
    """The fields of a header of a format without seals; None for anything else, such as a damaged header."""
    try:
        fields = read_json(line)
        whole = identity_hash(fields["identity"]) == fields["hash"]
    except (ValueError, KeyError, TypeError):
        return None
    # Two entries differ, so that one flipped bit does not make a sealed header an earlier one.
    return fields if whole and fields.get("format") not in FORMATS and "papers" not in fields else None


def slice_journal(number: int, count: int) -> str:
    """The name of the journal of a slice."""
    return f"journal-{number}-of-{count}.jsonl"
