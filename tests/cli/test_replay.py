"""`wallsim replay` writes the page of a game of a run or an experiment, and refuses what it cannot write."""

import json
import re
import shutil
from pathlib import Path

import pytest

from tests.cli.test_games import refusal, wallsim
from tests.docs.pages import DOCS
from wallsim.api.trace import replay_page, trace
from wallsim.folder.results import Run

GAME = ("--players", "3", "--policies", "random", "--seed", "5")


@pytest.fixture(autouse=True)
def _run(here):
    assert wallsim("run", *GAME, "--games", "12", "--out", "run", "--quiet").exit_code == 0
    Path("x.toml").write_text('players = 3\npolicies = "random"\nseed = 5\ngames = 4\n', "utf-8")


def test_a_run_and_an_experiment_give_the_page_of_the_game():
    result = wallsim("replay", "run", "--game", "3", "--out", "deep/a.html")
    assert result.exit_code == 0, result.output
    assert "Open deep/a.html" in result.output
    assert wallsim("replay", "x.toml", "--game", "3", "--out", "b.html").exit_code == 0
    page = Path("deep/a.html").read_text("utf-8")
    assert Path("b.html").read_text("utf-8") == page == replay_page(trace(Run.open("run"), 3))
    assert wallsim("replay", "run").exit_code == 0
    assert "Game 0 of seed 5" in Path("results/game-0.html").read_text("utf-8")


@pytest.mark.parametrize("kind", ["closest", "comeback", "upset"])
def test_a_remarkable_game_is_picked_from_the_run(kind):
    result = wallsim("replay", "run", "--remarkable", kind, "--out", "a.html")
    assert result.exit_code == 0, result.output
    number = re.search(r"^Game (\d+): ", result.stdout, re.M)[1]
    assert f"<h1>Game {number} of seed 5</h1>" in Path("a.html").read_text("utf-8")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("run", "--game", "12"), "--game: 12 is not a whole number from 0 to 11"),
        (("x.toml", "--game", "4"), "--game: 4 is not a whole number from 0 to 3"),
        (("run", "--game", "one"), "--game: one is not a whole number from 0 to 11"),
        (("run", "--game", "-1"), "--game: -1 is not a whole number from 0 to 11"),
        (("nowhere",), "nowhere"),
        (("empty",), "empty: contains no run"),
        (("run", "--out", "a.htm"), "--out: a.htm: name a file that ends with .html"),
        (("run", "--out", "empty/dir.html"), "--out: empty/dir.html: name a file that ends with .html"),
        (("run", "--out", "x.toml/a.html"), "--out: x.toml/a.html: cannot be written"),
        (("run", "--game", "1", "--remarkable", "upset"), "--game: cannot be combined with --remarkable"),
        (("run", "--remarkable", "fun"), "--remarkable: 'fun' is not one of comeback, upset, closest, luck"),
        (("run", "--remarkable", "luck"), "--remarkable: luck needs the table battles; play the run with --battles"),
        (("x.toml", "--remarkable", "upset"), "--remarkable: picks from the tables of a run"),
    ],
)
def test_what_cannot_be_shown_is_refused(words, said):
    Path("empty/dir.html").mkdir(parents=True)
    assert said in refusal("replay", *words)
    assert not list(Path().glob("*.html"))


def test_policies_in_python_need_trust():
    shutil.copy(DOCS / "examples" / "hothead.py", "mine.py")
    Path("y.toml").write_text('players = 3\npolicies = "mine.py"\ngames = 2\n', "utf-8")
    assert "--trust-code" in refusal("replay", "y.toml")


def test_numbers_of_the_page_are_those_of_the_trace():
    assert wallsim("replay", "run", "--game", "2", "--out", "a.html").exit_code == 0
    data = re.search(r'id="data">(.*?)</script>', Path("a.html").read_text("utf-8"), re.S)[1]
    assert len(json.loads(data)["steps"]) == len(trace(Run.open("run"), 2))
