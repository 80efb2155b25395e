"""The names of files in a folder of results, and the part files of its tables."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from typing import Any

from wallsim.errors import InputError
from wallsim.escaping import is_printable
from wallsim.folder.address import Folder
from wallsim.folder.local_files import FileFacts, FileStore, NoAnswerError

EXPERIMENT, CODEBOOK, JOURNAL, MANIFEST = "experiment.toml", "codebook.md", "journal.jsonl", "manifest.json"
BOARD, POLICIES = "board", "policies"
RECORD = "record.json"  # the document of a study, in whose folder a tournament may lie, too
SCENARIOS = "scenarios.json"  # the document of a folder of scenarios, each a run folder of its own
AS_SHIPPED = "as shipped"  # written instead of a path for the board of the package
HEADLINE = "# wallsim experiment "  # the beginning of the first line of experiment.toml
FORMAT = 5  # of runs and tournaments that are begun now
FORMATS = (4, FORMAT)  # those that are read and resumed; 4 has narrow columns, and nothing was sealed before it
Footer = bytes  # of a Parquet file
_TABLE, _PART = re.compile("[a-z_]{1,40}"), r"part-[0-9]{6,9}\.parquet"
_FILE, _LONGEST_NAME, _MOST_PARTS = "[^/]+", 255, 16  # bytes of a name on a disk, and names in a path
_DOCUMENT = re.compile(rf"experiment\.toml|codebook\.md|tower-{_FILE}|policies/{_FILE}|board/{_FILE}")


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
        if part.rows < 0 or part.bytes < 0:
            raise ValueError(part.file)
        if not _TABLE.fullmatch(part.table) or not is_part(part.file, part.table):
            raise ValueError(part.file)
        return part

    def seems_whole(self, facts: FileFacts | None) -> bool:
        """Whether the file has the size that was written, by what is known of it; None if it is missing."""
        return facts is not None and facts.bytes == self.bytes

    def is_whole(self, place: FileStore) -> bool:
        """Whether the file exists with the bytes that were written; NoAnswerError if that is unknown."""
        return self.footer(place) is not None

    def footer(self, place: FileStore) -> Footer | None:
        """The footer of the file, if it is whole; NoAnswerError if that is unknown."""
        try:
            return place.footer(self.file, self.bytes, self.sha256)
        except NoAnswerError:
            raise
        except OSError:
            return None

    def damage(self, place: FileStore) -> str:
        """A description of the damage of a file that is missing, changed or cannot be read."""
        try:
            size = place.size(self.file)
            if size is None:
                return "is missing"
            place.digest(self.file)
        except OSError as error:
            return f"cannot be read: {error.strerror or error}"
        return "its bytes have changed" if size == self.bytes else f"has {size} bytes instead of {self.bytes}"


def files_of(manifest: dict[str, Any]) -> tuple[PartFile, ...]:
    """The part files of a manifest; TypeError or ValueError for an invalid entry, KeyError without any."""
    return tuple(map(PartFile.read, manifest["files"]))


def refuse_other_format(folder: Folder | FileStore, form: Any, read: tuple[int, ...] = FORMATS) -> None:
    """InputError if a folder has none of the formats that are read; `form` is None if the folder states none."""
    if form not in read:
        other = f"format {form}" if type(form) is int else "a format before 3"  # which had no number in the journal
        raise InputError(
            f"{folder}: has {other}; this version of wallsim reads format {' and '.join(map(str, read))} only"
        )


def scenario_folder(folder: Folder, name: str) -> Folder:
    """The run folder of a scenario, named so that readers of partitioned tables find a column `scenario`."""
    return folder / f"scenario={name}"


def part_name(table: str, chunk: int) -> str:
    """The path of a part file relative to its run's folder."""
    return f"{table}/part-{chunk:06d}.parquet"


def write_part(place: FileStore, table: str, chunk: int, data: bytes | memoryview, rows: int) -> PartFile:
    """Commit one part file. OSError if the disk is full; the file then does not exist."""
    name = part_name(table, chunk)
    digest = hashlib.sha256(data).hexdigest()
    place.write(name, data)
    return PartFile(name, table, rows, len(data), digest)


def is_part(name: str, table: str = _TABLE.pattern) -> bool:
    """Whether a part file of a table, or of any, has this name."""
    return re.fullmatch(rf"{table}/{_PART}", name) is not None


def is_document(name: str) -> bool:
    """Whether a document beside the tables can have this name, which lies inside the folder."""
    return _DOCUMENT.fullmatch(name) is not None and is_inner(name)


def is_inner(name: Any) -> bool:
    """Whether a value from a file is the path of a file below a folder, such as `results/part-000000.parquet`.

    It is relative, without "." and "..", and of names that every disk and every terminal can have.
    """
    if not isinstance(name, str) or not is_printable(name):
        return False
    parts = name.split("/")
    return len(parts) <= _MOST_PARTS and all(
        part not in ("", ".", "..") and len(part.encode()) <= _LONGEST_NAME for part in parts
    )


def is_digests(value: Any) -> bool:
    """Whether a value from a file is an object with the digests of files below a folder by their paths."""
    return isinstance(value, dict) and all(is_inner(name) and type(text) is str for name, text in value.items())
