"""`wallsim advise`: the answer as text and JSON, from a game, a step and a position, and refusals."""

import json
import re
from itertools import chain

import pytest

import wallsim
from tests.cli.test_games import refusal
from tests.cli.test_games import wallsim as command
from tests.naive.rng import JIT
from tests.test_architecture import ROOT
from wallsim.engine.arena import Arena

POSITION = str(ROOT / "docs" / "examples" / "position.txt")
QUICK = ("--tables", "30", "--plays", "middling", "--policy", "balanced", "--workers", "2")


def played(*_, **__):
    """In place of what would be compiled."""
    pytest.fail("something is played")


@pytest.fixture
def game(tmp_path):
    """An experiment file."""
    file = tmp_path / "game.toml"
    file.write_text('players = 3\npolicies = "balanced"\ngames = 20\nseed = 5\n', "utf-8")
    return str(file)


@pytest.mark.slow
@pytest.mark.skipif(not JIT, reason="thousands of playouts")
def test_json_and_text_have_the_same_plans(game):
    words = ("advise", game, "--game", "7", "--season", "fall 2", "--seat", "2", "--tower", "mid", *QUICK)
    document = json.loads(command(*words, "--json").stdout)
    assert (document["season"], document["seat"], document["players"], document["judged"]) == ("fall 2", 2, 3, "made")
    assert document["not_default"] == ["tower mid"]
    [play] = document["plays"]
    assert (play["policy"], play["tables"], len(play["plans"])) == ("balanced", 30, 4)
    best, *others = play["plans"]
    assert (best["behind"], best["behind_interval"], best["changes"]) == (0.0, [0.0, 0.0], [])
    assert all(plan["wins"] == pytest.approx(best["wins"] - plan["behind"]) for plan in others)
    text = command(*words).stdout
    assert text.startswith("Not the default: tower mid.\n")
    assert all(card in text for card in best["cards"].values())
    assert "the plan made" in text
    plan = ",".join(f"{box}={card}" for box, card in best["cards"].items())
    own = json.loads(command(*words, "--plan", plan, "--json").stdout)
    assert own["judged"] == "yours"
    assert own["plays"][0]["judged"]["behind"] == 0.0


@pytest.mark.slow
@pytest.mark.skipif(not JIT, reason="thousands of playouts")
def test_a_step_that_is_no_plan_is_advised_on_as_plans_are(game):
    step = next(number for number, line in enumerate(wallsim.trace(game, 7)) if line["t"] == "order")
    words = ("advise", game, "--game", "7", "--step", str(step), *QUICK)
    document = json.loads(command(*words, "--json").stdout)
    assert (document["kind"], document["season"], document["judged"]) == ("place", "spring 1", "made")
    [play] = document["plays"]
    best, *others = play["plans"]
    assert (best["behind"], play["tables"], play["tried"], len(others)) == (0.0, 30, 5, 3)
    assert set(best["cards"]) == {"place", "tile"}
    text = command(*words).stdout
    assert all(fact in text for fact in document["facts"])
    assert "the place made" in text
    own = json.loads(command(*words, "--choice", best["cards"]["tile"], "--json").stdout)
    assert own["judged"] == "yours"
    assert own["plays"][0]["judged"]["behind"] == 0.0
    assert "--choice: '6' is not one of 1, 2, 3, 4, 5" in refusal(*words, "--choice", "6")
    assert "--plan: the step is of kind 'place'" in refusal(*words, "--plan", "bid=1")


