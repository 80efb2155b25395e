"""The kinds of log lines: declared once, with their fields in order; every kind has a decoder."""

import pytest

from wallsim.engine.log_lines import LINE_KINDS, STATE, WIDTH, line_places, read_line
from wallsim.trace.decoders import DECODERS


@pytest.mark.parametrize("kind", range(len(LINE_KINDS)), ids=[kind.name for kind in LINE_KINDS])
def test_a_line_is_read_field_by_field(kind):
    fields = LINE_KINDS[kind].fields
    size = 1 + sum(fields.values())
    assert size <= WIDTH
    read = read_line([kind, *range(1, WIDTH)])
    assert list(read) == list(fields)
    numbers = [number for value in read.values() for number in (value if isinstance(value, list) else [value])]
    assert numbers == list(range(1, size)), "a field begins at its place in the line"
    for field, value in read.items():
        assert getattr(line_places(kind), field) == (value[0] if isinstance(value, list) else value)


def test_names_are_different_and_every_kind_but_snapshots_has_a_decoder():
    assert len({kind.name for kind in LINE_KINDS}) == len(LINE_KINDS)
    assert set(DECODERS) == set(range(len(LINE_KINDS))) - {STATE}
