"""The footer of a Parquet file: taken from the read that computes the file's digest, and divided into schema and rows.

Its first three fields are the version, the schema and the number of rows, in Thrift's compact encoding. The files of a
table have the same schema, byte for byte, so that only the first of thousands needs to be interpreted.
"""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Iterable

_END = 8  # bytes behind the footer: its length as four bytes, and "PAR1"
_MOST_BLOCKS = 16  # that are kept of a file's end; a footer has some 20 kB for each 250,000 rows
_VERSION, _SCHEMA, _ROWS = 0x15, 0x19, 0x16  # the headers of the first three fields
_BOOLEANS, _BYTE, _INTEGERS, _DOUBLE, _TEXT, _LISTS, _STRUCT = (1, 2), 3, (4, 5, 6), 7, 8, (9, 10), 12
_BITS = 63


def digest_and_footer(blocks: Iterable[bytes]) -> tuple[str, bytes]:
    """The sha256 of a file's blocks in hexadecimal, and its footer with the eight bytes that end the file.

    Of a file that is not Parquet, or whose footer is longer than the last blocks that are kept, some last bytes.
    """
    digest, last = hashlib.sha256(), deque[bytes](maxlen=_MOST_BLOCKS)
    for block in blocks:
        digest.update(block)
        last.append(block)
    end, needed = b"", _END
    while last and len(end) < needed:
        end = last.pop() + end
        if len(end) >= _END:
            needed = _END + int.from_bytes(end[-_END:][:4], "little")
    return digest.hexdigest(), end[-needed:]


def schema_and_rows(footer: bytes, known: bytes = b"") -> tuple[bytes, int]:
    """The bytes of a footer up to its number of rows, and this number; ValueError for another kind of file.

    `known` is the schema of another file; if this one begins with it, it is not interpreted again.
    """
    try:
        at = len(known)
        if not known or not footer.startswith(known):
            if footer[0] != _VERSION:
                raise ValueError("version")
            _, at = _number(footer, 1)
            if footer[at] != _SCHEMA:
                raise ValueError("schema")
            at = _after(footer, at + 1, _LISTS[0]) + 1
            if footer[at - 1] != _ROWS:
                raise ValueError("number of rows")
        rows, _ = _number(footer, at)
        return footer[:at], (rows >> 1) ^ -(rows & 1)
    except (IndexError, RecursionError):
        raise ValueError("end") from None


def _number(data: bytes, at: int) -> tuple[int, int]:
    # An integer of seven bits a byte, the lowest first, and where it ends.
    value = shift = 0
    while shift <= _BITS:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
        shift += 7
    raise ValueError("integer")


def _after(data: bytes, at: int, kind: int) -> int:
    # Where a value of a kind ends. Every step reads a byte, so that no size makes it endless.
    if kind in _INTEGERS:
        return _number(data, at)[1]
    if kind == _TEXT:
        length, at = _number(data, at)
        return at + length
    if kind in (*_BOOLEANS, _BYTE, _DOUBLE):
        return at + (8 if kind == _DOUBLE else 1)
    if kind == _STRUCT:
        while header := data[at]:
            at = at + 1 if header >> 4 else _number(data, at + 1)[1]  # the field's number, or what is added to it
            if header & 15 not in _BOOLEANS:  # whose value is the kind
                at = _after(data, at, header & 15)
        return at + 1
    if kind not in _LISTS:
        raise ValueError("type")
    size, kind = data[at] >> 4, data[at] & 15
    at += 1
    if size == 15:
        size, at = _number(data, at)
    for _ in range(size):
        data[at]
        at = _after(data, at, kind)
    return at
