"""pandas, DuckDB and pyarrow read every table of a finished run or tournament, and the same numbers as polars."""

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.dataset
import pytest
from polars.testing import assert_frame_equal

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


@pytest.mark.one_in(4)
def test_pandas_reads_a_table(written):
    folder, rows = written
    frame = pd.read_parquet(folder)
    assert list(frame.columns) == rows.columns
    assert len(frame) == rows.height
    for name in rows.columns:
        if rows[name].dtype == pl.String:
            assert isinstance(frame[name].dtype, pd.CategoricalDtype), name
        values = [None if pd.isna(value) else value for value in frame[name].astype(object)]
        assert values == rows[name].to_list(), name


def test_duckdb_reads_a_table(written):
    folder, rows = written
    estimate = duckdb.sql(f"from '{folder}/*.parquet'").pl()
    assert_frame_equal(estimate.sort(rows.columns), rows.sort(rows.columns))
    counted = duckdb.sql(f"select count(*), max(game) from '{folder}/*.parquet'").fetchall()
    assert counted == [(rows.height, rows["game"].max())]


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
