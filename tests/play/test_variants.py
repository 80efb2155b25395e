"""Runs of the first edition and of the expansions: the same promises as for the base game, and old folders."""

import json
import shutil

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from tests.folder.mishaps import put_line
from tests.refusals import assert_names, refused
from wallsim.engine.columns import EXPANSION_COLUMNS, columns_of
from wallsim.errors import RunError
from wallsim.experiment.experiment import Experiment
from wallsim.experiment.identity import identity_hash
from wallsim.folder.result_folder import read_codebook
from wallsim.folder.results import run_experiment
from wallsim.folder.schema import TABLES
from wallsim.play.play import play_run
from wallsim.rules.board import check_board
from wallsim.rules.files import data_folder
from wallsim.rules.terms import EXPANSIONS


@pytest.mark.parametrize(("name", "expansions"), [("full_run", EXPANSIONS), ("small_run", ())])
def test_a_run_and_its_codebook_have_the_columns_of_its_expansions(request, name, expansions):
    run = request.getfixturevalue(name)
    for table in TABLES:
        assert run.scan(table).collect().columns == [column.name for column in columns_of(table, expansions)]
    for column in (column for columns in EXPANSION_COLUMNS.values() for column in columns):
        assert (f"| `{column.name}` | " in read_codebook(run.folder)) == bool(expansions)
    assert read_codebook(run.folder) == (run.folder / "codebook.md").read_text("utf-8")
    with refused("no run"):
        read_codebook(run.folder.parent)


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


def test_a_run_without_expansions_in_its_journal_is_another_experiment(tmp_path):
    plain = Experiment(policies="random", games=10)
    folder = play_run(plain, tmp_path / "run").folder
    header = json.loads((folder / "journal.jsonl").read_text("utf-8").splitlines()[0])
    del header["identity"]["expansions"]
    put_line(folder, 0, {**header, "hash": identity_hash(header["identity"])})
    with refused(folder, "that differs", by=RunError):
        run_experiment(folder)
    with refused("another experiment", "expansions is null", "[] here"):
        play_run(plain, folder)


# ------------------------------------------------------------------------------ figures that are not the rulebook's


@pytest.fixture
def own_board(tmp_path):
    """A board folder whose cards the user has read off his own copy: favor 13 brings 5 points."""
    folder = tmp_path / "mine"
    shutil.copytree(data_folder("board"), folder)
    favors, cards = (pl.read_csv(folder / name, infer_schema=False) for name in ("favors.csv", "landsknechte.csv"))
    favors.with_columns(
        value=pl.when(number="13").then(pl.lit("5")).otherwise("value"),
        provenance=pl.when(provenance="rulebook").then("provenance").otherwise(pl.lit("printed on the card")),
    ).write_csv(folder / "favors.csv")
    provenance = pl.when(card="4").then(pl.lit("assumed")).otherwise(pl.lit("rulebook"))
    cards.with_columns(provenance=provenance).write_csv(folder / "landsknechte.csv")
    return folder


def test_only_assumed_figures_in_play_are_named():  # B1.3, E6
    three = Experiment(players=3).components()
    assert three.board.assumed
    assert [line.split(":")[0] for line in three.assumed()] == ["line-up A"]
    assert Experiment(players=3, setup="draft").components().assumed() == []
    assert Experiment(players=3, expansions=("landsknechte", "leaders")).components().assumed() == three.assumed()
    first, *court = Experiment(players=3, expansions="court").components().assumed()
    assert first == three.assumed()[0]
    favors = dict(line.removeprefix("favor ").split(": ") for line in court)
    assert [int(number) for number in favors] == [n for n in range(1, 22) if n not in (1, 4, 10, 11, 12, 18)]
    named = {"2": "2 Thalers", "3": "2 armies", "5": "2 grain", "6": "1 victory", "13": "2 victory", "7": "a free"}
    assert {number: " ".join(favors[number].split()[:2]) for number in named} == named


def test_figures_not_printed_in_the_rulebook_are_named_with_their_sources_where_they_are_in_play():  # E6 L1
    assert Experiment().components().sources() == []
    for expansion, what, source in (
        ("court", "favors 10, 11, 18", "order"),
        ("landsknechte", "cards 2, 3, 4", "Shogun"),
    ):
        [line] = Experiment(expansions=expansion).components().sources()
        assert_names(line, what, source)


def test_cards_of_a_board_of_the_users_own_are_played_and_no_longer_assumed(own_board, tmp_path):
    assert check_board(own_board) == []
    experiment = Experiment(policies="random", games=150, expansions=("court",), board=str(own_board))
    parts = experiment.components()
    assert parts.assumed() == []
    numbers = ", ".join(str(number) for number in range(1, 22) if number not in (1, 4, 12))
    [source] = parts.sources()
    assert_names(source, f"favors {numbers}: ", "printed on")
    [card] = Experiment(expansions="landsknechte", board=str(own_board)).components().assumed()
    assert_names(card, "card 4: ", "6 Thalers", "3 armies", "2 grain", "1 victory point")
    run = play_run(experiment, tmp_path / "run")
    assert run.manifest["board"]["assumed"] == []
    assert run.manifest["board"]["sources"] == parts.sources()
    seats = run.scan("seats").collect()
    points = seats["favor_6"] + 5 * seats["favor_13"] + 3 * seats["favor_19"]
    assert points.to_list() == seats["vp_favors"].to_list()
    assert seats["favor_13"].sum() > 0
