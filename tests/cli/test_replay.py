"""`wallsim replay` writes the page of a game of a run or an experiment."""

import json
import re
from pathlib import Path

import pytest

from tests.cli.commands import done
from wallsim.api.trace import replay_page, trace
from wallsim.folder.results import Run


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A run of 12 games; do not change it."""
    folder = tmp_path_factory.mktemp("replay") / "run"
    done("run", "--players", 3, "--policies", "random", "--seed", 5, "--games", 12, "--out", folder, "--quiet")
    return folder


def test_a_run_and_an_experiment_give_the_page_of_the_game(run, here):
    assert "deep/a.html" in done("replay", run, "--game", 3, "--out", "deep/a.html").output
    Path("x.toml").write_text('players = 3\npolicies = "random"\nseed = 5\ngames = 4\n', "utf-8")
    done("replay", "x.toml", "--game", 3, "--out", "b.html")
    page, events = Path("deep/a.html").read_text("utf-8"), trace(Run.open(run), 3)
    assert Path("b.html").read_text("utf-8") == page == replay_page(events)
    data = re.search(r'id="data">(.*?)</script>', page, re.S)[1]
    assert len(json.loads(data)["steps"]) == len(events)
    done("replay", run)
    assert "Game 0 of seed 5" in Path("results/game-0.html").read_text("utf-8")


@pytest.mark.parametrize("kind", ["closest", "comeback", "upset"])
def test_a_remarkable_game_is_picked_from_the_run(run, here, kind):
    number = re.search(r"^Game (\d+): ", done("replay", run, "--remarkable", kind, "--out", "a.html").stdout, re.M)[1]
    assert f"<h1>Game {number} of seed 5</h1>" in Path("a.html").read_text("utf-8")
