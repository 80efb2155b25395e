"""Summaries and comparisons from Python: numbers, frames, and the text that the command line prints."""

import polars as pl
import pytest
from typer.testing import CliRunner

import wallsim
from tests.refusals import assert_names, refused
from wallsim.analysis.games.summary import summarise as count
from wallsim.analysis.tournament.results import judge
from wallsim.cli import app

TABLE = wallsim.Experiment(players=3, policies="random", games=200, seed=5)
CUP = wallsim.Tournament(["random", "heedless"], wallsim.Experiment(players=3, seed=5), blocks=60)


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return wallsim.play(TABLE, tmp_path_factory.mktemp("api") / "run")


@pytest.fixture(scope="module")
def cup(tmp_path_factory):
    return wallsim.play(CUP, tmp_path_factory.mktemp("api") / "cup")


def printed(*words):
    """What a command prints on a terminal of 100 columns, without blanks at the ends of lines."""
    result = CliRunner(env={"COLUMNS": "100"}).invoke(app, [str(word) for word in words])
    assert result.exit_code == 0, result.output
    return [line.rstrip() for line in result.output.splitlines()]


@pytest.fixture(autouse=True)
def _a_terminal_of_100_columns(monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")


def test_a_summary_prints_what_the_command_prints_and_is_a_frame_with_a_row_per_seat(run):
    summary, below = wallsim.summarise(run), count(run)
    assert (summary.games, summary.seats, summary.level) == (below.games, below.seats, below.level)
    assert summary.run is run
    assert str(summary).splitlines() == printed("summary", run.folder)
    frame, seats = summary.frame(), summary.seats
    assert frame.columns == ["seat", "lineup", "policy", "share", "share_low", "share_high", "vp", "vp_low", "vp_high"]
    assert frame["share"].to_list() == [seat.share for seat in seats]
    assert list(zip(frame["vp_low"], frame["vp_high"], strict=True)) == [seat.vp_interval for seat in seats]
    assert frame["lineup"].to_list() == ["A", "B", "C"]


def test_few_games_and_drafts_leave_nulls_in_the_frame():
    drafted = wallsim.Experiment(players=3, policies="random", setup="draft", games=3)
    frame = wallsim.summarise(wallsim.play(drafted)).frame()
    assert frame["share_low"].dtype == pl.Float64
    assert frame.select("lineup", "share_low", "vp_high").null_count().row(0) == (3, 3, 3)


def test_the_summary_of_a_tournament_is_a_look_at_its_ladder_and_prints_what_the_command_prints(cup):
    summary, below = wallsim.summarise(cup), judge(cup)
    assert summary.ratings.ladder == below.ratings.ladder
    assert summary.assumptions == below.assumptions
    assert summary.frame()["policy"].to_list() == list(below.ratings.policies)
    assert summary.looks == (60,)
    assert (cup.folder / "looks.json").exists()
    shown, reported = str(summary).splitlines(), printed("tournament", cup.folder)
    assert shown[:-1] == reported[:-1]  # the command names the files that it has written, too
    assert shown[-1].startswith(f"Files: {cup.folder} (results ")
    assert shown[-1].endswith(" rows)")


def test_notebooks_show_a_summary_and_its_run_as_html_without_markup_of_names(cup, tmp_path):
    run = wallsim.play(wallsim.Experiment(players=3, policies="random", games=2), tmp_path / "<b>&amp")
    for results in (run, cup):
        page = wallsim.summarise(results)._repr_html_()
        assert (page.startswith("<pre "), "random" in page) == (True, True)
        assert all(f"<th>{table}</th>" in results._repr_html_() for table in results.tables)
    for page in (run._repr_html_(), wallsim.summarise(run)._repr_html_()):
        assert "<b>" not in page
        assert_names(page, "&lt;b&gt;", "&amp;amp")


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("api")
    return [wallsim.play(TABLE.changed(tower=tower), folder / tower) for tower in ("spielbyweb", "mid")]


@pytest.mark.parametrize("intervals", ["bonferroni", "bootstrap"])
def test_a_comparison_prints_what_the_command_prints(runs, intervals):
    shown = str(wallsim.compare(*runs, seat=1, columns=["win", "vp"], intervals=intervals)).splitlines()
    words = ("--seat", "1", "--columns", "win,vp", "--intervals", intervals)
    assert shown == printed("compare", *(run.folder for run in runs), *words)
    assert ("bootstrap" in " ".join(shown)) == (intervals == "bootstrap")


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
