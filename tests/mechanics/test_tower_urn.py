"""The model `urn`, one cast at a time: exact chances by colour, each parameter, and its edges."""

from collections import Counter
from math import comb

import numpy as np
import pytest

from tests.mechanics.casts import assert_equal_counts, assert_follows, lay, lay_in, scene_of, seen
from tests.naive.rng import many_draws
from tests.naive.tower import urn_cast
from tests.naive.tower_distribution import release, urn_chances
from wallsim.mechanics.tower import cast
from wallsim.rules.tower import Urn

PLAIN = {"retention": 0.6, "capacity": 5, "kappa": 0.2, "beta": 1}


def model(**numbers) -> Urn:
    return Urn(**{**PLAIN, **numbers})


# ------------------------------------------------------------------------------------------- what falls out


@many_draws
@pytest.mark.parametrize(
    ("thrown", "inside"), [((2, 1), (1, 2)), ((1, 3), (0, 0)), ((0, 1), (3, 1)), ((2, 1, 1), (1, 0, 2)), ((4,), (2,))]
)
@pytest.mark.parametrize("numbers", [{}, {"phi": 0.5, "alpha": 2.0, "clump": 2.0, "beta": 0.5}], ids=["plain", "all"])
def test_what_falls_by_colour_has_the_exact_chances(thrown, inside, numbers):
    urn = model(**numbers)
    assert_follows(seen(urn, thrown, inside), urn_chances(urn, thrown, inside))


@many_draws
@pytest.mark.parametrize(
    "numbers",
    [
        {"phi": 1.0},
        {"phi": 0.1, "kappa": 0.5},
        {"alpha": 3.0},
        {"alpha": 0.5},
        {"clump": 10.0},
        {"beta": 0.0},
        {"beta": 3.0, "kappa": 0.01},
        {"capacity": 2.5},
        {"capacity": 1000000},
        {"retention": 1.0},
        {"kappa": 10.0, "beta": 3},
    ],
    ids=str,
)
def test_each_number_of_the_law_has_its_effect_and_no_other(numbers):
    urn, thrown, inside = model(**numbers), (2, 2), (2, 1)
    assert_follows(seen(urn, thrown, inside), urn_chances(urn, thrown, inside))


@many_draws
@pytest.mark.parametrize("numbers", [{}, {"phi": 1.0, "alpha": 2.0, "clump": 3.0, "beta": 0.5}], ids=["plain", "all"])
def test_larger_casts_fall_as_by_the_slow_twin(numbers):
    urn, rng, casts = model(capacity=12, kappa=0.05, **numbers), np.random.default_rng(2), 6000
    twin = Counter(urn_cast(rng, urn, (6, 3), (3, 4)) for _ in range(casts))
    assert_equal_counts(seen(urn, (6, 3), (3, 4), casts), twin)


@many_draws
@pytest.mark.parametrize("phi", [0.0, 0.1, 1.0])  # without frailty cubes come loose by themselves
def test_a_casts_frailty_is_a_gamma_number_of_mean_one(phi):
    """Of forty cubes inside, the number that comes loose tells the whole distribution of the chance they share."""
    urn, inside = Urn(0.0, 100, 0.5, 1, phi=phi), 40
    exact = {(out + 1,): comb(inside, out) * release(urn, 1, out, inside - out) for out in range(inside + 1)}
    assert_follows(seen(urn, (1,), (inside,), 60_000), exact)


# -------------------------------------------------------------------------------------------------- the edges


def after(urn, thrown, inside):
    """Cubes inside and cubes fallen after one cast, each by colour."""
    scene = scene_of(urn)
    lay(thrown, scene.game.engaged)
    lay_in(scene.game, inside)
    cast(scene.game, scene.rules)
    return scene.game.tower.tolist(), scene.game.fallen.tolist()


KEEPS, FULL = {"retention": 1.0, "capacity": 1, "kappa": 0.0}, {"capacity": 5, "kappa": 0.0, "alpha": 2.0}
SURE_CASTS = [  # the model, cubes thrown and inside, how many are inside after
    *((numbers, (), (3, 2, 4), 9) for numbers in ({}, {"phi": 1.0}, {"beta": -1.0}, {"kappa": 10.0})),  # nothing thrown
    ({"retention": 0.0}, (3, 2, 4), (), 0),
    (KEEPS, (62, 20, 62), (), 1),  # the first stays at least
    (FULL, (8, 3), (9, 9), 18),  # fuller than its capacity, it keeps none
    # With kappa N^3 beyond 700 nothing can hold; a cube of each colour would leave some.
    ({"retention": 0.0, "kappa": 10.0, "beta": 3}, (2, 2, 2), (20, 20, 20), 0),
]


@pytest.mark.parametrize(("numbers", "thrown", "inside", "left"), SURE_CASTS)
def test_a_cast_without_chance_leaves_so_many_inside(numbers, thrown, inside, left):
    after_inside, fallen = after(model(**numbers), thrown, inside)
    assert (sum(after_inside), sum(fallen)) == (left, sum(thrown) + sum(inside) - left)
    if left == 9:
        assert after_inside == [0, 3, 0, 4, 0, 2]


@pytest.mark.parametrize("capacity", [1, 2.5, 5])
def test_no_more_stay_than_there_is_room_for(capacity):
    urn = model(retention=1.0, capacity=capacity, kappa=0.0, clump=3.0)
    most = max(sum(after(urn, (cubes, 20), ())[0]) for cubes in range(1, 60))
    assert most == np.ceil(capacity)  # a last place that is not whole takes one cube
