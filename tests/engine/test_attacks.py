"""Combat/movement in the engine: when nothing can be done, and when moving is a duty (B5.2, B5.8, B5.9, [A7])."""

import pytest

from tests.naive.scene import DONE, NO_FORCE, NO_TARGET, Scene
from tests.naive.table import differences
from tests.policies.seating import begin_round, draw, sit
from wallsim.engine.actions import act, perform_actions
from wallsim.policies.catalogue import load_policy
from wallsim.rules.terms import COMBAT_A, EFFECTS, MONEY
from wallsim.state import tally

POLICIES = [load_policy("random"), load_policy("balanced")]
policies = pytest.mark.parametrize("policy", POLICIES, ids=lambda policy: policy.name)
duties = pytest.mark.parametrize("duty", ["may", "must"])


def in_peace(policy, duty="may", armies=9):
    """Altmark of seat 0 among counties with churches of seat 1."""
    scene = sit(Scene.start(event="church_peace", combat=duty), policy)
    scene.table.give(0, "Altmark", armies)
    for name in scene.table.neighbours("Altmark"):
        scene.table.give(1, name, 1, ["church"])
    return scene


def attack(scene):
    """What became of Altmark's card."""
    return scene.outcome(act, 0, "combat_a", "Altmark")


@policies
@duties
@pytest.mark.parametrize("action", ["combat_a", "combat_b"])
@pytest.mark.parametrize(("armies", "outcome"), [(9, NO_TARGET), (1, NO_FORCE)])
def test_among_churches_at_peace_there_is_no_target_and_with_one_army_no_force(
    armies, outcome, action, duty, policy
):  # B5.2 B5.8 B5.9
    scene = in_peace(policy, duty, armies)
    before = scene.table
    assert scene.outcome(act, 0, action, "Altmark") == outcome
    assert differences(scene.table, before) == []
    assert scene.game.casts == 0


@policies
def test_one_county_without_a_church_one_neutral_or_one_own_is_a_target(policy):  # B5.8 B5.9
    for change in ("no church", "neutral", "own"):
        scene = in_peace(policy, "must")
        name = sorted(scene.table.neighbours("Altmark"))[0]
        county = scene.table.land[name]
        if change == "no church":
            county.buildings = set()
        elif change == "neutral":
            scene.table.supply[1] += 1
            county.owner, county.armies, county.buildings = None, 0, set()
        else:
            scene.table.supply[1], scene.table.supply[0] = scene.table.supply[1] + 1, scene.table.supply[0] - 1
            county.owner = 0
        others = {other: scene.table.land[other] for other in scene.table.neighbours("Altmark") - {name}}
        assert attack(scene) == DONE, change
        assert scene.table.land["Altmark"].armies < 9
        assert {other: scene.table.land[other] for other in others} == others


def test_churches_are_no_shelter_under_other_events():  # B5.9
    for event in EFFECTS:
        scene = in_peace(POLICIES[0], "must")
        scene.table.event = event
        assert (attack(scene) == DONE) == (event != "church_peace")


@pytest.mark.parametrize("armies", [9, 1])
def test_a_card_that_led_to_nothing_is_counted_as_skipped(armies):  # B5.2
    scene = begin_round(in_peace(POLICIES[0], armies=armies))
    scene.game.card[:, :] = MONEY
    scene.game.card[0, COMBAT_A] = scene.table.number("Altmark")
    scene.game.turn[:4] = range(4)
    draw(scene, "church_peace")
    scene.call(perform_actions, None)
    assert scene.game.tally[0, tally.SKIPPED] == 1
    assert scene.game.tally[0, tally.DONE + COMBAT_A] == 0
