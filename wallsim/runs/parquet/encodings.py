"""How the numbers of a column become bytes: packed bits, levels that mark nulls, differences of running numbers.

Numbers are packed with 0, 1, 2, 4, 8, 16, 32 or 64 bits each, although Parquet allows any width: a number then never
crosses the border of a byte, and zstd makes fewer bytes of them than of numbers packed as narrowly as possible.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from wallsim.runs.parquet.thrift import varint, zigzag

_GROUP = 8  # packed numbers come in groups of eight
_BLOCK, _MINIBLOCKS = 128, 4  # numbers of a block of differences, and its parts
_MINIBLOCK = _BLOCK // _MINIBLOCKS


def width_of(most: int) -> int:
    """Bits for each of numbers from 0 to `most`."""
    bits = most.bit_length()
    return 1 << (bits - 1).bit_length() if bits else 0


def packed(numbers: np.ndarray, width: int) -> np.ndarray:
    """Numbers of any integer type, each taken modulo 2**width, as uint8 [len(numbers) * width / 8].

    The length is a multiple of eight; `width` is one of those of `width_of`.
    """
    if width == 0:
        return np.zeros(0, np.uint8)
    if width >= 8:
        return numbers.astype(f"<u{width // 8}", copy=False).view(np.uint8)
    # Pairs of neighbours are joined until a byte is full.
    result: np.ndarray = numbers.astype(np.uint8, copy=False)
    if width == 1:
        return np.packbits(result, bitorder="little")
    while width < 8:
        result = result[0::2] | result[1::2] << width
        width *= 2
    return result


def codes(numbers: np.ndarray, low: int, high: int) -> tuple[int, bytes]:
    """The bits per number, and integers from `low` to `high`, less `low`, as one run of equal or of packed numbers."""
    width, count = width_of(high - low), len(numbers)
    if width == 0:  # some readers expect a bit for each number even then
        return 1, constant(0, count)
    padded = np.zeros(-(-count // _GROUP) * _GROUP, f"<u{max(1, width // 8)}")
    # A difference that exceeds the narrow type of the column wraps around, and the bits of it are right.
    padded[:count] = (numbers - numbers.dtype.type(low)).view(f"u{numbers.itemsize}")
    return width, varint(len(padded) // _GROUP << 1 | 1) + packed(padded, width).tobytes()


def constant(value: int, count: int) -> bytes:
    """A run of one number from 0 to 255; no bytes for no numbers."""
    return varint(count << 1) + bytes([value]) if count else b""


def levels(present: np.ndarray | None, count: int) -> bytes:
    """The definition levels of `count` rows, with their length in front; `present` bool [count], None for all."""
    if present is None:
        run = constant(1, count)
    else:
        bits = np.packbits(present, bitorder="little").tobytes()
        run = varint(len(bits) << 1 | 1) + bits
    return len(run).to_bytes(4, "little") + run


def differences(numbers: np.ndarray) -> bytes:
    """Numbers int64 as their differences from one to the next, with one smallest difference and width for all blocks.

    Parquet calls it DELTA_BINARY_PACKED.
    """
    first = int(numbers[0]) if len(numbers) else 0
    head = varint(_BLOCK) + varint(_MINIBLOCKS) + varint(len(numbers)) + zigzag(first)
    steps = np.diff(numbers)
    if not len(steps):
        return head
    least = int(steps.min())
    width = width_of(int(steps.max()) - least)
    blocks = -(-len(steps) // _BLOCK)
    padded = np.zeros(blocks * _BLOCK, np.uint64)
    padded[: len(steps)] = steps - least
    before: Any = np.frombuffer(zigzag(least) + bytes([width] * _MINIBLOCKS), np.uint8)
    body = np.hstack([np.broadcast_to(before, (blocks, len(before))), packed(padded, width).reshape(blocks, -1)])
    # The last block ends with the miniblock of the last number.
    unused = (len(padded) - len(steps)) // _MINIBLOCK * _MINIBLOCK * width // 8
    return head + body.tobytes()[: body.size - unused]
