"""The model `layered`, one cast at a time: exact chances by colour and floor, each parameter, and its edges."""

from collections import Counter

import numpy as np
import pytest

from tests.mechanics.casts import assert_equal_counts, assert_follows, lay, lay_in, scene_of, seen, seen_on_floors, six
from tests.naive.every_cast import chances_in_a_row, coloured_chances
from tests.naive.rng import many_draws
from tests.naive.tower import layered_cast
from tests.naive.tower_distribution import urn_chances
from wallsim.engine.casting import CastingBench
from wallsim.mechanics.tower import cast, deal_floors
from wallsim.rules.tower import Layered, TowerModel, Urn

PLAIN = {"cells": (3, 2), "stick": (0.5, 0.7), "knock": (0.75, 0.5)}
ALL = {"cascade": 0.5, "swap": 0.3}
switched = pytest.mark.parametrize("numbers", [{}, ALL], ids=["plain", "all"])


def model(**numbers) -> Layered:
    return Layered(**{**PLAIN, **numbers})


# --------------------------------------------------------------------------------------- what lies and falls


@many_draws
@switched
@pytest.mark.parametrize(
    ("thrown", "floors"),
    [
        ((2, 1), ((1, 1), (0, 1))),
        ((1, 2), ((0, 3), (2, 0))),
        ((1, 1, 1), ((1, 0, 1), (0, 1, 0))),
        ((2, 2), ((0, 0), (0, 0))),
        ((0, 1), ((2, 1), (1, 1))),
    ],
    ids=["some", "full", "three colours", "empty", "one cube"],
)
def test_what_lies_on_the_floors_by_colour_has_the_exact_chances(thrown, floors, numbers):
    assert_follows(seen_on_floors(model(**numbers), thrown, floors), coloured_chances(model(**numbers), thrown, floors))


def seen_in_a_row(layered, casts, times=25_000, seed=3):
    """What falls out of each of several casts into an empty tower, by colour."""
    rows = np.array([six(thrown) for thrown in casts] * times)
    emptied = np.arange(len(rows)) % len(casts) == 0
    fallen = CastingBench(TowerModel("own", layered)).throw(rows, emptied, seed=seed)
    first, second = (fallen[:, np.flatnonzero(six((1,) * 2))[place]].reshape(times, -1) for place in (0, 1))
    return Counter(tuple(zip(a, b, strict=True)) for a, b in zip(first.tolist(), second.tolist(), strict=True))


@pytest.mark.one_in(4)
@many_draws
@pytest.mark.parametrize(
    "numbers",
    [
        {},
        {"cascade": 0.99},
        {"swap": 0.5},
        {"cascade": 0.5, "swap": 1.0},
        {"stick": (1.0, 0.5)},
        {"stick": (0.5, 0.0)},
        {"knock": (1.0, 0.0), "cascade": 0.5},
        {"stick": (1.0, 1.0), "knock": (1.0, 1.0), "cascade": 0.3, "swap": 0.6},
        {"cells": (1, 1), "stick": (1.0, 1.0), "knock": (1.0, 1.0), "swap": 0.5},
        {"cells": (1000, 2), "cascade": 0.5},
        {"cells": (2,), "stick": (0.5,), "knock": (0.7,), "cascade": 0.3, "swap": 0.3},
        {"cells": (2, 1, 2), "stick": (0.4, 0.5, 0.6), "knock": (0.9, 0.8, 0.7), "cascade": 0.3, "swap": 0.2},
        {"cells": (1, 2, 1, 1), "stick": (0.4, 0.5, 0.6, 0.7), "knock": (1.0, 0.9, 0.8, 0.7), "cascade": 0.2},
    ],
    ids=str,
)
def test_each_number_of_the_law_has_its_effect_and_no_other(numbers):
    """Three casts into an empty tower, so that what floors hold tells by what falls later."""
    casts = [(2, 1), (0, 2), (1, 0)]
    assert_follows(seen_in_a_row(model(**numbers), casts), chances_in_a_row(model(**numbers), casts))


# ------------------------------------------------------------------------------------------------- clumps


@many_draws
@pytest.mark.parametrize("clump", [1.5, 2.0, 10.0])
def test_a_clump_meets_a_floor_with_one_number(clump):
    """One floor that knocks nothing loose is an urn that releases nothing."""
    layered = Layered((5,), (0.6,), (0.0,), clump=clump)
    urn = Urn(0.6, 5, 0.0, 1, clump=clump)
    assert_follows(seen(layered, (2, 2), (1, 1)), urn_chances(urn, (2, 2), (1, 1)))


@many_draws
@pytest.mark.parametrize("clump", [2.0, 10.0])
def test_a_clump_meets_each_floor_with_a_number_of_its_own(clump):
    """Two floors so wide that clumps do not matter to what is free: what passes one comes to the other."""
    layered = Layered((1000, 1000), (0.5, 0.5), (0.0, 0.0), clump=clump)
    together, found = 1 - 1 / clump, seen(layered, (2,), ())
    both = together * 0.25 + (1 - together) * 0.0625  # that both fall through both floors
    # A floor with one cube holds 999 more and so lets a second cube pass with a chance too much by 1 in 2000.
    assert_follows(found, {(2,): both, (1,): 2 * (0.25 - both), (0,): 1 - both - 2 * (0.25 - both)})


