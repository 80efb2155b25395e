"""What lies in a finished run folder, counted for measurements: files, bytes, chunks, receipts."""

from __future__ import annotations

import hashlib
import time
from pathlib import Path
from typing import NamedTuple

from wallsim.experiment.identity import canonical
from wallsim.folder.checksummed_json import read_sealed_document, read_sealed_line
from wallsim.folder.file_stores import file_store
from wallsim.folder.journal import Journal
from wallsim.folder.layout import JOURNAL, MANIFEST
from wallsim.folder.local_files import read_bounded
from wallsim.folder.log import LOG

_DIGEST_SECONDS = 0.5  # of CPU time; files are hashed again and again until then


class Contents(NamedTuple):
    """The contents of a finished run folder.

    `tables`: bytes by table; `chunks` and `files`: how many there are, the latter with all documents; `journal` and
    `manifest`: bytes; `digest`: of the list of all part files with their digests, equal for equal tables.
    """

    tables: dict[str, int]
    chunks: int
    files: int
    journal: int
    manifest: int
    digest: str

    @property
    def bytes(self) -> int:
        """The bytes of all tables."""
        return sum(self.tables.values())


def contents_of(folder: Path) -> Contents:
    """Count what lies in a finished run folder. RunError or OSError without a whole manifest."""
    manifest = read_sealed_document(read_bounded(folder / MANIFEST))
    tables = dict.fromkeys(manifest["rows"], 0)
    for part in manifest["files"]:
        tables[part["table"]] += part["bytes"]
    journals = (path.stat().st_size for path in folder.glob(f"{Path(JOURNAL).stem}*.jsonl"))
    return Contents(
        tables,
        len(manifest["chunks"]),
        sum(1 for path in folder.rglob("*") if path.is_file()),
        sum(journals),
        (folder / MANIFEST).stat().st_size,
        hashlib.sha256(canonical(manifest["files"]).encode()).hexdigest(),
    )


def finished_games(folder: Path) -> int:
    """The games of finished chunks in a folder that is being played; 0 if there is none yet."""
    return Journal(file_store(folder)).done


class Interruption(NamedTuple):
    """A run that was interrupted once and resumed: stored games, and those of chunks under way at that time.

    At most the latter, the first chunks without a receipt, one for each worker, were played twice.
    """

    stored: int
    under_way: int


def interruption_of(folder: Path, workers: int) -> Interruption:
    """What the log and the journal of a finished run folder say about its one interruption."""
    lines = map(read_sealed_line, read_bounded(folder / LOG).split(b"\n")[:-1])
    sessions = [line for line in lines if line["event"] == "begun"]
    journal = Journal(file_store(folder))
    if len(sessions) == 1:
        return Interruption(journal.done, 0)  # every chunk had its receipt
    records = [journal.records[number] for number in sorted(journal.records)]
    again = [record.games for record in records if record.session == sessions[-1]["session"]]
    return Interruption(journal.done - sum(again), sum(again[:workers]))


def digest_speed(folder: Path) -> float:
    """Bytes per CPU second by which the files of a run's tables are read and hashed, here, from the system's cache."""
    place = file_store(folder)
    parts = list(Journal(place).parts().values())
    began, hashed = time.process_time(), 0
    while time.process_time() - began < _DIGEST_SECONDS:
        for part in parts:
            place.digest(part.file)
            hashed += part.bytes
    return hashed / (time.process_time() - began)
