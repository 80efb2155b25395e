"""What a plan sees of attacks by its weights: the order of the cards, and two attacks on one county (B2.1, B5.8)."""

import numpy as np
import pytest

from tests.naive.making import BOARD, USUAL
from tests.naive.scene import Scene
from tests.policies.seating import begin_round, mind_of, plan, sit, weighted
from wallsim.rules.terms import ACTIONS, COMBAT_A, COMBAT_B, GRAIN, PALACE, TAXES

EARLY = ("combat_a", "combat_b", "grain", "taxes", "palace")
LATE = ("grain", "taxes", "palace", "combat_a", "combat_b")
CARD_BID = 5


EMPTY = Scene.start(4, tower=USUAL).table
neighbours = EMPTY.neighbours


def a_common_target():
    """A county and two of its neighbours that have no other common neighbour and do not border on each other."""
    for target in BOARD.counties:
        around = set(neighbours(target))
        for first in sorted(around):
            for second in sorted(around - set(neighbours(first)) - {first}):
                if set(neighbours(first)) & set(neighbours(second)) == {target}:
                    return target, first, second
    raise AssertionError


TARGET, FIRST, SECOND = a_common_target()


def besieged(armies=6, defenders=1, order=EARLY, **weights):
    """Seat 0 holds two neighbours of a county of seat 1, and ten counties apart from these; returns seat 0's mind."""
    scene = sit(Scene.start(4, tower=USUAL), weighted(**weights))
    for name in (FIRST, SECOND):
        scene.table.give(0, name, armies)
    scene.table.give(1, TARGET, defenders, ("palace",))
    around = {TARGET, FIRST, SECOND}.union(*map(neighbours, (TARGET, FIRST, SECOND)))
    for name in [name for name in BOARD.counties if name not in around][:10]:
        scene.table.give(0, name, 1)
    scene.table.players[0].thalers = 30
    actions = (*order, *(action for action in ACTIONS if action not in order))
    cards = plan(begin_round(scene, actions=actions), 0)
    return cards, mind_of(scene, 0)


def column_of(mind, name):
    """The column of a county's card."""
    return mind.hand.tolist().index(BOARD.counties.index(name))


def worths(mind, box):
    """What the two attackers' cards are worth on a box."""
    return np.array([mind.value.T[box, column_of(mind, name)] for name in (FIRST, SECOND)])


def test_two_attacks_on_one_county_count_twice_unless_the_weights_say_otherwise():
    cards, plain = besieged()
    assert {cards["combat_a"], cards["combat_b"]} == {FIRST, SECOND}
    assert (worths(plain, COMBAT_A) > 0.0).all()
    drawn = besieged(target_own=1.0)[1]
    assert (worths(drawn, COMBAT_A) > worths(plain, COMBAT_A)).all(), "what lies around is added"


@pytest.mark.parametrize("share", [0.0, 0.4])
def test_the_weaker_of_two_attacks_on_one_county_keeps_a_share_or_goes_elsewhere(share):
    _, plain = besieged(neutral=0.0)
    _, mind = besieged(neutral=0.0, second_attack=share)
    before, after = worths(plain, COMBAT_A), worths(mind, COMBAT_A)
    changed = after != before
    assert changed.sum() == 1
    assert (after[changed] >= share * before[changed] - 1e-9).all()
    assert (after[changed] < before[changed]).all()
    assert (worths(mind, COMBAT_B) == after).all()


def test_an_early_card_makes_an_attack_count_more():  # B2.1
    _, plain = besieged(order=EARLY)
    _, mind = besieged(order=EARLY, early_combat=0.5)
    assert worths(mind, COMBAT_A) == pytest.approx(1.5 * worths(plain, COMBAT_A))
    assert worths(mind, COMBAT_B) == pytest.approx(1.4 * worths(plain, COMBAT_B))
    _, hidden = besieged(order=("grain", "taxes", "palace", "church", "trading_post"), early_combat=0.5)
    assert worths(hidden, COMBAT_A) == pytest.approx(worths(plain, COMBAT_A))


@pytest.mark.parametrize("box", [TAXES, GRAIN, PALACE])
def test_what_comes_after_the_attacks_may_fail_with_a_lost_county(box):  # B2.1 B5.5
    rich = {"armies": 1, "defenders": 9, "marker": 0.0, "threat": 3.0}
    late, early = besieged(order=EARLY, **rich)[1], besieged(order=EARLY, lost_early=1.0, **rich)[1]
    assert (worths(early, box) < worths(late, box)).all()
    first = besieged(order=LATE, lost_early=1.0, **rich)[1]
    assert worths(first, box) == pytest.approx(worths(besieged(order=LATE, **rich)[1], box))


def test_a_bid_of_a_county_card_is_worth_more_by_its_weight():  # B4.2
    plain, mind = besieged()[1], besieged(county_bid=0.5)[1]
    assert mind.bid_worth[CARD_BID] == pytest.approx(plain.bid_worth[CARD_BID] + 0.5)
    assert mind.bid_worth[:CARD_BID].tolist() == plain.bid_worth[:CARD_BID].tolist()


def test_the_place_of_the_cards_scales_what_a_second_attack_loses():  # B2.1
    plain, mind = (
        besieged(neutral=0.0, early_combat=0.5)[1],
        besieged(neutral=0.0, early_combat=0.5, second_attack=0.0)[1],
    )
    loss = {box: (worths(plain, box) - worths(mind, box)).max() for box in (COMBAT_A, COMBAT_B)}
    assert loss[COMBAT_A] == pytest.approx(loss[COMBAT_B] * 1.5 / 1.4)
    assert min(worths(mind, COMBAT_A)) == pytest.approx(0.0, abs=1e-9)


def test_the_worth_of_what_comes_late_never_changes_its_sign():
    rich = {"armies": 1, "defenders": 9, "marker": 0.0, "threat": 3.0}
    late = besieged(order=EARLY, lost_early=3.0, **rich)[1]
    assert (worths(late, GRAIN) >= 0.0).all()
