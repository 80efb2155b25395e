"""`wallsim compare FOLDER`: all scenarios of a folder against one, with intervals that hold together."""

import numpy as np
import pytest

import wallsim
from tests.cli.commands import document, done
from tests.refusals import assert_names
from wallsim.analysis.contrasts.comparison import compare
from wallsim.analysis.contrasts.pairing import paired_runs

FILE = """
policies = "balanced"
games = {games}
{more}
[scenario.printed]

[scenario.rich]
thalers = {{ {rich} = 30 }}

[scenario.may]
rules.combat = "may"
"""


def scenarios_in(folder, games=600, more="", rich="B"):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "x.toml").write_text(FILE.format(games=games, more=more, rich=rich), "utf-8")
    done("run", folder / "x.toml", "--out", folder / "out")
    return folder / "out"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return scenarios_in(tmp_path_factory.mktemp("scenarios"))


def test_each_scenario_is_compared_with_the_first_as_two_runs_are_but_all_intervals_hold_together(folder):
    answer = document("compare", folder)
    runs = wallsim.Scenarios.open(folder).runs
    assert answer["baseline"] == "printed"
    assert list(answer["scenarios"]) == ["rich", "may"]
    assert answer["simultaneous_intervals"] == 2 * 4 * 2
    p_values = []
    for name, found in answer["scenarios"].items():
        alone = compare(paired_runs(runs["printed"], runs[name]), by="lineup")
        lines = found["contrasts"]
        assert [(line["column"], line["group"]) for line in lines] == [(c.column, c.group) for c in alone.contrasts]
        for line, contrast in zip(lines, alone.contrasts, strict=True):
            assert line["change"] == pytest.approx(contrast.change.value)
            low, high = contrast.interval(alone.confidence)
            assert line["interval"][0] < low <= high < line["interval"][1]
        assert found["spread_of_wins"]["change"] == pytest.approx(alone.spread().change.value)
        p_values += [line["p_adjusted"] for line in lines]
    assert min(p_values) < 0.001
    assert max(p_values) > 0.05


def test_the_table_shows_every_scenario_with_its_changes(folder):
    text = done("compare", folder).stdout
    assert_names(text, "2 scenarios", "printed", "600 games", "4 players, seed 1")
    assert_names(text, "may: combat: must", "line-up B: wins")
    assert text.count("imbalance, %") == 2


def test_the_frame_has_a_row_for_each_scenario_and_line(folder):
    result = wallsim.compare_scenarios(wallsim.Scenarios.open(folder))
    frame = result.frame()
    assert frame.columns[:3] == ["scenario", "column", "who"]
    assert frame["scenario"].to_list() == ["rich"] * 8 + ["may"] * 8
    inside = frame["low"].to_numpy() <= frame["change"].to_numpy()
    assert np.all(inside & (frame["change"].to_numpy() <= frame["high"].to_numpy()))
    assert_names(str(result), "2 scenarios", "printed")


def test_drafts_are_compared_by_seat(tmp_path):
    result = wallsim.compare_scenarios(scenarios_in(tmp_path, games=60, more='setup = "draft"', rich="0"))
    assert {line.group for line in result.comparisons["may"].contrasts} == {f"seat {seat}" for seat in range(4)}
    assert result.comparisons["may"].spread() is None