@many_draws
@pytest.mark.parametrize(
    "numbers",
    [
        {"clump": 3.0},
        {"clump": 2.0, "cascade": 0.5, "swap": 0.3},
        {"clump": 5.0, "knock": (1.0, 1.0), "swap": 1.0},
        {"clump": 5.0, "stick": (1.0, 1.0), "knock": (1.0, 0.5), "cascade": 0.7},
    ],
    ids=str,
)
def test_clumps_fall_as_by_the_slow_twin(numbers):
    """Small floors that hold four of five cubes: what is knocked loose is in no clump of those that knock."""
    layered, rng, casts = model(**numbers), np.random.default_rng(4), 5000
    twin = Counter()
    for _ in range(casts):
        floors = [[0, 0, 1], [0]]
        layered_cast(rng, layered, (2, 2), floors)
        twin[tuple(tuple(map(floor.count, (0, 1))) for floor in floors)] += 1
    assert_equal_counts(seen_on_floors(layered, (2, 2), ((2, 1), (1, 0)), casts), twin)


@many_draws
@pytest.mark.parametrize("numbers", [{}, {"cascade": 0.4, "swap": 0.2, "clump": 2.0}], ids=["plain", "all"])
def test_larger_casts_fall_as_by_the_slow_twin(numbers):
    layered = Layered((6, 5, 4), (0.5, 0.6, 0.7), (0.5, 0.4, 0.6), **numbers)
    rng, casts, twin = np.random.default_rng(5), 4000, Counter()
    for _ in range(casts):
        floors = [[0, 0, 1], [1, 1], [0]]
        fallen = layered_cast(rng, layered, (6, 3), floors)
        twin[(*fallen, *map(len, floors))] += 1
    found = Counter()
    for floors, number in seen_on_floors(layered, (6, 3), ((2, 1), (0, 2), (1, 0)), casts).items():
        inside = [sum(floor[colour] for floor in floors) for colour in (0, 1)]
        found[9 - inside[0], 6 - inside[1], *map(sum, floors)] += number
    assert_equal_counts(found, twin)


@many_draws
def test_hidden_cubes_lie_in_any_free_cell_alike():
    """Two cubes in three cells of the first floor and two of the second, by floor and colour."""
    scene, found = scene_of(model()), Counter()
    scene.game.tower[:] = six((1, 1))
    for _ in range(4_000):
        deal_floors(scene.game, scene.rules)
        found[tuple(map(tuple, scene.game.floor[:2, [1, 5]].tolist()))] += 1
    assert_follows(found, {((1, 1), (0, 0)): 0.3, ((1, 0), (0, 1)): 0.3, ((0, 1), (1, 0)): 0.3, ((0, 0), (1, 1)): 0.1})


# -------------------------------------------------------------------------------------------------- the edges


def after(layered, thrown, floors=()):
    """The scene after one cast; all floors' cubes by colour are those of the tower."""
    scene = scene_of(layered)
    lay(thrown, scene.game.engaged)
    lay_in(scene.game, floors)
    cast(scene.game, scene.rules)
    assert scene.game.floor.sum(axis=0).tolist() == scene.game.tower.tolist()
    return scene.game


@switched
def test_nothing_moves_where_nothing_is_thrown(numbers):
    game = after(model(knock=(1.0, 1.0), **numbers), (), ((2, 1), (1, 1)))
    assert game.floor[:2, [1, 5]].tolist() == [[2, 1], [1, 1]]
    assert game.fallen.sum() == game.tray.sum() == 0


@switched
def test_floors_to_which_nothing_sticks_let_all_through(numbers):
    game = after(model(stick=(0.0, 0.0), knock=(1.0, 1.0), **numbers), (3, 2, 4))
    assert game.tower.sum() == 0
    assert game.fallen.tolist() == [0, 3, 0, 4, 0, 2]


@pytest.mark.parametrize("numbers", [{}, {"swap": 1.0}, {"swap": 0.5, "cascade": 0.5}, {"clump": 10.0}], ids=str)
def test_no_floor_holds_more_than_its_cells(numbers):
    """Full floors, on which each cube knocks another loose."""
    scene = scene_of(model(stick=(1.0, 1.0), knock=(1.0, 1.0), **numbers))
    game, most = scene.game, [0, 0]
    for cubes in range(60):
        lay((cubes % 7, cubes % 5), game.engaged)
        game.tray[:] = 0
        cast(game, scene.rules)
        held = game.floor.sum(axis=1)
        assert not held[2:].any()
        assert (game.floor >= 0).all()
        most = np.maximum(most, held[:2])
    assert most.tolist() == [3, 2]


KNOCKED = [  # the model, what lies on the two floors before, by floor afterwards, and falls
    ({"stick": (0.0, 0.0), "knock": (1.0, 0.0), "swap": 1.0}, ((0, 3), (0, 0)), ((1, 2), (0, 0)), (0, 1)),
    ({"stick": (0.0, 0.0), "knock": (1.0, 0.0)}, ((0, 3), (0, 0)), ((0, 2), (0, 0)), (1, 1)),
    # Those knocked loose come to the next floor before the one that did it.
    ({"cells": (1, 1), "stick": (0.0, 1.0), "knock": (1.0, 0.0)}, ((0, 1), (0, 0)), ((0, 0), (0, 1)), (1, 0)),
    ({"cells": (1, 1), "stick": (1.0, 1.0), "knock": (0.0, 0.0)}, ((0, 0), (0, 1)), ((1, 0), (0, 1)), (0, 0)),
]


@pytest.mark.parametrize(("numbers", "before", "floors", "fallen"), KNOCKED)
def test_a_cube_is_held_knocks_another_loose_in_its_place_or_falls_on_behind_it(numbers, before, floors, fallen):
    game = after(model(**numbers), (1, 0), before)
    assert game.floor[:2, [1, 5]].tolist() == [*map(list, floors)]
    assert game.fallen[[1, 5]].tolist() == [*fallen]
