"""The journal of a folder of results: a head, which says what is played, and a record for every finished chunk.

Chunks that are not in the journal are treated as missing.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wallsim.errors import RunError
from wallsim.runs.folder.layout import JOURNAL, MAX_CHUNKS, PartFile, identity_hash


@dataclass(frozen=True)
class ChunkRecord:
    """A finished chunk: its number, games and files, and the times of its session up to that moment."""

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

    @staticmethod
    def read(line: dict[str, Any]) -> ChunkRecord:
        """The record in a journal line; KeyError, TypeError or ValueError for an invalid one."""
        record = ChunkRecord(**{**line, "files": tuple(PartFile.read(file) for file in line["files"])})
        whole = (record.chunk, record.first, record.games, record.workers)
        times = (record.engine_cpu, record.wall, record.cpu, record.compiling)
        if not all(type(number) is int for number in whole) or not all(type(s) in (int, float) for s in times):
            raise TypeError("not a number")
        if not isinstance(record.session, str):
            raise TypeError("session")
        return record


class Journal:
    """The journal of a folder: its head and the last record of every chunk."""

    def __init__(self, folder: Path) -> None:
        """Read the journal; an incomplete last line is ignored. RunError if the head is damaged."""
        self.head: dict[str, Any] | None = None
        self.records: dict[int, ChunkRecord] = {}
        self.all: list[ChunkRecord] = []
        self.torn = False
        path = folder / JOURNAL
        lines = path.read_bytes().split(b"\n") if path.exists() else [b""]
        self.torn = lines.pop() != b""
        for number, line in enumerate(lines):
            try:
                fields = json.loads(line)
                if number:
                    record = ChunkRecord.read(fields)
                    self.records[record.chunk] = record
                    self.all.append(record)
            except (ValueError, KeyError, TypeError, RecursionError):
                self.torn = True
            else:
                self.head = self.head if number else fields
        if lines and not _is_head(self.head):
            raise RunError(f"{path}: the first line is damaged; move the folder away and play the run again")

    @property
    def identity(self) -> dict[str, Any]:
        """The identity in the head; empty without a head."""
        return self.head["identity"] if self.head else {}

    @property
    def done(self) -> int:
        """The number of games in finished chunks."""
        return sum(record.games for record in self.records.values())

    def parts(self) -> dict[str, PartFile]:
        """The part files of the finished chunks, by path."""
        records = [self.records[number] for number in sorted(self.records)]
        return {part.file: part for record in records for part in record.files}


def _is_head(head: Any) -> bool:
    if not isinstance(head, dict) or not isinstance(facts := head.get("identity"), dict):
        return False
    # The identity of a tournament has no number of games; chunks of equal size have no `first_chunk`.
    numbers: tuple[Any, ...] = (facts.get("games", 1), head.get("chunk"), head.get("first_chunk", 1))
    if not all(type(number) is int and number >= 1 for number in numbers):
        return False
    games, chunk, _ = numbers
    return games <= chunk * MAX_CHUNKS and identity_hash(facts) == head.get("hash")
