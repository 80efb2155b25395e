"""Battles and revolts (B6), most of them with a tower that lets fall all that is thrown."""

from collections import Counter

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.naive import combat as naive
from tests.naive.making import BOARD, SHUT, SURE, SWAP, TOWERS, big_box_tables
from tests.naive.scene import Scene
from tests.naive.table import PEASANTS, County, bits, differences
from wallsim.mechanics.combat import attack, legal_targets, revolt

ORIGIN, TARGET = "Böhmen", "Mähren"


def front(attackers, defenders, buildings=(), markers=0, tray=None, **more):
    """Seat 0 in Böhmen faces seat 1 in Mähren (nobody if `defenders` is 0)."""
    tiles = more.pop("tiles", {})
    scene = Scene.start(**more)
    scene.table.give(0, ORIGIN, attackers + 1)
    if defenders:
        scene.table.give(1, TARGET, defenders, buildings, markers)
    scene.table.lay_in_tray(tray or {})
    for seat, tile in tiles.items():
        scene.table.players[seat].tile = tile
    return scene


def battle(attackers, defenders, **more):
    """The scene after all attackers but the one that must stay have attacked, and the result."""
    scene = front(attackers, defenders, **more)
    result = scene.fight(attack, 0, ORIGIN, TARGET, attackers, defenders)
    return scene, result


# ------------------------------------------------------------------------------------------- against a player


BUILT = {"palace", "church"}
BATTLES = [  # attackers, defenders, tower, result, the county after it (two markers), cubes that seats 0 and 1 lack
    (5, 3, SURE, "attacker", County(0, 2, 2, BUILT), (3, 0)),
    (3, 5, SURE, "defender", County(1, 2, 2, BUILT), (1, 2)),
    (4, 4, SURE, "tie", County(), (1, 0)),
    (4, 4, SHUT, "tie", County(), (5, 4)),  # nothing falls out
]


@pytest.mark.parametrize(("attackers", "defenders", "tower", "result", "county", "away"), BATTLES)
def test_who_has_more_cubes_wins_and_loses_as_many_as_the_other_had_and_a_tie_empties_the_county(
    attackers, defenders, tower, result, county, away
):  # B5.1 B6.7 B6.8 B6.9
    scene, outcome = battle(attackers, defenders, tower=tower, buildings=BUILT, markers=2)
    table = scene.table
    assert (outcome, table.land[TARGET], table.land[ORIGIN].armies) == (result, county, 1)
    assert (62 - table.supply[0], 62 - table.supply[1]) == away
    assert sum(table.tray.values()) == 0
    assert (table.markers_left, table.stock("palace")) == ((42, 28) if result == "tie" else (40, 27))
    assert table.players[1].lost == (set() if result == "defender" else {TARGET})
    assert table.players[0].lost == set()


IN_THE_TRAY = [  # attackers, defenders (0: neutral), markers, tray before and after, result, armies in the county
    (2, 3, 0, {PEASANTS: 1}, {}, "defender", 2),  # peasants fall first
    (2, 3, 0, {PEASANTS: 2}, {}, "defender", 3),
    (2, 3, 0, {PEASANTS: 4}, {}, "defender", 3),
    (6, 3, 0, {PEASANTS: 2}, {}, "attacker", 1),
    (4, 3, 1, {PEASANTS: 5}, {PEASANTS: 5}, "attacker", 1),  # they do not help where a revolt marker lies
    (4, 0, 0, {PEASANTS: 2}, {}, "attacker", 1),
    (2, 0, 0, {PEASANTS: 1}, {}, "tie", 0),
    (2, 0, 0, {PEASANTS: 2}, {}, "defender", 0),
    (3, 2, 0, {1: 2}, {}, "defender", 1),
    (2, 4, 0, {0: 3, 2: 2, 3: 1}, {2: 2, 3: 1}, "attacker", 1),
]


@pytest.mark.parametrize(("attackers", "defenders", "markers", "before", "after", "result", "armies"), IN_THE_TRAY)
def test_cubes_in_the_tray_join_the_battle_and_those_of_others_stay(
    attackers, defenders, markers, before, after, result, armies
):  # B6.1 B6.5 to B6.9
    scene, outcome = battle(attackers, defenders, markers=markers, tray=before)
    assert outcome == result
    assert scene.table.land[TARGET].armies == armies
    assert +Counter(scene.table.tray) == after


def test_peasants_alone_do_not_hold_a_players_county():  # B6.8
    # Nothing thrown falls, all that was inside does: the defender's armies stay in the tower.
    scene = front(2, 3, tower=SWAP, buildings=["church"])
    scene.table.supply[PEASANTS] -= 4
    scene.table.tower[PEASANTS] += 4
    assert scene.fight(attack, 0, ORIGIN, TARGET, 2, 3) == "tie"
    assert scene.table.land[TARGET] == County()
    assert scene.table.supply[PEASANTS] == 20
    assert (scene.table.tower[0], scene.table.tower[1]) == (2, 3)


