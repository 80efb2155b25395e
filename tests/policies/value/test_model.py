"""A learned value in a kernel: the same numbers as in NumPy, chances that add up, the same for every order of seats."""

import random

import numpy as np
import pytest

from tests.naive.making import random_table
from tests.policies.planted_models import planted
from tests.policies.value.test_position import season_end, seen
from wallsim.policies.value.features import MOMENTS
from wallsim.policies.value.model import LEAD, OUTLOOK, POINTS, WIN, look_ahead
from wallsim.rules.ruleset import Ruleset
from wallsim.rules.terms import WINTER
from wallsim.searches.learning.fitting import Fit, chances_of, inputs_of


def outlooks(scene, value):
    """Points, lead and chance of every seat, [seats, 3]."""
    record = np.zeros(1, OUTLOOK)[0]
    look_ahead(scene.game, scene.rules, value.packed()[0], record)
    return record.outlook[: int(scene.rules.players)].copy()


def fits(value, players):
    """The models of a value, by moment, as they are fitted."""
    return {
        name: Fit(*(np.array(model[part]) for part in ("linear", "units", "outward")))
        for name, model in value.contents["models"][str(players)].items()
    }


@pytest.mark.parametrize("players", [3, 4, 5])
def test_a_kernel_gives_the_numbers_that_were_fitted(tmp_path, players):
    value = planted("value", tmp_path / "planted.json", players=("3", "4", "5"), size=0.01)
    for number in range(20):
        rng = random.Random(number)
        scene = season_end(random_table(rng, Ruleset(players=players)), rng)
        seats, table = seen(scene)
        features = np.concatenate([seats, np.tile(table, (players, 1))], axis=1)
        moment = MOMENTS[int(scene.game.year) * (WINTER + 1) + int(scene.game.season)]
        expected = fits(value, players)[moment].outputs(inputs_of(features[None].astype(np.float32)))
        result = outlooks(scene, value)
        assert result[:, (POINTS, LEAD)] == pytest.approx(expected[0, :, (POINTS, LEAD)].T, rel=1e-3, abs=1e-3)
        assert result[:, WIN] == pytest.approx(chances_of(expected[..., WIN])[0], rel=1e-3, abs=1e-4)
        assert result[:, WIN].sum() == pytest.approx(1.0)
