"""The bench: one cast again and again, and how a layered tower is filled for it."""

from math import sqrt

import numpy as np
import pytest

from tests.refusals import refused
from wallsim.engine.casting import CastingBench, settle
from wallsim.rules.tower import Independent, Layered, TowerModel, load_tower, tower_presets
from wallsim.state.game import new_game
from wallsim.state.random import key_game, key_streams

THROWN, INSIDE = (4, 2, 0, 1, 0, 1), (3, 2, 1, 0, 0, 2)


def filled(model, inside, share, times):
    """Cubes by floor and colour [times, floors, colours] in towers that `settle` has filled."""
    bench, game, floors = CastingBench(TowerModel("model", model)), new_game()[0], []
    for number in range(times):
        key_game(game, 1, number)
        key_streams(game, 0)
        settle(game, bench.rules, np.array(inside), np.array(share, float))
        assert list(game.tower) == list(inside)
        floors.append(game.floor[: len(model.cells)].copy())
    return np.array(floors)


@pytest.mark.parametrize("name", tower_presets())
def test_every_repetition_begins_with_the_same_contents_and_loses_no_cube(name):  # B0.2 B6.1
    fallen = CastingBench(load_tower(name)).repeat(THROWN, INSIDE, 300, seed=1)
    assert fallen.shape == (300, 6)
    assert (fallen >= 0).all()
    assert (fallen <= np.add(THROWN, INSIDE)).all()
    assert len(np.unique(fallen, axis=0)) > 10
    swap = CastingBench(TowerModel("swap", Independent(1e-300, 1.0)))  # only what was inside falls
    assert (swap.repeat(THROWN, INSIDE, 20, seed=1) == INSIDE).all()


def test_casts_in_pieces_are_the_casts_in_one_go():
    bench = CastingBench(load_tower("spielbyweb-layered"))
    whole = bench.repeat(THROWN, INSIDE, 40, seed=3, number=7)
    parts = [bench.repeat(THROWN, INSIDE, count, seed=3, number=7, first=at) for at, count in ((0, 15), (15, 25))]
    assert np.array_equal(np.concatenate(parts), whole)
    assert not np.array_equal(bench.repeat(THROWN, INSIDE, 40, seed=3, number=8), whole)


def test_cubes_lie_on_floors_by_share_and_no_colour_has_the_first_choice_of_cells():
    share, times = (1.0, 2.0, 5.0), 800
    floors = filled(Layered((40, 40, 40), (0.3,) * 3, (0.3,) * 3), INSIDE, share, times)
    for colour in (0, 1, 2, 5):
        cubes = INSIDE[colour] * times
        for floor, part in enumerate(np.array(share) / 8):
            result = floors[:, floor, colour].sum() / cubes
            assert abs(result - part) < 4 * sqrt(part * (1 - part) / cubes)
    floors = filled(Layered((4, 40), (0.3,) * 2, (0.3,) * 2), (8, 0, 0, 0, 0, 8), (1.0, 0.0), times)
    # Four of sixteen, drawn without putting back: variance 4 * 1/4 * 12/15.
    assert abs(floors[:, 0, 0].mean() - 2) < 4 * sqrt(0.8 / times)


def test_no_floor_holds_more_than_its_cells():
    model = Layered((2, 3, 4), (0.3,) * 3, (0.3,) * 3)
    assert (filled(model, (3, 2, 1, 0, 1, 2), (9.0, 1.0, 0.0), 50).sum(axis=2) == [2, 3, 4]).all()
    floors = filled(model, (3, 0, 0, 0, 1, 2), (9.0, 1.0, 0.0), 50).sum(axis=2)
    assert (floors == [2, 3, 1]).all(), "a floor without a share is the last to be filled"


@pytest.mark.parametrize(
    ("given", "names"),
    [
        ({"thrown": (60, 0, 0, 0, 0, 0)}, [62, "each"]),
        ({"inside": (0, -1, 0, 0, 0, 0)}, [62, "each"]),
        ({"thrown": (28,) * 6, "inside": (28,) * 6}, [62, 330]),
        ({"thrown": (1, 2)}, ["(2,)"]),
        ({"inside": (10, 10, 1, 0, 0, 0)}, ["21 cubes", "20 cells"]),
        ({"share": (1.0,)}, ["2 floors"]),
        ({"share": (1.0, -1.0)}, ["2 floors"]),
    ],
)
def test_casts_that_cannot_be_are_refused(given, names):  # B0.2
    bench = CastingBench(load_tower("spielbyweb-layered"))
    with refused(*names, by=ValueError):
        bench.repeat(**{"thrown": THROWN, "inside": INSIDE, "casts": 5, "seed": 1, **given})
    assert bench.throw(np.array([[62, 62, 62, 62, 62, 20]]), seed=1).sum() > 0  # the whole box
    with refused("cast 0", 62, 330, by=ValueError):
        bench.throw(np.array([[56] * 6]), seed=1)
