"""The Landsknechte: who gets a card, what it brings, and the order of the cards (L1, L2)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.naive import landsknechte as naive
from tests.naive.making import tables_with
from tests.naive.scene import Scene
from tests.naive.table import differences
from wallsim.mechanics.landsknechte import (
    draw_landsknecht,
    offered_benefits,
    regions_held,
    take_benefit,
)
from wallsim.rules.terms import BENEFITS

LAND = {  # a county of each region
    "Brandenburg": "Altmark",
    "Sachsen": "Anhalt",
    "Österreich": "Böhmen",
    "Bayern": "Baden",
    "Kurpfalz": "Lothringen",
}


def campaign(regions=4, card=1, **more):
    """Seat 1 holds a county in each of so many regions; `card` lies on top."""
    scene = Scene.start(expansions=("landsknechte",), **more)
    for county in [*LAND.values()][:regions]:
        scene.table.give(1, county, 2)
    scene.table.players[1].banner = card
    return scene


def offered(scene, seat=1):
    """The benefits a seat may choose from."""
    mask = scene.do(offered_benefits, seat)
    return {benefit for number, benefit in enumerate(BENEFITS) if mask >> number & 1}


def take(scene, benefit, seat=1):
    """Take a benefit of the top card; what it brought."""
    return scene.do(take_benefit, seat, BENEFITS.index(benefit))


@pytest.mark.parametrize(("regions", "drawn"), [(0, False), (1, False), (3, False), (4, True), (5, True)])
def test_the_top_card_goes_to_the_bottom_with_counties_in_four_regions(regions, drawn):  # L1
    scene = campaign(regions)
    assert scene.do(regions_held, 1) == regions
    assert bool(scene.do(draw_landsknecht, 1)) is drawn
    assert scene.table.players[1].banner == (2 if drawn else 1)


def test_many_counties_in_three_regions_and_those_of_others_are_not_enough():  # L1
    scene = campaign(3)
    for county in ("Mähren", "Schlesien", "Mittelmark", "Lausitz"):
        scene.table.give(1, county, 1)
    scene.table.give(0, LAND["Bayern"], 1)
    assert not scene.do(draw_landsknecht, 1)


def test_the_empty_banner_comes_first_and_the_cards_follow_in_order():  # L1
    scene, cards = campaign(), []
    for _ in range(5):
        cards.append(scene.table.players[1].banner)
        scene.do(draw_landsknecht, 1)
    assert cards == [1, 2, 3, 4, 1]
    assert scene.table.players[0].banner == 1


CARDS = [
    (1, {}),
    (2, {"thalers": 2, "tray_armies": 1}),
    (3, {"thalers": 4, "tray_armies": 2, "grain": 1}),
    (4, {"thalers": 6, "tray_armies": 3, "grain": 2, "victory_points": 1}),
]


@pytest.mark.parametrize(("card", "benefits"), CARDS)
def test_one_of_the_benefits_shown_is_offered_and_brings_thalers_grain_points_or_armies(card, benefits):  # L1
    assert offered(campaign(card=card)) == set(benefits)
    for benefit, amount in benefits.items():
        scene = campaign(card=card)
        supply = scene.table.supply[1]
        assert take(scene, benefit) == amount
        player = scene.table.players[1]
        gained = {"thalers": player.thalers, "grain": player.grain, "victory_points": player.points}
        gained["tray_armies"] = scene.table.tray[1]
        assert gained == {**dict.fromkeys(BENEFITS, 0), benefit: amount}
        assert scene.table.supply[1] == supply - scene.table.tray[1]
        assert player.counts["landsknecht_cards"] == 1


@pytest.mark.parametrize(("supply", "armies"), [(0, 0), (1, 1), (3, 3), (9, 3)])
def test_armies_come_as_far_as_the_supply_has_them_and_are_not_offered_if_it_is_empty(supply, armies):  # L1
    scene = campaign(card=4)
    scene.table.give(1, "Mähren", scene.table.supply[1] - supply)
    assert ("tray_armies" in offered(scene)) == (armies > 0)
    assert take(scene, "tray_armies") == armies
    assert (scene.table.supply[1], scene.table.tray[1]) == (supply - armies, armies)


@given(tables_with("landsknechte"), st.randoms(use_true_random=False))
def test_landsknechte_agree_with_the_naive_ones(table, rng):  # L1 L2 B0.2 A1 A2
    scene, twin = Scene(table), table
    for seat in rng.sample([*table.players], len(table.players)):
        assert scene.do(regions_held, seat) == len(naive.regions_of(twin, seat))
        assert scene.do(draw_landsknecht, seat) == naive.slide(twin, seat)
        choices = naive.choices(twin, seat)
        assert offered(scene, seat) == choices
        if choices:
            benefit = rng.choice(sorted(choices))
            assert take(scene, benefit, seat) == naive.take(twin, seat, benefit)
        assert differences(scene.table, twin) == []
