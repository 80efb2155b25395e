"""Comparisons from Python: what the command says, as text, attributes and a frame."""

import polars as pl
import pytest

import wallsim
from tests.api.test_summary import printed
from tests.refusals import refused

TABLE = {"players": 3, "policies": "random", "games": 200, "seed": 5}


@pytest.fixture(autouse=True)
def _a_terminal_of_100_columns(monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("api")
    return [wallsim.play(wallsim.Experiment(**TABLE, tower=tower), folder / tower) for tower in ("spielbyweb", "mid")]


def test_a_comparison_prints_what_the_command_prints(runs):
    shown = str(wallsim.compare(*runs, seat=1, columns=["win", "vp"], intervals="bootstrap")).splitlines()
    words = ("--seat", "1", "--columns", "win,vp", "--intervals", "bootstrap")
    assert shown == printed("compare", *(run.folder for run in runs), *words)
    assert "bootstrap" in " ".join(shown)


def test_folders_are_as_good_as_open_runs(runs):
    one, other = runs
    result = wallsim.compare(str(one.folder), other.folder, by="lineup", columns="vp")
    of_runs = wallsim.compare(wallsim.open_run(one.folder), other, by="lineup", columns=("vp",))
    assert result.contrasts == of_runs.contrasts
    assert [line.group for line in result.contrasts] == ["line-up A", "line-up B", "line-up C"]


def test_a_comparison_is_a_frame_with_a_row_per_line(runs):
    result = wallsim.compare(*runs)
    frame = result.frame()
    assert frame.columns == ["column", "who", "group", "games", "first", "second", "change", "low", "high"]
    assert frame["change"].to_list() == [line.change.value for line in result.contrasts]
    intervals = [line.interval(result.confidence) or (None, None) for line in result.contrasts]
    assert list(zip(frame["low"], frame["high"], strict=True)) == intervals
    same = wallsim.compare(runs[0], runs[0], columns="vp").frame()
    assert (same["low"].dtype, same["low"].null_count()) == (pl.Float64, same.height)


def test_what_is_no_run_is_refused(runs, tmp_path):
    cup = wallsim.play(wallsim.Tournament(["random", "heedless"], wallsim.Experiment(players=3, seed=5), blocks=60))
    with refused("second: ", "a tournament"):
        wallsim.compare(runs[0], cup)
    with refused(tmp_path, "no run"):
        wallsim.compare(tmp_path, runs[1])
    with refused('intervals: "normal" ', "bonferroni, bootstrap"):
        wallsim.compare(*runs, intervals="normal")
