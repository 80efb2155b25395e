"""pandas, DuckDB and pyarrow read every table of a run or tournament as polars does, and reckon rightly with it."""

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.dataset
import pytest
from typer.testing import CliRunner

import wallsim
from tests.finished_runs import SMALL
from wallsim.analysis.games.course import courses
from wallsim.cli.app import app
from wallsim.experiment.experiment import Experiment
from wallsim.folder.chunk_tables import ChunkTables
from wallsim.folder.schema import TABLES, vocabulary
from wallsim.folder.tournament_design import COLUMNS, STORED, results_frame
from wallsim.play.chunk_play import parquet
from wallsim.play.tournament.play import play_tournament
from wallsim.play.tournament.tournament import Tournament
from wallsim.rules.terms import EXPANSIONS


@pytest.fixture(scope="module")
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


# ---------------------------------------------------------------------------------------------- ordinary arithmetic

GREATEST = {"int8": 127, "int16": 32_767, "int32": 10**8, "int64": 10**8}  # that the engine and long runs may bring
PLAIN = (pl.Int64, pl.Float64)
FORMULAS = "100 * x, 1000 * x, x - 1, x * x", "sum(x), sum(x * x), -max(x), 100 * max(x)"


def wrong_in(frame, path):
    """The columns of numbers, and those whose arithmetic is wrong in a reader; the right results are Python's."""
    path.write_bytes(parquet(frame, {}))
    frame, by_pandas = pl.read_parquet(path), pd.read_parquet(path)
    numbers = [name for name, kind in frame.schema.items() if kind.is_numeric()]
    wrong = []
    for name in numbers:
        column, some = frame[name].drop_nulls(), f"FROM (SELECT \"{name}\" AS x FROM '{path}') WHERE x IS NOT NULL"
        values = column.to_list()
        right = [(100 * x, 1000 * x, x - 1, x * x) for x in values]
        right.append((sum(values), sum(x * x for x in values), -max(values), 100 * max(values)))
        found = {"DuckDB": [row for each in FORMULAS for row in duckdb.sql(f"SELECT {each} {some}").fetchall()]}
        for reader, each in (("polars", column), ("pandas", by_pandas[name].dropna())):
            rows = [*zip(100 * each, 1000 * each, each - 1, each * each, strict=True)]
            found[reader] = [*rows, (each.sum(), (each * each).sum(), -each.max(), 100 * each.max())]
        right = np.array(right, np.float64)
        wrong += [(name, reader) for reader in found if not np.array_equal(np.array(found[reader], np.float64), right)]
    return numbers, wrong


@pytest.fixture(scope="module")
def greatest():
    """A frame of each table of games with all expansions; every count is as great as the engine can store it."""
    experiment = Experiment(policies="random", expansions=EXPANSIONS)
    parts = experiment.components()
    words, played = vocabulary(parts), parts.arena(1).play(0, 2, seasons=True, battles=True, counties=True, plans=True)
    for table in TABLES:
        matrix = getattr(played, table)
        for place, column in enumerate(words.columns(table)):
            if column.kind in GREATEST and place:
                matrix[:, place] = GREATEST[column.kind]
    tables = ChunkTables(TABLES, words, 10**8)
    tables.add(played)
    return {table: tables.frame(table) for table in TABLES}


@pytest.mark.parametrize("table", TABLES)
def test_every_column_of_a_run_can_be_reckoned_with(greatest, table, tmp_path):
    numbers, wrong = wrong_in(greatest[table], tmp_path / "x.parquet")
    assert wrong == []
    assert "game" in numbers
    assert {greatest[table].schema[name] for name in numbers} <= {*PLAIN}


def test_every_column_of_a_tournament_can_be_reckoned_with(tmp_path):
    stored = np.full((2, 3, 4, len(STORED)), 32_767, np.int16)
    stored[..., 1] = 1  # shares of wins
    values = {name: np.int64(10**8) for name in ("block", "game", "number", "company")}
    values |= {"seat": np.arange(4), "policy": np.zeros(4, np.int8), "lineup": np.arange(4)}
    frame = results_frame(values, stored, vocabulary(Experiment(policies="random").components()))
    numbers, wrong = wrong_in(frame, tmp_path / "x.parquet")
    assert wrong == []
    assert set(numbers) == {column.name for column in COLUMNS} - {"lineup", "policy"}


def test_the_figures_can_be_reckoned_with(tmp_path):
    result = CliRunner().invoke(app, ["figures", "price", "--parquet", str(tmp_path / "x.parquet")])
    assert result.exit_code == 0, result.output
    frame = pl.read_parquet(tmp_path / "x.parquet")
    numbers, wrong = wrong_in(frame, tmp_path / "x.parquet")
    assert [name for name, _ in wrong if frame.schema[name] == pl.Int64] == []
    assert {"n", "seed", "players", "value"} <= set(numbers)


def test_every_frame_of_the_python_interface_has_plain_numbers(small_run, small_tournament):
    frames = {
        **{table: small_run.scan(table) for table in small_run.tables},
        "results": small_tournament.scan(),
        "rows": small_tournament.rows(),
        "summary": wallsim.summarise(small_run).frame(),
        "comparison": wallsim.compare(small_run, small_run).frame(),
        "means": wallsim.means_by(small_run.scan("seats"), "win", "lineup"),
        "differences": wallsim.differences_by(small_run.scan("seats"), "vp", "lineup", baseline="A"),
        "figures": wallsim.figures("price"),
        "courses": courses(small_run),
    }
    for name, frame in frames.items():
        kinds = {column: kind for column, kind in frame.lazy().collect_schema().items() if kind.is_numeric()}
        assert {column: kind for column, kind in kinds.items() if kind not in PLAIN} == {}, name
