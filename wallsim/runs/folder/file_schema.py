"""The columns of a table's Parquet files, made once for all files of a run."""

from __future__ import annotations

import io

import polars as pl

from wallsim.engine.columns import Column
from wallsim.runs.folder.chunk_tables import SHARES
from wallsim.runs.folder.schema import Vocabulary, schema
from wallsim.runs.parquet.file import FLOAT, INT8, INT16, RUNNING, TEXT, UINT8, Field, FileSchema

_ARROW = "ARROW:schema"  # by which polars and pyarrow know Enums and narrow integers again
_NUMBERS = {"int8": INT8, "int16": INT16, "int64": RUNNING}
_SHARES = tuple(float(share) for share in SHARES)


def file_schema(table: str, words: Vocabulary) -> FileSchema:
    """The schema of the files of a table, for columns as `ChunkTables.columns` returns them."""
    empty = io.BytesIO()
    pl.DataFrame(schema=schema(table, words)).write_parquet(empty)
    metadata = pl.read_parquet_metadata(io.BytesIO(empty.getvalue()))
    return FileSchema(tuple(_field(column, words) for column in words.columns(table)), {_ARROW: metadata[_ARROW]})


def _field(column: Column, words: Vocabulary) -> Field:
    if column.kind in _NUMBERS:
        return Field(column.name, _NUMBERS[column.kind])
    if column.kind == "win":
        return Field(column.name, FLOAT, _SHARES)
    if column.kind == "seat":
        return Field(column.name, UINT8, nullable=True)
    return Field(column.name, TEXT, words.names[column.kind], nullable=True)
