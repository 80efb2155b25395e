"""`wallsim learn`: a small learning from the command to its file, and fitted again with other units."""

import pytest

from tests.cli.commands import document, done
from tests.refusals import assert_names
from wallsim.policies.value.features import INPUT_NAMES, MOMENTS
from wallsim.policies.value.value_file import read_value
from wallsim.searches.learning.learning import Games

pytestmark = pytest.mark.slow
SMALL = ("--policies", "balanced,random", "--players", 3, "--games", 2000, "--units", 2, "--passes", 1)


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """The command of a finished learning, its folder and what it printed; do not change it."""
    folder = tmp_path_factory.mktemp("learn") / "small"
    command = ("learn", "--out", folder, *SMALL)
    return command, folder, done(*command, "--name", "small", "--workers", 2).stdout


def test_the_file_is_a_value_and_says_how_it_was_made(finished):
    _, folder, shown = finished
    contents = read_value(folder / "small.json").contents
    assert contents["inputs"] == list(INPUT_NAMES)
    assert contents["command"].startswith("wallsim learn --policies balanced,random --players 3 --games 2000")
    assert str(folder) not in (folder / "small.json").read_text("utf-8")
    assert contents["games"] == {"fitted": 1600, "held_out": 400, "block": 50}
    assert [line["moment"] for line in contents["held_out"]] == list(MOMENTS)
    assert list(contents["models"]) == ["3"]
    assert "400 games" in shown.replace(",", "")
    lines = read_value(finished[1] / "small.json").contents["held_out"]
    assert lines[-1]["network"]["points"]["r2"] > 0.9  # random and balanced are easily distinguished
    assert lines[-1]["linear"]["win"]["r2"] > lines[0]["linear"]["win"]["r2"] > 0


def test_nothing_is_played_for_other_units_or_fewer_games(finished, monkeypatch):
    command, folder, _ = finished
    monkeypatch.setattr(Games, "play", None)
    result = document(*command, "--units", 0, "--name", "linear")
    assert result["value_file"] == str(folder / "linear.json")
    assert "network" not in result["held_out"][0]
    assert read_value(folder / "linear.json").packed()[0].of[0].outward.any() == 0
    few = done(*command, "--games", 10, "--name", "few")
    assert_names(few.stderr, "--games: 10", "2,000 games")
