"""Every choice after planning that a table lets a seat face, and the answers to compare."""

from __future__ import annotations

import random

from tests.naive.making import BOARD
from tests.naive.scene import Scene
from tests.policies.seating import ask
from wallsim.mechanics.combat import legal_targets
from wallsim.mechanics.court import favor_counties
from wallsim.mechanics.economy import recruiting_modes
from wallsim.mechanics.landsknechte import offered_benefits
from wallsim.mechanics.leaders import leader_must_move, leader_returns, may_leave_statue
from wallsim.policies import decide
from wallsim.rules.terms import BOTH, COMBAT_A, COMBAT_B, MARCH, MAX_REVOLTS, PEASANTS

QUESTIONS = (
    decide.choose_place,
    decide.choose_move,
    decide.choose_attack,
    decide.choose_order_revolts,
    decide.choose_defend,
    decide.choose_recruit,
    decide.choose_recruits_move,
    decide.choose_benefit,
    decide.choose_favor,
    decide.choose_cancel_event,
    decide.choose_favor_county,
    decide.choose_leader,
    decide.choose_leader_move,
    decide.choose_statue,
)
_FAVORS_WITH_A_COUNTY = (4, 7, 12, 17, 21)  # E6


def questions_to(scene: Scene, rng: random.Random, seat: int) -> list[tuple]:
    """Every choice after planning that the table lets a seat face: kernels with their last arguments."""
    own = [BOARD.counties.index(name) for name in scene.table.counties_of(seat)]
    armed = [county for county in own if scene.game.army[county] >= 2]
    combats = [(county, rng.choice((COMBAT_A, COMBAT_B))) for county in armed]
    targets = [(county, scene.call(legal_targets, seat, county, action)) for county, action in combats]
    asked = [(decide.choose_attack, county, mask) for county, mask in targets if mask]
    if scene.rules.first_edition:
        asked += _first_edition(scene, rng, seat, own)
    else:
        asked += [(decide.choose_place, rng.randrange(1, 1 << 5))]
        asked += [(decide.choose_move, county) for county in own]
    asked += _expansions(scene, rng, seat, own)
    shuffled = rng.sample(own, len(own))
    return [*asked, (decide.choose_order_revolts, shuffled[:MAX_REVOLTS])] if len(own) > 1 else asked


def _first_edition(scene, rng, seat, own):
    asked = [(decide.choose_defend, county, rng.choice((PEASANTS, (seat + 1) % 3)), 3) for county in own]
    for county in own:
        modes = scene.call(recruiting_modes, seat, county)
        asked += [(decide.choose_recruit, county, modes)] if modes else []
        marches = modes & (1 << MARCH | 1 << BOTH) and scene.game.army[county] > 1
        asked += [(decide.choose_recruits_move, county)] if marches else []
    return asked


def _expansions(scene, rng, seat, own):
    asked = []
    if scene.rules.landsknechte and (offered := scene.call(offered_benefits, seat)):
        asked += [(decide.choose_benefit, offered)]
    if scene.rules.court:
        asked += [(decide.choose_favor, rng.randrange(1, 1 << 3)), (decide.choose_cancel_event,)]
        counties = [(favor, scene.call(favor_counties, seat, favor)) for favor in _FAVORS_WITH_A_COUNTY]
        asked += [(decide.choose_favor_county, favor, mask) for favor, mask in counties if mask]
    if scene.rules.leaders and scene.call(leader_returns, seat):
        asked += [(decide.choose_leader,)]
    if scene.rules.leaders and scene.call(leader_must_move, seat):
        asked += [(decide.choose_leader_move,)]
        others = [county for county in own if not int(scene.game.leader[seat]) >> county & 1]
        asked += [(decide.choose_statue, goal) for goal in others if scene.call(may_leave_statue, seat, goal)]
    return asked


def answer(scene: Scene, seat: int, question, *details):
    """What the seat answers; of revolts the order, and only counties handed over may come back."""
    if question is not decide.choose_order_revolts:
        return ask(scene, question, seat, *details)
    (counties,) = details
    revolting = scene.game.revolting
    revolting[: len(counties)] = counties
    ask(scene, question, seat, len(counties))
    order = [int(county) for county in revolting[: len(counties)]]
    assert sorted(order) == sorted(counties)
    return order