@pytest.mark.parametrize(
    ("tiles", "result"),
    [
        *[({}, "tie"), ({0: "attack"}, "attacker"), ({1: "defence"}, "defender")],
        *[({1: "attack"}, "tie"), ({0: "defence"}, "tie"), ({2: "attack"}, "tie"), ({2: "defence"}, "tie")],
    ],
)
def test_the_attackers_tile_of_attack_and_the_defenders_of_defence_add_an_army(tiles, result):  # B4.4 B6.2
    assert battle(3, 3, tiles=tiles)[1] == result


def test_extra_armies_come_only_if_the_supply_has_them():  # B4.6
    scene = front(3, 3, tiles={0: "attack", 1: "defence"}, event="palace_guard", buildings=["palace"])
    for seat, name in ((0, "Schlesien"), (1, "Passau")):
        scene.table.give(seat, name, scene.table.supply[seat])
    assert scene.fight(attack, 0, ORIGIN, TARGET, 3, 3) == "tie"


@pytest.mark.parametrize(("supply", "armies"), [(0, 1), (1, 2), (2, 3), (3, 3)])
def test_tile_and_palace_guard_add_up_as_far_as_the_supply_goes(supply, armies):  # B4.6 B6.2
    scene = front(2, 3, tiles={1: "defence"}, event="palace_guard", buildings=["palace"])
    scene.table.give(1, "Passau", scene.table.supply[1] - supply)
    assert scene.fight(attack, 0, ORIGIN, TARGET, 2, 3) == "defender"
    assert scene.table.land[TARGET].armies == armies


@pytest.mark.parametrize("event", ["none", "palace_guard", "church_peace"])
@pytest.mark.parametrize("buildings", [(), ("palace",), ("church", "trading_post")])
def test_the_palace_guard_comes_to_palaces_under_its_event_only(event, buildings):  # B6.2
    _, result = battle(3, 3, event=event, buildings=buildings)
    assert result == ("defender" if event == "palace_guard" and "palace" in buildings else "tie")


@pytest.mark.parametrize("event", ["none", "church_peace", "palace_guard"])
@pytest.mark.parametrize("action", ["combat_a", "combat_b"])
@pytest.mark.parametrize("buildings", [("palace",), ("church",)])
def test_churches_protect_under_their_event_only(event, buildings, action):  # B5.9
    scene = front(3, 3, event=event, buildings=buildings)
    protected = event == "church_peace" and "church" in buildings
    target = 1 << BOARD.counties.index(TARGET)
    assert bool(scene.do(legal_targets, 0, ORIGIN, action) & target) is not protected


# --------------------------------------------------------------------------------------- against the peasants


@pytest.mark.parametrize(("event", "peasants"), [("none", 1), ("neutral_guard", 2), ("palace_guard", 1)])
def test_a_neutral_county_is_defended_by_one_peasant_or_two(event, peasants):  # B6.3 B6.7
    scene, result = battle(4, 0, event=event)
    assert result == "attacker"
    assert scene.table.land[TARGET] == County(0, 4 - peasants)
    assert scene.game.engaged[-1] == peasants
    assert scene.table.supply[PEASANTS] == 20


@pytest.mark.parametrize(
    ("supply", "switch", "armies"),
    [(2, "limited", 1), (1, "limited", 2), (0, "limited", 3), (1, "all_or_none", 3), (2, "all_or_none", 1)],
)
def test_few_peasants_come_as_far_as_the_supply_goes_or_not_at_all(supply, switch, armies):  # B6.3 A8
    scene = front(3, 0, event="neutral_guard", few_peasants=switch)
    scene.table.tower[PEASANTS], scene.table.supply[PEASANTS] = 20 - supply, supply
    assert scene.fight(attack, 0, ORIGIN, TARGET, 3, 0) == "attacker"
    assert scene.table.land[TARGET].armies == armies


# ---------------------------------------------------------------------------------------------------- revolts


