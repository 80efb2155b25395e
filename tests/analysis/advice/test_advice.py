"""Advice of every kind: a choice is not worse than itself, what is hidden has no influence; sound plans come first."""

from dataclasses import replace

import numpy as np
import pytest

from tests.naive.rng import JIT
from tests.refusals import refused
from wallsim.analysis.advice.advice import advise_on, plays_named
from wallsim.analysis.advice.decision import ATTACK, CLAIM, PLACE, PLAN
from wallsim.analysis.advice.from_game import decision_of_season, decision_of_step
from wallsim.analysis.advice.from_position import decision_of_state
from wallsim.analysis.advice.options import AdviceOptions
from wallsim.analysis.advice.plan_text import effect_of, words_of
from wallsim.analysis.advice.tables import CHOOSING, JUDGING, Tables
from wallsim.analysis.advice.trials import Trials, behind, best_first
from wallsim.api.trace import trace
from wallsim.experiment.experiment import Experiment
from wallsim.policies.catalogue import load_policy
from wallsim.rules import terms
from wallsim.rules.tower import load_tower
from wallsim.stats.intervals import Confidence

pytestmark = [pytest.mark.own_code, pytest.mark.skipif(not JIT, reason="thousands of playouts")]
GAME = Experiment(players=4, policies="balanced", seed=3, games=1000)
DRAFT = Experiment(players=3, policies="balanced", seed=5, games=1000, setup="draft")
QUICK = AdviceOptions(plays=("middling",), policy="balanced", tables=40, workers=2)
BALANCED = load_policy("balanced")


def lines_of(experiment, game, kind):
    """The numbers and lines of a game's trace that are decisions of a kind."""
    found = []
    for number, line in enumerate(trace(experiment, game)):
        name = {"deal": CLAIM, "recycle": CLAIM, "plan": PLAN, "order": PLACE}.get(line["t"])
        if line["t"] == "action" and line["action"].startswith("combat") and line["done"]:
            name = ATTACK
        found += [(number, line)] if name == kind else []
    return found


def decision_in(experiment, game, kind, place, seat=None):
    numbers = [number for number, _ in lines_of(experiment, game, kind)]
    return decision_of_step(experiment, game, numbers[place % len(numbers)], seat)


EXAMPLES = {CLAIM: (DRAFT, 2, 7), PLAN: (GAME, 2, -3), PLACE: (GAME, 2, 3), ATTACK: (GAME, 2, 9)}


def example_of(kind):
    experiment, game, place = EXAMPLES[kind]
    return decision_in(experiment, game, kind, place)


def quick(decision, **options):
    return advise_on(decision, replace(QUICK, **options))


@pytest.fixture(params=EXAMPLES)
def decision(request):
    return example_of(request.param)


def tables_of(decision, seed=1, workers=1):
    return Tables(decision, [BALANCED], load_tower("spielbyweb"), seed, workers)


def results_of(tables, choices, purpose, first, count, margin=0.01):
    return tables.results(choices, tables.rivals(BALANCED), purpose, first, count, margin)


def test_the_best_choice_is_asked_about_and_is_exactly_as_good_as_itself(decision):
    first = quick(decision)
    again = quick(decision, **{"plan" if decision.kind == PLAN else "choice": first.best.cards})
    judged = again.answers[0].judged
    assert (judged.behind, judged.behind_interval, judged.changes) == (0.0, (0.0, 0.0), ())
    assert again.best == first.best
    assert (first.judged, again.judged) == ("made", "yours")
    assert first.kind == decision.kind
    assert first.answers[0].tables == QUICK.tables
    assert decision.kind == PLAN or first.answers[0].tried == len(decision.choices)
    assert len(first.alternatives) == min(3, first.answers[0].tried - 1)


def test_workers_do_not_change_advice_and_a_seed_does(decision):
    one, two = (quick(decision, workers=workers) for workers in (1, 2))
    assert one.answers == two.answers
    assert quick(decision, seed=2).answers != one.answers


def hide(game, kind, seat):
    """Change all of a table that the seat cannot know."""
    game.random[:] += np.uint64(99)
    game.key += np.uint64(7)
    if kind == CLAIM:
        game.deck[game.deck_top : game.deck_end] = game.deck[game.deck_top : game.deck_end][::-1]
        game.event_deck[:] = game.event_deck[::-1]
        return
    known = game.actions_done + terms.SHOWN_ACTIONS
    game.action_order[known:] = game.action_order[known:][::-1]
    game.event_deck[terms.EVENTS_PER_YEAR :] = game.event_deck[terms.EVENTS_PER_YEAR :][::-1]
    shown = [terms.AUCTION, *game.action_order[: game.actions_done + 1]] if kind == ATTACK else [terms.AUCTION]
    closed = np.array([box for box in range(terms.AUCTION + 1) if box not in shown])
    for other in range(4):
        if other != seat:
            game.card[other, closed] = game.card[other, closed][::-1]


def test_what_lies_hidden_does_not_matter(decision):
    if decision.kind == PLAN:
        decision = decision_of_season(GAME, 2, "spring 1", 1)  # when most is hidden
    tables = tables_of(decision)
    choices = tables.plans(4) if decision.kind == PLAN else decision.choices
    results = results_of(tables, choices, 1, 0, 40)
    before, now = decision.before, decision.game.copy()
    hide(now[0], decision.kind, decision.seat)
    if before is not None:
        before = before.copy()
        hide(before[0], PLACE, decision.seat)
    again = tables_of(replace(decision, before=before, game=now))
    assert np.array_equal(results, results_of(again, choices, 1, 0, 40))
    assert not np.array_equal(results[:20], results[20:])


