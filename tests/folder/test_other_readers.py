"""pandas, DuckDB and pyarrow read every table of a finished run or tournament, and the same numbers as polars."""

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.dataset
import pytest

from tests.finished_runs import SMALL
from wallsim.folder.schema import TABLES
from wallsim.play.tournament.play import play_tournament
from wallsim.play.tournament.tournament import Tournament


@pytest.fixture(scope="session")
def small_tournament(tmp_path_factory):
    """A finished tournament; do not change it."""
    return play_tournament(Tournament(("random", "builder"), SMALL, 24), tmp_path_factory.mktemp("cup") / "cup")


@pytest.fixture(params=[*TABLES, "results"])
def written(request, small_run, small_tournament):
    """The folder of a table and its rows as polars reads them, names as texts."""
    run = small_tournament if request.param == "results" else small_run
    frame = run.scan(request.param).collect()
    return run.folder / request.param, frame.with_columns(pl.col(pl.Enum).cast(pl.String))


def by_pandas(folder):
    """Columns by name, and which of them are categories."""
    frame = pd.read_parquet(folder)
    columns = {name: [None if pd.isna(x) else x for x in frame[name].astype(object)] for name in frame.columns}
    return columns, {name for name in frame.columns if isinstance(frame[name].dtype, pd.CategoricalDtype)}


def by_duckdb(folder):
    """Columns by name; names are texts there."""
    return duckdb.sql(f"from '{folder}/*.parquet'").pl().to_dict(as_series=False), None


def by_pyarrow(folder):
    """Columns by name, and which of them are categories."""
    table = pyarrow.dataset.dataset(folder).to_table()
    texts = {field.name for field in table.schema if pa.types.is_dictionary(field.type)}
    return table.to_pydict(), texts


@pytest.mark.parametrize(
    "read", [by_duckdb, *(pytest.param(each, marks=pytest.mark.one_in(4)) for each in (by_pandas, by_pyarrow))]
)
def test_every_reader_reads_a_table(written, read):
    folder, rows = written
    columns, categories = read(folder)
    assert list(columns) == rows.columns
    assert categories in (None, {name for name, kind in rows.schema.items() if kind == pl.String})
    for name in rows.columns:
        assert columns[name] == rows[name].to_list(), name


def test_duckdb_compares_names_with_texts(small_run):
    place = f"{small_run.folder}/battles/*.parquet"
    estimate = duckdb.sql(f"select count(*) from '{place}' where kind = 'neutral' and result = 'attacker'").fetchall()
    rows = small_run.scan("battles").filter(kind="neutral", result="attacker").collect()
    assert estimate == [(rows.height,)]
    assert rows.height > 0


@pytest.mark.slow
@pytest.mark.one_in(4)
def test_pyarrow_reads_a_table(written):
    folder, rows = written
    table = pyarrow.dataset.dataset(folder).to_table()
    assert table.column_names == rows.columns
    for field in table.schema:
        if rows[field.name].dtype == pl.String:
            assert pa.types.is_dictionary(field.type), field
            assert pa.types.is_large_string(field.type.value_type) or pa.types.is_string(field.type.value_type)
        assert table.column(field.name).to_pylist() == rows[field.name].to_list(), field.name


def test_the_same_question_has_the_same_answer_in_all_of_them(small_run):
    folder = small_run.folder
    by_polars = small_run.scan("seats").group_by("lineup").agg(pl.col("win").mean()).collect()
    expected = {str(row[0]): pytest.approx(row[1], rel=1e-6) for row in by_polars.iter_rows()}
    by_pandas = pd.read_parquet(folder / "seats").groupby("lineup", observed=True)["win"].mean()
    assert by_pandas.to_dict() == expected
    by_duckdb = duckdb.sql(f"select lineup, avg(win) from '{folder}/seats/*.parquet' group by lineup").fetchall()
    assert dict(by_duckdb) == expected
    seats = pyarrow.dataset.dataset(folder / "seats").to_table(columns=["lineup", "win"])
    seats = seats.set_column(0, "lineup", seats["lineup"].cast(pa.large_string()))
    by_pyarrow = seats.group_by("lineup").aggregate([("win", "mean")]).to_pydict()
    assert dict(zip(by_pyarrow["lineup"], by_pyarrow["win_mean"], strict=True)) == expected
