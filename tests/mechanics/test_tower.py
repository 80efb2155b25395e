"""The dice tower: what is thrown, what falls out, and the distribution of the model `independent`."""

import numpy as np
import pytest

from tests.mechanics.casts import assert_follows, seen
from tests.naive.making import SHUT
from tests.naive.rng import binomial_distribution, many_draws
from tests.naive.scene import Scene
from tests.naive.table import PEASANTS
from wallsim.mechanics.tower import fill_tower
from wallsim.rules.tower import Independent


@pytest.mark.parametrize(("players", "cubes"), [(3, 31), (4, 38), (5, 45)])
def test_the_first_fill_drops_seven_armies_a_player_and_ten_peasants(players, cubes):  # B1.6
    scene = Scene.start(players, tower=SHUT)
    scene.do(fill_tower)
    assert scene.table.tower == {**dict.fromkeys(range(players), 7), PEASANTS: 10}
    assert scene.game.cubes_cast == scene.game.tower_after_fill == cubes


# The distribution of the model: every thrown cube falls with chance p, every cube inside with chance q.


@many_draws
@pytest.mark.parametrize(
    ("thrown", "held"), [(7, 7), (7, 8), (6, 8), (8, 7), (8, 0), (0, 8), (31, 31), (62, 0), (0, 62)]
)
def test_the_law_is_the_same_on_either_side_of_where_one_draw_serves_for_both(thrown, held):
    """Fewer than eight thrown and fewer than eight inside share a draw."""
    model = Independent(0.6, 0.2)
    passed, released = (
        np.array(binomial_distribution(*coins), dtype=float) for coins in ((thrown, model.p), (held, model.q))
    )
    chances = np.convolve(passed, released)
    assert_follows(seen(model, (thrown,), (held,)), {(cubes,): chance for cubes, chance in enumerate(chances)})
