"""Dealing again what is hidden: every order about equally likely, and what is seen stays (B1.8, B2.1, E2)."""

from collections import Counter

import numpy as np
import pytest
from scipy.stats import hypergeom

from tests.naive.rng import JIT, chi_square_z, many_draws
from tests.policies.searching import EVERYWHERE, ROUNDS, Seen, table_label
from wallsim.engine.hidden import deal_hidden
from wallsim.policies.catalogue import load_policy
from wallsim.rules.terms import COLOURS, EVENT_CARDS, FAVORS, SHOWN_FAVORS
from wallsim.state.game import GAME
from wallsim.state.random import CARDS, TOWER, key_streams

pytestmark = pytest.mark.skipif(not JIT, reason="tables of real games are played by machine code")
everywhere = pytest.mark.parametrize(("rules", "tower"), EVERYWHERE, ids=table_label)
FAR = 4.5  # standard errors; seeds are fixed
DEALT = ("action_order", "event_deck", "shown_event", "favor_deck", "floor", "random", "key")


def seen_at(rules, tower, season, number=0):
    """A table at the moment of planning."""
    return Seen(rules, tower, season, number, load_policy("balanced"))


def deals(seen, count):
    """The table dealt again so many times, each time from the table as it is; the same record again and again."""
    saved = seen.keep()
    for number in range(count):
        seen.restore(saved)
        seen.game.key = 1000 + number
        key_streams(seen.game, 1)
        deal_hidden(seen.game, seen.rules)
        yield seen.game


