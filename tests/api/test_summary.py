"""Summaries: numbers, frames, and the text that the command line prints."""

import polars as pl
import pytest
from typer.testing import CliRunner

import wallsim
from tests.refusals import assert_names
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
