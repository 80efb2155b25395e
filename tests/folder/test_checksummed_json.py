"""Sealed lines and documents are read as they were written, and any flipped bit of them is found."""

import hashlib
import json
from itertools import product

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from wallsim.folder.checksummed_json import (
    SealError,
    is_sealed_document,
    read_sealed_document,
    read_sealed_line,
    sealed_document,
    sealed_line,
)

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=12,
)
FIELDS = st.dictionaries(TEXTS.filter(lambda key: key != "seal"), VALUES, min_size=1, max_size=5)
FORMS = [
    pytest.param(sealed_line, read_sealed_line, id="line"),
    pytest.param(sealed_document, read_sealed_document, id="document"),
]


@pytest.mark.parametrize(("write", "read"), FORMS)
@given(fields=FIELDS)
def test_what_was_sealed_is_read_and_is_plain_json(write, read, fields):
    data = write(fields)
    assert read(data) == fields
    assert is_sealed_document(data)
    plain = json.loads(data)
    assert list(plain) == [*fields, "seal"]
    assert data.endswith(b"\n}\n") if write is sealed_document else b"\n" not in data
    assert {**plain, "seal": None} == {**fields, "seal": None}


@pytest.mark.parametrize(("write", "read"), FORMS)
@example(fields={"chunk": 7, "files": [{"file": "games/part-000007.parquet", "rows": 50}], "name": "Fürth"})
@given(fields=FIELDS)
def test_any_flipped_bit_is_found(write, read, fields):
    whole = write(fields)
    for at, bit in product(range(len(whole)), range(8)):
        data = bytearray(whole)
        data[at] ^= 1 << bit
        with pytest.raises(SealError):
            read(bytes(data))


@pytest.mark.parametrize(("write", "read"), FORMS)
@given(fields=FIELDS, cut=st.integers(1), more=st.binary(min_size=1, max_size=9))
def test_what_is_cut_short_or_goes_on_is_found(write, read, fields, cut, more):
    data = write(fields)
    for other in (data[: -1 - cut % len(data)], data + more, more + data, data + data):
        with pytest.raises(SealError):
            read(other)


@pytest.mark.parametrize(("write", "read"), FORMS)
@given(data=st.binary(max_size=200))
def test_other_bytes_are_never_taken_for_sealed_ones(write, read, data):
    with pytest.raises(SealError):
        read(data)
    assert not is_sealed_document(data) or b'"seal": "' in data


def sealed_by_hand(body, read):
    """Bytes with their digest, as the format says it: the sha256 of all that precedes the last comma."""
    digest = hashlib.sha256(body).hexdigest()
    end = f', "seal": "{digest}"}}' if read is read_sealed_line else f',\n  "seal": "{digest}"\n}}\n'
    return body + end.encode()


@pytest.mark.parametrize(("write", "read"), FORMS)
def test_the_seal_is_the_digest_of_all_bytes_before_it(write, read):
    assert read(sealed_by_hand(b'{"a":1', read)) == {"a": 1}
    fields = {"a": [1, 2], "b": {"c": None}}
    body = write(fields).partition(b',\n  "seal"' if read is read_sealed_document else b', "seal"')[0]
    assert sealed_by_hand(body, read) == write(fields)


@pytest.mark.parametrize(("write", "read"), FORMS)
@pytest.mark.parametrize(
    "body", [b"", b"[1", b"nonsense", b"[" * 100_000, b'{"games": ' + b"9" * 5000, b'{"a": "\xff"']
)
def test_what_was_sealed_by_someone_else_and_is_no_object_is_damage(write, read, body):
    assert is_sealed_document(sealed_by_hand(body, read_sealed_document))
    with pytest.raises(SealError, match="is not JSON"):
        read(sealed_by_hand(body, read))
