"""The reference policy's leader: placed and moved uniformly, always leaving a statue (M1, M3).

Counted and judged as in `test_random`.
"""

from collections import Counter

import pytest

from tests.naive.making import BOARD, USUAL
from tests.naive.rng import many_draws
from tests.naive.scene import Scene
from tests.policies.counting import LAND, assert_uniform, count_answers
from tests.policies.seating import arena_of, ask, begin_round
from wallsim.engine import log_lines as recorder
from wallsim.policies import decide
from wallsim.policies.catalogue import load_policy
from wallsim.rules.terms import ARMY_GROUPS

pytestmark = many_draws

LEADERS = {"expansions": ("leaders",)}
DRAFTS = 900


def owner_with_leader(counties, leader=None):
    """A scene in which seat 1 holds some counties, with its leader in the first, or off the board."""
    scene = Scene.start(tower=USUAL, **LEADERS)
    for name in LAND[:counties]:
        scene.table.give(1, name, 2)
    scene.table.players[1].leader = leader
    return begin_round(scene)


@pytest.mark.parametrize("counties", [1, 2, 7])
def test_a_leader_off_the_board_is_placed_uniformly_among_the_own_counties(counties):  # M1 M4
    scene = owner_with_leader(counties)
    answers = count_answers(lambda: BOARD.counties[ask(scene, decide.choose_leader, 1)], 3000)
    assert_uniform(answers, LAND[:counties])


@pytest.mark.parametrize("counties", [2, 3, 9])
def test_a_leader_moves_uniformly_among_the_other_own_counties(counties):  # M3
    scene = owner_with_leader(counties, LAND[1])
    answers = count_answers(lambda: BOARD.counties[ask(scene, decide.choose_leader_move, 1)], 3000)
    assert_uniform(answers, [name for name in LAND[:counties] if name != LAND[1]])


def test_a_statue_is_left_wherever_it_may_be():  # M3
    scene = owner_with_leader(2, LAND[0])
    assert {bool(ask(scene, decide.choose_statue, 1, scene.table.number(LAND[1]))) for _ in range(50)} == {True}


@pytest.mark.parametrize("players", [3, 5])
def test_in_a_draft_each_claimed_county_is_equally_likely_to_get_the_leader(players):  # M1
    """Which of its counties it is in the order of claiming; the last takes a leader that was not placed before."""
    arena, ordinals = arena_of(players, "draft", load_policy("random"), **LEADERS), Counter()
    for number in range(DRAFTS):
        claimed = {seat: [] for seat in range(players)}
        for line in arena.trace(number).lines.tolist():
            if line[0] == recorder.DEAL:
                claimed[line[1]].append(line[2])
            elif line[0] == recorder.LEADER:
                assert line[3] == claimed[line[1]][-1]
                ordinals[len(claimed[line[1]])] += 1
            elif line[0] == recorder.FILL:
                break
    assert ordinals.total() == DRAFTS * players
    assert_uniform(ordinals, range(1, len(ARMY_GROUPS[players]) + 1))
