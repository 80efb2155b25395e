"""Ordinary arithmetic on every number that wallsim writes or hands out is right in polars, pandas and DuckDB."""

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pytest
from typer.testing import CliRunner

import wallsim
from wallsim.analysis.games.course import courses
from wallsim.cli.app import app
from wallsim.experiment.experiment import Experiment
from wallsim.folder.chunk_tables import ChunkTables
from wallsim.folder.schema import TABLES, vocabulary
from wallsim.folder.tournament_design import COLUMNS, STORED, results_frame
from wallsim.play.chunk_play import parquet
from wallsim.rules.terms import EXPANSIONS

GREATEST = {"int8": 127, "int16": 32_767, "int32": 10**8, "int64": 10**8}  # that the engine and long runs may bring
PLAIN = (pl.Int64, pl.Float64)


def wrong_in(path):
    """The columns of numbers whose arithmetic is wrong in a reader, as texts; the right results are Python's."""
    frame, by_pandas = pl.read_parquet(path), pd.read_parquet(path)
    numbers = [name for name, kind in frame.schema.items() if kind.is_numeric()]
    result = []
    for name in numbers:
        values = [value for value in frame[name].to_list() if value is not None]
        right = [(100 * x, 1000 * x, x - 1, x * x) for x in values]
        right.append((sum(values), sum(x * x for x in values), -max(values), 100 * max(values)))
        column, series = frame[name].drop_nulls(), by_pandas[name].dropna()
        for reader, each in (("polars", column), ("pandas", series)):
            there = [*zip(100 * each, 1000 * each, each - 1, each * each, strict=True)]
            there.append((each.sum(), (each * each).sum(), -each.max(), 100 * each.max()))
            result += [f"{name} in {reader}"] * (not same(there, right))
        some = f"FROM (SELECT \"{name}\" AS x FROM '{path}') WHERE x IS NOT NULL"
        try:
            there = duckdb.sql(f"SELECT 100 * x, 1000 * x, x - 1, x * x {some}").fetchall()
            there += duckdb.sql(f"SELECT sum(x), sum(x * x), -max(x), 100 * max(x) {some}").fetchall()
            result += [f"{name} in DuckDB"] * (not same(there, right))
        except duckdb.Error as error:
            result.append(f"{name} in DuckDB: {error}")
    return numbers, result


def same(there, right):
    return np.array_equal(np.array(there, np.float64), np.array(right, np.float64))


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
    frame = greatest[table]
    (tmp_path / "x.parquet").write_bytes(parquet(frame, {}))
    numbers, wrong = wrong_in(tmp_path / "x.parquet")
    assert wrong == []
    assert {name: frame.schema[name] for name in numbers if frame.schema[name] not in PLAIN} == {}
    assert "game" in numbers


def test_every_column_of_a_tournament_can_be_reckoned_with(tmp_path):
    words = vocabulary(Experiment(policies="random").components())
    stored = np.full((2, 3, 4, len(STORED)), 32_767, np.int16)
    stored[..., 1] = 1  # shares of wins
    whole = {name: np.int64(10**8) for name in ("block", "game", "number", "company")}
    values = {**whole, "seat": np.arange(4), "policy": np.zeros(4, np.int8), "lineup": np.arange(4)}
    frame = results_frame(values, stored, words)
    (tmp_path / "x.parquet").write_bytes(parquet(frame, {}))
    numbers, wrong = wrong_in(tmp_path / "x.parquet")
    assert wrong == []
    assert set(numbers) == {column.name for column in COLUMNS} - {"lineup", "policy"}


def test_the_figures_can_be_reckoned_with(tmp_path):
    result = CliRunner().invoke(app, ["figures", "price", "--parquet", str(tmp_path / "x.parquet")])
    assert result.exit_code == 0, result.output
    numbers, wrong = wrong_in(tmp_path / "x.parquet")
    assert [line for line in wrong if pl.read_parquet_schema(tmp_path / "x.parquet")[line.split()[0]] == pl.Int64] == []
    assert {"n", "seed", "players", "value"} <= set(numbers)


def test_every_frame_of_the_python_interface_has_plain_numbers(tmp_path):
    run = wallsim.play(wallsim.Experiment(policies="random", games=60, seasons=True), tmp_path / "run")
    tournament = wallsim.play(
        wallsim.Tournament(("random", "heedless"), wallsim.Experiment(players=3), 2), tmp_path / "tournament"
    )
    frames = {
        **{table: run.scan(table) for table in run.tables},
        "results": tournament.scan(),
        "rows": tournament.rows(),
        "summary": wallsim.summarise(run).frame(),
        "comparison": wallsim.compare(run, run).frame(),
        "means": wallsim.means_by(run.scan("seats"), "win", "lineup"),
        "differences": wallsim.differences_by(run.scan("seats"), "vp", "lineup", baseline="A"),
        "figures": wallsim.figures("price"),
        "courses": courses(run),
    }
    for name, frame in frames.items():
        kinds = {column: kind for column, kind in frame.lazy().collect_schema().items() if kind.is_numeric()}
        assert {column: kind for column, kind in kinds.items() if kind not in PLAIN} == {}, name
