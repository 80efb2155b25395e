"""Runs with `columns = "lean"`: the same games and numbers in fewer columns, which summaries and comparisons take."""

import dataclasses
import tomllib

import pytest
from polars.testing import assert_frame_equal

from tests.cli.commands import refusal, wallsim
from tests.refusals import assert_names, refused
from wallsim.analysis.contrasts.comparison import COLUMNS, compare
from wallsim.analysis.contrasts.pairing import paired_runs
from wallsim.analysis.games.breakdown import points_by_source
from wallsim.analysis.games.summary import summarise
from wallsim.engine.columns import RESULT_TABLES, columns_of
from wallsim.errors import RunError
from wallsim.experiment.experiment import Experiment, identity
from wallsim.experiment.file import experiment_text, load_experiment
from wallsim.folder.results import Run, run_experiment
from wallsim.play.play import play_run
from wallsim.play.replay.audit import replay
from wallsim.rules.terms import EXPANSIONS

PLAIN = Experiment(policies="random", games=2000, seed=4, battles=True)
EXPANDED = Experiment(
    policies=["random", "balanced", "random"], players=3, games=300, seed=9, setup="draft", expansions="all"
)


@pytest.fixture(scope="module", params=[PLAIN, EXPANDED], ids=["plain", "expanded"])
def runs(request, tmp_path_factory):
    """The same games with all columns and with the lean ones; do not change them."""
    folder = tmp_path_factory.mktemp("columns")
    return tuple(
        play_run(request.param.changed(columns=columns), folder / columns, workers=2) for columns in ("all", "lean")
    )


def test_the_lean_columns_are_among_all_and_in_their_order():
    for expansions in ((), ("court",), EXPANSIONS):
        for table in RESULT_TABLES:
            every, lean = (columns_of(table.name, expansions, choice) for choice in ("all", "lean"))
            assert lean == tuple(column for column in every if column in lean)
            assert (lean == every) == (table.name not in ("games", "seats"))
            assert {column.name for column in every if column.unit == "victory points"} <= {each.name for each in lean}


def test_rows_are_those_of_all_columns(runs):
    whole, lean = runs
    assert lean.tables == whole.tables
    for table in lean.tables:
        names = [column.name for column in columns_of(table, lean.expansions, "lean")]
        assert_frame_equal(lean.scan(table).collect(), whole.scan(table).select(names).collect(), check_exact=True)
    assert lean.manifest["rows"] == whole.manifest["rows"]


def test_the_summary_and_the_points_by_source_are_the_same(runs):
    one, other = map(summarise, runs)
    same = ("games", "seats", "shared", "level", "assumptions", "breakdown")
    assert [getattr(one, name) for name in same] == [getattr(other, name) for name in same]
    assert bool(one.breakdown) == bool(runs[0].expansions)
    assert_frame_equal(*map(points_by_source, runs))


def test_the_folder_is_verified_replayed_and_describes_its_columns_alone(runs):
    lean = runs[1]
    assert Run.verify(lean.folder) == []
    assert replay(lean.folder, 2, seed=1, workers=1).equal
    assert run_experiment(lean.folder).columns == "lean"
    assert "`vp_year1`" in lean.codebook()
    assert "`thalers`" not in lean.codebook()


def test_bytes_per_game_are_few(tmp_path):
    run = play_run(Experiment(policies="random", games=2000, chunk=2000, columns="lean"), tmp_path / "run", workers=1)
    assert run.manifest["bytes"] / 2000 < 50


def test_all_columns_are_the_default_and_no_part_of_an_identity_or_a_file(tmp_path):
    assert PLAIN.columns == "all"
    assert "columns" not in identity(PLAIN, PLAIN.components())
    assert "columns" not in tomllib.loads(experiment_text(PLAIN))
    lean = PLAIN.changed(columns="lean")
    assert lean.hash() != PLAIN.hash() == PLAIN.changed(columns="all").hash()
    (tmp_path / "lean.toml").write_text(experiment_text(lean), "utf-8")
    again = load_experiment(tmp_path / "lean.toml")
    assert (again.columns, again.hash()) == ("lean", lean.hash())


def test_columns_of_another_choice_are_another_experiment_and_errors(runs):
    whole, lean = runs
    with refused("another experiment", 'columns is "lean"'):
        play_run(run_experiment(whole.folder), lean.folder, workers=1)
    wrong = {**lean.manifest, "experiment": whole.manifest["experiment"]}
    with refused("column event_spring_year1", by=RunError):
        dataclasses.replace(lean, manifest=wrong).scan("games")


def test_comparisons_take_the_columns_that_both_runs_have(runs):
    whole, lean = runs
    pairing = paired_runs(whole, lean)
    both, alone = compare(pairing, "0"), compare(paired_runs(whole, whole), "0", columns=("win", "vp", "vp_year1"))
    assert [each.column for each in both.contrasts] == [each.column for each in alone.contrasts]
    assert all(each.change.value == 0 for each in both.contrasts)
    [note] = [note for note in both.notes if "lean" in note]
    assert all(name in note for name in COLUMNS if name not in ("win", "vp", "vp_year1"))
    assert not any("lean" in note for note in compare(pairing, columns=("vp",)).notes)
    assert pairing.changes() == []
    with refused("lean: ", "thalers, taxes", 'columns = "lean"'):
        compare(pairing, columns=("vp", "thalers", "taxes"))


def test_the_command_line_plays_lean_runs_and_refuses_what_they_lack(runs, tmp_path):
    lean = str(tmp_path / "lean")
    assert wallsim("run", "--policies", "random", "--games", "60", "--columns", "lean", "--out", lean).exit_code == 0
    assert run_experiment(lean).columns == "lean"
    folders = [str(run.folder) for run in runs]
    for words in (("summary", lean), ("compare", *folders)):
        assert wallsim(*words).exit_code == 0
    assert "lacks attacks" in refusal("compare", *folders, "--columns", "attacks")
    assert_names(refusal("run", "--columns", "few", "--out", str(tmp_path / "few")), "--columns", "all, lean")
