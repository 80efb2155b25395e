"""What the 21 favors do (E6)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.naive import court as naive
from tests.naive.making import BOARD, tables_with
from tests.naive.scene import Scene
from tests.naive.table import PEASANTS, County, bits, differences
from wallsim.mechanics.combat import legal_targets
from wallsim.mechanics.court import favor_counties, grant, take_favor
from wallsim.mechanics.economy import place_marker
from wallsim.rules.terms import NOWHERE
from wallsim.state.game import is_live

DICE = st.randoms(use_true_random=False)
HOME, NEXT = "Böhmen", "Mähren"


def at_court(**more):
    """Seat 0 holds Böhmen with three armies; the court is in session."""
    land = {name: more.pop(name) for name in ("buildings", "markers") if name in more}
    scene = Scene.start(expansions=("court",), **more)
    scene.table.give(0, HOME, 3, **land)
    return scene


def choices(scene, favor, seat=0):
    """Where the seat may use the favor."""
    return bits(scene.do(favor_counties, seat, favor), BOARD.counties)


def enjoy(scene, favor, county=NOWHERE, cancel=False, seat=0):
    """Grant a favor; what it brought."""
    return scene.do(grant, seat, favor, county, cancel)


def test_every_favor_is_of_the_kind_that_its_number_tells():  # E6
    names = {
        "cancel": "cancel_event",
        "points": "victory_points",
        "building": "free_building",
        "truce": "no_attack",
    }
    for row in BOARD.favors:
        kind = naive.kind_of(row["number"])
        assert row["kind"] == names.get(kind, kind)


# ------------------------------------------------------------------------------------------ 1: cancel the event


@pytest.mark.parametrize(("cancel", "event", "counted"), [(True, "none", 1), (False, "church_peace", 0)])
def test_favor_1_may_cancel_the_event(cancel, event, counted):  # E6
    scene = at_court(event="church_peace")
    assert choices(scene, 1) == set()
    assert enjoy(scene, 1, cancel=cancel) == 0
    assert scene.table.event == event
    assert scene.table.players[0].counts["favor_cancelled"] == counted


# --------------------------------------------------------------------- Thalers, grain, points, armies in the tray


@pytest.mark.parametrize(
    ("kind", "favors", "counted"),
    [
        ("thalers", {2: 2, 9: 4, 16: 6}, "favor_thalers"),
        ("grain", {5: 2, 15: 3, 20: 4}, "favor_grain"),
        ("points", {6: 1, 13: 2, 19: 3}, "vp_favors"),
    ],
)
def test_favors_bring_thalers_grain_and_victory_points_at_once(kind, favors, counted):  # E6
    for favor, amount in favors.items():
        scene = at_court()
        assert enjoy(scene, favor) == amount
        player = scene.table.players[0]
        gained = {name: getattr(player, name) for name in ("thalers", "grain", "points")}
        assert gained == {"thalers": 0, "grain": 0, "points": 0, kind: amount}
        assert player.counts[counted] == amount


@pytest.mark.parametrize(("favor", "armies"), [(3, 2), (8, 3), (14, 4)])
@pytest.mark.parametrize("supply", [0, 1, 20])
def test_favors_3_8_and_14_put_armies_into_the_tray_as_far_as_the_supply_has_them(favor, armies, supply):  # E6
    scene = at_court()
    scene.table.give(0, NEXT, scene.table.supply[0] - supply)
    assert enjoy(scene, favor) == min(armies, supply)
    assert scene.table.tray[0] == min(armies, supply)
    assert scene.table.supply[0] == supply - min(armies, supply)


# ------------------------------------------------------------------------------------------- 4: calm and parry


def test_favor_4_must_remove_a_marker_where_an_own_county_has_one():  # E6
    scene = at_court(markers=2)
    scene.table.give(0, NEXT, 1)
    scene.table.give(1, "Passau", 1, markers=3)
    assert choices(scene, 4) == {HOME}  # the quiet county and the other player's do not count
    enjoy(scene, 4, HOME)
    assert scene.table.land[HOME].markers == 1
    assert scene.table.markers_left == 42 - 1 - 3
    assert scene.table.players[0].parry == 0
    assert scene.table.players[0].counts["favor_calmed"] == 1


def test_favor_4_is_kept_without_a_marker_and_parries_the_next_one_only():  # E6
    scene = at_court()
    scene.table.give(1, "Passau", 1, markers=3)
    assert choices(scene, 4) == set()
    enjoy(scene, 4)
    assert scene.table.players[0].parry == 1
    scene.do(place_marker, 0, HOME)
    assert (scene.table.land[HOME].markers, scene.table.markers_left) == (0, 39)
    assert (scene.table.players[0].parry, scene.table.players[0].counts["favor_parried"]) == (0, 1)
    scene.do(place_marker, 0, HOME)
    assert (scene.table.land[HOME].markers, scene.table.markers_left) == (1, 38)


def test_a_kept_favor_4_parries_for_its_owner_alone_and_waits_while_no_marker_would_be_placed():  # E6 B0.4
    scene = at_court()
    scene.table.give(1, "Passau", 1, markers=2)
    for name in [name for name in scene.table.land if name not in (HOME, "Passau")][:13]:
        scene.table.give(1, name, 1, markers=3)
    enjoy(scene, 4)
    scene.do(place_marker, 1, "Passau")
    assert scene.table.land["Passau"].markers == 3
    scene.do(place_marker, 0, HOME)
    assert (scene.table.markers_left, scene.table.land[HOME].markers, scene.table.players[0].parry) == (0, 0, 1)


# -------------------------------------------------------------------------------------- 7, 17, 21: free buildings


@pytest.mark.parametrize(("favor", "kind"), [(7, "trading_post"), (17, "church"), (21, "palace")])
def test_favors_7_17_and_21_put_up_a_building_without_pay_where_a_site_is_free_and_its_kind_lacks(
    favor, kind
):  # E6 B5.3
    scene = at_court(buildings=[kind])
    scene.table.give(0, "Schlesien", 1, ["church" if kind != "church" else "palace"])  # its only site
    scene.table.give(1, "Kärnten", 1)
    assert choices(scene, favor) == set()
    scene.table.give(0, "Tirol", 1)
    assert choices(scene, favor) == {"Tirol"}
    enjoy(scene, favor, "Tirol")
    player = scene.table.players[0]
    assert scene.table.land["Tirol"].buildings == {kind}
    assert (player.thalers, player.counts["favor_buildings"], player.counts[f"paid_{kind}"]) == (0, 1, 0)


def test_a_free_building_of_a_kind_that_is_used_up_is_not_built():  # E6 B0.3
    scene = at_court()
    for name in [name for name in scene.table.land if name != HOME][:28]:
        scene.table.give(1, name, 1, ["palace"])
    assert choices(scene, 21) == set()
    before = scene.table
    enjoy(scene, 21)
    assert differences(scene.table, before) == []


@pytest.mark.parametrize(
    ("favor", "event", "left"),
    [*((favor, "trading_post_calms", left) for favor, left in ((7, 1), (17, 2), (21, 2))), (7, "none", 2)],
)
def test_a_free_trading_post_calms_under_its_event_alone(favor, event, left):  # E6 trading_post_calms
    scene = at_court(event=event, markers=2)
    enjoy(scene, favor, HOME)
    assert scene.table.land[HOME].markers == left
    assert scene.table.players[0].counts["markers_removed"] == 2 - left


# ------------------------------------------------------------------------------------- 10, 11, 18: protection


@pytest.mark.parametrize(("favor", "letters"), [(10, "a"), (11, "b"), (18, "ab")])
@pytest.mark.parametrize("letter", ["a", "b"])
def test_favors_10_11_and_18_ward_off_combat_a_b_or_either(favor, letters, letter):  # E6 B5.9
    scene = at_court()
    scene.table.give(1, NEXT, 3)
    scene.table.give(2, "Passau", 3)
    enjoy(scene, favor, seat=1)
    targets = bits(scene.do(legal_targets, 0, HOME, f"combat_{letter}"), BOARD.counties)
    assert (NEXT in targets) is (letter not in letters)
    assert targets >= {"Passau", "Schlesien"}  # another player and a neutral county stay attackable


# ------------------------------------------------------------------------------------------ 12: three free armies


@pytest.mark.parametrize(("county", "before", "taken"), [(HOME, 3, 0), ("Altmark", 0, 1)])
def test_favor_12_puts_three_armies_into_an_own_county_or_takes_a_neutral_one_without_a_battle(
    county, before, taken
):  # E6
    scene = at_court()
    assert enjoy(scene, 12, county) == 3
    assert scene.table.land[county] == County(0, before + 3)
    assert (scene.game.casts, scene.table.supply[PEASANTS]) == (0, 20)
    assert scene.table.players[0].counts["favor_counties"] == taken
    assert scene.do(is_live, 0, county)


@pytest.mark.parametrize("players", [3, 5])
def test_favor_12_goes_to_own_and_neutral_counties_in_play(players):  # E6 B0.1
    scene = at_court(players=players)
    scene.table.give(1, NEXT, 3)
    assert choices(scene, 12) == set(scene.table.land) - {NEXT}


@pytest.mark.parametrize("event", ["none", "small_levies"])
@pytest.mark.parametrize("supply", [0, 1, 3, 4])
def test_favor_12_brings_what_the_supply_has_and_nothing_if_it_is_empty(supply, event):  # E6
    scene, armies = at_court(event=event), min(supply, 3)
    scene.table.give(0, NEXT, scene.table.supply[0] - supply)
    assert ("Altmark" in choices(scene, 12)) == (armies > 0)
    assert enjoy(scene, 12, "Altmark" if armies else NOWHERE) == armies
    assert scene.table.land["Altmark"] == County(0 if armies else None, armies)


# ------------------------------------------------------------------------------------------- against the twins


@given(tables_with("court"), st.integers(1, 21), DICE)
def test_where_a_favor_may_be_used_agrees_with_the_naive_court(table, favor, rng):  # E6
    scene, seat = Scene(table), rng.choice([*table.players])
    assert choices(scene, favor, seat) == naive.counties_for(table, seat, favor)


@given(tables_with("court"), DICE)
def test_favors_agree_with_the_naive_ones(table, rng):  # E2 E5 E6 B0.2 A1 A2
    scene, twin = Scene(table), table
    for seat in rng.sample([*table.players], len(table.players)):
        twin.favors = sorted(rng.sample(range(1, 22), 3), reverse=True)
        twin.players[seat].hall, space = 7, rng.randrange(3)
        scene.table = twin
        favor = scene.do(take_favor, seat, space)
        assert favor == naive.take(twin, seat, space)
        places = sorted(naive.counties_for(twin, seat, favor))
        county, cancel = rng.choice(places) if places else None, rng.random() < 0.5
        amount = scene.do(grant, seat, favor, NOWHERE if county is None else county, cancel)
        assert amount == naive.grant(twin, seat, favor, county, cancel)
        assert differences(scene.table, twin) == []
        twin = scene.table