@pytest.mark.parametrize(
    ("armies", "peasants", "more", "left"),
    [
        (5, 2, {}, 3),
        (3, 3, {}, 0),
        (2, 3, {}, 0),
        (6, 1, {"tower": SHUT}, 0),  # nothing falls out
        (4, 1, {"tray": {PEASANTS: 3, 2: 2}}, 0),
    ],
)
def test_a_revolt_is_put_down_by_more_armies_than_peasants_or_makes_the_county_neutral(
    armies, peasants, more, left
):  # B6.4 B6.10
    scene = front(1, armies, markers=2, buildings=["church"], **more)
    held = scene.do(revolt, TARGET, peasants, armies)
    assert bool(held) == (left > 0)
    assert scene.table.land[TARGET] == (County(1, left, 2, {"church"}) if held else County())
    assert scene.table.players[1].lost == (set() if held else {TARGET})
    assert +Counter(scene.table.tray) == ({2: 2} if "tray" in more else {})


GUARDS = [  # the switch, the event, the building, armies in the supply, guards that come
    *[("no", "palace_guard", "palace", 58, 0), ("yes", "palace_guard", "palace", 58, 1)],
    *[("yes", "none", "palace", 58, 0), ("yes", "palace_guard", "church", 58, 0)],
    *[("yes", "palace_guard", "palace", 1, 1), ("yes", "palace_guard", "palace", 0, 0)],
]


@pytest.mark.parametrize(("switch", "event", "building", "supply", "guards"), GUARDS)
def test_the_palace_guard_helps_against_a_revolt_only_by_the_switch_and_tiles_never(
    switch, event, building, supply, guards
):  # B6.4 A15
    scene = front(1, 2, markers=2, event=event, palace_guard_in_revolts=switch, buildings=[building],
                  tiles={1: "defence"})  # fmt: skip
    scene.table.tower[1] = scene.table.supply[1] - supply
    scene.table.supply[1] = supply
    assert bool(scene.do(revolt, TARGET, 2, 2)) == (guards > 0)
    assert scene.game.engaged[1] == 2 + guards
    assert scene.table.land[TARGET].armies == guards


@pytest.mark.parametrize(("switch", "armies"), [("limited", 2), ("all_or_none", 3)])
def test_a_revolt_calls_as_many_peasants_as_the_supply_has_or_none(switch, armies):  # B6.4 A8
    scene = front(1, 3, markers=2, few_peasants=switch)
    scene.table.tower[PEASANTS], scene.table.supply[PEASANTS] = 19, 1
    assert scene.do(revolt, TARGET, 2, 3)
    assert scene.table.land[TARGET].armies == armies


# ------------------------------------------------------------------------------------------ against the twins


@given(big_box_tables(), st.sampled_from(TOWERS), st.randoms(use_true_random=False), st.integers(0, 10**6))
def test_battles_agree_with_the_naive_ones(table, tower, rng, number):  # B6.1 to B6.11 V5 V6 M4 A8 A13
    scene, twin, fought = Scene(table, tower, number), table, 0
    for _ in range(8):
        action = rng.choice(["combat_a", "combat_b"])
        fronts = [
            (name, other)
            for name, county in twin.land.items()
            if county.owner is not None and county.armies > 1
            for other in sorted(naive.targets(twin, county.owner, name, action))
            if twin.land[other].owner != county.owner
        ]
        if not fronts:
            break
        origin, target = rng.choice(fronts)
        seat, armies = twin.land[origin].owner, rng.randint(1, twin.land[origin].armies - 1)
        defenders = 0 if twin.land[target].owner is None else rng.choice(naive.defenders_allowed(twin, target))
        result = scene.fight(attack, seat, origin, target, armies, defenders)
        fallen = scene.fallen()
        assert result == naive.attack(twin, seat, origin, target, armies, fallen, defenders or None, action)
        assert differences(scene.table, twin) == []
        twin, fought = scene.table, fought + 1
    assume(fought)


@given(big_box_tables(), st.sampled_from(TOWERS), st.randoms(use_true_random=False), st.integers(0, 10**6))
def test_revolts_agree_with_the_naive_ones(table, tower, rng, number):  # B6.4 B6.10 V5 M4 A8 A15
    scene, twin = Scene(table, tower, number), table
    for _ in range(6):
        owned = [name for name, county in twin.land.items() if county.owner is not None]
        if not owned:
            break
        county, peasants = rng.choice(owned), rng.randint(0, 6)
        defenders = rng.choice(naive.defenders_allowed(twin, county))
        held = scene.do(revolt, county, peasants, defenders)
        assert held == naive.revolt(twin, county, peasants, scene.fallen(), defenders=defenders)
        assert differences(scene.table, twin) == []
        twin = scene.table


@given(big_box_tables(), st.sampled_from(["combat_a", "combat_b"]))
def test_targets_agree_with_the_naive_ones(table, action):  # B5.8 B5.9 E6
    scene = Scene(table)
    for name, county in table.land.items():
        if county.owner is not None:
            mask = scene.do(legal_targets, county.owner, name, action)
            assert bits(mask, BOARD.counties) == naive.targets(table, county.owner, name, action)
