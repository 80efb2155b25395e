"""Values in Thrift's compact protocol, in which Parquet files describe themselves.

A value is a pair: the number of its type, and its bytes. Only the types that Parquet's structures need are here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

Value = tuple[int, bytes]

_TRUE, _FALSE, _I8, _I32, _I64, _BINARY, _LIST, _STRUCT = 1, 2, 3, 5, 6, 8, 9, 12
_SHORT_LIST = 15  # the length of a shorter list is in the byte of its type


def varint(number: int) -> bytes:
    """A number from 0 on in groups of seven bits, the lowest first."""
    data = bytearray()
    while number > 0x7F:
        data.append(number & 0x7F | 0x80)
        number >>= 7
    data.append(number)
    return bytes(data)


def zigzag(number: int) -> bytes:
    """A number with a sign as a `varint`: 0, -1, 1, -2, ... become 0, 1, 2, 3, ..."""
    return varint(2 * number if number >= 0 else -2 * number - 1)


def flag(value: bool) -> Value:
    """A boolean as a field of a structure."""
    return (_TRUE if value else _FALSE), b""


def i8(number: int) -> Value:
    """A number of one byte, from 0 to 127."""
    return _I8, bytes([number])


@lru_cache(maxsize=1024)  # a file has thousands, nearly all of them equal
def i32(number: int) -> Value:
    """A number of up to 32 bits."""
    return _I32, zigzag(number)


def i64(number: int) -> Value:
    """A number of up to 64 bits."""
    return _I64, zigzag(number)


def binary(data: bytes) -> Value:
    """Bytes."""
    return _BINARY, varint(len(data)) + data


def text(words: str) -> Value:
    """A text in UTF-8."""
    return binary(words.encode())


def listed(values: Sequence[Value]) -> Value:
    """A list of values of one type, which is not that of a flag; an empty list is one of structures."""
    kind, size = values[0][0] if values else _STRUCT, len(values)
    head = bytes([size << 4 | kind]) if size < _SHORT_LIST else bytes([0xF0 | kind]) + varint(size)
    return _LIST, head + b"".join(data for _, data in values)


def struct(fields: Mapping[int, Value]) -> Value:
    """A structure of fields by their numbers, which ascend in steps of at most 15."""
    data, last = bytearray(), 0
    for number, (kind, value) in fields.items():
        data.append(number - last << 4 | kind)
        data += value
        last = number
    data.append(0)
    return _STRUCT, bytes(data)
