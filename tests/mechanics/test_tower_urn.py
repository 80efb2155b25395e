"""The model `urn`, one cast at a time: exact chances by colour, each parameter, and its edges."""

from collections import Counter
from fractions import Fraction
from itertools import permutations, product
from math import comb, exp

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


# -------------------------------------------------------------------------------------------- exact chances


def chances_in_clumps(model, thrown, held):
    """What falls out, by trying everything: cubes inside, orders of the thrown ones, and where their clumps begin.

    A clump's cubes share one number, and none stays more easily than the one before it; so the first few stay.
    """
    inside = [colour for colour, number in enumerate(held) for _ in range(number)]
    orders = Counter(permutations([colour for colour, number in enumerate(thrown) for _ in range(number)]))
    estimate = Counter()
    for loose in product((0, 1), repeat=len(inside)):
        left = len(inside) - sum(loose)
        freed = [sum(went for went, of in zip(loose, inside, strict=True) if of == c) for c in range(len(thrown))]
        given = float(release(model, sum(thrown), sum(loose), left)) if sum(thrown) else float(not sum(loose))
        for order, times in orders.items():
            for breaks in product((0, 1), repeat=max(0, len(order) - 1)):
                chance = given * times / sum(orders.values())
                for begins in breaks:
                    chance *= 1 / model.clump if begins else 1 - 1 / model.clump
                if chance:
                    for fallen, share in throw(model, clumps_of(order, breaks), left, tuple(freed)).items():
                        estimate[fallen] += chance * share
    return estimate


def clumps_of(order, breaks):
    clumps = [list(order[:1])]
    for colour, begins in zip(order[1:], breaks, strict=True):
        if begins:
            clumps.append([])
        clumps[-1].append(colour)
    return clumps


def throw(model, clumps, inside, fallen):
    states = {(inside, fallen): 1.0}
    for clump in clumps:
        following = Counter()
        for (held, out), chance in states.items():
            odds = [1.0, *(stay(model, held + before) for before in range(len(clump))), 0.0]
            for staying in range(len(clump) + 1):
                falling = clump[staying:]
                now = tuple(number + falling.count(colour) for colour, number in enumerate(out))
                following[held + staying, now] += chance * (odds[staying] - odds[staying + 1])
        states = following
    result = Counter()
    for (_, out), chance in states.items():
        result[out] += chance
    return result


def stay(model, inside):
    return model.retention * max(0.0, 1 - (inside / model.capacity) ** model.alpha)


@pytest.mark.parametrize("numbers", [{}, {"phi": 0.5}, {"alpha": 2}], ids=str)
def test_the_two_slow_laws_agree_without_clumps(numbers):
    one, other = urn_chances(model(**numbers), (2, 1), (1, 1)), chances_in_clumps(model(**numbers), (2, 1), (1, 1))
    assert set(one) == set(other)
    assert all(abs(float(one[fallen]) - other[fallen]) < 1e-12 for fallen in one)


# ------------------------------------------------------------------------------------------- what falls out


@many_draws
@pytest.mark.parametrize(
    ("thrown", "inside"), [((2, 1), (1, 2)), ((1, 3), (0, 0)), ((0, 1), (3, 1)), ((2, 1, 1), (1, 0, 2)), ((4,), (2,))]
)
@pytest.mark.parametrize("numbers", [{}, {"phi": 0.5, "alpha": 2.0, "clump": 2.0, "beta": 0.5}], ids=["plain", "all"])
def test_what_falls_by_colour_has_the_exact_chances(thrown, inside, numbers):
    urn = model(**numbers)
    assert_follows(seen(urn, thrown, inside), chances_in_clumps(urn, thrown, inside))


@many_draws
@pytest.mark.parametrize(
    "numbers",
    [
        {"phi": 1.0},
        {"phi": 0.1, "kappa": 0.5},
        {"alpha": 3.0},
        {"alpha": 0.5},
        {"clump": 1.5},
        {"clump": 10.0},
        {"beta": 0.0},
        {"beta": -1.0},
        {"beta": 3.0, "kappa": 0.01},
        {"capacity": 1},
        {"capacity": 2.5},
        {"capacity": 3, "retention": 1.0},
        {"capacity": 1000000},
        {"retention": 0.0},
        {"retention": 1.0},
        {"kappa": 0.0},
        {"kappa": 10.0, "beta": 3},
    ],
    ids=str,
)
def test_each_number_of_the_law_has_its_effect_and_no_other(numbers):
    urn, thrown, inside = model(**numbers), (2, 2), (2, 1)
    assert_follows(seen(urn, thrown, inside), chances_in_clumps(urn, thrown, inside))


