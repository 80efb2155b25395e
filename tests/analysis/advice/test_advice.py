"""Advice: the better plan comes first, a plan is not worse than itself, and nothing depends on workers."""

from dataclasses import replace

import numpy as np
import pytest

from tests.naive.rng import JIT
from wallsim.analysis.advice.advice import advise_on_plan
from wallsim.analysis.advice.moment import moment_of_game, moment_of_state
from wallsim.analysis.advice.plan_text import kept, words_of
from wallsim.analysis.advice.question import Effort, plays_named
from wallsim.analysis.advice.search import Chosen, Judged, behind, best_first
from wallsim.analysis.advice.tables import CHOOSING, JUDGING, Planner, Tables
from wallsim.api.trace import trace
from wallsim.errors import InputError
from wallsim.experiment.experiment import Experiment
from wallsim.policies.catalogue import load_policy
from wallsim.rules.terms import (
    AUCTION,
    CHURCH,
    COMBAT_A,
    COMBAT_B,
    DEPLOY1,
    DEPLOY3,
    DEPLOY5,
    GRAIN,
    MONEY,
    NO_CARD,
    PALACE,
    ROUND_NAMES,
    TAXES,
    TRADING_POST,
)
from wallsim.rules.tower import load_tower
from wallsim.stats.intervals import Confidence

pytestmark = [pytest.mark.own_code, pytest.mark.skipif(not JIT, reason="thousands of playouts")]
GAME = Experiment(players=4, policies="balanced", seed=3, games=1000)
QUICK = Effort(tables=40, workers=2)
PLAYS = ("middling",)


def quick(moment, **options):
    return advise_on_plan(moment, **{"plays": PLAYS, "policy": "balanced", "effort": QUICK, **options})


def tables_of(moment, seed=1, workers=1):
    planner = Planner(moment, [load_policy("balanced")], load_tower("spielbyweb"), seed)
    return planner, Tables(planner, load_policy("balanced"), workers, lambda games: None)


def spoiled(moment, plan):
    """A plan that builds and taxes nothing, and has any county on the other boxes."""
    made = np.full_like(plan, NO_CARD)
    made[[PALACE, CHURCH, TRADING_POST, TAXES]] = [MONEY + value for value in (1, 2, 3, 4)]
    made[AUCTION] = MONEY
    others = [DEPLOY1, COMBAT_B, COMBAT_A, GRAIN, DEPLOY3, DEPLOY5]
    made[others[: len(moment.counties)]] = moment.counties[: len(others)]
    return made


def rank_of_sound(number):
    """Whether the policy's plan comes before a spoiled one in position `number`."""
    game, place = divmod(number, len(ROUND_NAMES))
    moment = moment_of_game(GAME, game, ROUND_NAMES[place], game % 4)
    planner, tables = tables_of(moment, seed=number)
    plans = np.array([spoiled(moment, planner.plans(1)[0]), planner.plans(1)[0]])
    return best_first(tables.try_plans(plans, CHOOSING, 0, 300, 0.01))[0] == 1


def test_a_sound_plan_comes_before_a_spoiled_one():
    assert sum(map(rank_of_sound, (0, 7, 14))) == 3


@pytest.mark.slow
def test_a_sound_plan_comes_before_a_spoiled_one_in_95_of_100_positions():
    assert sum(map(rank_of_sound, range(100))) >= 95


def test_the_best_plan_is_asked_about_and_is_exactly_as_good_as_itself():
    moment = moment_of_game(GAME, 2, "fall 2", 1)
    first = quick(moment)
    again = quick(moment, plan=first.best.cards)
    assert again.answers[0].judged.behind == 0.0
    assert again.answers[0].judged.behind_interval == (0.0, 0.0)
    assert again.answers[0].judged.changes == ()
    assert again.best == first.best
    assert first.judged == "made"
    assert again.judged == "yours"
    assert len(first.alternatives) == 3
    assert first.answers[0].tables == QUICK.tables


def test_workers_do_not_change_advice_and_a_seed_does():
    moment = moment_of_game(GAME, 2, "fall 2", 1)
    one, two = (quick(moment, effort=replace(QUICK, workers=workers)) for workers in (1, 2))
    assert one.answers == two.answers
    assert quick(moment, seed=2).answers != one.answers


def test_more_tables_are_further_tables_and_judging_uses_others_than_choosing():
    moment = moment_of_game(GAME, 2, "summer 2", 1)
    planner, tables = tables_of(moment)
    plans = planner.plans(3)
    whole = tables.try_plans(plans, CHOOSING, 0, 50, 0.0)
    assert np.array_equal(whole[30:], tables.try_plans(plans, CHOOSING, 30, 20, 0.0))
    assert not np.array_equal(whole, tables.try_plans(plans, JUDGING, 0, 50, 0.0))


