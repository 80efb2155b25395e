"""Receiving, building, collecting, deploying and moving (B0.6, B0.7, B5)."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.naive import economy as naive
from tests.naive.making import big_box_tables, random_table
from tests.naive.scene import DONE, NO_ARMIES, NO_MONEY, NO_SITE, NO_TILE_LEFT, Scene
from tests.naive.table import KINDS, differences
from wallsim.mechanics.economy import (
    build,
    collect_grain,
    collect_taxes,
    deploy,
    deploy_one,
    gain_grain,
    gain_thalers,
    march,
    place_marker,
    put_into_tray,
    site_outcome,
)
from wallsim.rules.terms import EFFECTS, OUTCOMES
from wallsim.state.game import stock


def homeland(county="Böhmen", armies=2, thalers=10, leader=0, **more):
    """Seat 0 holds one county, its leader in it or not, and some Thalers."""
    event, tile = more.pop("event", "none"), more.pop("tile", None)
    land = {name: more.pop(name) for name in ("buildings", "markers") if name in more}
    scene = Scene.start(event=event, expansions=("leaders",) * leader, **more)
    scene.table.give(0, county, armies, **land)
    player = scene.table.players[0]
    player.thalers, player.tile, player.leader = thalers, tile, county if leader else None
    return scene


led = pytest.mark.parametrize("leader", [0, 1], ids=["alone", "led"])


# ------------------------------------------------------------------------------------------------ receiving


@pytest.mark.parametrize(("bank", "others", "gained"), [(0, 66, 6), (100, 66, 4), (110, 66, 6), (100, 71, 0)])
def test_thalers_come_from_a_bank_that_runs_out_only_if_it_is_limited(bank, others, gained):  # B0.7 A2
    scene = Scene.start(bank=bank)
    scene.table.players[0].thalers, scene.table.players[1].thalers = others, 30  # with 71 it is overdrawn
    assert scene.do(gain_thalers, 1, 6) == gained
    assert scene.table.players[1].thalers == 30 + gained


@pytest.mark.parametrize(("track", "grain", "lost"), [("capped", 18, 2), ("open", 20, 0)])
def test_grain_above_eighteen_is_lost_unless_the_track_is_open(track, grain, lost):  # B0.6 A1
    scene = Scene.start(food_track=track)
    scene.table.players[2].grain = 16
    scene.do(gain_grain, 2, 4)
    assert scene.table.players[2].grain == grain
    assert scene.table.players[2].counts["grain_over"] == lost


# ------------------------------------------------------------------------------------------------- buildings


@led
@pytest.mark.parametrize(("kind", "price"), [("palace", 3), ("church", 2), ("trading_post", 1)])
def test_a_palace_costs_three_a_church_two_a_trading_post_one_and_with_the_leader_one_less(
    kind, price, leader
):  # B5.3 M2
    price -= leader
    scene = homeland(thalers=price, leader=leader)
    assert scene.outcome(build, 0, "Böhmen", kind) == DONE
    player = scene.table.players[0]
    assert (player.thalers, player.counts[f"paid_{kind}"]) == (0, price)
    assert scene.table.land["Böhmen"].buildings == {kind}
    if price:
        poor = homeland(thalers=price - 1, leader=leader)
        assert poor.outcome(build, 0, "Böhmen", kind) == NO_MONEY  # B5.2
        assert poor.table.players[0].thalers == price - 1
        assert poor.table.land["Böhmen"].buildings == set()


def test_a_county_takes_each_kind_of_building_once():  # B5.3
    scene = homeland(buildings=["church"])
    assert scene.outcome(build, 0, "Böhmen", "church") == NO_SITE
    assert scene.outcome(build, 0, "Böhmen", "palace") == DONE


@pytest.mark.parametrize(("county", "sites"), [("Schlesien", 1), ("Niederösterreich", 2), ("Böhmen", 3)])
def test_a_county_takes_no_more_buildings_than_it_has_sites(county, sites):  # B5.3
    scene = homeland(county)
    outcomes = [scene.outcome(build, 0, county, kind) for kind in KINDS]
    assert outcomes == [DONE] * sites + [NO_SITE] * (3 - sites)
    assert len(scene.table.land[county].buildings) == sites


@pytest.mark.parametrize("kind", KINDS)
def test_a_kind_that_is_used_up_cannot_be_built(kind):  # B0.3
    scene = homeland(players=5)
    others = [name for name in scene.table.land if name != "Böhmen"][: scene.table.amount(f"{kind}_tiles")]
    for name in others:
        scene.table.give(1, name, 1, [kind])
    assert scene.do(stock, kind) == 0
    assert scene.outcome(site_outcome, "Böhmen", kind) == NO_TILE_LEFT
    assert scene.outcome(build, 0, "Böhmen", kind) == NO_TILE_LEFT
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


# ------------------------------------------------------------------------------------------------- collecting

INCOME = [  # kernel, county, event, tile, income
    (collect_taxes, "Böhmen", "none", None, 6),
    (collect_taxes, "Böhmen", "none", "thaler", 7),
    (collect_taxes, "Böhmen", "none", "grain", 6),
    (collect_taxes, "Lausitz", "tax_max_5", "thaler", 6),
    (collect_taxes, "Mähren", "tax_max_5", None, 3),
    (collect_taxes, "Mähren", "tax_min_6", "thaler", 7),
    (collect_taxes, "Lausitz", "tax_min_6", None, 7),
    (collect_taxes, "Lausitz", "grain_max_3", None, 7),
    (collect_grain, "Böhmen", "none", None, 2),
    (collect_grain, "Böhmen", "none", "grain", 3),
    (collect_grain, "Böhmen", "none", "thaler", 2),
    (collect_grain, "Lüneburg", "grain_max_3", "grain", 4),
    (collect_grain, "Böhmen", "grain_max_3", None, 2),
    (collect_grain, "Böhmen", "grain_min_4", "grain", 5),
    (collect_grain, "Lüneburg", "grain_min_4", None, 5),
    (collect_grain, "Lüneburg", "tax_max_5", None, 5),
]


@led
@pytest.mark.parametrize(("kernel", "county", "event", "tile", "income"), INCOME)
def test_income_follows_the_event_then_the_tile_and_the_leader(
    kernel, county, event, tile, income, leader
):  # B4.4 B4.5 B5.4 M2
    scene = homeland(county, event=event, tile=tile, thalers=0, leader=leader)
    assert scene.do(kernel, 0, county) == income + leader
    player = scene.table.players[0]
    gained = (income + leader, 0) if kernel is collect_taxes else (0, income + leader)
    assert (player.thalers, player.grain) == gained


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


@led
@pytest.mark.parametrize(("action", "event", "tile", "price", "armies"), LEVIES)
def test_deploying_costs_its_price_and_gives_its_armies_and_one_more_with_the_leader(
    action, event, tile, price, armies, leader
):  # B4.4 B4.5 B5.2 B5.6 M2
    scene = homeland(event=event, tile=tile, thalers=price, leader=leader)
    assert scene.outcome(deploy, 0, "Böhmen", action) == DONE
    assert scene.table.land["Böhmen"].armies == 2 + armies + leader
    assert scene.table.players[0].thalers == 0
    scene = homeland(event=event, tile=tile, thalers=price - 1, leader=leader)
    assert scene.outcome(deploy, 0, "Böhmen", action) == NO_MONEY
    assert (scene.table.land["Böhmen"].armies, scene.table.players[0].thalers) == (2, price - 1)


SHORT = [  # action, event, tile, leader, supply, armies deployed under `action_number` and under `all`, 0 for skipped
    ("deploy5", "none", None, 0, 5, 5, 5),
    ("deploy5", "none", None, 0, 4, 0, 0),
    ("deploy5", "none", "six_armies", 0, 6, 6, 6),
    ("deploy5", "none", "six_armies", 0, 5, 5, 0),
    ("deploy5", "small_levies", "six_armies", 0, 3, 3, 0),
    ("deploy5", "small_levies", "six_armies", 0, 2, 0, 0),
    ("deploy3", "none", None, 0, 3, 3, 3),
    ("deploy3", "none", None, 0, 2, 0, 0),
    ("deploy1", "none", None, 0, 1, 1, 1),
    ("deploy1", "none", None, 0, 0, 0, 0),
    ("deploy5", "none", "six_armies", 1, 7, 7, 7),
    ("deploy5", "none", "six_armies", 1, 6, 6, 0),
    ("deploy3", "none", None, 1, 4, 4, 4),
    ("deploy3", "none", None, 1, 3, 3, 0),
    ("deploy1", "none", None, 1, 2, 2, 2),
    ("deploy1", "none", None, 1, 1, 1, 0),
]


@pytest.mark.parametrize("switch", ["action_number", "all"])
@pytest.mark.parametrize(("action", "event", "tile", "leader", "supply", "by_number", "by_all"), SHORT)
def test_the_actions_number_must_be_in_the_supply_and_bonuses_too_under_all(
    action, event, tile, leader, supply, by_number, by_all, switch
):  # B5.2 B5.6 B5.7 M2 A6
    scene = homeland(event=event, tile=tile, armies=62 - supply, short_supply=switch, leader=leader)
    armies = by_number if switch == "action_number" else by_all
    call = (deploy_one, 0, "Böhmen") if action == "deploy1" else (deploy, 0, "Böhmen", action)
    assert scene.outcome(*call) == (DONE if armies else NO_ARMIES)
    assert scene.table.supply[0] == supply - armies
    assert (scene.table.players[0].thalers == 10) == (armies == 0)


@led
def test_deploy_one_costs_one_thaler_and_gives_one_army_whatever_tile_and_event(leader):  # B5.7 B4.4 M2
    scene = homeland(event="small_levies", tile="six_armies", thalers=1, leader=leader)
    assert scene.outcome(deploy_one, 0, "Böhmen") == DONE
    assert (scene.table.land["Böhmen"].armies, scene.table.players[0].thalers) == (3 + leader, 0)
    assert scene.outcome(deploy_one, 0, "Böhmen") == NO_MONEY


# ------------------------------------------------------------------------------------------ against the twins

DICE = st.randoms(use_true_random=False)


def own_county(table, rng):
    """A random county that somebody owns, and its owner; None if all are neutral."""
    owned = [(county.owner, name) for name, county in table.land.items() if county.owner is not None]
    return rng.choice(owned) if owned else None


@given(big_box_tables(), st.data(), st.integers(0, 9))
def test_what_is_received_agrees_with_the_naive_table(table, data, amount):  # B0.2 B0.6 B0.7 A1 A2
    scene, seat = Scene(table), data.draw(st.sampled_from([*table.players]))
    assert scene.do(gain_thalers, seat, amount) == naive.receive_thalers(table, seat, amount)
    scene.do(gain_grain, seat, amount)
    naive.receive_grain(table, seat, amount)
    assert scene.do(put_into_tray, seat, amount) == naive.send_into_tray(table, seat, amount)
    assert differences(scene.table, table) == []


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
