"""A file has the numbers, names and nulls that it was made of, by every reader."""

import io

import duckdb
import numpy as np
import polars as pl
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wallsim.runs.parquet import file as parquet_file
from wallsim.runs.parquet.file import FLOAT, INT8, INT16, RUNNING, TEXT, UINT8, Field, FileSchema

SHARES = (0.0, 1.0, 0.5, 0.25)
NAMES = ("Böhmen", "", "Tirol")
FIELDS = (
    Field("game", RUNNING),
    Field("narrow", INT8),
    Field("wide", INT16),
    Field("seat", UINT8, nullable=True),
    Field("share", FLOAT, SHARES),
    Field("name", TEXT, NAMES, nullable=True),
)
SCHEMA = FileSchema(FIELDS, {"made": "once"})
BOUNDS = {"game": (0, 2**40), "narrow": (-128, 127), "wide": (-(2**15), 2**15 - 1)}
BOUNDS |= {"seat": (-1, 4), "share": (0, 3), "name": (-1, 2)}
TYPES = {"game": np.int64, "wide": np.int16}


def columns_of(rows):
    """Rows of numbers and codes as columns of the types that a file takes."""
    matrix = np.array(rows, np.int64).reshape(-1, len(FIELDS))
    return [matrix[:, place].astype(TYPES.get(field.name, np.int8)) for place, field in enumerate(FIELDS)]


def expected_of(rows):
    """The same rows as a reader is to see them."""
    return [
        (game, narrow, wide, None if seat < 0 else seat, SHARES[share], None if name < 0 else NAMES[name])
        for game, narrow, wide, seat, share, name in rows
    ]


def some_rows(count, seed=1):
    """Reproducible rows that use every column's range."""
    rng = np.random.default_rng(seed)
    return [tuple(int(rng.integers(low, high + 1)) for low, high in BOUNDS.values()) for _ in range(count)]


def assert_read_alike(data, rows, path):
    """polars, pyarrow and DuckDB read these rows."""
    assert pl.read_parquet(io.BytesIO(data)).rows() == expected_of(rows)
    table = pq.read_table(io.BytesIO(data))
    assert list(zip(*(column.to_pylist() for column in table.columns), strict=True)) == expected_of(rows)
    path.write_bytes(data)
    assert duckdb.sql(f"from '{path}'").fetchall() == expected_of(rows)


@given(st.lists(st.tuples(*(st.integers(*bounds) for bounds in BOUNDS.values())), max_size=40))
def test_any_rows_are_read_as_they_were_written(tmp_path_factory, rows):
    path = tmp_path_factory.mktemp("file") / "rows.parquet"
    assert_read_alike(SCHEMA.file(columns_of(rows), {}), rows, path)


def test_columns_have_the_types_of_their_fields():
    types = pl.read_parquet(io.BytesIO(SCHEMA.file(columns_of(some_rows(9)), {}))).schema
    expected = [pl.Int64, pl.Int8, pl.Int16, pl.UInt8, pl.Float32, pl.String]
    assert dict(types) == dict(zip((field.name for field in FIELDS), expected, strict=True))
    assert dict(pl.read_parquet(io.BytesIO(SCHEMA.file(columns_of([]), {}))).schema) == dict(types)


@pytest.mark.parametrize("rows", [[], [(5, 1, 2, -1, 0, -1)] * 300, [(5, -1, -1, 0, 1, 0)]])
def test_empty_and_constant_columns_and_columns_of_nulls_are_files_too(rows, tmp_path):
    assert_read_alike(SCHEMA.file(columns_of(rows), {}), rows, tmp_path / "rows.parquet")


def test_long_tables_have_several_row_groups_that_name_their_first_and_last_game(monkeypatch, tmp_path):
    monkeypatch.setattr(parquet_file, "ROW_GROUP", 64)
    rows = [(7 + number // 4, *row[1:]) for number, row in enumerate(some_rows(200))]
    data = SCHEMA.file(columns_of(rows), {})
    assert_read_alike(data, rows, tmp_path / "rows.parquet")
    groups = pq.read_metadata(io.BytesIO(data))
    assert [groups.row_group(number).num_rows for number in range(groups.num_row_groups)] == [64, 64, 64, 8]
    bounds = [groups.row_group(number).column(0).statistics for number in range(4)]
    assert [(each.min, each.max) for each in bounds] == [(7, 22), (23, 38), (39, 54), (55, 56)]
    late = pl.scan_parquet(io.BytesIO(data)).filter(pl.col("game") > 54).collect()
    assert late.rows() == expected_of(rows)[192:]


def test_sizes_and_offsets_in_the_footer_are_those_of_the_bytes():
    data = SCHEMA.file(columns_of(some_rows(1000)), {})
    group = pq.read_metadata(io.BytesIO(data)).row_group(0)
    place = 4
    for number in range(group.num_columns):
        column = group.column(number)
        assert (column.dictionary_page_offset or column.data_page_offset) == place, column.path_in_schema
        place += column.total_compressed_size
    footer = int.from_bytes(data[-8:-4], "little")
    assert (data[:4], data[-4:], place) == (b"PAR1", b"PAR1", len(data) - 8 - footer)
    uncompressed = [group.column(number).total_uncompressed_size for number in range(group.num_columns)]
    assert group.total_byte_size == sum(uncompressed)


def test_equal_columns_give_equal_bytes_and_the_metadata_are_those_given():
    columns = columns_of(some_rows(50))
    data = SCHEMA.file(columns, {"wallsim.key": "Zürich"})
    assert data == SCHEMA.file([column.copy() for column in columns], {"wallsim.key": "Zürich"})
    assert pl.read_parquet_metadata(io.BytesIO(data)) == {"wallsim.key": "Zürich", "made": "once"}


def test_names_are_all_in_the_dictionary_so_that_categories_do_not_depend_on_the_rows():
    fields = (Field("game", RUNNING), Field("name", TEXT, NAMES, nullable=True))
    data = FileSchema(fields, {}).file([np.arange(3), np.array([2, 2, -1], np.int8)], {})
    [column] = pq.read_table(io.BytesIO(data), read_dictionary=["name"]).column("name").chunks
    assert column.dictionary.to_pylist() == list(NAMES)


@pytest.mark.parametrize(("place", "code"), [(4, 4), (4, -1), (5, 3)])
def test_a_code_without_a_value_is_an_error(place, code):
    columns = columns_of(some_rows(5))
    columns[place][2] = code
    with pytest.raises(ValueError, match=FIELDS[place].name):
        SCHEMA.file(columns, {})
