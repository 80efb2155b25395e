"""`wallsim advise`: the answer as text and JSON, from a game, a step and a position."""

import pytest

import wallsim
from tests.cli.commands import ROOT, document, done, refusal
from tests.naive.rng import JIT
from tests.refusals import assert_names, refused

POSITION = ROOT / "docs" / "examples" / "position.txt"
QUICK = ("--tables", 30, "--plays", "middling", "--policy", "balanced", "--workers", 2)
plays_out = pytest.mark.skipif(not JIT, reason="thousands of playouts")


@pytest.fixture
def game(tmp_path):
    """An experiment file."""
    file = tmp_path / "game.toml"
    file.write_text('players = 3\npolicies = "balanced"\ngames = 20\nseed = 5\n', "utf-8")
    return file


@pytest.mark.slow
@plays_out
def test_json_and_text_have_the_same_plans(game):
    words = ("advise", game, "--game", 7, "--season", "fall 2", "--seat", 2, "--tower", "mid", *QUICK)
    answer = document(*words)
    assert (answer["season"], answer["seat"], answer["players"], answer["judged"]) == ("fall 2", 2, 3, "made")
    assert answer["not_default"] == ["tower mid"]
    [play] = answer["plays"]
    assert (play["policy"], play["tables"], len(play["plans"])) == ("balanced", 30, 4)
    best, *others = play["plans"]
    assert (best["behind"], best["behind_interval"], best["changes"]) == (0.0, [0.0, 0.0], [])
    assert all(plan["wins"] == pytest.approx(best["wins"] - plan["behind"]) for plan in others)
    assert_names(done(*words).stdout, "tower mid", *best["cards"].values(), "the plan made")
    plan = ",".join(f"{box}={card}" for box, card in best["cards"].items())
    own = document(*words, "--plan", plan)
    assert (own["judged"], own["plays"][0]["judged"]["behind"]) == ("yours", 0.0)


@pytest.mark.slow
@plays_out
def test_a_step_that_is_no_plan_is_advised_on_as_plans_are(game):
    step = next(number for number, line in enumerate(wallsim.trace(game, 7)) if line["t"] == "order")
    words = ("advise", game, "--game", 7, "--step", step, *QUICK)
    answer = document(*words)
    assert (answer["kind"], answer["season"], answer["judged"]) == ("place", "spring 1", "made")
    [play] = answer["plays"]
    best, *others = play["plans"]
    assert (best["behind"], play["tables"], play["tried"], len(others)) == (0.0, 30, 5, 3)
    assert set(best["cards"]) == {"place", "tile"}
    assert_names(done(*words).stdout, *answer["facts"], "the place made")
    own = document(*words, "--choice", best["cards"]["tile"])
    assert (own["judged"], own["plays"][0]["judged"]["behind"]) == ("yours", 0.0)
    assert_names(refusal(*words, "--choice", 6), "--choice: '6'", "1, 2, 3, 4, 5")
    assert_names(refusal(*words, "--plan", "bid=1"), "--plan", "'place'")


@pytest.mark.own_code
@plays_out
def test_a_position_is_asked_by_the_letter_of_its_seat():
    answer = document("advise", POSITION, "--seat", "B", *QUICK)
    assert (answer["season"], answer["seat"], answer["judged"]) == ("summer 1", 1, None)
    assert answer["drawn"] == ["the open actions", "the open tiles"]
    assert set(answer["events"]) == {"trading_post_calms_7", "palace_guard_2", "palace_guard_6"}


@pytest.mark.parametrize(("step", "kind"), [(0, "game"), (1, "deal")])
def test_a_step_without_a_decision_is_refused(game, step, kind):
    assert_names(refusal("advise", game, "--step", step), f"--step: {step}", f"'{kind}'", "plans")


def test_python_names_the_parameter_where_the_command_names_its_option(game):
    with refused("tables: 1", "from 2") as caught:
        wallsim.advise(game, tables=1)
    assert not str(caught.value).startswith("--")
