"""Plans as text: what is read, what is refused by the rules, and which differences matter."""

from dataclasses import replace

import numpy as np
import pytest

from tests.refusals import refused
from wallsim.analysis.advice.choice_text import changes
from wallsim.analysis.advice.from_game import decision_of_season
from wallsim.analysis.advice.plan_text import effect_of, read_plan, words_of
from wallsim.analysis.advice.steps import step_of
from wallsim.api.trace import trace
from wallsim.experiment.experiment import Experiment
from wallsim.rules.terms import ACTIONS, AUCTION, MONEY, ROUND_NAMES

GAME = Experiment(players=4, policies="balanced", seed=3, games=3)


@pytest.fixture(scope="module")
def decision():
    return decision_of_season(GAME, 2, "summer 1", 1)


def own(decision):
    return [decision.board.counties[county] for county in decision.counties]


def foreign(decision):
    return next(name for name in decision.board.counties if name not in own(decision))


def test_a_plan_is_read_as_it_is_written(decision):
    words = words_of(decision, decision.made)
    again = read_plan(decision, ", ".join(f"{box}={card}" for box, card in words.items()))
    assert effect_of(again) == effect_of(decision.made)
    assert effect_of(read_plan(decision, words)) == effect_of(decision.made)
    assert changes(decision, decision.made, again) == ()


def test_boxes_that_are_not_named_get_money_and_the_bid_nothing(decision):
    """B3.2: no box stays empty while there are cards."""
    counties = own(decision)
    named = dict(zip(ACTIONS[4:], counties, strict=False))
    plan = read_plan(decision, named)
    assert plan[AUCTION] == MONEY
    assert sorted(plan[:4]) == [MONEY + value for value in (1, 2, 3, 4)]
    assert [words_of(decision, plan)[box] for box in named] == list(named.values())


def test_the_value_of_money_on_an_action_and_the_county_of_a_bid_do_not_matter(decision):
    plan = read_plan(decision, {**dict(zip(ACTIONS[4:], own(decision), strict=False)), "bid": "county"})
    other = plan.copy()
    money = [box for box in range(AUCTION) if plan[box] >= MONEY]
    other[money] = plan[money][::-1]
    assert effect_of(other) == effect_of(plan)
    assert not np.array_equal(other, plan)


@pytest.mark.parametrize(
    ("plan", "names"),
    [
        ("palace=Paris", ("palace: 'Paris'",)),
        ("palace={1}", ("palace: ", "seat 1")),
        ("palce=Tirol", ("palce", "palace")),
        ("palace", ("BOX=CARD",)),
        ("palace=pass, palace=pass", ("each box once",)),
        ("palace={0}, church={0}", ("more than one box",)),
        ("bid=9", ("bid: '9'",)),
        ("palace=3", ("palace: '3'",)),
        ("palace={0}", ("name counties for",)),
        (7, ("int",)),
    ],
)
def test_what_the_rules_do_not_allow_is_refused(decision, plan, names):
    """B3.1, B3.2: a card lies on one box, and no box stays empty while there are cards."""
    with refused(*names):
        read_plan(decision, plan.format(own(decision)[0], foreign(decision)) if isinstance(plan, str) else plan)


def test_a_bid_of_more_than_is_held_is_refused(decision):
    """B3.4, A4."""
    table = decision.game.copy()
    table[0].thalers[1] = 1
    with refused("bid: 2", "1 Thalers"):
        read_plan(replace(decision, game=table), {**dict(zip(ACTIONS, own(decision), strict=False)), "bid": "2"})


def test_the_plan_made_is_that_of_the_trace_and_a_step_names_it():
    for step, line in enumerate(trace(GAME, 1)):
        if line["t"] == "plan" and line["seat"] == 2:
            found = step_of(GAME, 1, step)
            planned = decision_of_season(GAME, 1, found.season, found.seat)
            words = words_of(planned, planned.made)
            laid = {box: card for box, card in line["boxes"].items() if card.startswith("county:")}
            assert laid == {box: f"county:{words[box]}" for box in ACTIONS if words[box] != "pass"}
    with refused("winter 1", ROUND_NAMES[0]):
        decision_of_season(GAME, 1, "winter 1", 0)
