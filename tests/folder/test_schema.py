"""Every column has a type, a meaning and a place in the codebook; frames say what the matrices say."""

import json
import re
from dataclasses import replace

import duckdb
import numpy as np
import polars as pl
import pyarrow.parquet as pq
import pytest
from polars.testing import assert_frame_equal

from tests.finished_runs import EVERYTHING, SMALL
from wallsim.engine.arena import Tables
from wallsim.engine.columns import EXPANSION_COLUMNS, RESULT_TABLES, SEAT_COLUMNS, TABLE_BY_NAME
from wallsim.engine.version import ENGINE_VERSION
from wallsim.errors import RunError
from wallsim.experiment.experiment import Experiment
from wallsim.experiment.identity import identity_hash
from wallsim.folder.chunk_tables import ChunkTables
from wallsim.folder.schema import TABLES, codebook_rows, codebook_text, schema, vocabulary
from wallsim.folder.tournament_design import COLUMNS
from wallsim.play.play import play_run
from wallsim.play.tournament.play import play_tournament
from wallsim.play.tournament.tournament import Tournament
from wallsim.rules.terms import EXPANSIONS, SEASONS

EVERY_TABLE = {"seasons": True, "battles": True, "counties": True, "plans": True}


@pytest.fixture(scope="module")
def words():
    return vocabulary(Experiment().components())


