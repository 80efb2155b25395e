"""A board of one's own without line-ups is played from a draft or a deal, and its folder is complete without them."""

import shutil

import pytest

from tests.refusals import refused
from wallsim.experiment.experiment import Experiment
from wallsim.folder.results import Run, expected_documents, run_experiment
from wallsim.play.play import play_run
from wallsim.play.repair import repair
from wallsim.play.tournament.play import play_tournament
from wallsim.play.tournament.tournament import Tournament
from wallsim.rules.files import data_folder


@pytest.fixture
def board(tmp_path):
    shutil.copytree(data_folder("board"), tmp_path / "hills")
    (tmp_path / "hills" / "lineups.csv").unlink()
    return str(tmp_path / "hills")


def test_line_ups_that_a_board_lacks_are_refused_with_what_is_allowed(board):
    with refused("board: ", "hills", "4 players", "draft or deal"):
        Experiment(board=board)


@pytest.mark.parametrize("setup", ["draft", "deal"])
def test_others_are_played_stored_verified_and_repaired(board, tmp_path, setup):
    tower = shutil.copy(data_folder("tower") / "mid.toml", tmp_path / "leaning.toml")
    experiment = Experiment(policies="random", games=30, setup=setup, board=board, tower=str(tower))
    run = play_run(experiment, tmp_path / "run", workers=1)
    assert not (tmp_path / "run" / "board" / "lineups.csv").exists()
    assert run.manifest["board"]["name"] == "hills"
    played = experiment.hash()
    shutil.rmtree(board)
    tower.unlink()
    assert run_experiment(tmp_path / "run").hash() == played
    assert run_experiment(tmp_path / "run").components().tower.parameters.p == 0.72
    (tmp_path / "run" / "manifest.json").unlink()
    (tmp_path / "run" / "board" / "counties.csv").unlink()
    repair(tmp_path / "run")
    again = Run.open(tmp_path / "run")
    assert type(again).verify(tmp_path / "run") == []
    assert again.manifest["board"]["name"] == "hills"


def test_a_board_with_line_ups_keeps_them_in_a_draft(tmp_path):
    experiment = Experiment(policies="random", games=3, setup="draft", board=str(data_folder("board")))
    play_run(experiment, tmp_path / "run", workers=1)
    assert (tmp_path / "run" / "board" / "lineups.csv").exists()
    assert run_experiment(tmp_path / "run").hash() == experiment.hash()
    assert "board/lineups.csv" not in expected_documents((tmp_path / "run" / "experiment.toml").read_text("utf-8"))


def test_tournaments_name_the_board_and_no_folder(board, tmp_path):
    table = Experiment(setup="draft", board=board)
    run = play_tournament(Tournament(["random", "balanced"], table, 1), tmp_path / "cup", workers=1)
    assert (run.manifest["board"]["folder"], run.manifest["board"]["name"]) == ("board", "hills")
    assert str(tmp_path) not in (tmp_path / "cup" / "manifest.json").read_text("utf-8")