@pytest.mark.own_code
@pytest.mark.skipif(not JIT, reason="thousands of playouts")
def test_a_position_is_asked_by_the_letter_of_its_seat():
    document = json.loads(command("advise", POSITION, "--seat", "B", *QUICK, "--json").stdout)
    assert (document["season"], document["seat"], document["judged"]) == ("summer 1", 1, None)
    assert document["drawn"] == ["the open actions", "the open tiles"]
    assert set(document["events"]) == {"trading_post_calms_7", "palace_guard_2", "palace_guard_6"}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"game": 20}, "--game: 20 is not a whole number from 0 to 19"),
        ({"season": "winter 1"}, '--season: "winter 1" is not one of spring 1'),
        ({"seat": 3}, "--seat: 3 is not a whole number from 0 to 2"),
        ({"seat": "x"}, '--seat: "x" is not a whole number from 0 to 2'),
        ({"step": 50, "season": "fall 1"}, "--step: cannot be combined with a season"),
        ({"choice": "Tirol 3"}, "--choice: a plan is made here"),
        ({"plays": ["stronk"]}, "--plays: 'stronk' is not one of strong"),
        ({"plan": "palace=Paris"}, "--plan: palace: 'Paris' is not a card"),
        ({"plan": "palce=Tirol"}, "--plan: 'palce' is not one of the boxes"),
        ({"step": 50, "choice": "Paris 3"}, "--choice: 'Paris 3' is not a county"),
        ({"step": 50, "seat": 3}, "--seat: 3 is not a whole number from 0 to 2"),
        ({"policy": "nobody"}, "nobody"),
        ({"policy": "rollout"}, "--policy: rollout is of kind 'rollout'"),
        ({"tower": "nowhere"}, "nowhere"),
        ({"tables": 1}, "--tables: 1 is not a whole number from 2"),
        ({"precision": 0.05}, "--precision: 0.05 is not a number from 0.1"),
        ({"minutes": 0.0}, "--minutes: 0.0 is not a number from 0.01"),
        ({"seed": -1}, "--seed: -1 is not a whole number from 0"),
        ({"workers": 0}, "--workers: 0 is not a whole number from 1"),
        ({"actions": ["palace"]}, "--actions: a game says itself what lies open"),
    ],
)
def test_what_cannot_be_is_refused_before_a_game_is_played_again(game, options, message, monkeypatch):
    monkeypatch.setattr(Arena, "moment", played)
    monkeypatch.setattr(Arena, "trace", played)
    words = {f"--{name}": ",".join(value) if isinstance(value, list) else str(value) for name, value in options.items()}
    assert message in refusal("advise", game, *chain(*words.items()))
    with pytest.raises(wallsim.InputError, match=re.escape(message.removeprefix("--"))):
        wallsim.advise(game, **options)


@pytest.mark.parametrize(("step", "kind"), [("0", "game"), ("1", "deal")])
def test_a_step_without_a_decision_is_refused(game, step, kind):
    assert f"--step: {step} is a line of kind '{kind}'; allowed are plans" in refusal("advise", game, "--step", step)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--game", "1"), "--game: cannot be combined with a position"),
        (("--seat", "E"), "--seat: 4 is not a whole number from 0 to 3"),
        (("--actions", "palace,church"), "--actions: palace, church: are not 5 different ones"),
        (("--tiles", "grain,gold"), "--tiles: 'gold' is not one of thaler"),
        (("--plan", "palace=Paris"), "--plan: palace: 'Paris' is not a card"),
        (("--plays", "stronk"), "--plays: 'stronk' is not one of strong"),
        (("--choice", "2"), "--choice: a plan is made here"),
        (("--tower", "nowhere"), "nowhere"),
    ],
)
def test_what_cannot_be_of_a_position_is_refused_before_the_round_begins(words, message, monkeypatch):
    monkeypatch.setattr("wallsim.analysis.advice.from_position.open_next_round", played)
    assert message in refusal("advise", POSITION, *words)


def test_a_position_that_cannot_be_read_is_refused_with_its_place(tmp_path):
    file = tmp_path / "bad.txt"
    file.write_text("players: 4\n\nspring 1\nA 0v\n", "utf-8")
    assert f"{file}:" in refusal("advise", str(file))
    assert "nowhere" in refusal("advise", str(tmp_path / "nowhere"))
