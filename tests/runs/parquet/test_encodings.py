"""Numbers are packed as Parquet says: lowest bits first, in groups of eight."""

import numpy as np
import pytest

from wallsim.runs.parquet.encodings import codes, constant, differences, levels, packed, width_of
from wallsim.runs.parquet.thrift import varint, zigzag


def bits_of(data):
    return [byte >> place & 1 for byte in data for place in range(8)]


@pytest.mark.parametrize(
    ("most", "width"), [(0, 0), (1, 1), (2, 2), (3, 2), (4, 4), (15, 4), (16, 8), (255, 8), (256, 16), (65535, 16)]
)
def test_a_width_is_a_power_of_two_with_room_for_the_largest_number(most, width):
    assert width_of(most) == width


@pytest.mark.parametrize("width", [0, 1, 2, 4, 8, 16, 32, 64])
def test_numbers_lie_one_after_the_other_lowest_bit_first(width):
    numbers = np.arange(16, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15) % np.uint64(max(1, 2**width - 1))
    expected = [int(number) >> place & 1 for number in numbers for place in range(width)]
    assert bits_of(packed(numbers, width).tobytes()) == expected


@pytest.mark.parametrize("kind", [np.int8, np.int16])
def test_codes_count_from_the_smallest_number_also_over_the_whole_range_of_a_type(kind):
    bounds = np.iinfo(kind)
    numbers = np.array([bounds.min, bounds.max, -1, 0, 1, bounds.min, 7, bounds.max, 3], kind)
    width, run = codes(numbers, bounds.min, bounds.max)
    assert width == bounds.bits
    assert run[: len(varint(2 << 1 | 1))] == varint(2 << 1 | 1)  # two groups of eight
    expected = [int(number) - bounds.min for number in numbers] + [0] * 7
    assert np.frombuffer(run[1:], f"<u{bounds.bits // 8}").tolist() == expected


def test_equal_numbers_are_one_run():
    assert codes(np.full(1000, 5, np.int16), 5, 5) == (1, varint(2000) + b"\0")
    assert codes(np.zeros(0, np.int8), 0, 0) == (1, b"")
    assert constant(1, 3) == bytes([6, 1])


def test_levels_mark_the_rows_that_have_a_value():
    assert levels(None, 200) == (3).to_bytes(4, "little") + varint(400) + b"\x01"
    present = np.array([True, False, True, True, False, False, False, True, True])
    assert levels(present, 9) == (3).to_bytes(4, "little") + bytes([2 << 1 | 1, 0b10001101, 1])


def read_differences(data):
    """A slow reader of DELTA_BINARY_PACKED."""
    place = 0

    def number():
        nonlocal place
        result = shift = 0
        while True:
            byte = data[place]
            place += 1
            result |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return result

    def signed():
        result = number()
        return result >> 1 if result % 2 == 0 else -(result + 1) >> 1

    block, parts, total, value = number(), number(), number(), signed()
    values, size = [value] if total else [], block // parts
    while len(values) < total:
        least, widths = signed(), data[place : place + parts]
        place += parts
        for width in widths:
            if len(values) == total:
                break
            bits = bits_of(data[place : place + size * width // 8])
            place += size * width // 8
            for step in range(min(size, total - len(values))):
                value += least + sum(bit << k for k, bit in enumerate(bits[step * width : (step + 1) * width]))
                values.append(value)
    assert place == len(data), "there are bytes behind the last number"
    return values


@pytest.mark.parametrize("count", [0, 1, 2, 31, 32, 33, 34, 128, 129, 130, 161, 162, 300])
@pytest.mark.parametrize("steps", [(1,), (0, 0, 0, 1), (0, 1, 1, 5), (-3, 40, 0), (2**40, -(2**40))])
def test_differences_give_the_numbers_again(count, steps):
    numbers = np.cumsum(np.resize(np.array(steps, np.int64), count)) + 10**10
    assert read_differences(differences(numbers)) == numbers.tolist()


@pytest.mark.parametrize("number", [0, 1, -1, 63, 64, -64, -65, 2**31, -(2**63), 2**63 - 1])
def test_signed_numbers_alternate(number):
    expected = number * 2 if number >= 0 else -number * 2 - 1
    assert zigzag(number) == varint(expected)