def test_what_lies_hidden_in_the_game_does_not_matter():
    moment = moment_of_game(GAME, 2, "spring 1", 1)
    planner, tables = tables_of(moment)
    plans = planner.plans(4)
    other = moment.game.copy()
    game = other[0]
    game.action_order[5:] = game.action_order[5:][::-1]
    game.event_deck[4:] = game.event_deck[4:][::-1]
    game.random[:] += np.uint64(99)
    game.key += np.uint64(7)
    _, again = tables_of(replace(moment, game=other))
    assert np.array_equal(tables.try_plans(plans, 1, 0, 20, 0.0), again.try_plans(plans, 1, 0, 20, 0.0))


@pytest.mark.parametrize("place", [0, 1, 3, 4])
def test_a_state_with_what_lies_open_is_the_table_of_the_game(place):
    """All that a plan's result depends on can be written down."""
    state = trace(GAME, 2).states()[place]
    moment = moment_of_game(GAME, 2, ROUND_NAMES[(place + 1) - (place >= 3)], 1)
    assert place == 3 or set(state.events) == set(moment.open_events())
    state = replace(state, events=moment.open_events())
    written = moment_of_state(state, 1, actions=moment.open_actions(), tiles=moment.open_tiles())
    assert written.season == moment.season
    assert written.drawn == ()
    written.game[0].used_event[0] = moment.game[0].used_event[0]  # which a state does not say
    planner, tables = tables_of(moment)
    plans = planner.plans(4)
    same, from_state = tables_of(written)
    assert [kept(plan) for plan in same.plans(4)] == [kept(plan) for plan in plans]
    assert np.array_equal(tables.try_plans(plans, 1, 0, 20, 0.01), from_state.try_plans(plans, 1, 0, 20, 0.01))


def test_what_a_state_does_not_say_is_drawn_and_said():
    state = trace(GAME, 2).states()[0]
    moment = moment_of_state(replace(state, events=state.events[:1]), 0)
    assert moment.drawn == ("2 of the 3 open events", "the open actions", "the open tiles")
    assert moment.open_events()[0] == state.events[0]
    assert len(set(moment.open_events())) == 3


def test_states_and_cards_that_cannot_be_are_refused():
    states = trace(GAME, 2).states()
    for state, options, message in (
        (states[2], {}, "winter follows fall 1"),
        (states[0], {"actions": ["palace"]}, "are not 5 different ones"),
        (states[0], {"actions": ["palaces"] * 5}, "did you mean palace"),
        (states[0], {"tiles": ["grain"] * 5}, "are not 5 different ones"),
        (replace(states[0], changed=["A7"]), {}, "does not say how A7 is changed"),
        (replace(states[0], expansions=("court",), hall=[0] * 4), {}, "does not say enough of court"),
    ):
        with pytest.raises(InputError, match=message):
            moment_of_state(state, 0, **options)
    with pytest.raises(InputError, match="seat: 4 is not a whole number from 0 to 3"):
        moment_of_state(states[0], 4)


def test_the_strongest_play_comes_first_and_unknown_ones_are_refused():
    assert [play.policy for play in plays_named([], 3)][:2] == ["expert-3p", "scholar-3p"]
    assert [play.name for play in plays_named(["casual", "strong"], 4)] == ["casual", "strong"]
    with pytest.raises(InputError, match="did you mean strong"):
        plays_named(["stronk"], 4)
    with pytest.raises(InputError, match="twice"):
        plays_named(["weak", "weak"], 4)


@pytest.mark.slow
def test_intervals_cover_what_fresh_tables_say():
    """The difference on 6,000 further tables lies in at least 90 % of 60 intervals of 400 tables, nominally 95 %."""
    inside = 0
    for number in range(60):
        moment = moment_of_game(GAME, number, ROUND_NAMES[number % 6], number % 4)
        planner, tables = tables_of(moment, workers=2)
        plans = planner.plans(8)[:2]
        judged = Judged(tables, Chosen(plans, 2), [])
        judged.look(400)
        again = tables.try_plans(plans, JUDGING, 400, 6000, 0.0)
        here, there = (behind(each, 1, Confidence()) for each in (judged.results, again))
        halves = [(each[1][1] - each[1][0]) / 2 if each[1] else 0.0 for each in (here, there)]
        inside += abs(here[0] - there[0]) <= np.hypot(*halves)  # both are estimates
        assert words_of(moment, plans[0])
    assert inside >= 54
