"""The worth of a building: what it gains, the rounds that are left, and its price (B5.3)."""

import pytest

from tests.naive.making import USUAL
from tests.naive.scene import Scene
from tests.policies.seating import mind_of, sit, weighted
from wallsim.policies.balanced.appraisal import building_worth
from wallsim.rules.terms import PALACE, ROUNDS


@pytest.mark.parametrize("patience", [-1.0, 0.0, 0.6])
def test_patience_postpones_a_share_of_the_worth_in_equal_steps_to_the_last_round(patience):
    scene = sit(Scene.start(tower=USUAL), weighted(patience=patience))
    mind, county = mind_of(scene, 0), 0
    mind.gain[:], mind.thaler = 3.0, 0.5
    shares = []
    for left in range(1, ROUNDS + 1):
        mind.rounds = float(left)
        shares.append((building_worth(scene.game, scene.rules, mind, 0, county, PALACE, 2) + 1.0) / 3.0)
    assert shares == pytest.approx([1.0 - patience * step / (ROUNDS - 1) for step in range(ROUNDS)])
