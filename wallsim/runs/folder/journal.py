"""The journal of a folder of results: its head, which says what is played, and a receipt for every finished chunk.

What the journal does not name does not exist.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wallsim.errors import RunError
from wallsim.runs.folder.layout import JOURNAL, MAX_CHUNKS, PartFile, identity_hash


@dataclass(frozen=True)
class Receipt:
    """A finished chunk: its number, games and files, and the seconds its session had taken by then."""

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
    def read(line: dict[str, Any]) -> Receipt:
        """The receipt of a journal line; KeyError, TypeError or ValueError if it is none."""
        receipt = Receipt(**{**line, "files": tuple(PartFile.read(file) for file in line["files"])})
        whole = (receipt.chunk, receipt.first, receipt.games, receipt.workers)
        times = (receipt.engine_cpu, receipt.wall, receipt.cpu, receipt.compiling)
        if not all(type(number) is int for number in whole) or not all(type(s) in (int, float) for s in times):
            raise TypeError("a number is none")
        if not isinstance(receipt.session, str):
            raise TypeError("session")
        return receipt


class Journal:
    """The journal of a folder as read: its head and the last receipt of every chunk."""

    def __init__(self, folder: Path) -> None:
        """Read the journal; a torn last line is ignored. RunError if the head is damaged."""
        self.head: dict[str, Any] | None = None
        self.receipts: dict[int, Receipt] = {}
        self.all: list[Receipt] = []
        self.torn = False
        path = folder / JOURNAL
        lines = path.read_bytes().split(b"\n") if path.exists() else [b""]
        self.torn = lines.pop() != b""
        for number, line in enumerate(lines):
            try:
                fields = json.loads(line)
                if number:
                    receipt = Receipt.read(fields)
                    self.receipts[receipt.chunk] = receipt
                    self.all.append(receipt)
            except (ValueError, KeyError, TypeError, RecursionError):
                self.torn = True
            else:
                self.head = self.head if number else fields
        if lines and not _is_head(self.head):
            raise RunError(f"{path}: the first line is damaged; move the folder away and play the run again")

    @property
    def identity(self) -> dict[str, Any]:
        """What is played, by the head; empty without one."""
        return self.head["identity"] if self.head else {}

    @property
    def done(self) -> int:
        """How many games are there."""
        return sum(receipt.games for receipt in self.receipts.values())

    def parts(self) -> dict[str, PartFile]:
        """Every part file of the finished chunks by its path."""
        receipts = [self.receipts[number] for number in sorted(self.receipts)]
        return {part.file: part for receipt in receipts for part in receipt.files}


def _is_head(head: Any) -> bool:
    if not isinstance(head, dict) or not isinstance(facts := head.get("identity"), dict):
        return False
    # A tournament's identity leaves its length open; equal chunks need no first one.
    numbers: tuple[Any, ...] = (facts.get("games", 1), head.get("chunk"), head.get("first_chunk", 1))
    if not all(type(number) is int and number >= 1 for number in numbers):
        return False
    games, chunk, _ = numbers
    return games <= chunk * MAX_CHUNKS and identity_hash(facts) == head.get("hash")
