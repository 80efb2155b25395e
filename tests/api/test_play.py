"""Playing from Python: into a folder or a temporary one, for experiments and tournaments."""

import subprocess
import sys
from pathlib import Path

import pytest

import wallsim
from tests.refusals import refused
from wallsim.play.play import play_run
from wallsim.play.tournament.play import play_tournament

SMALL = wallsim.Experiment(players=3, policies="random", games=30, seed=5)
CUP = wallsim.Tournament(["random", "heedless"], wallsim.Experiment(players=3, seed=5), blocks=4)


def test_runs_and_tournaments_are_those_of_the_layer_below_and_opened_by_the_same_function(tmp_path):
    run, cup = wallsim.play(SMALL, tmp_path / "run", workers=1), wallsim.play(CUP, tmp_path / "cup", workers=1)
    below = play_run(SMALL, tmp_path / "below", workers=1)
    assert run.folder == tmp_path / "run"
    assert run.scan("seats").collect().equals(below.scan("seats").collect())
    assert cup.rows().equals(play_tournament(CUP, tmp_path / "below cup", workers=1).rows())
    assert wallsim.open_run(tmp_path / "run") == run
    assert wallsim.open_run(str(tmp_path / "cup")) == cup


def test_a_finished_folder_is_not_played_again_and_a_run_is_quiet_unless_its_progress_is_wanted(tmp_path, capsys):
    def times():
        return {path: path.stat().st_mtime_ns for path in (tmp_path / "run").rglob("*.parquet")}

    wallsim.play(SMALL, tmp_path / "run")
    before = times()
    wallsim.play(SMALL, str(tmp_path / "run"))
    assert times() == before
    assert capsys.readouterr() == ("", "")
    wallsim.play(SMALL, tmp_path / "reported", progress=True)
    reported = capsys.readouterr()
    assert (reported.out, "Playing 30 games" in reported.err) == ("", True)


def test_without_a_folder_an_experiment_is_played_once_in_a_process():
    run = wallsim.play(SMALL)
    assert wallsim.play(SMALL).folder == run.folder
    assert wallsim.play(SMALL.model_copy(update={"seed": 6})).folder != run.folder
    assert run.scan("games").collect().height == 30
    assert wallsim.play(SMALL).scan("seats").collect().height == 90  # the frame outlives the run


@pytest.mark.slow
def test_a_temporary_folder_is_deleted_when_the_process_ends():
    code = (
        "import wallsim; run = wallsim.play(wallsim.Experiment(players=3, policies='random', games=2));"
        "assert run.folder.exists(); print(run.folder)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    folder = Path(done.stdout.strip())
    assert folder.parent.name.startswith("wallsim-")
    assert not folder.parent.exists()


def test_fewer_blocks_without_a_folder_are_another_tournament():
    more = wallsim.play(CUP)
    fewer = wallsim.play(wallsim.Tournament(CUP.policies, CUP.table, blocks=2))
    assert more.rows().height == 2 * fewer.rows().height


def test_games_are_played_until_a_precision_is_reached(tmp_path):
    run = wallsim.play(wallsim.Experiment(policies="random", games=3000), tmp_path / "run", until="win ±8pp")
    assert 0 < run.manifest["games"] < 1500
    with refused('until: "vp" ', "precision"):
        wallsim.play(SMALL, tmp_path / "other", until="vp")
