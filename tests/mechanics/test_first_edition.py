"""The first edition: order by lot, recruit and/or move, the defender's choice, loyal peasants, the chart (V1 to V7)."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.naive import economy as naive
from tests.naive.making import SURE, SWAP, big_box_tables
from tests.naive.rng import chi_square_z
from tests.naive.scene import DONE, Scene
from tests.naive.table import PEASANTS, County, differences
from wallsim.mechanics.auction import draw_player_order, note_places, put_tiles_away
from wallsim.mechanics.combat import attack, revolt
from wallsim.mechanics.economy import deploy_one, pay_deploy_one, recruiting_modes
from wallsim.mechanics.winter import winter_revolt
from wallsim.rules.terms import BOTH, MARCH, NO_TILE, RECRUIT
from wallsim.state.random import key_streams

ORIGIN, TARGET = "Böhmen", "Mähren"
EDITIONS = ["2e", "1e"]
MODES = {"recruit": RECRUIT, "march": MARCH, "both": BOTH}


def front(attackers, armies, markers=0, tower=SURE, tray=None, **more):
    """Seat 0 in Böhmen faces seat 1 in Mähren, which has a church; everything thrown falls out."""
    scene = Scene.start(edition=more.pop("edition", "1e"), tower=tower, **more)
    scene.table.give(0, ORIGIN, attackers + 1)
    scene.table.give(1, TARGET, armies, ["church"], markers)
    scene.table.lay_in_tray(tray or {})
    return scene


def battle(scene, attackers, defenders):
    """All attackers but the one that must stay against some of the armies in Mähren; the result."""
    return scene.fight(attack, 0, ORIGIN, TARGET, attackers, defenders)


# ---------------------------------------------------------------------------------------------- V1: player order


def test_the_player_order_is_drawn_at_random():  # V1
    scene, orders = Scene.start(4, edition="1e"), Counter()
    for moment in range(2000):
        key_streams(scene.game, moment)
        draw_player_order(scene.game, scene.rules)
        orders[tuple(int(seat) for seat in scene.game.turn[:4])] += 1
    assert len(orders) == 24
    assert abs(chi_square_z(orders.values())) < 4


@given(big_box_tables(edition="1e"), st.integers(0, 10**6))
def test_drawing_the_order_gives_every_seat_a_place_and_changes_nothing_else(table, moment):  # V1 B0.2
    scene = Scene(table)
    key_streams(scene.game, moment)
    scene.game.tile_on_box[:] = range(5)
    for player in table.players.values():
        player.tile = "grain"
    for kernel in (put_tiles_away, draw_player_order, note_places):
        scene.do(kernel)
    order = [int(seat) for seat in scene.game.turn[: table.rules.players]]
    assert sorted(order) == [*table.players]
    assert [int(seat) for seat in scene.game.pick[: len(order)]] == order
    assert set(scene.game.tile_on_box) == {NO_TILE}
    for place, seat in enumerate(order):
        assert int(scene.game.place[seat]) == place
        table.players[seat].counts["place_total"] += place + 1
        table.players[seat].tile = None
    assert differences(scene.table, table) == []


# ----------------------------------------------------------------------------------- V3: recruit and/or move


def modes(scene, seat=0, county=ORIGIN):
    """What "recruit and/or move" can do in a county."""
    mask = scene.do(recruiting_modes, seat, county)
    return {mode for mode, number in MODES.items() if mask >> number & 1}


@pytest.mark.parametrize(
    ("armies", "supply", "neighbour", "possible"),
    [
        (2, 1, True, {"recruit", "march", "both"}),
        (1, 1, True, {"recruit", "both"}),  # alone it may march only with the recruit
        (2, 0, True, {"march"}),
        (1, 0, True, set()),
        (2, 1, False, {"recruit"}),
        (2, 0, False, set()),
    ],
)
def test_recruiting_and_moving_are_possible_one_by_one(armies, supply, neighbour, possible):  # V3
    scene = Scene.start(edition="1e")
    scene.table.give(0, ORIGIN, armies)
    scene.table.give(0, TARGET if neighbour else "Tirol", scene.table.supply[0] - supply)
    assert modes(scene) == possible


def test_moving_alone_costs_the_thaler_too():  # V3
    scene = Scene.start(edition="1e")
    scene.table.players[0].thalers = 3
    scene.do(pay_deploy_one, 0)
    assert (scene.table.players[0].thalers, scene.table.players[0].counts["paid_deploy1"]) == (2, 1)
    assert scene.table.supply[0] == 62


@pytest.mark.parametrize("switch", ["action_number", "all"])
@pytest.mark.parametrize(("supply", "by_number", "by_all"), [(0, 0, 0), (1, 1, 0), (2, 2, 2), (3, 2, 2)])
def test_with_the_leader_recruiting_gives_up_to_two(supply, by_number, by_all, switch):  # V3 M2 A6
    scene = Scene.start(edition="1e", expansions=("leaders",), short_supply=switch)
    scene.table.give(0, ORIGIN, 62 - supply)
    scene.table.players[0].leader, scene.table.players[0].thalers = ORIGIN, 1
    recruits = by_number if switch == "action_number" else by_all
    assert modes(scene) == ({"recruit"} if recruits else set())
    if recruits:
        assert scene.outcome(deploy_one, 0, ORIGIN) == DONE
        assert scene.table.supply[0] == supply - recruits


@given(big_box_tables(edition="1e"))
def test_recruiting_modes_agree_with_the_naive_ones(table):  # V3 A6
    scene = Scene(table)
    for county, here in table.land.items():
        if here.owner is not None:
            assert modes(scene, here.owner, county) == naive.recruiting_modes(table, here.owner, county)


# ------------------------------------------------------------------------------------ V5: the defender's choice


STOOD_ASIDE = [  # armies in the county, defenders against three attackers, result, the county, cubes that seat 1 lacks
    (6, 4, "defender", County(1, 1 + 2, 0, {"church"}), 3),  # the survivors join those who stood aside
    (8, 2, "attacker", County(0, 1, 0, {"church"}), 0),  # who stood aside goes to the supply
    (8, 3, "tie", County(), 0),
]


@pytest.mark.parametrize("switch", ["do_not_count", "count"])
@pytest.mark.parametrize(("armies", "defenders", "result", "county", "away"), STOOD_ASIDE)
def test_only_the_armies_that_the_defender_chose_fight(armies, defenders, result, county, away, switch):  # V5 B6.8 A13
    scene = front(3, armies, stood_aside=switch)
    assert battle(scene, 3, defenders) == result
    assert (scene.game.engaged[0], scene.game.engaged[1]) == (3, defenders)
    assert (scene.table.land[TARGET], 62 - scene.table.supply[1]) == (county, away)
    assert scene.table.players[1].counts["armies_fallen"] == min(defenders, 3)


# Nothing thrown falls out of the tower SWAP, all that was inside does: peasants alone face the attackers.
ALONE = [  # armies in the county, defenders, setting, result
    (3, 2, "do_not_count", "tie"),
    (3, 2, "count", "defender"),
    (3, 3, "do_not_count", "tie"),
    (3, 3, "count", "tie"),  # nobody stood aside: a county needs an army (B6.11)
]


@pytest.mark.parametrize(("armies", "defenders", "switch", "result"), ALONE)
def test_armies_that_stood_aside_hold_a_county_that_peasants_defended_or_not(
    armies, defenders, switch, result
):  # V5 B6.8 A13
    scene = front(2, armies, tower=SWAP, stood_aside=switch)
    scene.table.supply.update({PEASANTS: 16, 0: scene.table.supply[0] - 1})
    scene.table.tower.update({PEASANTS: 4, 0: 1})
    assert battle(scene, 2, defenders) == result
    held = result == "defender"
    assert scene.table.land[TARGET] == (County(1, armies - defenders, 0, {"church"}) if held else County())
    assert scene.table.supply[PEASANTS] == 20
    assert scene.table.supply[1] == 62 - defenders - (armies - defenders if held else 0)


@pytest.mark.parametrize("switch", ["do_not_count", "count"])
def test_an_even_fight_is_a_tie_whoever_stood_aside(switch):  # V5 A13 B6.9
    scene = front(2, 3, tower=SWAP, stood_aside=switch)
    assert battle(scene, 2, 1) == "tie"  # nothing fell out at all
    assert scene.table.land[TARGET] == County()


@pytest.mark.parametrize("kernel", [revolt, winter_revolt])
@pytest.mark.parametrize("switch", ["do_not_count", "count"])
@pytest.mark.parametrize(("defenders", "held"), [(1, False), (2, False), (3, True)])
def test_in_revolts_the_defender_chooses_too_and_those_aside_never_save_the_county(
    defenders, held, switch, kernel
):  # V5 A13 B6.10
    scene = front(1, 5, markers=2, stood_aside=switch)
    assert bool(scene.do(kernel, TARGET, 2, defenders)) is held
    assert scene.game.engaged[1] == defenders
    assert scene.table.land[TARGET] == (County(1, 1 + 2, 2, {"church"}) if held else County())
    assert scene.table.supply[1] == (62 - 3 if held else 62)


# ------------------------------------------------------------------------------------------ V6: loyal peasants

LOYALTY = [  # edition, markers, whether two peasants in the tray fight for the defender
    ("1e", 0, True),
    ("1e", 1, True),
    ("1e", 2, False),
    ("1e", 3, False),
    ("2e", 0, True),
    ("2e", 1, False),
    ("2e", 2, False),
]


@pytest.mark.parametrize(("edition", "markers", "loyal"), LOYALTY)
def test_peasants_fight_for_the_defender_below_two_markers_in_the_first_edition(edition, markers, loyal):  # V6 B6.6
    scene = front(4, 3, markers, tray={PEASANTS: 2}, edition=edition)
    assert battle(scene, 4, 3) == ("defender" if loyal else "attacker")
    assert scene.table.tray[PEASANTS] == (0 if loyal else 2)
    assert scene.table.supply[PEASANTS] == (20 if loyal else 18)


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_neutral_county_has_its_peasants_in_both_editions(edition):  # V6 B6.6
    scene = Scene.start(edition=edition)
    scene.table.give(0, ORIGIN, 4)
    scene.table.tray[PEASANTS], scene.table.supply[PEASANTS] = 1, 19
    assert scene.fight(attack, 0, ORIGIN, TARGET, 3, 0) == "attacker"
    assert scene.table.land[TARGET].armies == 1
