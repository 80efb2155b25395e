"""Comparing a finished chunk with the same chunk played again: bytes, receipts and, between packages, rows."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Iterator
from typing import NamedTuple

import polars as pl

from wallsim.runs.chunk_play import PlayedChunk, PlayedPart
from wallsim.runs.folder.file_metadata import PREFIX
from wallsim.runs.folder.journal import ChunkRecord
from wallsim.runs.folder.layout import JOURNAL, PartFile, part_name
from wallsim.runs.folder.local_files import FileStore


class Compared(NamedTuple):
    """The result of one chunk: the differences, one line each, and how many files agree in their rows only."""

    errors: tuple[str, ...]
    by_rows: int


def compare_chunk(place: FileStore, record: ChunkRecord, played: PlayedChunk, *, rows_suffice: bool) -> Compared:
    """Compare the files and the receipt of a chunk with its replay.

    `rows_suffice`: other packages wrote the files, so equal schemas, metadata and rows are enough. OSError is passed
    on.
    """
    errors: list[str] = []
    by_rows = 0
    receipts = {part.table: part for part in record.files}
    for part in played.parts:
        name = part_name(part.table, record.chunk)
        receipt = receipts.pop(part.table, None)
        if receipt is None or receipt.file != name:
            errors.append(f"{JOURNAL}: chunk {record.chunk}: its receipt lacks {name}")
            continue
        try:
            data = place.read(name)
        except FileNotFoundError:
            errors.append(f"{name}: is missing")
            continue
        if hashlib.sha256(data).hexdigest() != receipt.sha256:
            errors.append(f"{name}: its bytes have changed")
        elif data != part.data:
            result = [*_differences(data, part.data)]
            if result or not rows_suffice:
                errors.append(f"{name}: differs from the replay ({', '.join(result) or 'its bytes, not its rows'})")
            else:
                by_rows += 1
        if not errors and not _fits(receipt, part, len(data)):
            errors.append(f"{JOURNAL}: chunk {record.chunk}: its receipt of {name} differs from the replay")
    errors += [f"{part.file}: is not a file of chunk {record.chunk}" for part in receipts.values()]
    return Compared(tuple(errors), by_rows)


def _fits(receipt: PartFile, part: PlayedPart, size: int) -> bool:
    return (receipt.rows, receipt.bytes) == (part.rows, size)


def _differences(data: bytes, replayed: bytes) -> Iterator[str]:
    # What readers of the files would see.
    try:
        ours, theirs = pl.read_parquet(io.BytesIO(replayed)), pl.read_parquet(io.BytesIO(data))
        metadata = _metadata(replayed) != _metadata(data)
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError, ValueError):
        yield "it cannot be read"
        return
    if ours.schema != theirs.schema:
        yield "its columns"
    elif not ours.equals(theirs, null_equal=True):
        yield "its rows"
    if metadata:
        yield "its metadata"


def _metadata(data: bytes) -> dict[str, str]:
    # Polars adds a description of the schema, which depends on its version.
    return {key: value for key, value in pl.read_parquet_metadata(io.BytesIO(data)).items() if key.startswith(PREFIX)}
