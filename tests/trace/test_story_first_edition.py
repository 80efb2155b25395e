"""The first edition in a story: recruit and/or move, and armies that stand aside."""

import pytest

from tests.trace.recorded import FULL_FIRST_EDITION, record, state_before
from wallsim.trace.story.actions import action_story, skipped_story
from wallsim.trace.story.battle import attack_story, revolt_story

WITH_OWN = "1 revolt marker lies there already and one more is about to be placed, so 2 peasants rise against"


def test_recruiting_in_the_first_edition_may_be_a_move_alone_or_nothing():  # V3
    recorded = record(*FULL_FIRST_EDITION)
    match, state = recorded.match, state_before(recorded)
    here, near, *_ = state.owned(0)
    line = {"t": "action", "seat": 0, "county": here, "action": "deploy1", "done": True, "paid": 1, "armies": 0}
    marched = action_story(match, state, {**line, "to": near, "moved": 1}, None)
    assert marched == f"Seat 0 pays 1 Thaler and moves 1 army from {here} to {near}."
    state.supply["0"] = 0
    skipped = {**line, "done": False, "why": "not enough armies in the supply"}
    assert skipped_story(match, state, skipped) == (
        f"Seat 0 cannot recruit or move in {here}: its supply holds no armies "
        "and none there can go to a county of its own."
    )


def battle_of(state, county, attacker, fighting, a, d, p, result, survivors):
    cubes = {**{str(seat): 0 for seat in range(4)}, "peasants": 0}
    engaged = {**cubes, str(state.at(county)["owner"]): fighting, str(attacker): 2}
    fallen = {
        **cubes,
        str(state.at(county)["owner"]): d,
        "peasants": p,
        **({str(attacker): a} if attacker != "peasants" else {}),
    }
    return {
        "t": "battle", "kind": "revolt" if attacker == "peasants" else "player", "attacker": attacker,
        "defender": state.at(county)["owner"], "county": county, "tray_before": cubes, "engaged": engaged,
        "tray_after_drop": fallen, "tower_after": cubes, "a": a, "d": d, "p": p, "result": result,
        "survivors": survivors, "tray_after": cubes, "from": None if attacker == "peasants" else "there",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("markers", "fell", "result", "survivors", "end"),
    [
        (0, (4, 2, 0), "attacker", 2, "2 armies stay there; the 3 armies that stood aside return to the supply of "),
        (0, (1, 2, 0), "defender", 1, "holds HERE and 1 army stays there with the 3 that stood aside."),
        (0, (2, 2, 0), "tie", 0, "becomes neutral; the 3 armies that stood aside return to the supply of seat 1."),
        (
            1, (1, 0, 2), "tie", 0,
            "2 peasants, who fight for seat 1 because HERE bears only 1 revolt marker. 1 against 2: the attack fails, "
            "but no army of seat 1 that fought is left to hold it: HERE becomes neutral; the 3 armies that stood aside "
            "return to the supply of seat 1.",
        ),
        (1, (1, 0, 2), "defender", 0, "seat 1 holds HERE and only the 3 armies that stood aside stay there."),
        (2, (1, 0, 2), "attacker", 1, "2 peasants, who stand aside because HERE bears 2 revolt markers. 1 against 0:"),
    ],
)  # fmt: skip
def test_armies_that_stood_aside_share_the_fate_of_their_county(markers, fell, result, survivors, end):  # V5, V6, A13
    recorded = record(*FULL_FIRST_EDITION)
    match, state = recorded.match, state_before(recorded)
    county = state.owned(1)[0]
    state.at(county)["armies"], state.effect, state.at(county)["markers"] = 5, "none", markers
    battle = battle_of(state, county, 0, 2, *fell, result, survivors)
    action = {"seat": 0, "action": "combat_a", "county": "there", "done": True, "target": county, "moved": 2}
    text = attack_story(match, state, action, battle)
    assert "seat 1 defends with 2 of the 5 armies there." in text
    assert end.replace("HERE", county) in text
    supply = state.supply["1"]
    state.read(battle)
    out_of_the_tray = fell[1] - (survivors if result == "defender" else 0)
    assert state.supply["1"] - supply == out_of_the_tray + (0 if result == "defender" else 3)
    assert state.at(county)["armies"] == {"attacker": survivors, "defender": survivors + 3, "tie": 0}[result]


def test_armies_may_stand_aside_in_a_revolt():  # V5
    recorded = record(*FULL_FIRST_EDITION)
    state = state_before(recorded)
    county = state.owned(1)[0]
    state.at(county)["armies"], state.at(county)["markers"] = 4, 1
    battle = {**battle_of(state, county, "peasants", 1, 2, 0, 2, "attacker", 0)}
    battle["engaged"]["peasants"] = 1
    text = revolt_story(state, battle)
    assert "so 1 peasant rises against 1 of the 4 armies of seat 1." in text
    assert text.endswith(f"{county} becomes neutral; the 3 armies that stood aside return to the supply of seat 1.")


@pytest.mark.parametrize(("switch", "risen"), [("before", "so 1 peasant rises against"), ("with_own", WITH_OWN)])
def test_the_marker_about_to_be_placed_is_reported_where_it_revolts_too(switch, risen):  # B5.5 A16
    recorded = record(*FULL_FIRST_EDITION, (("revolting_markers", switch),))
    state = state_before(recorded)
    county = state.owned(1)[0]
    state.at(county)["armies"], state.at(county)["markers"] = 4, 1
    battle = battle_of(state, county, "peasants", 4, 0, 3, 1, "defender", 2)
    battle["engaged"]["peasants"] = 2 if switch == "with_own" else 1
    assert risen in revolt_story(state, battle)


def test_a_common_supply_that_falls_short_is_reported_for_the_marker_about_to_be_placed_too():  # B6.4 A8 A16
    state = state_before(record(*FULL_FIRST_EDITION, (("revolting_markers", "with_own"),)))
    county = state.owned(1)[0]
    state.at(county)["armies"], state.at(county)["markers"] = 4, 2
    battle = battle_of(state, county, "peasants", 4, 0, 3, 1, "defender", 2)
    battle["engaged"]["peasants"] = 1
    text = revolt_story(state, battle)
    assert "is about to be placed, so 1 peasant rises instead of 3, for the common supply has no more, against" in text


@pytest.mark.parametrize(("switch", "story_of", "armies"), [("yes", " and 1 more for the palace", 2), ("no", "", 3)])
def test_the_palaces_army_in_a_revolt_is_reported_and_comes_from_the_supply(switch, story_of, armies):  # B6.4 A15
    state = state_before(record(4, "lineup", 1, ("random",), "2e", (), (("palace_guard_in_revolts", switch),)))
    county = state.owned(1)[0]
    state.at(county)["armies"], state.at(county)["markers"], state.effect = armies, 1, "palace_guard"
    state.at(county)["buildings"] = ["palace"]
    supply = state.supply["1"]
    battle = battle_of(state, county, "peasants", 3, 0, 3, 1, "defender", 2)
    battle["engaged"]["peasants"] = 1
    assert f"against {armies} armies{story_of} of seat 1." in revolt_story(state, battle)
    state.read(battle)
    guard = 3 - armies
    assert (state.at(county)["armies"], state.supply["1"]) == (2, supply - guard + 1)  # of three that fell one dies
