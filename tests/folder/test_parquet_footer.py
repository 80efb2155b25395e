"""The footer of a Parquet file is taken from the read that computes its digest, and no bytes make its reader hang."""

import hashlib
import io

import polars as pl
import pytest

from wallsim.folder.parquet_footer import digest_and_footer, schema_and_rows
from wallsim.folder.results import Run


def blocks_of(data, size):
    return (data[at : at + size] for at in range(0, len(data), size))


@pytest.mark.parametrize("size", [5000, 10**6])
def test_the_footer_states_the_rows_of_every_table(small_run, size):
    schemas = {}
    for part in Run.open(small_run.folder).files:
        data = (small_run.folder / part.file).read_bytes()
        digest, footer = digest_and_footer(blocks_of(data, size))
        assert digest == hashlib.sha256(data).hexdigest() == part.sha256
        assert data.endswith(footer)
        assert pl.read_parquet_schema(io.BytesIO(footer)) == pl.read_parquet_schema(small_run.folder / part.file)
        known = schemas.get(part.table, b"")
        assert schema_and_rows(footer, known) == schema_and_rows(footer)
        schemas[part.table], rows = schema_and_rows(footer)
        assert rows == part.rows
    assert len(set(schemas.values())) == len(schemas) > 1


@pytest.mark.parametrize(
    "footer",
    [
        b"", b"PAR1", b"no Parquet", b"\x15", b"\x15\x02\x19", b"\x15\x02\x19\x0c\x18", b"\x15" + b"\xff" * 99,
        b"\x15\x02\x19" + b"\xf1" + b"\xff" * 9 + b"\x01",  # more elements than there are bytes
        b"\x15\x02\x19" + b"\x1c" + b"\x1c" * 100_000,  # structures within structures
        b"\x15\x02\x19" + b"\x19" * 100_000,  # lists within lists
        b"\x15\x02\x19\x1b\x00\x16\x02",  # a type that footers do not have
    ],
)  # fmt: skip
def test_what_is_no_footer_is_an_error(footer):
    with pytest.raises(ValueError, match=r"^[a-z ]+$"):
        schema_and_rows(footer)


def test_a_length_that_is_too_great_gives_the_last_bytes():
    data = b"x" * 100 + (10**9).to_bytes(4, "little") + b"PAR1"
    assert digest_and_footer(blocks_of(data, 10))[1] == data
    assert digest_and_footer([]) == (hashlib.sha256().hexdigest(), b"")
