"""Cards on action boxes, played by policies and compared with the naive table (B5)."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.naive import combat, economy
from tests.naive.making import SHUT, SURE, TOWERS, big_box_tables, tables
from tests.naive.scene import DONE, LOST, NO_ARMIES, NO_FORCE, NO_MONEY, NO_TARGET, STAYED, Scene
from tests.naive.table import KINDS, PEASANTS, County, Table, differences
from tests.policies.seating import begin_round, odd_policy, plan, sit
from wallsim.engine.actions import act, collect
from wallsim.policies.catalogue import load_policy
from wallsim.rules.terms import ACTIONS, EFFECTS


def collected(action, markers, tower=SURE, **switches):
    """Seat 0 collects in Böhmen (taxes 6, grain 2, three armies)."""
    scene = Scene.start(tower=tower, **switches)
    scene.table.give(0, "Böhmen", 3, markers=markers)
    scene.do(collect, 0, "Böhmen", action)
    return scene


@pytest.mark.parametrize("tower", [SURE, SHUT])
@pytest.mark.parametrize(("switch", "kept"), [("first", 6), ("if_held", 0)])
def test_the_income_of_a_lost_county_is_kept_or_not(tower, switch, kept):  # B5.5 A5
    scene = collected("taxes", 3, tower, income=switch)
    assert scene.table.land["Böhmen"] == County()
    assert scene.table.players[0].thalers == kept
    assert scene.table.markers_left == 42


@pytest.mark.parametrize("action", ACTIONS)
def test_a_county_that_was_lost_after_planning_does_nothing(action):  # B5.1
    scene = Scene.start()
    scene.table.give(1, "Böhmen", 5)
    scene.table.give(0, "Passau", 5)
    scene.table.players[0].thalers = 9
    scene.table.players[0].lost = {"Böhmen", "Passau"}  # Passau was won back
    assert scene.outcome(act, 0, action, "Böhmen") == LOST
    assert scene.outcome(act, 0, action, "Passau") == LOST
    assert scene.table.players[0].thalers == 9


@pytest.mark.parametrize(
    ("edition", "switch", "peasants"), [("1e", "before", 2), ("1e", "with_own", 3), ("2e", "with_own", 2)]
)
@pytest.mark.parametrize("action", ["grain", "taxes"])
def test_the_marker_about_to_be_placed_revolts_too_or_not(edition, switch, peasants, action):  # B5.5 A16
    scene = Scene.start(edition=edition, revolting_markers=switch)
    scene.table.give(0, "Altmark", 9, markers=2)
    assert scene.outcome(act, 0, action, "Altmark") == DONE
    assert scene.game.engaged[-1] == peasants


# ------------------------------------------------------------------------------------------ against the twins


def defenders_of(table: Table, scene: Scene, seat: int, county: str, attacker=PEASANTS) -> int:
    """How many of the county's armies were thrown in the last battle, those that came from the supply left out (V5)."""
    thrown = int(scene.game.engaged[seat])
    guards = 0
    if table.event == "palace_guard" and "palace" in table.land[county].buildings:
        if attacker != PEASANTS or table.rules.palace_guard_in_revolts == "yes":
            guards += table.amount("event_palace_guard_armies")
    if attacker != PEASANTS and table.players[seat].tile == "defence":
        guards += table.amount("tile_defence_armies")
    return thrown - min(guards, table.supply[seat])


def naive_act(table: Table, scene: Scene, seat: int, action: str, county: str, may_stay: bool) -> set[str]:
    """Resolve a county card on a naive table; the policies' choices and what fell are taken from the kernel."""
    if table.land[county].owner != seat or county in table.players[seat].lost:
        return {LOST}
    if action in KINDS:
        return economy.build(table, seat, county, action)
    if action in ("taxes", "grain"):
        return economy.collect(table, seat, county, action, scene.fallen(), defenders_of(table, scene, seat, county))
    if action in ("deploy5", "deploy3"):
        return economy.deploy(table, seat, county, action)
    mind = scene.players.seat[seat]
    target, armies = table.board.counties[mind.target], int(mind.armies)
    if action == "deploy1":
        levied = scene.table.supply[seat] < table.supply[seat]
        if table.rules.edition == "1e":
            return naive_recruiting(table, seat, county, levied, target, armies)
        obstacles = economy.deploy_one(table, seat, county)
        if not obstacles and armies:
            economy.march(table, county, target, armies)
        return obstacles
    if table.land[county].armies < 2:
        return {NO_FORCE}
    targets = combat.targets(table, seat, county, action)
    if not targets:
        return {NO_TARGET}
    if not armies:
        assert may_stay
        return {STAYED}
    assert target in targets
    owner = table.land[target].owner
    if owner == seat:
        economy.march(table, county, target, armies)
    else:
        defenders = None if owner is None else defenders_of(table, scene, owner, target, seat)
        combat.attack(table, seat, county, target, armies, scene.fallen(), defenders, action)
    return set()


def naive_recruiting(table, seat, county, levied, target, armies):
    """Recruit, march or both for the price of deploy 1, as the policy chose (V3)."""
    modes = economy.recruiting_modes(table, seat, county)
    if table.players[seat].thalers < table.amount("deploy1_price") or not modes:
        return {NO_MONEY} if modes else {NO_MONEY, NO_ARMIES}
    chosen = ("both" if armies else "recruit") if levied else "march"
    assert chosen in modes
    if levied:
        assert economy.deploy_one(table, seat, county) == set()
    else:
        table.players[seat].thalers -= table.amount("deploy1_price")
        table.players[seat].counts["paid_deploy1"] += table.amount("deploy1_price")
    if armies:
        economy.march(table, county, target, armies)
    return set()


@given(
    st.one_of(tables(), big_box_tables()),
    st.sampled_from(TOWERS),
    st.integers(0, 2**32).map(random.Random),
    st.integers(0, 10**6),
    st.booleans(),
)
def test_any_sequence_of_actions_agrees_with_the_naive_table(
    table, tower, rng, number, chance
):  # B0.2 B5 B6 A7 A15 A16 E6 M2 V3 V4 V5
    """By chance, which moves wherever it can, or by policies of any weights, which stay where they may and want to."""
    minds = [load_policy("random") if chance else odd_policy(rng) for _ in table.players]
    scene = begin_round(sit(Scene(table, tower, number), *minds), rng.randrange(3), rng=rng)
    for seat in table.players:
        plan(scene, seat)
    table.event = rng.choice(EFFECTS)
    if "court" in table.rules.expansions:
        table.truce = {action: {seat for seat in table.players if rng.random() < 0.4} for action in table.truce}
    may_stay, twin = not chance and table.rules.combat == "may", table
    for _ in range(25):
        owned = [(c.owner, name) for name, c in twin.land.items() if c.owner is not None]
        if not owned:
            break
        seat, county = rng.choice(owned)
        action = rng.choice([*ACTIONS, "combat_a", "combat_b", "deploy1"])  # which the policies decide
        outcome = scene.outcome(act, seat, action, county)
        obstacles = naive_act(twin, scene, seat, action, county, may_stay)
        assert outcome in (obstacles or {DONE}), f"{action} in {county}"
        assert differences(scene.table, twin) == []
        twin = scene.table
