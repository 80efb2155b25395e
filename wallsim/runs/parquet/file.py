"""Tables of small integers as Parquet files: one dictionary and one page of codes per column and row group.

Libraries that write Parquet hash every number to make a dictionary. Here the dictionary of a column has all numbers
from its smallest to its largest, so that a code is a subtraction; that of names has all of them, which readers take for
the categories. Columns of running numbers are stored as differences. All pages are compressed with zstd level 1: level
3 takes twice the time and makes the files larger.
"""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from wallsim.runs.parquet.encodings import codes, differences, levels
from wallsim.runs.parquet.thrift import Value, binary, flag, i8, i32, i64, listed, struct, text

ROW_GROUP = 1 << 18  # most rows of a row group, which readers hold in memory as a whole; a multiple of eight
_MAGIC = b"PAR1"
_VERSION = 1
_WRITER = "wallsim"
_OPTIONAL, _ZSTD, _LEVEL = 1, 6, 1
_DATA_PAGE, _DICTIONARY_PAGE = 0, 2
_PLAIN, _RLE, _DIFFERENCES, _DICTIONARY = 0, 3, 5, 8  # encodings
_INT32, _INT64, _FLOAT, _BYTE_ARRAY = 1, 2, 4, 6  # physical types


class FieldType(NamedTuple):
    """A type of a column: the physical one, and what readers make of it, in an older and in a newer notation."""

    physical: int
    converted: int | None = None
    logical: Value | None = None


def _integer(converted: int, bits: int, *, signed: bool) -> FieldType:
    return FieldType(_INT32, converted, struct({10: struct({1: i8(bits), 2: flag(signed)})}))


INT8, INT16 = _integer(15, 8, signed=True), _integer(16, 16, signed=True)
UINT8 = _integer(11, 8, signed=False)
RUNNING = FieldType(_INT64)  # int64 numbers that differ little from row to row
FLOAT = FieldType(_FLOAT)
TEXT = FieldType(_BYTE_ARRAY, 0, struct({1: struct({})}))


class Field(NamedTuple):
    """A column: name, type, the `values` that codes from 0 on stand for (None: numbers), and whether -1 is a null."""

    name: str
    type: FieldType
    values: tuple[float, ...] | tuple[str, ...] | None = None
    nullable: bool = False


@dataclass(frozen=True)
class FileSchema:
    """The columns of the files of a table, and the metadata by which readers of Arrow know their types."""

    fields: tuple[Field, ...]
    metadata: Mapping[str, str]

    def file(self, columns: Sequence[np.ndarray], about: Mapping[str, str]) -> bytes:
        """The bytes of a file with these columns, arrays of integers of one length, and `about` in its metadata.

        Columns of RUNNING are int64. Others are int8 or int16 and have values or codes; ValueError for a code without
        a value.
        """
        codec, rows = pa.Codec("zstd", compression_level=_LEVEL), len(columns[0])
        out, groups = io.BytesIO(), []
        out.write(_MAGIC)
        for first in range(0, rows, ROW_GROUP):
            count = min(ROW_GROUP, rows - first)
            chunks = [
                _write_column(out, field, column[first : first + count], codec)
                for field, column in zip(self.fields, columns, strict=True)
            ]
            sizes = [i64(sum(chunk.sizes[place] for chunk in chunks)) for place in (0, 1)]
            groups.append(
                struct({1: listed([chunk.about for chunk in chunks]), 2: sizes[0], 3: i64(count), 6: sizes[1]})
            )
        footer = self._footer(rows, groups, about)
        out.write(footer + len(footer).to_bytes(4, "little") + _MAGIC)
        return out.getvalue()

    def _footer(self, rows: int, groups: Sequence[Value], about: Mapping[str, str]) -> bytes:
        root = struct({4: text("root"), 5: i32(len(self.fields))})
        metadata = {**about, **self.metadata}.items()
        fields = {
            1: i32(_VERSION),
            2: listed([root, *map(_schema_element, self.fields)]),
            3: i64(rows),
            4: listed(groups),
            5: listed([struct({1: text(key), 2: text(value)}) for key, value in metadata]),
            6: text(_WRITER),
            7: listed([struct({1: struct({})})] * len(self.fields)),  # numbers are ordered as usual
        }
        return struct(fields)[1]


class _Chunk(NamedTuple):
    """A column in a row group: its description, and its bytes before and after compression."""

    about: Value
    sizes: tuple[int, int]


