"""What `balanced` makes of positions: dumps, bids, boxes, grain, events that may come (B2.4, B3.3, B4.3, B7.2)."""

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.naive.making import BOARD, tables
from tests.naive.table import PEASANTS
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
from wallsim.policies.balanced.assignment import GRAINS
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


def all_marked():
    """Twelve counties full of markers with an army each; ten peasants sit in the tower."""
    scene = alone(armies=1)
    mark(scene, *TWELVE)
    scene.table.tower[PEASANTS], scene.table.supply[PEASANTS] = 10, 10
    return scene


def test_counties_that_would_revolt_are_dumped_where_they_do_no_harm():  # B3.2 B3.3
    cards = plan(begin_round(all_marked()), 0)
    assert isinstance(cards["taxes"], int)
    assert isinstance(cards["grain"], int)
    assert sum(isinstance(card, str) for card in cards.values()) >= 6


@pytest.mark.parametrize("calm", [TWELVE[0], TWELVE[6], TWELVE[11]])
def test_the_one_county_without_markers_collects(calm):  # B3.3 B5.5
    scene = all_marked()
    mark(scene, calm, markers=0)
    scene.table.markers_left += 3
    cards = plan(begin_round(scene), 0)
    collected = {card for card in (cards["taxes"], cards["grain"]) if isinstance(card, str)}
    assert collected == {calm}


@pytest.mark.parametrize(("marker", "least"), [(3.0, 1.6), (0.5, 0.5)])
def test_where_harm_cannot_be_avoided_it_is_the_least(marker, least):  # B3.2 B3.3
    """Eight boxes cost something, five money cards pass, two full counties build nothing: one box must cost.

    Thalers are worth 1.6 each and all else is worth nothing, so that buildings and levies only cost.
    """
    scene = alone(armies=1, weights=nothing_but(thaler=2.0, marker=marker))
    full = {"Lüneburg", "Neumark"}
    for name in full:
        assert scene.table.sites(name) == 1
        scene.table.land[name].buildings = {"trading_post"}
    scene.table.year, scene.table.players[0].thalers = 1, 5
    cards = plan(begin_round(scene, season=2), 0)
    prices = {"palace": 4.8, "church": 3.2, "trading_post": 1.6}
    levies = {"deploy5": 4.8, "deploy3": 3.2, "deploy1": 1.6, "taxes": marker, "grain": marker}
    harm = sum(price for box, price in levies.items() if isinstance(cards[box], str))
    harm += sum(price for box, price in prices.items() if isinstance(cards[box], str) and cards[box] not in full)
    assert mind_of(scene, 0).thaler == pytest.approx(1.6)
    assert harm == pytest.approx(least)


@given(tables(), dice_of)
def test_no_exchange_of_two_cards_makes_a_plan_better(table, rng):  # B3.2
    scene = random_round(table, rng, weighted())
    for seat in table.players:
        cards, mind = plan(scene, seat), mind_of(scene, seat)
        own = len(table.counties_of(seat))
        if own < 6:
            continue  # else a card lies on every box and none is left over
        names = [BOARD.counties[card] for card in mind.hand[:own]] + list(range(5))
        worth = np.array(mind.value.T[:11, : len(names)])
        chosen = [names.index(cards[box]) for box in BOX_NAMES]
        for box, card in enumerate(chosen):
            for other in range(len(names)):
                gain = worth[box, other] - worth[box, card]
                if other in chosen:
                    place = chosen.index(other)
                    gain += worth[place, card] - worth[place, other]
                assert gain < 4 / GRAINS  # each worth counts in whole grains


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


def test_the_more_a_tile_is_worth_the_higher_the_bid():  # B4.3 B4.4
    """A tile of grain to a hungry seat; a fed one bids as if grain were worth nothing."""
    weights = [nothing_but(thaler=0.2, rivals_bid=1.0, grain=need) for need in (0.0, 0.2, 1.0, 3.0)]
    hungry, fed = ([bid(alone(grain=held, weights=each), season=2) for each in weights] for held in (0, 18))
    assert is_sorted(hungry)
    assert hungry[-1] > hungry[0]
    assert hungry[-1] > fed[-1]


def test_a_worthless_place_is_not_paid_for():  # B4.1
    assert bid(alone(weights=nothing_but(thaler=1.0, rivals_bid=1.0))) <= BIDS.index("county")


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


@pytest.mark.parametrize(("counties", "season"), [(TWELVE[:6], 2), (TWELVE, 0), (BOARD.counties[20:32], 1)])
def test_more_grain_is_collected_when_it_is_short(counties, season):  # B7.2
    planned = [grain_planned(begin_round(alone(counties, grain=held), season)) for held in (18, 6, 0)]
    assert is_sorted(planned)
    assert planned[-1] == max(BOARD.grain[BOARD.counties.index(name)] for name in counties)
    assert planned[0] < planned[-1]


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


def test_a_church_that_may_be_at_peace_is_in_less_danger():  # B2.4 B5.9
    def danger(*events):
        scene = alone(("Böhmen",), armies=1)
        scene.table.land["Böhmen"].buildings = {"church"}
        for name in scene.table.neighbours("Böhmen"):
            scene.table.give(1, name, 4)
        plan(begin_round(scene, season=2, events=(*events, 0, 1)), 0)
        return mind_of(scene, 0).danger[scene.table.number("Böhmen")]

    assert 0 == danger(9, 10) < danger(9, "none") < danger("tax_max_5", "none")


@pytest.mark.parametrize("event", ["tax_min_6", "tax_max_5"])
def test_taxes_are_worth_what_they_bring_over_the_events(event):  # B2.4 B5.4
    """What the event may do to printed taxes of 6 and 3 is weighed by its chance of one half."""
    scene = begin_round(alone(("Altmark", "Mittelmark"), thalers=0), season=2, events=(event, "none", 0, 1))
    plan(scene, 0)
    mind = mind_of(scene, 0)
    printed = {"Altmark": 6, "Mittelmark": 3}
    limit = {"tax_min_6": max, "tax_max_5": min}[event]
    bound = int(event[-1])
    expected = {name: (amount + limit(amount, bound)) / 2 for name, amount in printed.items()}
    column = {BOARD.counties[card]: place for place, card in enumerate(mind.hand[:2])}
    values = {name: mind.value.T[4, column[name]] for name in printed}
    gap = (expected["Altmark"] - expected["Mittelmark"]) * mind.thaler
    assert values["Altmark"] - values["Mittelmark"] == pytest.approx(gap)
