"""What `balanced` makes of positions: cards, bids, boxes, grain, events that may come (B2.4, B3, B4, B7)."""

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.naive.making import BOARD, tables
from tests.policies.seating import (
    BOX_NAMES,
    ask,
    begin_round,
    dice_of,
    draw,
    is_sorted,
    mind_of,
    plan,
    random_round,
    realm,
    weighted,
)
from wallsim.policies import decide
from wallsim.policies.catalogue import load_policy
from wallsim.policies.weights import WEIGHTS
from wallsim.rules.terms import EFFECTS, TILES

TWELVE = BOARD.counties[:12]
NOTHING = {weight.name: max(0.0, weight.low) for weight in WEIGHTS}
THUMBS = {name: load_policy("balanced").weights[name] for name in ("neutral", "rival", "tile", "spare_grain", "credit")}
BIDS = (0, "county", 1, 2, 3, 4)  # the later the sooner to choose (B4.2)


def nothing_but(**weights):
    """Weights for which nothing else is worth anything; many Thalers can be spent, and rules of thumb are usual."""
    return {**NOTHING, **THUMBS, "spending": 20.0, **weights}


def alone(counties=TWELVE, thalers=15, grain=18, armies=2, players=4, weights=None):
    """Seat 0 with some counties and nobody else on the board."""
    scene = realm(*counties, armies=armies, players=players, weights=weights)
    scene.table.players[0].thalers, scene.table.players[0].grain = thalers, grain
    return scene


def mark(scene, *counties, markers=3):
    """Put revolt markers into counties."""
    for name in counties:
        scene.table.land[name].markers = markers
        scene.table.markers_left -= markers


# --------------------------------------------------------------------------------------------- forced cards


@given(tables(), dice_of)
def test_no_exchange_of_two_cards_makes_a_plan_better(table, rng):  # B3.2
    scene = random_round(table, rng, weighted())
    for seat in table.players:
        cards, mind = plan(scene, seat), mind_of(scene, seat)
        own = len(table.counties_of(seat))
        if own < 6:
            continue  # else a card lies on every box and none is left over
        names = [BOARD.counties[card] for card in mind.hand[:own]] + list(range(5))
        worth = np.array(mind.value[:11, : len(names)])
        chosen = [names.index(cards[box]) for box in BOX_NAMES]
        for box, card in enumerate(chosen):
            for other in range(len(names)):
                gain = worth[box, other] - worth[box, card]
                if other in chosen:
                    place = chosen.index(other)
                    gain += worth[place, card] - worth[place, other]
                assert gain < 5e-6


# -------------------------------------------------------------------------------------------- bids and boxes


def bid(scene, **laid_out):
    """Where the seat's bid stands, 0 for the last to choose."""
    card = plan(begin_round(scene, **laid_out), 0)["auction"]
    return BIDS.index("county" if isinstance(card, str) else card)


@pytest.mark.parametrize("players", [3, 4, 5])
def test_the_more_a_place_is_worth_the_higher_the_bid(players):  # B4.2
    bids = [bid(alone(players=players, weights={"place": place})) for place in (0.0, 0.1, 0.3, 0.6, 1.0, 2.0)]
    assert is_sorted(bids)
    assert bids[0] <= BIDS.index("county")
    assert bids[-1] >= BIDS.index(3)


@pytest.mark.parametrize("tiles", [TILES, TILES[::-1]])
def test_the_box_is_the_first_place_or_the_tile_that_serves(tiles):  # B4.3 B4.4
    def box(free=31, **weights):
        scene = begin_round(alone(grain=0, weights=nothing_but(**weights)), season=2, tiles=tiles)
        plan(scene, 0)
        draw(scene, "church_peace")
        return int(ask(scene, decide.choose_place, 0, free))

    assert box(place=2.0) == 0
    assert box(place=2.0, free=0b11100) == 2
    assert tiles[box(grain=3.0)] == "grain"
    assert tiles[box(thaler=2.0)] == "thaler"
    assert tiles[box(army=1.0, five_armies=1.0)] == "six_armies"
    assert tiles[box(attack=1.0, hold=1.0, thaler=0.01)] == "attack"
    assert tiles[box(grain=3.0, thaler=1.0, free=31 ^ 1 << tiles.index("grain"))] == "thaler"


# ------------------------------------------------------------------------------------------------------ grain


def grain_planned(scene, seat=0):
    """Grain printed on the county that is to collect it; 0 if the box is passed."""
    card = plan(scene, seat)["grain"]
    return scene.table.food(card) if isinstance(card, str) else 0


@given(tables(), st.integers(0, 2**32))
def test_on_any_table_hunger_never_means_less_grain(table, seed):  # B7.2
    planned = {}
    for held in (18, 0):
        for player in table.players.values():
            player.grain = held
        # A tile's grain would be dearer, too: here nobody outbids anyone, so that all bids are worth the same.
        scene = random_round(table, random.Random(seed), weighted(rivals_bid=0.0))
        planned[held] = [grain_planned(scene, seat) for seat in table.players]
    assert all(hungry >= fed for hungry, fed in zip(planned[0], planned[18], strict=True))


@pytest.mark.parametrize("season", [0, 1, 2])
def test_the_grain_that_winter_asks_for_is_counties_and_the_mean_loss_of_the_events_shown(season):  # B7.1
    scene = begin_round(alone(grain=3, weights={"harvest": 2.0}), season, events=(0, 1, 5, 6))
    plan(scene, 0)
    losses = [int(BOARD.event_loss[card]) for card in (0, 1, 5, 6)][: 4 - season]
    expected = 12 + np.mean(losses) - 2.0 * (2 - season) - 3
    assert mind_of(scene, 0).grain_gap == pytest.approx(expected)


# -------------------------------------------------------------------------------------- events that may come


def test_chances_are_those_of_the_cards_shown_until_one_holds():  # B2.4
    cards = [EFFECTS.index(name) for name in ("tax_max_5", "church_peace")]
    scene = begin_round(alone(), season=1, events=("tax_max_5", 9, 10, "grain_min_4"))
    plan(scene, 0)
    chances = mind_of(scene, 0).effect_chance
    assert list(chances[cards]) == pytest.approx([1 / 3, 2 / 3])
    assert sum(chances) == pytest.approx(1)
    draw(scene, "church_peace")
    ask(scene, decide.choose_place, 0, 31)
    assert list(chances[cards]) == [0, 1]
    assert sum(chances) == 1
