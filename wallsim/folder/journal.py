"""The journal of a folder of results: a header, which says what is played, and a receipt for every finished chunk.

Every line is sealed. Chunks without a receipt are treated as missing. A slice of a run has a journal of its own beside
the run's, `journal-I-of-N.jsonl`, with receipts only; together they are the folder's journal.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from functools import partial
from hashlib import sha256
from typing import Any, NamedTuple

from wallsim.errors import RunError
from wallsim.escaping import in_shell
from wallsim.experiment.chunks import MAX_CHUNK, MAX_CHUNKS, ChunkLayout
from wallsim.experiment.identity import identity_hash
from wallsim.folder.checksummed_json import sealed_line
from wallsim.folder.layout import FORMAT, FORMATS, JOURNAL, PartFile, is_document, refuse_other_format
from wallsim.folder.local_files import FileStore
from wallsim.folder.receipts import HASH_DIGITS, Form, Receipts
from wallsim.rules.files import read_json

_SLICE = re.compile(r"journal-[0-9]+-of-[0-9]+\.jsonl")


class Work(NamedTuple):
    """What receipts belong to: the beginning of a run's hash, and the sizes of its chunks."""

    run: str
    chunk: int
    first: int | None


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
    def digests(self) -> dict[str, str]:
        """The sha256 of the documents by name."""
        texts = self.papers.items()
        return {name: sha256(text.encode("utf-8", "surrogateescape")).hexdigest() for name, text in texts}

    @property
    def layout(self) -> ChunkLayout:
        """The chunks of the games that the folder is to have."""
        return ChunkLayout(self.games or MAX_CHUNKS * self.chunk, self.chunk, self.first_chunk)

    def work(self) -> Work:
        """What receipts name: the run and its division into chunks, so that a damaged header can be rebuilt."""
        return Work(self.hash[:HASH_DIGITS], self.chunk, self.first_chunk)

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
    def read(fields: dict[str, Any]) -> tuple[Work, int, ChunkRecord]:
        """Work, chunk and receipt in the fields of a line; KeyError, TypeError or ValueError for an invalid one."""
        run, (chunk, first) = fields["run"], fields["chunks"]
        rest = {key: value for key, value in fields.items() if key not in ("run", "chunks")}
        record = ChunkRecord(**{**rest, "files": tuple(PartFile.read(file) for file in fields["files"])})
        sizes = (chunk, chunk if first is None else first)
        whole = (*sizes, record.chunk, record.first, record.games, record.workers)
        times = (record.engine_cpu, record.wall, record.cpu, record.compiling)
        if not all(type(number) is int for number in whole) or not all(type(s) in (int, float) for s in times):
            raise TypeError("not a number")
        if not all(isinstance(text, str) for text in (run, record.session, record.versions)):
            raise TypeError("not a text")
        if min(sizes) < 1 or chunk > MAX_CHUNK:
            raise ValueError("no sizes of chunks")
        return Work(run, chunk, first), record.chunk, record

    def line(self, header: Header) -> bytes:
        """The receipt as a line of the journal with this header."""
        run, *chunks = header.work()
        return sealed_line({"run": run, "chunks": chunks, **asdict(self)})


class Journal(Receipts[Header, Work, int, ChunkRecord]):
    """The journal of a run or a tournament, with those of its slices; without any it does not exist."""

    def __init__(self, place: FileStore, *, ended: bool = False) -> None:
        """Read all journals of a folder; `ended`: nobody may be writing.

        InputError for another format, RunError for a journal that is not a regular file; OSError is passed on.
        """
        super().__init__()
        form = Form(b'{"run": "', ChunkRecord.read, partial(_header_of, place), Header.work)
        self.exists, self.slices = False, [name for name in place.names("", ".jsonl") if _SLICE.fullmatch(name)]
        # The process that gathers slices writes into the run's journal, which is read first.
        for name in (JOURNAL, *self.slices):
            try:
                self.take(name, place.read(name), form, ended=ended)
                self.exists = True
            except FileNotFoundError:
                continue
            except RunError as error:
                raise RunError(
                    f"{error}; remove it: `wallsim repair {in_shell(place)}`, or the command that started it, writes "
                    "it again"
                ) from None
        if (earlier := _earlier_header(self.first)) is not None:
            refuse_other_format(place, earlier.get("format"))
        if self.exists and JOURNAL not in self.lines:
            self.errors.insert(0, f"{JOURNAL}: is missing")

    @property
    def header_damaged(self) -> bool:
        """Whether there is a journal, but no whole header."""
        return self.exists and self.header is None

    @property
    def identity(self) -> dict[str, Any]:
        """The identity in the header; empty without a header."""
        return self.header.identity if self.header else {}

    @property
    def done(self) -> int:
        """The number of games in finished chunks."""
        return sum(record.games for record in self.records.values())

    def parts(self) -> dict[str, PartFile]:
        """The part files of the finished chunks, by path."""
        records = [self.records[number] for number in sorted(self.records)]
        return {part.file: part for record in records for part in record.files}

    def fitting(self, layout: ChunkLayout) -> Iterator[ChunkRecord]:
        """The receipts of chunks of this layout."""
        for number, record in self.records.items():
            if 0 <= number < layout.count and (record.first, record.games) == layout.span(number):
                yield record


def _header_of(place: FileStore, fields: dict[str, Any]) -> Header | None:
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
