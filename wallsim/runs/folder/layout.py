"""The names of files in a folder of results, and the part files of its tables."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wallsim.runs.folder.commit import file_digest, write_whole

EXPERIMENT, CODEBOOK, JOURNAL, MANIFEST = "experiment.toml", "codebook.md", "journal.jsonl", "manifest.json"
BOARD, POLICIES = "board", "policies"
SCENARIOS = "scenarios.json"  # the document of a folder of scenarios, each a run folder of its own
AS_SHIPPED = "as shipped"  # written instead of a path for the board of the package
HEADLINE = "# wallsim experiment "  # the beginning of the first line of experiment.toml
# Formats of a run: 1 had no expansions; 2 had neither the order of choosing nor metadata in the Parquet files.
RUN_FORMAT, RUN_FORMATS_READ, FORMAT_BEFORE_HEADS = 3, (2, 3), 2
TOURNAMENT_FORMAT = 1
MAX_CHUNKS = 200_000  # records of finished chunks are kept in memory, about 2 kB each


@dataclass(frozen=True)
class PartFile:
    """A Parquet file of a run: its path within the folder, table, rows, bytes and sha256."""

    file: str
    table: str
    rows: int
    bytes: int
    sha256: str

    @staticmethod
    def read(fields: dict[str, Any]) -> PartFile:
        """The part file of an entry in journal or manifest; TypeError or ValueError for an invalid entry."""
        part = PartFile(**fields)
        for name, kind in (("file", str), ("table", str), ("rows", int), ("bytes", int), ("sha256", str)):
            if type(getattr(part, name)) is not kind:
                raise TypeError(name)
        if not re.fullmatch(rf"{re.escape(part.table)}/part-[0-9]{{6,}}\.parquet", part.file) or "/" in part.table:
            raise ValueError(part.file)
        return part

    def is_whole(self, folder: Path) -> bool:
        """Whether the file exists with the bytes that were written."""
        path = folder / self.file
        try:
            return path.stat().st_size == self.bytes and file_digest(path) == self.sha256
        except OSError:
            return False

    def damage(self, folder: Path) -> str:
        """A description of the damage of a file that is missing or changed; OSError is passed on."""
        path = folder / self.file
        if not path.exists():
            return "is missing"
        size = path.stat().st_size
        return "its bytes have changed" if size == self.bytes else f"has {size} bytes instead of {self.bytes}"


def scenario_folder(folder: Path, name: str) -> Path:
    """The run folder of a scenario, named so that readers of partitioned tables find a column `scenario`."""
    return folder / f"scenario={name}"


def part_name(table: str, chunk: int) -> str:
    """The path of a part file relative to its run's folder."""
    return f"{table}/part-{chunk:06d}.parquet"


def write_part(folder: Path, table: str, chunk: int, data: memoryview, rows: int) -> PartFile:
    """Commit one part file. OSError if the disk is full; the file then does not exist."""
    name = part_name(table, chunk)
    digest = hashlib.sha256(data).hexdigest()
    write_whole(folder / name, data)
    return PartFile(name, table, rows, len(data), digest)


def identity_hash(facts: dict[str, Any]) -> str:
    """The sha256 of an identity in canonical form, in hexadecimal."""
    return hashlib.sha256(canonical(facts).encode()).hexdigest()


def canonical(facts: dict[str, Any]) -> str:
    """The canonical form of an identity, as JSON."""
    return json.dumps(facts, sort_keys=True, separators=(",", ":"))