class _Page(NamedTuple):
    """A page with its header, and its bytes before compression, header included."""

    data: bytes
    size: int


@lru_cache(maxsize=512)
def _schema_element(field: Field) -> Value:
    kind = field.type
    fields = {1: i32(kind.physical), 3: i32(_OPTIONAL), 4: text(field.name)}
    if kind.converted is not None:
        fields[6] = i32(kind.converted)
    if kind.logical is not None:
        fields[10] = kind.logical
    return struct(fields)


def _write_column(out: io.BytesIO, field: Field, column: np.ndarray, codec: pa.Codec) -> _Chunk:
    start, count = out.tell(), len(column)
    running = field.type is RUNNING
    encodings = (_DIFFERENCES, _RLE) if running else (_PLAIN, _RLE, _DICTIONARY)
    pages = _running_pages(column, codec) if running else _coded_pages(field, column, codec)
    for page in pages:
        out.write(page.data)
    sizes = sum(page.size for page in pages), out.tell() - start
    about = {
        1: i32(field.type.physical),
        2: listed([i32(encoding) for encoding in encodings]),
        3: listed([text(field.name)]),
        4: i32(_ZSTD),
        5: i64(count),
        6: i64(sizes[0]),
        7: i64(sizes[1]),
        9: i64(out.tell() - len(pages[-1].data)),
    }
    if len(pages) > 1:
        about[11] = i64(start)
    if running:
        about[12] = _bounds(column)
    return _Chunk(struct({2: i64(start), 3: struct(about)}), sizes)


def _bounds(column: np.ndarray) -> Value:
    # Readers that look for some games skip row groups by them. Of other columns nearly all row groups have all numbers.
    high, low = (int(bound).to_bytes(8, "little", signed=True) for bound in (column.max(), column.min()))
    return struct({3: i64(0), 5: binary(high), 6: binary(low)})


def _running_pages(column: np.ndarray, codec: pa.Codec) -> list[_Page]:
    count = len(column)
    return [_data_page(levels(None, count) + differences(column), count, _DIFFERENCES, codec)]


def _coded_pages(field: Field, column: np.ndarray, codec: pa.Codec) -> list[_Page]:
    low, high = int(column.min()), int(column.max())
    present, there = None, column
    if field.nullable and low < 0:
        present = column >= 0
        there = column[present]
        low, high = (int(there.min()), high) if len(there) else (0, 0)
    if field.values is not None and not 0 <= low <= high < len(field.values):
        raise ValueError(f"{field.name}: a code from {low} to {high} is not one of {len(field.values)}")
    if field.type is TEXT and field.values is not None:
        low, high = 0, len(field.values) - 1
    width, run = codes(there, low, high)
    content = levels(present, len(column)) + bytes([width]) + run
    return [_dictionary_page(field, low, high), _data_page(content, len(column), _DICTIONARY, codec)]


def _data_page(content: bytes, count: int, encoding: int, codec: pa.Codec) -> _Page:
    header = struct({1: i32(count), 2: i32(encoding), 3: i32(_RLE), 4: i32(_RLE)})
    return _page(_DATA_PAGE, 5, header, content, codec)


@lru_cache(maxsize=1024)  # the same in nearly all files of a run
def _dictionary_page(field: Field, low: int, high: int) -> _Page:
    header = struct({1: i32(high - low + 1), 2: i32(_PLAIN)})
    codec = pa.Codec("zstd", compression_level=_LEVEL)
    return _page(_DICTIONARY_PAGE, 7, header, _dictionary(field, low, high), codec)


def _dictionary(field: Field, low: int, high: int) -> bytes:
    if field.values is None:
        return np.arange(low, high + 1, dtype="<i4").tobytes()
    values = field.values[low : high + 1]
    if field.type is FLOAT:
        return np.array(values, "<f4").tobytes()
    names = [str(value).encode() for value in values]
    return b"".join(len(name).to_bytes(4, "little") + name for name in names)


def _page(kind: int, place: int, header: Value, content: bytes, codec: pa.Codec) -> _Page:
    # `place` is the number of the field that a header of this kind of page has.
    squeezed = codec.compress(content, asbytes=True)
    head = struct({1: i32(kind), 2: i32(len(content)), 3: i32(len(squeezed)), place: header})[1]
    return _Page(head + squeezed, len(head) + len(content))
