"""Runs of the first edition and of the expansions: the same promises as for the base game, and old folders."""

import csv
import json
import shutil

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from tests.finished_runs import EVERYTHING
from tests.folder.mishaps import InterruptingObserver, flip_a_bit, manifest_of, put_line, put_manifest
from wallsim.engine.columns import EXPANSION_COLUMNS, columns_of
from wallsim.errors import InputError, RunError
from wallsim.experiment.experiment import Experiment
from wallsim.experiment.identity import identity_hash
from wallsim.folder.result_folder import read_codebook
from wallsim.folder.results import Run, run_experiment
from wallsim.folder.schema import TABLES
from wallsim.play.play import play_run
from wallsim.rules.board import check_board
from wallsim.rules.files import data_folder
from wallsim.rules.terms import EXPANSIONS


@pytest.fixture
def damaged(full_run, tmp_path):
    """A copy of the full run's folder that a test may spoil."""
    shutil.copytree(full_run.folder, tmp_path / "damaged")
    return tmp_path / "damaged"


def test_a_run_with_everything_holds_every_column_and_says_what_it_is(full_run):
    for table in TABLES:
        columns = full_run.scan(table).collect().columns
        assert columns == [column.name for column in columns_of(table, EXPANSIONS)]
    facts = full_run.manifest["experiment"]["identity"]
    assert (facts["edition"], facts["expansions"], facts["combat"]) == ("1e", list(EXPANSIONS), "must")  # V4
    assert full_run.expansions == EXPANSIONS
    assert Run.verify(full_run.folder) == []
    assert run_experiment(full_run.folder).hash() == EVERYTHING.hash()


def test_a_base_run_holds_no_column_of_an_expansion(small_run):
    added = {column.name for columns in EXPANSION_COLUMNS.values() for column in columns}
    for table in TABLES:
        assert not added & set(small_run.scan(table).collect().columns)


def test_points_of_all_sources_add_up_to_the_score(full_run):  # B7.4, E6, L1, M5
    seats = full_run.scan("seats").collect()
    sources = [name for name in seats.columns if name.startswith("vp_") and name != "vp_year1"]
    assert {"vp_favors", "vp_landsknechte", "vp_statues_year1", "vp_trophies_year2"} <= set(sources)
    assert seats.select(pl.sum_horizontal(sources)).to_series().to_list() == seats["vp"].to_list()


def test_counts_of_the_seasons_add_up_to_those_of_the_game(full_run):
    added = [column.name for columns in EXPANSION_COLUMNS.values() for column in columns]
    by_game = full_run.scan("seasons").group_by("game", "seat").agg(pl.col(added).sum()).sort("game", "seat")
    whole = full_run.scan("seats").select("game", "seat", *added).sort("game", "seat")
    assert_frame_equal(by_game.collect(), whole.collect(), check_dtypes=False)
    assert whole.select(added).sum().collect().row(0)[0] > 0


def test_workers_chunks_and_interruptions_change_no_row(full_run, tmp_path):
    with pytest.raises(KeyboardInterrupt):
        play_run(EVERYTHING, tmp_path / "run", workers=1, observer=InterruptingObserver(tmp_path / "run", lines=2))
    resumed = play_run(EVERYTHING, tmp_path / "run", workers=2)
    assert resumed.manifest["time"]["sessions"] == 2
    assert resumed.files == full_run.files
    other = play_run(EVERYTHING.model_copy(update={"chunk": 77}), tmp_path / "other")
    for table in TABLES:
        assert_frame_equal(other.scan(table).collect(), full_run.scan(table).collect())


def test_damage_is_found_and_repaired(damaged, full_run):
    flip_a_bit(damaged / "seasons" / "part-000001.parquet")
    assert Run.verify(damaged) == ["seasons/part-000001.parquet: its bytes have changed"]
    assert play_run(EVERYTHING, damaged).files == full_run.files
    assert Run.verify(damaged) == []


def test_the_codebook_of_a_run_has_its_columns(full_run, small_run):
    for column in (column for columns in EXPANSION_COLUMNS.values() for column in columns):
        assert f"| `{column.name}` | " in read_codebook(full_run.folder)
        assert f"| `{column.name}` | " not in read_codebook(small_run.folder)
    assert read_codebook(full_run.folder) == (full_run.folder / "codebook.md").read_text("utf-8")
    with pytest.raises(InputError, match="contains no run"):
        read_codebook(full_run.folder.parent)


@pytest.mark.parametrize(
    ("change", "difference"),
    [
        ({"edition": "2e"}, 'edition is "1e" there, "2e" here'),
        (
            {"expansions": ("court", "leaders")},
            'expansions is ["court", "landsknechte", "leaders"] there, ["court", "leaders"] here',
        ),
    ],
)
def test_another_edition_or_expansion_is_another_experiment(full_run, change, difference):
    with pytest.raises(InputError) as caught:
        play_run(EVERYTHING.model_copy(update=change), full_run.folder)
    assert f"contains another experiment: {difference}" in str(caught.value)


