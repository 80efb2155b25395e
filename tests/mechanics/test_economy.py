"""Building, collecting, deploying and moving (B5)."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.naive import economy as naive
from tests.naive.making import big_box_tables, random_table
from tests.naive.scene import DONE, Scene
from tests.naive.table import KINDS, differences
from wallsim.mechanics.economy import (
    build,
    collect_grain,
    collect_taxes,
    deploy,
    deploy_one,
    march,
    place_marker,
    site_outcome,
)
from wallsim.rules.terms import EFFECTS, OUTCOMES
from wallsim.state.game import stock


def homeland(county="Böhmen", armies=2, thalers=10, **more):
    """Seat 0 holds one county and some Thalers."""
    event, tile = more.pop("event", "none"), more.pop("tile", None)
    land = {name: more.pop(name) for name in ("buildings", "markers") if name in more}
    scene = Scene.start(event=event, **more)
    scene.table.give(0, county, armies, **land)
    scene.table.players[0].thalers, scene.table.players[0].tile = thalers, tile
    return scene


# ------------------------------------------------------------------------------------------------- buildings


@pytest.mark.parametrize(("kind", "price"), [("palace", 3), ("church", 2), ("trading_post", 1)])
def test_a_palace_costs_three_a_church_two_a_trading_post_one(kind, price):  # B5.3
    scene = homeland(thalers=price)
    assert scene.outcome(build, 0, "Böhmen", kind) == DONE
    assert scene.table.players[0].thalers == 0
    assert scene.table.land["Böhmen"].buildings == {kind}


@pytest.mark.parametrize(("kind", "price"), [("palace", 3), ("church", 2), ("trading_post", 1)])
def test_a_building_that_cannot_be_paid_is_skipped_and_costs_nothing(kind, price):  # B5.2 B5.3
    scene = homeland(thalers=price - 1)
    assert scene.outcome(build, 0, "Böhmen", kind) == "not enough Thalers"
    assert scene.table.players[0].thalers == price - 1
    assert scene.table.land["Böhmen"].buildings == set()


def test_a_county_takes_each_kind_of_building_once():  # B5.3
    scene = homeland(buildings=["church"])
    assert scene.outcome(build, 0, "Böhmen", "church") == "no free building site"
    assert scene.outcome(build, 0, "Böhmen", "palace") == DONE


@pytest.mark.parametrize(("county", "sites"), [("Schlesien", 1), ("Niederösterreich", 2), ("Böhmen", 3)])
def test_a_county_takes_no_more_buildings_than_it_has_sites(county, sites):  # B5.3
    scene = homeland(county)
    outcomes = [scene.outcome(build, 0, county, kind) for kind in KINDS]
    assert outcomes == [DONE] * sites + ["no free building site"] * (3 - sites)
    assert len(scene.table.land[county].buildings) == sites


@pytest.mark.parametrize("kind", KINDS)
def test_a_kind_that_is_used_up_cannot_be_built(kind):  # B0.3
    scene = homeland(players=5)
    others = [name for name in scene.table.land if name != "Böhmen"][: scene.table.amount(f"{kind}_tiles")]
    for name in others:
        scene.table.give(1, name, 1, [kind])
    assert scene.do(stock, kind) == 0
    assert scene.outcome(site_outcome, "Böhmen", kind) == "no building tile left"
    assert scene.outcome(build, 0, "Böhmen", kind) == "no building tile left"
    scene.table.land[others[0]].buildings.clear()
    assert scene.do(stock, kind) == 1
    assert scene.outcome(build, 0, "Böhmen", kind) == DONE


@pytest.mark.parametrize("event", EFFECTS)
@pytest.mark.parametrize("kind", KINDS)
def test_only_a_trading_post_under_its_event_removes_a_revolt_marker(event, kind):  # B0.5 trading_post_calms
    scene = homeland(event=event, markers=2)
    scene.do(build, 0, "Böhmen", kind)
    calms = event == "trading_post_calms" and kind == "trading_post"
    assert scene.table.land["Böhmen"].markers == (1 if calms else 2)
    assert scene.table.markers_left == (41 if calms else 40)


def test_a_trading_post_calms_a_quiet_county_without_effect():  # B0.5 trading_post_calms
    scene = homeland(event="trading_post_calms")
    assert scene.outcome(build, 0, "Böhmen", "trading_post") == DONE
    assert scene.table.land["Böhmen"].markers == 0
    assert scene.table.markers_left == 42


# ------------------------------------------------------------------------------------------------- collecting

TAXES = [  # county, printed taxes, event, tile, income
    ("Böhmen", 6, "none", None, 6),
    ("Böhmen", 6, "none", "thaler", 7),
    ("Böhmen", 6, "none", "grain", 6),
    ("Lausitz", 7, "tax_max_5", None, 5),
    ("Lausitz", 7, "tax_max_5", "thaler", 6),
    ("Mähren", 3, "tax_max_5", None, 3),
    ("Mähren", 3, "tax_min_6", None, 6),
    ("Mähren", 3, "tax_min_6", "thaler", 7),
    ("Lausitz", 7, "tax_min_6", None, 7),
    ("Lausitz", 7, "grain_max_3", None, 7),
]


@pytest.mark.parametrize(("county", "printed", "event", "tile", "income"), TAXES)
def test_taxes_follow_the_event_and_then_the_tile(county, printed, event, tile, income):  # B4.4 B4.5 B5.4
    scene = homeland(county, event=event, tile=tile, thalers=0)
    assert scene.table.tax(county) == printed
    assert scene.do(collect_taxes, 0, county) == income
    assert scene.table.players[0].thalers == income


GRAIN = [  # county, printed grain, event, tile, income
    ("Böhmen", 2, "none", None, 2),
    ("Böhmen", 2, "none", "grain", 3),
    ("Böhmen", 2, "none", "thaler", 2),
    ("Lüneburg", 5, "grain_max_3", None, 3),
    ("Lüneburg", 5, "grain_max_3", "grain", 4),
    ("Böhmen", 2, "grain_max_3", None, 2),
    ("Böhmen", 2, "grain_min_4", None, 4),
    ("Böhmen", 2, "grain_min_4", "grain", 5),
    ("Lüneburg", 5, "grain_min_4", None, 5),
    ("Lüneburg", 5, "tax_max_5", None, 5),
]


@pytest.mark.parametrize(("county", "printed", "event", "tile", "income"), GRAIN)
def test_grain_follows_the_event_and_then_the_tile(county, printed, event, tile, income):  # B4.4 B4.5 B5.4
    scene = homeland(county, event=event, tile=tile)
    assert scene.table.food(county) == printed
    assert scene.do(collect_grain, 0, county) == income
    assert scene.table.players[0].grain == income


@pytest.mark.parametrize(("track", "grain"), [("capped", 18), ("open", 20)])
def test_grain_above_eighteen_is_lost_unless_the_food_track_is_open(track, grain):  # B0.6 A1
    scene = homeland(food_track=track)
    scene.table.players[0].grain = 18
    scene.do(collect_grain, 0, "Böhmen")
    assert scene.table.players[0].grain == grain
    assert scene.table.players[0].counts["grain_over"] == 20 - grain


@pytest.mark.parametrize(("bank", "thalers"), [(0, 66), (100, 64), (105, 66)])
def test_the_bank_never_runs_out_unless_it_is_limited(bank, thalers):  # B0.7 A2
    scene = homeland(bank=bank, thalers=60)
    scene.table.players[1].thalers, scene.table.players[3].thalers = 30, 6
    scene.do(collect_taxes, 0, "Böhmen")
    assert scene.table.players[0].thalers == thalers


def test_no_revolt_marker_is_placed_when_none_is_left():  # B0.4
    scene = homeland()
    for name in [name for name in scene.table.land if name != "Böhmen"][:14]:
        scene.table.give(1, name, 1, markers=3)
    assert scene.table.markers_left == 0
    scene.do(place_marker, 0, "Böhmen")
    assert scene.table.land["Böhmen"].markers == 0


# ------------------------------------------------------------------------------------------------- deploying

LEVIES = [  # action, event, tile, price, armies
    ("deploy5", "none", None, 3, 5),
    ("deploy3", "none", None, 2, 3),
    ("deploy5", "none", "six_armies", 3, 6),
    ("deploy3", "none", "six_armies", 2, 3),
    ("deploy5", "small_levies", None, 3, 3),
    ("deploy3", "small_levies", None, 2, 2),
    ("deploy5", "small_levies", "six_armies", 3, 6),
    ("deploy3", "small_levies", "six_armies", 2, 2),
]


@pytest.mark.parametrize(("action", "event", "tile", "price", "armies"), LEVIES)
def test_deploying_costs_its_price_and_gives_its_armies(action, event, tile, price, armies):  # B4.4 B4.5 B5.6
    scene = homeland(event=event, tile=tile, thalers=price)
    assert scene.outcome(deploy, 0, "Böhmen", action) == DONE
    assert scene.table.land["Böhmen"].armies == 2 + armies
    assert scene.table.supply[0] == 60 - armies
    assert scene.table.players[0].thalers == 0


@pytest.mark.parametrize(("action", "event", "tile", "price", "armies"), LEVIES)
def test_deploying_without_the_money_is_skipped(action, event, tile, price, armies):  # B5.2 B5.6
    scene = homeland(event=event, tile=tile, thalers=price - 1)
    assert scene.outcome(deploy, 0, "Böhmen", action) == "not enough Thalers"
    assert scene.table.land["Böhmen"].armies == 2
    assert scene.table.players[0].thalers == price - 1


SHORT = [  # action, event, tile, supply, armies deployed under `action_number` and under `all`, 0 for skipped
    ("deploy5", "none", None, 5, 5, 5),
    ("deploy5", "none", None, 4, 0, 0),
    ("deploy5", "none", "six_armies", 6, 6, 6),
    ("deploy5", "none", "six_armies", 5, 5, 0),
    ("deploy5", "none", "six_armies", 4, 0, 0),
    ("deploy5", "small_levies", "six_armies", 4, 4, 0),
    ("deploy5", "small_levies", "six_armies", 3, 3, 0),
    ("deploy5", "small_levies", "six_armies", 2, 0, 0),
    ("deploy5", "small_levies", None, 3, 3, 3),
    ("deploy3", "none", None, 3, 3, 3),
    ("deploy3", "none", None, 2, 0, 0),
    ("deploy3", "small_levies", None, 2, 2, 2),
    ("deploy3", "small_levies", None, 1, 0, 0),
]


@pytest.mark.parametrize("switch", ["action_number", "all"])
@pytest.mark.parametrize(("action", "event", "tile", "supply", "by_number", "by_all"), SHORT)
def test_the_actions_number_must_be_in_the_supply_and_bonuses_too_under_all(
    action, event, tile, supply, by_number, by_all, switch
):  # B5.2 B5.6 A6
    scene = homeland(event=event, tile=tile, armies=62 - supply, short_supply=switch)
    armies = by_number if switch == "action_number" else by_all
    outcome = scene.outcome(deploy, 0, "Böhmen", action)
    assert outcome == (DONE if armies else "not enough armies in the supply")
    assert scene.table.supply[0] == supply - armies
    assert (scene.table.players[0].thalers == 10) == (armies == 0)


def test_deploy_one_costs_one_thaler_and_gives_one_army_whatever_tile_and_event():  # B5.7 B4.4
    scene = homeland(event="small_levies", tile="six_armies", thalers=1)
    assert scene.outcome(deploy_one, 0, "Böhmen") == DONE
    assert (scene.table.land["Böhmen"].armies, scene.table.players[0].thalers) == (3, 0)
    assert scene.outcome(deploy_one, 0, "Böhmen") == "not enough Thalers"


def test_deploy_one_needs_an_army_in_the_supply():  # B5.2 B5.7
    scene = homeland(armies=62)
    assert scene.outcome(deploy_one, 0, "Böhmen") == "not enough armies in the supply"
    assert scene.table.players[0].thalers == 10


def test_a_march_moves_armies_between_own_counties_and_casts_nothing():  # B5.7 B5.8
    scene = homeland(armies=5)
    scene.table.give(0, "Mähren", 1)
    scene.do(march, "Böhmen", "Mähren", 4)
    assert (scene.table.land["Böhmen"].armies, scene.table.land["Mähren"].armies) == (1, 5)
    assert scene.game.casts == 0


# ------------------------------------------------------------------------------------------ against the twins

DICE = st.randoms(use_true_random=False)


def own_county(table, rng):
    """A random county that somebody owns, and its owner; None if all are neutral."""
    owned = [(county.owner, name) for name, county in table.land.items() if county.owner is not None]
    return rng.choice(owned) if owned else None


@given(big_box_tables(), DICE)
def test_economic_actions_agree_with_the_naive_ones(table, rng):  # B5.2 to B5.7 M2 E6 A1 A2 A6
    scene, twin = Scene(table), table
    for _ in range(12):
        choice = own_county(table, rng)
        if choice is None:
            return
        seat, county = choice
        action = rng.choice(["build", "collect", "mark", "deploy", "one", "march"])
        if action == "build":
            kind = rng.choice(KINDS)
            outcome = scene.outcome(build, seat, county, kind)
            obstacles = naive.build(twin, seat, county, kind)
        elif action == "deploy":
            name = rng.choice(["deploy5", "deploy3"])
            outcome = scene.outcome(deploy, seat, county, name)
            obstacles = naive.deploy(twin, seat, county, name)
        elif action == "one":
            outcome = scene.outcome(deploy_one, seat, county)
            obstacles = naive.deploy_one(twin, seat, county)
        elif action == "collect":
            name = rng.choice(["grain", "taxes"])
            scene.do(collect_grain if name == "grain" else collect_taxes, seat, county)
            outcome, obstacles = DONE, naive.take_income(twin, seat, county, name) or set()
        elif action == "mark":
            scene.do(place_marker, seat, county)
            outcome, obstacles = DONE, naive.place_marker(twin, seat, county) or set()
        else:
            own = sorted(n for n in twin.neighbours(county) if twin.land[n].owner == seat)
            if not own or twin.land[county].armies < 2:
                continue
            goal, armies = rng.choice(own), rng.randint(1, twin.land[county].armies - 1)
            scene.do(march, county, goal, armies)
            outcome, obstacles = DONE, naive.march(twin, county, goal, armies) or set()
        assert outcome in (obstacles or {DONE})
        assert differences(scene.table, twin) == []
        twin = scene.table


def test_every_reason_to_skip_an_economic_action_is_met_by_the_random_tables():
    rng, met = random.Random(1), set()
    for _ in range(150):
        table = random_table(rng, Scene.start(players=5).table.rules)
        for name, county in table.land.items():
            if county.owner is not None:
                met |= naive.build(table, county.owner, name, rng.choice(KINDS))
                met |= naive.deploy(table, county.owner, name, "deploy5")
    assert met == set(OUTCOMES[2:6])
