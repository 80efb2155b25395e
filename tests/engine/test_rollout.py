"""Search: it looks at nothing that is hidden, remembers nothing, and plans the better for it (B3.5)."""

import random
from dataclasses import replace

import numpy as np
import pytest

from tests.naive.making import BOARD, USUAL
from tests.naive.rng import JIT
from tests.naive.table import read_table
from tests.policies.hiding import (
    SECRETS,
    change_favor_deck,
    change_favors_to_come,
    change_floors,
    change_minds,
    change_name,
)
from tests.policies.searching import EVERYWHERE, FAST, QUICK, ROUNDS, VALUED, Seen, arena, searcher, table_label
from tests.policies.seating import box_names, card_name, plan_errors
from wallsim.policies import decide
from wallsim.policies.catalogue import load_policy
from wallsim.policies.weights import NOISE, TEMPERATURE
from wallsim.rules.ruleset import Ruleset
from wallsim.rules.terms import WINTER
from wallsim.state.random import SEAT

pytestmark = [pytest.mark.skipif(not JIT, reason="a search is machine code"), pytest.mark.slow]
everywhere = pytest.mark.parametrize(("rules", "tower"), EVERYWHERE, ids=table_label)
searches = pytest.mark.parametrize(
    "search", [QUICK, VALUED, FAST], ids=["to the end", "to the end of the round", "fast"]
)
BALANCED = load_policy("balanced")
EARLY = {"first_look": 1, "patience": 0.5}


def on_the_table(change):
    """A secret of the game alone as one of all that is seen."""

    def changed(seen, rng, seat):
        change(seen.game, rng, seat)

    changed.__name__ = change.__name__
    return changed


HIDDEN = [
    *(on_the_table(change) for change in SECRETS if change is not change_favor_deck),
    change_favors_to_come,
    change_floors,
    change_minds,
    change_name,
]


def planned(seen, seat, change=None, rng=None):
    """What a seat plans from the same state and the same stream, with something changed."""
    saved = seen.keep()
    if change is not None:
        change(seen, rng, seat)
    found = seen.plan(seat)
    seen.restore(saved)
    return found


@pytest.mark.one_in(8)
@searches
@everywhere
def test_a_searched_plan_does_not_change_with_what_is_hidden(rules, tower, search):  # B2.1 B2.3 B3.5 E2
    rng = random.Random(5)
    for season in (1, 4):
        seen = Seen(rules, tower, season, policy=searcher(search))
        for seat in seen.seats:
            first = planned(seen, seat)
            for change in HIDDEN:
                assert planned(seen, seat, change, rng) == first, change.__name__


def test_what_is_hidden_does_change_in_these_tests():
    rules, tower = EVERYWHERE[2]
    for change in HIDDEN:
        seen, rng = Seen(rules, tower, 4), random.Random(5)
        before = [part.tobytes() for part in seen.keep()]
        change(seen, rng, 1)
        assert [part.tobytes() for part in seen.keep()] != before, change.__name__


OPEN = {
    "action cards": lambda game: game.action_order[:5].__setitem__(slice(None), game.action_order[:5][::-1].copy()),
    "tiles": lambda game: game.tile_on_box.__setitem__(slice(None), game.tile_on_box[::-1].copy()),
    "Thalers": lambda game: game.thalers.__setitem__(slice(None), 40),
    "points": lambda game: game.vp.__setitem__(slice(1, None), 90),
    "armies": lambda game: game.army.__setitem__(slice(None), game.army + 3),
    "the own stream": lambda game: game.random.__setitem__(slice(SEAT, None), 77),
}


@pytest.mark.one_in(5)
@pytest.mark.parametrize("what", OPEN)
def test_a_searched_plan_does_change_with_what_lies_open(what):
    """The tests above would be empty if plans never changed."""
    changed = 0
    for number in range(4):
        for season in ROUNDS:
            seen = Seen(Ruleset(players=3), USUAL, season, number, searcher(QUICK if number % 2 else VALUED))
            for seat in seen.seats:
                changed += planned(seen, seat, lambda seen, *_: OPEN[what](seen.game)) != planned(seen, seat)
    assert changed > 5


OF_A_MIND = ("kind", "weight", "phase_weight", "custom", "custom_answer", "checked", "search", "scratch", "advice")