@pytest.mark.parametrize("key", ["edition", "expansions"])
def test_a_manifest_without_edition_or_expansions_is_damaged(damaged, key):
    manifest = manifest_of(damaged)
    del manifest["experiment"]["identity"][key]
    put_manifest(damaged, manifest)
    with pytest.raises(RunError, match=rf"is damaged \(experiment\.identity\.{key}\)"):
        Run.open(damaged)


def test_a_run_without_expansions_in_its_journal_is_another_experiment(tmp_path):
    folder = play_run(Experiment(policies="random", games=10), tmp_path / "run").folder
    header = json.loads((folder / "journal.jsonl").read_text("utf-8").splitlines()[0])
    del header["identity"]["expansions"]
    header["hash"] = identity_hash(header["identity"])
    put_line(folder, 0, header)
    with pytest.raises(RunError, match="was played with an engine, policy, tower or board that differs"):
        run_experiment(folder)
    with pytest.raises(InputError, match=r"contains another experiment: expansions is null there, \[\] here"):
        play_run(Experiment(policies="random", games=10), folder)


# ------------------------------------------------------------------------------ figures that are not the rulebook's


def rows_of(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def put(path, rows):
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0].keys(), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


@pytest.fixture
def own_board(tmp_path):
    """A board folder whose cards the user has read off his own copy: favor 13 brings 5 points."""
    folder = tmp_path / "mine"
    shutil.copytree(data_folder("board"), folder)
    favors = rows_of(folder / "favors.csv")
    for row in favors:
        row["value"] = "5" if row["number"] == "13" else row["value"]
        row["provenance"] = "rulebook" if row["provenance"] == "rulebook" else "printed on the card"
    put(folder / "favors.csv", favors)
    cards = rows_of(folder / "landsknechte.csv")
    for row in cards:
        row["provenance"] = "assumed" if row["card"] == "4" else "rulebook"
    put(folder / "landsknechte.csv", cards)
    return folder


def test_only_assumed_figures_in_play_are_named():  # B1.3, E6
    three = Experiment(players=3).components()
    assert three.board.assumed
    assert three.assumed() == ["line-up A: Anhalt with 2 armies"]
    assert Experiment(players=3, setup="draft").components().assumed() == []
    assert Experiment(players=3, expansions=("landsknechte", "leaders")).components().assumed() == three.assumed()
    court = Experiment(players=3, expansions="court").components().assumed()
    assert court[0] == three.assumed()[0]
    assert [line.split(":")[0] for line in court[1:]] == [
        f"favor {number}" for number in range(1, 22) if number not in (1, 4, 10, 11, 12, 18)
    ]
    assert {
        "favor 2: 2 Thalers",
        "favor 3: 2 armies for the tray",
        "favor 5: 2 grain",
        "favor 6: 1 victory point",
        "favor 13: 2 victory points",
        "favor 7: a free trading post",
    } <= set(court)


def test_figures_not_printed_in_the_rulebook_are_named_with_their_sources_where_they_are_in_play():  # E6 L1
    assert Experiment().components().sources() == []
    assert Experiment(expansions="court").components().sources() == ["favors 10, 11, 18: rulebook: order of its lists"]
    assert Experiment(expansions="landsknechte").components().sources() == [
        "Landsknechte cards 2, 3, 4: read off the sister game Shogun"
    ]


def test_cards_of_a_board_of_the_users_own_are_played_and_no_longer_assumed(own_board, tmp_path):
    assert check_board(own_board) == []
    experiment = Experiment(policies="random", games=150, expansions=("court",), board=str(own_board))
    parts = experiment.components()
    assert parts.assumed() == []
    assert parts.sources() == [
        f"favors {', '.join(str(n) for n in range(1, 22) if n not in (1, 4, 12))}: printed on the card"
    ]
    assert Experiment(expansions="landsknechte", board=str(own_board)).components().assumed() == [
        "Landsknechte card 4: 6 Thalers, 3 armies for the tray, 2 grain, 1 victory point"
    ]
    run = play_run(experiment, tmp_path / "run")
    assert run.manifest["board"]["assumed"] == []
    assert run.manifest["board"]["sources"] == parts.sources()
    seats = run.scan("seats").collect()
    points = seats["favor_6"] + 5 * seats["favor_13"] + 3 * seats["favor_19"]
    assert points.to_list() == seats["vp_favors"].to_list()
    assert seats["favor_13"].sum() > 0


@pytest.mark.parametrize(
    ("file", "column", "value", "error"),
    [
        ("favors.csv", "value", "0", "favors.csv, line 3, column value"),
        ("favors.csv", "kind", "gold", "favors.csv, line 3, column kind"),
        ("landsknechte.csv", "thalers", "-1", "landsknechte.csv, line 3, column thalers"),
    ],
)
def test_wrong_cards_of_a_board_are_refused_by_file_line_and_column(own_board, file, column, value, error):
    rows = rows_of(own_board / file)
    rows[1][column] = value
    put(own_board / file, rows)
    assert str(check_board(own_board)[0]).startswith(error)
