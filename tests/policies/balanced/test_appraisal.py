"""Standing, as if winter came now, rivals who are ahead, and the worth of a building (B5.3, B7.4)."""

import numpy as np
import pytest
from hypothesis import given

from tests.naive.making import tables
from tests.naive.winter import score
from tests.policies.seating import dice_of, mind_of, random_round, realm, weighted
from wallsim.mechanics.winter import points_with_board
from wallsim.policies.balanced.appraisal import building_worth, look_at_standing
from wallsim.rules.terms import MAX_PLAYERS, PALACE, ROUNDS


def points_of(scene):
    """What every seat would have if winter came now."""
    points = np.zeros(MAX_PLAYERS)
    points_with_board(scene.game, scene.rules, points)
    return points


@given(tables(), dice_of)
def test_the_points_are_those_of_a_winter(table, rng):  # B7.4
    scene = random_round(table, rng, weighted())
    counted = points_of(scene)[: len(table.players)].tolist()
    score(table)
    assert counted == [table.players[seat].points for seat in table.players]


@given(tables(), dice_of)
def test_a_point_of_a_rival_who_is_ahead_counts_more(table, rng):
    scene = random_round(table, rng, weighted(standing=0.1, deny=1.0))
    mind, rivals = mind_of(scene, 0), [seat for seat in table.players if seat != 0]
    look_at_standing(scene.game, scene.rules, mind, 0)
    points = points_of(scene)[rivals].tolist()
    mean = sum(points) / len(points)
    for seat, held in zip(rivals, points, strict=True):
        denied = min(4.0, max(0.0, 1.0 + 0.1 * (held - mean))) / len(rivals)
        assert mind.regard[seat] == pytest.approx(1.0 + denied)


@given(tables(), dice_of)
def test_without_the_weight_every_rival_counts_the_same(table, rng):
    scene = random_round(table, rng, weighted(deny=0.7))
    mind = mind_of(scene, 0)
    look_at_standing(scene.game, scene.rules, mind, 0)
    assert {float(mind.regard[seat]) for seat in table.players} == {1.0 + 0.7 / (len(table.players) - 1)}


@pytest.mark.parametrize("patience", [-1.0, 0.0, 0.6])
def test_patience_postpones_a_share_of_the_worth_in_equal_steps_to_the_last_round(patience):
    scene = realm(weights={"patience": patience})
    mind, county = mind_of(scene, 0), 0
    mind.gain[:], mind.thaler = 3.0, 0.5
    shares = []
    for left in range(1, ROUNDS + 1):
        mind.rounds = float(left)
        shares.append((building_worth(scene.game, scene.rules, mind, 0, county, PALACE, 2) + 1.0) / 3.0)
    assert shares == pytest.approx([1.0 - patience * step / (ROUNDS - 1) for step in range(ROUNDS)])