def collected(experiment, first, count, batches=1):
    parts = experiment.components()
    arena, words = parts.arena(experiment.seed), vocabulary(parts)
    chunk_tables = ChunkTables(TABLES, words, first)
    for start in range(first, first + count, count // batches):
        chunk_tables.add(arena.play(start, count // batches, **EVERY_TABLE))
    return {table: chunk_tables.frame(table) for table in TABLES}


@pytest.mark.parametrize("expansions", [(), ("leaders",), ("court", "leaders"), EXPANSIONS])
def test_every_column_has_a_type_and_stands_in_the_codebook(expansions):
    words = vocabulary(Experiment(expansions=expansions).components())
    text = codebook_text(words)
    for table in TABLES:
        columns = words.columns(table)
        assert list(schema(table, words)) == [column.name for column in columns]
        assert [row[0] for row in codebook_rows(table, words)] == [column.name for column in columns]
        for column in columns:
            assert f"| `{column.name}` | " in text
            assert column.meaning in text
        assert len({column.name for column in columns}) == len(columns)
    for expansion, columns in EXPANSION_COLUMNS.items():
        for column in columns:
            assert (f"| `{column.name}` | " in text) == (expansion in expansions), column.name


def test_only_seats_and_seasons_grow_and_only_by_the_expansions_in_play(words):
    full = vocabulary(Experiment(expansions=("leaders", "court")).components())
    added = (*EXPANSION_COLUMNS["court"], *EXPANSION_COLUMNS["leaders"])
    for table in RESULT_TABLES:
        assert words.columns(table.name) == table.columns
        assert full.columns(table.name) == table.columns + (added if table.name in ("seats", "seasons") else ())
    assert "expansions" not in codebook_text(words)
    assert "expansions court, leaders" in codebook_text(full)


def test_frames_have_the_types_of_the_schema_and_the_names_of_the_codes(words):
    frames = collected(Experiment(), 0, 20)
    for table, frame in frames.items():
        assert dict(frame.schema) == schema(table, words)
    seats = frames["seats"]
    assert seats["lineup"].to_list()[:4] == ["A", "B", "C", "D"]
    assert set(seats["policy"]) == {"balanced"}
    assert seats["seat"].to_list()[:5] == [0, 1, 2, 3, 0]
    assert seats.group_by("game").agg(pl.col("win").sum())["win"].to_list() == pytest.approx([1.0] * 20)
    assert frames["seasons"]["season"].to_list()[:32:4] == list(SEASONS) * 2
    winter = frames["seasons"].filter(pl.col("season") == "winter")
    assert winter["tile"].null_count() == winter["bid"].null_count() == winter.height
    neutral = frames["battles"].filter(pl.col("kind") == "neutral")
    assert neutral["defender"].null_count() == neutral.height > 0


@pytest.mark.parametrize("edition", ["2e", "1e"])
@pytest.mark.parametrize("expansions", [(), EXPANSIONS])
def test_numbers_of_the_engine_arrive_unchanged(edition, expansions):
    experiment = Experiment(policies="random", edition=edition, expansions=expansions)
    played = experiment.arena().play(40, 10, **EVERY_TABLE)
    frames, words = collected(experiment, 40, 10), vocabulary(experiment.components())
    for table in TABLES:
        matrix = getattr(played, table)
        assert frames[table].columns == [column.name for column in words.columns(table)]
        assert matrix.shape[1] == len(frames[table].columns)
        for place, column in enumerate(words.columns(table)):
            if column.kind.startswith("int") and column.name != "game":
                assert frames[table][column.name].to_list() == matrix[:, place].tolist(), column.name


def test_the_first_edition_has_places_but_no_bids_and_no_tiles():  # V1
    seasons = collected(Experiment(policies="random", edition="1e"), 0, 20)["seasons"]
    assert seasons["bid"].null_count() == seasons["tile"].null_count() == seasons.height
    rounds = seasons.filter(pl.col("season") != "winter")
    for _, table in rounds.group_by("game", "year", "season"):
        assert sorted(table["place"]) == [1, 2, 3, 4]


def test_a_dice_tower_card_in_the_auction_is_a_bid_of_its_own():  # E3
    for expansions in ((), "court"):
        bids = collected(Experiment(policies="random", expansions=expansions), 0, 60)["seasons"]["bid"]
        assert ("tower" in bids.to_list()) == (expansions == "court")


@pytest.mark.parametrize("first", [0, 10**10 - 10])
def test_games_are_numbered_from_the_first_whatever_their_size(first):
    frames = collected(Experiment(players=3), first, 10, batches=2)
    numbers = list(range(first, first + 10))
    assert frames["games"]["game"].to_list() == numbers
    assert frames["seats"]["game"].to_list() == [number for number in numbers for _ in range(3)]
    assert frames["seasons"]["game"].to_list() == [number for number in numbers for _ in range(24)]
    assert frames["battles"]["game"].is_sorted()
    assert set(frames["battles"]["game"]) == set(numbers)


def test_a_draft_has_no_lineups():
    assert collected(Experiment(setup="draft"), 0, 2)["seats"]["lineup"].null_count() == 8


def test_a_number_too_large_for_its_column_is_an_error_not_a_wrap(words):
    matrices = [np.zeros((4, len(words.columns(table))), np.int32) for table in TABLES]
    matrices[1][2, [column.name for column in SEAT_COLUMNS].index("counties")] = 128
    with pytest.raises(RunError, match=r"seats\.counties"):
        ChunkTables(("seats",), words, 0).add(Tables(*matrices))


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
        assert small_run.manifest["packages"]["wallsim"] not in said.values()  # bytes stay from version to version


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
    assert (columns["game"]["type"], columns["game"]["rules"]) == ("Int64", [])
    if table == "seats":
        assert (columns["taxes"]["type"], columns["taxes"]["rules"]) == ("Int64", ["B5.4", "M2"])


def test_pyarrow_and_duckdb_find_the_same_texts(small_run):
    path = small_run.folder / "seats/part-000000.parquet"
    by_duckdb = duckdb.sql(f"select key, value from parquet_kv_metadata('{path}')").fetchall()
    for pairs in (pq.read_metadata(path).metadata.items(), by_duckdb):
        said = {key.decode(): value.decode() for key, value in pairs if key.startswith(b"wallsim.")}
        assert said == said_of(path)


def test_every_number_has_a_unit_and_no_name_has_one():
    columns = [column for table in RESULT_TABLES for column in table.columns]
    columns += [column for added in EXPANSION_COLUMNS.values() for column in added]
    for column in (*columns, *COLUMNS):
        is_number = column.kind.startswith("int") or column.kind == "win"
        assert bool(column.unit) == (is_number and column.name not in WITHOUT_UNIT), column
        assert column.meaning[-1] != "."
        assert re.search(r"\(|\)", column.meaning) is None or column.rules, column


def test_the_name_is_that_of_the_folder_whoever_resumes(tmp_path):
    run = play_run(TINY.model_copy(update={"name": "first try"}), tmp_path / "run")
    assert said_of(run.folder / "games/part-000001.parquet")["wallsim.name"] == "first try"
    before = (run.folder / "games/part-000001.parquet").read_bytes()
    (run.folder / "games/part-000001.parquet").unlink()
    play_run(TINY.model_copy(update={"name": "second try"}), run.folder)
    assert (run.folder / "games/part-000001.parquet").read_bytes() == before


def test_a_tournament_says_the_same_however_long_it_is(tmp_path):
    cup = Tournament(("random", "builder"), SMALL, 6)
    run = play_tournament(cup, tmp_path / "cup")
    said = said_of(run.folder / "results/part-000000.parquet")
    assert said["wallsim.table"] == "results"
    assert said["wallsim.experiment"] == run.hash == identity_hash(replace(cup, blocks=12).identity())
    assert list(json.loads(said["wallsim.columns"])) == [column.name for column in COLUMNS]


# ------------------------------------------------------------------------------------------- tables on request

LATER = {"counties", "plans"}  # that older experiments did not have


def test_later_tables_change_neither_others_nor_the_hash_of_who_does_not_ask(small_run, tmp_path):
    without = SMALL.model_copy(update={"counties": False, "plans": False})
    hashes = {each.hash() for each in (SMALL, without, *(SMALL.model_copy(update={n: False}) for n in LATER))}
    assert len(hashes) == 4
    run = play_run(without, tmp_path / "run")
    assert not LATER & set(run.identity)
    assert run.tables == ("games", "seats", "seasons", "battles")
    for table in run.tables:
        assert_frame_equal(run.scan(table).collect(), small_run.scan(table).collect())


@pytest.mark.parametrize("table", sorted(LATER))
def test_a_later_table_alone_is_that_written_beside_battles(table, small_run, tmp_path):
    run = play_run(Experiment(policies="random", games=300, seed=11, **{table: True}), tmp_path / "run")
    ours = small_run.scan(table).filter(pl.col("game") < 300).collect()
    assert_frame_equal(run.scan(table).collect(), ours)
