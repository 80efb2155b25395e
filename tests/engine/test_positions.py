"""How games stood at the ends of seasons: the features of the tables that a recorded game shows."""

import numpy as np
import pytest

from tests.naive.making import packed
from tests.policies.searching import EVERYWHERE, arena, table_label
from wallsim.policies.catalogue import load_policy
from wallsim.policies.value.features import FEATURES, MOMENTS
from wallsim.policies.value.position import STANDING, look_at_standing

pytestmark = pytest.mark.own_code


@pytest.mark.parametrize(("rules", "tower"), EVERYWHERE, ids=table_label)
def test_positions_are_the_standings_of_the_same_games_recorded(rules, tower):
    policies = [load_policy(("balanced", "random")[seat % 2]) for seat in range(rules.players)]
    table = arena(rules, *policies, tower=tower)
    positions, ends = table.positions(3, 4)
    one, end = table.positions(5, 1)  # whatever the range
    assert (one[0] == positions[2]).all()
    assert (end[0] == ends[2]).all()
    assert positions.shape[:3] == (4, len(MOMENTS), rules.players)
    standing = np.zeros(1, STANDING)[0]
    for number in range(4):
        snapshots = table.trace(3 + number).snapshots
        for moment in range(len(MOMENTS)):
            look_at_standing(snapshots[moment + 1], packed(rules, tower), standing)
            result = positions[number, moment]
            assert (result[:, : len(FEATURES)] == standing.seat[: rules.players].astype(np.float32)).all()
            assert (result[:, len(FEATURES) :] == standing.table.astype(np.float32)).all()
        assert ends[number, :, 0].tolist() == snapshots[-1].vp[: rules.players].tolist()
        assert ends[number, :, 1].sum() == pytest.approx(1.0)