def favors_shown(season):
    """How many favors were shown up to a season, with those that lie open in it (E2)."""
    return SHOWN_FAVORS * (3 * (season // 4) + season % 4 + 1)


@everywhere
def test_what_lies_open_stays_and_nothing_is_lost(rules, tower):
    for season in ROUNDS:
        seen = seen_at(rules, tower, season)
        clean = seen.game.copy()
        first = favors_shown(season)
        shown = int(clean.shown_events)
        gone = set(clean.used_event[0, : season % 4].tolist()) | set(clean.shown_event[:shown].tolist())
        for game in deals(seen, 20):
            for name in GAME.names:
                if name not in DEALT:
                    assert (game[name] == clean[name]).all(), name
            assert game.action_order[:5].tolist() == clean.action_order[:5].tolist()
            assert sorted(game.action_order) == list(range(10))
            assert sorted(game.shown_event[:shown]) == sorted(clean.shown_event[:shown])
            assert game.favor_deck[:first].tolist() == clean.favor_deck[:first].tolist()
            assert sorted(game.favor_deck) == sorted(clean.favor_deck)
            if season < 4:
                assert set(game.event_deck[4:].tolist()) == set(range(EVENT_CARDS)) - gone
            else:
                assert (game.event_deck == clean.event_deck).all()
            if seen.rules.floors:
                held = game.floor.sum(axis=1)
                assert (held[: int(seen.rules.floors)] <= seen.rules.cells[: int(seen.rules.floors)]).all()
                assert game.floor.sum(axis=0).tolist() == game.tower.tolist()
            else:
                assert (game.floor == clean.floor).all()


@pytest.mark.parametrize("done", [0, 1, 3, 5, 8])
def test_after_each_of_the_first_five_actions_one_more_card_is_known(done):  # B2.1
    seen = seen_at(*EVERYWHERE[0], 1)
    clean, known = seen.game.action_order.tolist(), min(10, 5 + done)
    seen.game.actions_done = done
    orders = [game.action_order.tolist() for game in deals(seen, 40)]
    assert {tuple(order[:known]) for order in orders} == {tuple(clean[:known])}
    assert {tuple(sorted(order)) for order in orders} == {tuple(range(10))}
    assert (len({tuple(order) for order in orders}) > 1) == (known < 9)


def uniform_pairs(pairs, members):
    """How far ordered pairs of different members are from being equally likely, in standard errors."""
    counts = Counter(pairs)
    assert set(counts) <= {(a, b) for a in members for b in members if a != b}
    return chi_square_z([counts[a, b] for a in members for b in members if a != b])


def test_every_order_of_the_hidden_action_cards_is_equally_likely():  # B2.1
    counts = Counter(tuple(game.action_order[5:].tolist()) for game in deals(seen_at(*EVERYWHERE[0], 1), 2400))
    assert len(counts) == 120
    assert abs(chi_square_z(list(counts.values()))) < FAR


@many_draws
@pytest.mark.parametrize(
    ("deck", "season"), [*(("event_deck", season) for season in (0, 1, 2)), *(("favor_deck", s) for s in (0, 4, 5))]
)
def test_every_event_not_seen_may_come_next_year_and_every_favor_not_shown_next(deck, season):  # B1.8 E2
    seen = seen_at(*EVERYWHERE[1 if deck == "event_deck" else 3], season)
    game, first = seen.game, 4
    if deck == "event_deck":
        gone = set(game.used_event[0, :season].tolist()) | set(game.shown_event[: int(game.shown_events)].tolist())
        hidden = set(range(EVENT_CARDS)) - gone
    else:
        first = favors_shown(season)
        hidden = set(game.favor_deck[first:].tolist())
    coming = [tuple(dealt[deck][[first, first + 1]].tolist()) for dealt in deals(seen, 20 * len(hidden) ** 2)]
    assert abs(uniform_pairs(coming, hidden)) < FAR


@many_draws
@pytest.mark.parametrize("place", [2, 3])
def test_every_free_cell_is_equally_likely_to_hold_a_cube(place):
    """Cubes of all colours, and those of the most frequent one, on each floor: hypergeometric."""
    seen = seen_at(*EVERYWHERE[place], 4)
    floors = int(seen.rules.floors)
    cells, inside = seen.rules.cells[:floors].astype(int), seen.game.tower.astype(int)
    colour = int(np.argmax(inside))
    result = np.array([game.floor[:floors].copy() for game in deals(seen, 4000)])
    assert inside[colour] > 1
    for floor in range(floors):
        for number, held in ((inside.sum(), result[:, floor].sum(axis=1)), (inside[colour], result[:, floor, colour])):
            distribution = hypergeom(cells.sum(), number, cells[floor])
            assert abs(held.mean() - distribution.mean()) < FAR * distribution.std() / np.sqrt(len(held))
            assert abs(held.var() / distribution.var() - 1.0) < FAR * np.sqrt(2.0 / len(held)) * 1.5


@everywhere
def test_a_deal_takes_its_luck_from_the_streams_of_cards_and_tower_alone(rules, tower):
    seen = seen_at(rules, tower, 2)
    for game in deals(seen, 5):
        moved = game.copy()
        key_streams(moved, 1)
        same = (moved.random == game.random).tolist()
        assert all(same[stream] for stream in range(len(same)) if stream not in (CARDS, TOWER))
        assert not same[CARDS]


@many_draws
def test_what_lay_hidden_leaves_no_trace():
    """The same luck deals the same table, whatever lay there."""
    for rules, tower in EVERYWHERE:
        seen = seen_at(rules, tower, 1)
        saved, clean, first = seen.keep(), seen.game.copy(), favors_shown(1)
        [dealt] = [game.copy() for game in deals(seen, 1)]
        seen.restore(saved)
        seen.game.action_order[5:] = clean.action_order[5:][::-1]
        seen.game.event_deck[4:] = clean.event_deck[4:][::-1]
        seen.game.favor_deck[first:FAVORS] = clean.favor_deck[first:][::-1]
        if seen.rules.floors:
            seen.game.floor[:] = 0
            seen.game.floor[0, :COLOURS] = clean.tower
        [again] = [game.copy() for game in deals(seen, 1)]
        assert again.tobytes() == dealt.tobytes()
