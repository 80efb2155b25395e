"""Every Parquet file says what it is: experiment, engine version, games, and each column's type, unit and meaning."""

import json
import re
from dataclasses import replace

import duckdb
import polars as pl
import pyarrow.parquet as pq
import pytest

from tests.runs.conftest import EVERYTHING, SMALL
from wallsim.engine.columns import EXPANSION_COLUMNS, RESULT_TABLES, TABLE_BY_NAME
from wallsim.engine.version import ENGINE_VERSION
from wallsim.runs.experiment import Experiment
from wallsim.runs.folder.layout import identity_hash
from wallsim.runs.folder.schema import TABLES
from wallsim.runs.play import play_run
from wallsim.runs.tournament.design import COLUMNS
from wallsim.runs.tournament.play import play_tournament
from wallsim.runs.tournament.tournament import Tournament

TINY = Experiment(policies="random", games=40, chunk=20, counties=True)
# Columns of whole numbers that only identify or say yes or no have no unit.
WITHOUT_UNIT = {"game", "block", "number", "company", "held_year1", "held_year2", "led"}


def said_of(path):
    return {key: value for key, value in pl.read_parquet_metadata(path).items() if key.startswith("wallsim.")}


@pytest.mark.parametrize("table", TABLES)
def test_a_file_says_what_was_played_and_which_games_it_has(small_run, table):
    for chunk in (0, 4):
        said = said_of(small_run.folder / f"{table}/part-{chunk:06d}.parquet")
        assert said["wallsim.table"] == table
        assert said["wallsim.row"] == TABLE_BY_NAME[table].row
        assert said["wallsim.experiment"] == SMALL.hash()
        assert json.loads(said["wallsim.identity"]) == small_run.identity
        assert identity_hash(json.loads(said["wallsim.identity"])) == SMALL.hash()
        assert said["wallsim.engine_version"] == str(ENGINE_VERSION)
        assert (said["wallsim.first_game"], said["wallsim.games"]) == (str(500 * chunk), "500" if chunk < 4 else "300")
        assert "wallsim.name" not in said


@pytest.mark.parametrize("table", TABLES)
def test_a_file_describes_each_of_its_columns(full_run, table):
    path = full_run.folder / f"{table}/part-000000.parquet"
    columns = json.loads(said_of(path)["wallsim.columns"])
    assert list(columns) == pl.read_parquet_schema(path).names()
    declared = {column.name: column for column in TABLE_BY_NAME[table].columns}
    if table in ("seats", "seasons"):
        declared |= {column.name: column for name in EVERYTHING.expansions for column in EXPANSION_COLUMNS[name]}
    for name, entry in columns.items():
        assert set(entry) == {"type", "unit", "meaning", "rules"}
        assert (entry["meaning"], entry["unit"]) == (declared[name].meaning, declared[name].unit or None)
    assert columns["game"] == {
        "type": "Int64",
        "unit": None,
        "meaning": "number of the game within the run's seed",
        "rules": [],
    }


def test_pyarrow_and_duckdb_find_the_same_texts(small_run):
    path = small_run.folder / "seats/part-000000.parquet"
    by_duckdb = duckdb.sql(f"select key, value from parquet_kv_metadata('{path}')").fetchall()
    for pairs in (pq.read_metadata(path).metadata.items(), by_duckdb):
        said = {key.decode(): value.decode() for key, value in pairs if key.startswith(b"wallsim.")}
        assert said == said_of(path)
    assert json.loads(said["wallsim.columns"])["taxes"] == {
        "type": "Int64",
        "unit": "Thalers",
        "meaning": "Thalers collected by `taxes`, tile and leader included (B5.4, M2)",
        "rules": ["B5.4", "M2"],
    }


def test_every_number_has_a_unit_and_no_name_has_one():
    columns = [column for table in RESULT_TABLES for column in table.columns]
    columns += [column for added in EXPANSION_COLUMNS.values() for column in added]
    for column in (*columns, *COLUMNS):
        is_number = column.kind.startswith("int") or column.kind == "win"
        assert bool(column.unit) == (is_number and column.name not in WITHOUT_UNIT), column
        assert column.meaning[-1] != "."
        assert re.search(r"\(|\)", column.meaning) is None or column.rules, column


def test_the_name_is_that_of_the_folder_whoever_resumes(tmp_path):
    named = TINY.model_copy(update={"name": "first try"})
    run = play_run(named, tmp_path / "run")
    assert said_of(run.folder / "games/part-000001.parquet")["wallsim.name"] == "first try"
    before = (run.folder / "games/part-000001.parquet").read_bytes()
    (run.folder / "games/part-000001.parquet").unlink()
    play_run(TINY.model_copy(update={"name": "second try"}), run.folder)
    assert (run.folder / "games/part-000001.parquet").read_bytes() == before


def test_the_version_of_the_package_is_left_out_so_that_bytes_stay(small_run):
    version = small_run.manifest["packages"]["wallsim"]
    said = said_of(small_run.folder / "seats/part-000000.parquet")
    assert not [key for key, value in said.items() if value == version]


def test_a_tournament_says_the_same_however_long_it_is(tmp_path):
    cup = Tournament(("random", "builder"), SMALL, 6)
    run = play_tournament(cup, tmp_path / "cup")
    said = said_of(run.folder / "results/part-000000.parquet")
    assert said["wallsim.table"] == "results"
    assert said["wallsim.experiment"] == run.hash == identity_hash(replace(cup, blocks=12).identity())
    assert list(json.loads(said["wallsim.columns"])) == [column.name for column in COLUMNS]