def spoiled(decision, plan):
    """A plan that builds and taxes nothing, and has any county on the other boxes."""
    made = np.full_like(plan, terms.NO_CARD)
    for value, box in enumerate((terms.AUCTION, terms.PALACE, terms.CHURCH, terms.TRADING_POST, terms.TAXES)):
        made[box] = terms.MONEY + value
    others = [terms.DEPLOY1, terms.COMBAT_B, terms.COMBAT_A, terms.GRAIN, terms.DEPLOY3, terms.DEPLOY5]
    made[others[: len(decision.counties)]] = decision.counties[: len(others)]
    return made


def rank_of_sound(number):
    """Whether the policy's plan comes before a spoiled one in position `number`."""
    game, place = divmod(number, len(terms.ROUND_NAMES))
    decision = decision_of_season(GAME, game, terms.ROUND_NAMES[place], game % 4)
    tables = tables_of(decision, seed=number)
    plans = np.array([spoiled(decision, tables.plans(1)[0]), tables.plans(1)[0]])
    return best_first(results_of(tables, plans, CHOOSING, 0, 300, 0.01))[0] == 1


def test_a_sound_plan_comes_before_a_spoiled_one():
    assert sum(map(rank_of_sound, (0, 7, 14))) == 3


@pytest.mark.nightly
@pytest.mark.slow
def test_a_sound_plan_comes_before_a_spoiled_one_in_95_of_100_positions():
    assert sum(map(rank_of_sound, range(100))) >= 95


def test_more_tables_are_further_tables_and_judging_uses_others_than_choosing():
    decision = decision_of_season(GAME, 2, "summer 2", 1)
    tables = tables_of(decision)
    plans = tables.plans(3)
    whole = results_of(tables, plans, CHOOSING, 0, 50, 0.0)
    assert np.array_equal(whole[30:], results_of(tables, plans, CHOOSING, 30, 20, 0.0))
    assert not np.array_equal(whole, results_of(tables, plans, JUDGING, 0, 50, 0.0))


@pytest.mark.parametrize("place", [0, 1, 3, 4])
def test_a_state_with_what_lies_open_is_the_table_of_the_game(place):
    """All that a plan's result depends on can be written down."""
    state = trace(GAME, 2).states()[place]
    decision = decision_of_season(GAME, 2, terms.ROUND_NAMES[(place + 1) - (place >= 3)], 1)
    assert place == 3 or set(state.events) == set(decision.open_events())
    state = replace(state, events=decision.open_events())
    written = decision_of_state(
        state, AdviceOptions(seat=1, actions=decision.open_actions(), tiles=decision.open_tiles())
    )
    assert written.season == decision.season
    assert written.drawn == ()
    written.game[0].used_event[0] = decision.game[0].used_event[0]  # which a state does not say
    tables = tables_of(decision)
    plans = tables.plans(4)
    from_state = tables_of(written)
    assert [effect_of(plan) for plan in from_state.plans(4)] == [effect_of(plan) for plan in plans]
    assert np.array_equal(results_of(tables, plans, 1, 0, 20, 0.01), results_of(from_state, plans, 1, 0, 20, 0.01))


def test_what_a_state_does_not_say_is_drawn_and_said():
    state = trace(GAME, 2).states()[0]
    decision = decision_of_state(replace(state, events=state.events[:1]), AdviceOptions())
    assert [drawn.split()[-1] for drawn in decision.drawn] == ["events", "actions", "tiles"]
    assert "2 of the 3" in decision.drawn[0]
    assert decision.open_events()[0] == state.events[0]
    assert len(set(decision.open_events())) == 3


@pytest.mark.parametrize(
    ("change", "options", "names"),
    [
        ({"after": "fall 1"}, {}, ("winter", "fall 1")),
        ({}, {"actions": ["palace"]}, ("actions", "5 different")),
        ({}, {"actions": ["palaces"] * 5}, ("'palaces'", "palace")),
        ({}, {"tiles": ["grain"] * 5}, ("tiles", "5 different")),
        ({}, {"seat": 4}, ("seat: 4", "0 to 3")),
        ({"changed": ["A7"]}, {}, ("A7",)),
        ({"expansions": ("court",), "hall": [0] * 4}, {}, ("court",)),
    ],
)
def test_states_and_cards_that_cannot_be_are_refused(change, options, names):
    with refused(*names):
        decision_of_state(replace(trace(GAME, 2).states()[0], **change), AdviceOptions(**options))


def test_the_strongest_play_comes_first_and_unknown_ones_are_refused():
    assert [play.policy for play in plays_named([], 3)][:2] == ["master-3p", "scholar-3p"]
    assert [play.name for play in plays_named(["casual", "strong"], 4)] == ["casual", "strong"]
    for names, words in ((["stronk"], ("'stronk'", "strong")), (["weak", "weak"], ("weak", "twice"))):
        with refused(*words):
            plays_named(names, 4)


@pytest.mark.slow
def test_intervals_cover_what_fresh_tables_say():
    """The difference on 6,000 further tables lies in at least 90 % of 60 intervals of 400 tables, nominally 95 %."""
    inside = 0
    for number in range(60):
        decision = decision_of_season(GAME, number, terms.ROUND_NAMES[number % 6], number % 4)
        tables = tables_of(decision, workers=2)
        plans = tables.plans(8)[:2]
        trials = Trials(tables, BALANCED)
        trials.judge(plans)
        trials.look(400)
        again = results_of(tables, plans, JUDGING, 400, 6000, 0.0)
        here, there = (behind(each, 1, Confidence()) for each in (trials.results, again))
        halves = [(each[1][1] - each[1][0]) / 2 if each[1] else 0.0 for each in (here, there)]
        inside += abs(here[0] - there[0]) <= np.hypot(*halves)  # both are estimates
        assert words_of(decision, plans[0])
    assert inside >= 54