@many_draws
@pytest.mark.parametrize("numbers", [{}, {"phi": 1.0, "alpha": 2.0, "clump": 3.0, "beta": 0.5}], ids=["plain", "all"])
def test_larger_casts_fall_as_by_the_slow_twin(numbers):
    urn, rng, casts = model(capacity=12, kappa=0.05, **numbers), np.random.default_rng(2), 6000
    twin = Counter(urn_cast(rng, urn, (6, 3), (3, 4)) for _ in range(casts))
    assert_equal_counts(seen(urn, (6, 3), (3, 4), casts), twin)


@many_draws
@pytest.mark.parametrize("phi", [0.1, 0.25, 1.0])
def test_a_casts_frailty_is_a_gamma_number_of_mean_one(phi):
    """Of forty cubes inside, the number that comes loose tells the whole distribution of the chance they share."""
    urn, inside = Urn(0.0, 100, 0.5, 1, phi=phi), 40
    exact = {(out + 1,): comb(inside, out) * release(urn, 1, out, inside - out) for out in range(inside + 1)}
    assert_follows(seen(urn, (1,), (inside,), 60_000), exact)


@many_draws
def test_without_frailty_cubes_come_loose_by_themselves():
    urn, inside, loose = Urn(0.0, 100, 0.5, 1), 40, Fraction(1 - exp(-0.5))
    exact = {
        (out + 1,): comb(inside, out) * loose**out * (1 - loose) ** (inside - out) for out in range(inside + 1)
    }  # the thrown cube falls, as nothing is retained
    assert_follows(seen(urn, (1,), (inside,)), exact)


# -------------------------------------------------------------------------------------------------- the edges


def after(urn, thrown, inside):
    """Cubes inside and cubes fallen after one cast, each by colour."""
    scene = scene_of(urn)
    lay(thrown, scene.game.engaged)
    lay_in(scene.game, inside)
    cast(scene.game, scene.rules)
    return scene.game.tower.tolist(), scene.game.fallen.tolist()


@pytest.mark.parametrize("numbers", [{}, {"phi": 1.0}, {"beta": -1.0}, {"kappa": 10.0}], ids=str)
def test_nothing_moves_where_nothing_is_thrown(numbers):
    assert after(model(**numbers), (), (3, 2, 4)) == ([0, 3, 0, 4, 0, 2], [0] * 6)


def test_an_empty_tower_that_keeps_nothing_drops_all():
    assert after(model(retention=0.0), (3, 2, 4), ()) == ([0] * 6, [0, 3, 0, 4, 0, 2])


def test_one_that_keeps_all_keeps_the_first_at_least():
    inside, fallen = after(model(retention=1.0, capacity=1, kappa=0.0), (62, 20, 62), ())
    assert sum(inside) == 1
    assert sum(fallen) == 143


@pytest.mark.parametrize("capacity", [1, 2.5, 5])
def test_no_more_stay_than_there_is_room_for(capacity):
    most = 0
    for cubes in range(1, 60):
        inside, _ = after(model(retention=1.0, capacity=capacity, kappa=0.0, clump=3.0), (cubes, 20), ())
        most = max(most, sum(inside))
    assert most == np.ceil(capacity)  # a last place that is not whole takes one cube


def test_a_tower_fuller_than_its_capacity_keeps_none_and_drops_by_chance_alone():
    inside, fallen = after(model(capacity=5, kappa=0.0, alpha=2.0), (8, 3), (9, 9))
    assert (sum(inside), sum(fallen)) == (18, 11)


def test_release_knows_of_the_whole_cast_and_not_of_a_colour():
    # With kappa N^3 beyond 700 nothing can hold; a cube of each colour would leave some.
    inside, _ = after(model(retention=0.0, kappa=10.0, beta=3), (2, 2, 2), (20, 20, 20))
    assert sum(inside) == 0