@pytest.mark.one_in(5)
@searches
@everywhere
def test_a_searched_plan_is_legal_and_changes_nothing_but_the_own_stream(
    rules, tower, search
):  # B2.3 B3.1 B3.2 B3.4 E3 V1
    for season in ROUNDS:
        seen = Seen(rules, tower, season, policy=searcher(search))
        table = read_table(seen.game, BOARD, rules)
        for seat in seen.seats:
            before, others = seen.game.copy(), [seen.players.seat[s].tobytes() for s in seen.seats if s != seat]
            mind = seen.players.seat[seat]
            mind.weight[:] = mind.phase_weight[season - season // (WINTER + 1)]  # those of the round in play
            kept = {name: mind[name].copy() for name in OF_A_MIND}
            cards = dict(zip(box_names(rules), map(card_name, seen.plan(seat)), strict=True))
            assert plan_errors(table, seat, cards) == []
            assert before.random[SEAT + seat] != seen.game.random[SEAT + seat]
            before.random[SEAT + seat] = seen.game.random[SEAT + seat]
            assert before.tobytes() == seen.game.tobytes()
            assert others == [seen.players.seat[s].tobytes() for s in seen.seats if s != seat]
            assert all((mind[name] == value).all() for name, value in kept.items())


@pytest.mark.one_in(5)
@searches
@everywhere
def test_a_search_remembers_nothing(rules, tower, search):
    """The same plan from the same state, on a spoilt trial table, and after other games and other seats' searches."""
    seen, other = Seen(rules, tower, 4, policy=searcher(search)), Seen(*EVERYWHERE[0], 5, number=3)
    first = [planned(seen, seat) for seat in seen.seats]
    assert [planned(seen, seat) for seat in reversed(seen.seats)] == first[::-1]
    for junk in (0, 3, 255):
        seen.trials.view(np.uint8)[:] = junk
        assert planned(seen, 1) == first[1]
    for seat in other.seats:
        other.players.seat[seat].scratch = seen.trials.ctypes.data
        other.plan(seat)
    assert [planned(seen, seat) for seat in seen.seats] == first


@everywhere
def test_without_errors_the_others_plan_on_every_table_as_they_would_on_that_table_alone(rules, tower):
    seen = Seen(rules, tower, 4, policy=searcher(FAST, rivals="own", candidates=()))
    seen.plan(1)
    alone = seen.players.copy()
    mind = alone.seat[1]
    mind.custom, mind.custom_answer[:] = 0, 0
    mind.phase_weight[:, [NOISE, TEMPERATURE]] = 0.0
    for number in range(FAST.tables):
        table, ready = seen.trials[0].dealt[number].copy(), seen.trials[0].ready[number]
        for other in set(seen.seats) - {1}:
            decide.choose_plan(table, seen.rules, mind, other)
            assert mind.plan.tolist() == ready.seat[other].plan.tolist()
            assert mind.thaler == ready.seat[other].thaler
            assert (mind.weight == ready.seat[other].weight).all()


@everywhere
def test_each_seat_plans_by_the_weights_of_a_candidate_of_its_own_on_each_table(rules, tower):
    seen = Seen(rules, tower, 4, policy=searcher(FAST, tables=16, playouts=64))
    seen.plan(0)
    alone, rivals = seen.players.copy(), sorted(set(seen.seats) - {0})
    mind = alone.seat[0]
    mind.custom, mind.custom_answer[:] = 0, 0
    drawn = []
    for number in range(16):
        table, ready = seen.trials[0].dealt[number].copy(), seen.trials[0].ready[number]
        for other in rivals:
            mind.phase_weight[:] = ready.seat[other].weight
            mind.phase_weight[:, [NOISE, TEMPERATURE]] = 0.0
            decide.choose_plan(table, seen.rules, mind, other)
            assert mind.plan.tolist() == ready.seat[other].plan.tolist()
        drawn.append([ready.seat[other].weight.tobytes() for other in rivals])
    assert len({weights for table in drawn for weights in table}) > 1
    assert any(len(set(table)) > 1 for table in drawn)  # rivals at one table are not taken to be alike


@searches
@everywhere
def test_a_game_of_searchers_is_the_same_alone_in_a_batch_and_traced(rules, tower, search):
    table = arena(rules, *[searcher(search) if seat % 2 else BALANCED for seat in range(rules.players)], tower=tower)
    whole = table.play(2, 3, seasons=True)
    parts = [table.play(2 + number, 1, seasons=True) for number in (2, 0, 1)]
    for name in ("games", "seats", "seasons"):
        alone = np.concatenate([getattr(parts[place], name)[:, 1:] for place in (1, 2, 0)])
        assert (alone == getattr(whole, name)[:, 1:]).all()
    log = table.trace(3)
    assert [read_table(snapshot, BOARD, rules).errors() for snapshot in log.snapshots] == [[]] * 9
    columns = slice(rules.players, 2 * rules.players)
    assert log.snapshots[-1].vp[: rules.players].tolist() == whole.seats[columns, 6].tolist()


def test_in_the_second_year_both_depths_are_the_same_and_in_the_first_they_are_not():
    same = {False: [], True: []}
    for season in ROUNDS:
        for number in range(3):
            seen = Seen(*EVERYWHERE[0], season, number)
            game = [planned(seen, seat) for seat in seen.seats]
            seen.policy(searcher(depth="year"))
            same[season >= 4].append([planned(seen, seat) for seat in seen.seats] == game)
    assert all(same[True])
    assert not all(same[False])


def test_the_plan_that_is_chosen_did_better_than_that_of_the_weights_on_the_same_tables():
    better = 0
    for seat in range(4):
        search = searcher(VALUED, width=16, playouts=640, tables=24, exchanges=60, spread=4.0)
        seen = Seen(*EVERYWHERE[3], 4, policy=search)
        chosen, trial = seen.plan(seat), seen.trials[0]
        plans = [tuple(plan[: len(chosen)]) for plan in trial.plan.tolist()]
        assert len(set(plans[:40])) == 40
        place = plans.index(tuple(chosen))
        lead = trial.result[place, :24].sum() - trial.result[0, :24].sum()
        assert lead >= 0.0
        better += lead > 0.0
    assert better >= 3


def test_plans_that_join_are_mixtures_of_good_ones_and_legal():  # B3.2
    """Every exchange changes one card, or swaps two, of a plan that is known."""
    rules, tower = EVERYWHERE[1]
    seen = Seen(rules, tower, 4, policy=searcher(VALUED, width=8, exchanges=20, playouts=300))
    table = read_table(seen.game, BOARD, rules)
    for seat in seen.seats:
        seen.trials["plan"][:] = -2
        seen.trials["result"][:] = np.nan
        seen.plan(seat)
        raced = ~np.isnan(seen.trials["result"][0]).all(axis=1)  # a row may hold an exchange that led nowhere
        plans = [tuple(plan) for plan in seen.trials["plan"][0][raced].tolist()]
        assert len(set(plans)) == len(plans) > 8
        for number, plan in enumerate(plans):
            cards = dict(zip(box_names(rules), map(card_name, plan), strict=False))
            assert plan_errors(table, seat, cards) == []
            if number >= 8:
                changed = min(sum(a != b for a, b in zip(plan, other, strict=True)) for other in plans[:number])
                assert changed in (1, 2)


def tables_tried(search):
    """On how many tables each plan of four searches was tried, but for the one at which the playouts ran out."""
    tried = []
    for seat in range(4):
        seen = Seen(*EVERYWHERE[3], 4, policy=searcher(search))
        seen.trials["result"][:] = np.nan
        seen.plan(seat)
        counts = (~np.isnan(seen.trials["result"][0])).sum(axis=1)
        tried += [int(count) for count in counts if count][:-1]
    return tried


def test_a_plan_that_is_behind_is_dropped_sooner_with_an_earlier_first_look_and_less_patience():
    search = replace(VALUED, width=16, playouts=320, tables=16, exchanges=100)
    default, early, hasty = (tables_tried(replace(search, **more)) for more in ({}, EARLY, {**EARLY, "patience": 0.0}))
    assert min(default) == 4
    assert min(early) == min(hasty) == 1
    assert np.mean(hasty) < np.mean(early) < np.mean(default)


def test_casts_by_action_are_other_casts_and_the_same_each_time():
    chosen = []
    for casts in ("in turn", "by action", "by action"):
        seen = [Seen(*EVERYWHERE[3], season, policy=searcher(VALUED, casts=casts)) for season in ROUNDS]
        chosen.append([(each.plan(0), each.trials[0].result[0, :6].tolist()) for each in seen])
    assert chosen[0] != chosen[1] == chosen[2]
