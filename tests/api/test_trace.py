"""Traces from Python are those of the command line, as objects and as a story."""

import json
import pickle

import numpy as np
import pytest
from typer.testing import CliRunner

import wallsim
from tests.docs.pages import DOCS
from tests.refusals import refused
from wallsim.cli import app

TABLE = wallsim.Experiment(players=3, policies="random", games=20, seed=5)
FLAGS = ["--players", "3", "--policies", "random", "--seed", "5", "--game", "7"]


def printed(*words):
    """What the command `trace` prints."""
    result = CliRunner().invoke(app, ["trace", *words])
    assert result.exit_code == 0, result.output
    return result.output


def test_a_trace_has_the_objects_and_the_story_of_the_command():
    events = wallsim.trace(TABLE, 7)
    assert events == [json.loads(line) for line in printed(*FLAGS).splitlines()]
    assert (events[0]["t"], events[-1]["t"]) == ("game", "end")
    assert events.story() == printed(*FLAGS, "--text").rstrip("\n")
    assert pickle.loads(pickle.dumps(events)).story() == events.story()  # in another process
    assert wallsim.trace(wallsim.play(TABLE), 7) == events


@pytest.mark.parametrize("changes", [{"setup": "draft", "expansions": "all"}, {"edition": "1e", "players": 4}])
def test_traces_of_many_games_in_any_order_are_those_of_single_ones(changes):
    experiment = wallsim.Experiment(**{"players": 3, "policies": "balanced", "games": 20, "seed": 5, **changes})
    for game, events in zip((7, 0, 19, 7), wallsim.traces(experiment, [7, 0, 19, 7]), strict=True):
        assert events == wallsim.trace(experiment, game)
        assert events.story() == wallsim.trace(experiment, game).story()


def test_traces_refuse_a_game_when_its_turn_comes_and_a_bad_experiment_at_once():
    for game in (-1, 1.0, "7", True):
        with refused("game: ", "from 0 to 19"):
            wallsim.trace(TABLE, game)
    few = wallsim.traces(TABLE, [3, 20])
    assert next(few)[0]["game"] == 3
    with refused("game: 20 ", "from 0 to 19"):
        next(few)
    with refused("nofile.toml"):
        wallsim.traces("nofile.toml", [0])
    with refused("games: 5 ", "a list"):
        wallsim.traces(TABLE, 5)
    assert next(wallsim.traces(TABLE, np.arange(3, 5)))[0]["game"] == 3


def test_an_illegal_answer_is_reported_in_names(tmp_path):
    text = (DOCS / "examples" / "hothead.py").read_text("utf-8")
    (tmp_path / "greedy.py").write_text(text.replace("game.army[county] - 1", "game.army[county]"), "utf-8")
    greedy = wallsim.Experiment(players=3, policies=str(tmp_path / "greedy.py"), games=2)
    with refused("greedy (seat ", "game 0, year 1, ", ": attack for "):
        wallsim.trace(greedy)
