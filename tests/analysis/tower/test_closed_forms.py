"""Formulas and exact distributions of the tower's contents against every way that casts of small towers can go."""

from math import log1p

import numpy as np
import pytest

from tests.naive.every_cast import (
    after_each,
    correlation_of,
    exact,
    independent_chances,
    layered_chances,
    settled_chances,
    spread_of,
    urn_chances,
)
from tests.naive.tower_formulas import (
    contents_distribution,
    contents_moments,
    independent_moments,
    layered_contents,
    stationary,
)
from wallsim.analysis.tower.closed_forms import (
    fill_distribution,
    floor_transition,
    frailties,
    layered_shares,
    mean_after,
)
from wallsim.rules.tower import Independent, Layered, Urn, load_tower, tower_presets

CLOSE = {"rel": 1e-11, "abs": 1e-12}


def as_array(chances, length):
    return np.array([float(chances.get(number, 0)) for number in range(length)])


def spread(chances):
    numbers = np.arange(len(chances))
    mean = chances @ numbers
    return mean, chances @ (numbers - mean) ** 2


# ------------------------------------------------------------------------------------------------- independent


def assert_comes_from_empty(parameters, cubes, step):
    """The mean after each of the first casts is that of every way they can go."""
    chances = {0: exact(1)}
    for casts in range(4):
        mean, _ = spread_of(chances)
        assert mean_after(parameters, casts, cubes) == pytest.approx(float(mean), **CLOSE)
        chances = after_each(chances, step)


def test_contents_come_from_empty_to_the_settled_mean():
    parameters = Independent(0.3, 0.2)
    assert_comes_from_empty(parameters, 2, lambda inside: independent_chances(parameters, 2, inside))
    assert mean_after(parameters, 10_000, 2) == pytest.approx(independent_moments(parameters, 2).mean)


def test_an_independent_fill_is_binomial():
    parameters = Independent(0.184, 0.33)
    chances = independent_chances(parameters, 6, 0)
    assert fill_distribution(parameters, 6) == pytest.approx(as_array(chances, 7))


# --------------------------------------------------------------------------------------------------------- urn


def urn(release, cubes, **numbers):
    """An urn that a cast of so many cubes makes release with this chance."""
    beta = numbers.pop("beta", 0.85)
    return Urn(kappa=-log1p(-float(release)) / cubes**beta, beta=beta, **numbers)


URNS = [
    (exact(1 / 3), 2, {"retention": 0.5, "capacity": 5}),
    (exact(0.1), 3, {"retention": 0.9, "capacity": 4}),
    (exact(0.6), 1, {"retention": 1.0, "capacity": 3, "beta": 0.0}),
    (exact(0.25), 3, {"retention": 0.75, "capacity": 1}),
    (exact(0.25), 2, {"retention": 0.7, "capacity": 2, "beta": -0.5}),
]
CURVED = [
    (exact(0.2), 3, {"retention": 0.8, "capacity": 4, "alpha": 2.0}),
    (exact(0.2), 2, {"retention": 0.8, "capacity": 3.5}),
]


@pytest.mark.parametrize(("release", "cubes", "numbers"), URNS)
def test_urn_moments_are_those_of_every_way_casts_can_go(release, cubes, numbers):
    parameters = urn(release, cubes, **numbers)

    def step(inside):
        return urn_chances(parameters, release, cubes, inside)

    settled = settled_chances(0, step)
    expected = [float(number) for number in (*spread_of(settled), correlation_of(settled, step))]
    assert mean_after(parameters, 10_000, cubes) == pytest.approx(expected[0], **CLOSE)
    assert contents_moments(parameters, cubes) == pytest.approx(expected, **CLOSE)
    chances = as_array(settled, int(parameters.capacity) + 1)
    assert contents_distribution(parameters, cubes) == pytest.approx(chances, **CLOSE)
    assert_comes_from_empty(parameters, cubes, step)


@pytest.mark.parametrize(("release", "cubes", "numbers"), URNS + CURVED)
def test_urn_fills_are_those_of_every_way_a_cast_can_go(release, cubes, numbers):
    parameters = urn(release, cubes, phi=0.3, **numbers)  # an empty tower has nothing to release
    for thrown in (0, cubes, 5):
        kept = urn_chances(parameters, release, thrown, 0)
        assert fill_distribution(parameters, thrown) == pytest.approx(as_array(kept, thrown + 1), abs=1e-12)
        if numbers not in [curved for _, _, curved in CURVED]:
            assert mean_after(parameters, 1, thrown) == pytest.approx(float(spread_of(kept)[0]), **CLOSE)


@pytest.mark.parametrize("phi", [0.0, 1e-6, 0.1, 0.5, 1.0])
def test_frailties_are_those_of_a_gamma_distribution_with_mean_1_and_variance_phi(phi):
    force, weight = frailties(phi)
    assert weight.sum() == pytest.approx(1)
    for hazard in (0.01, 0.3, 4.0):  # the Laplace transform, which determines a distribution
        expected = (1 + phi * hazard) ** (-1 / phi) if phi else np.exp(-hazard)
        assert weight @ np.exp(-force * hazard) == pytest.approx(expected, rel=1e-7)


# ----------------------------------------------------------------------------------------------------- layered

PLAIN = Layered((2, 3), (0.5, 0.4), (0.25, 0.6))
SWAPPED = Layered((2, 1, 2), (0.5, 0.9, 0.2), (0.25, 0.6, 1.0), swap=0.4)
CASCADES = Layered((3, 3), (0.8, 0.5), (0.5, 0.4), cascade=0.5, swap=0.25)
FLOORS = [PLAIN, SWAPPED, CASCADES]


def layered_chain(parameters, cubes):
    def step(floors):
        return layered_chances(parameters, cubes, floors)

    return settled_chances((0,) * len(parameters.cells), step), step


@pytest.mark.parametrize("parameters", FLOORS)
@pytest.mark.parametrize("cubes", [1, 2])
def test_settled_floors_are_independent_of_each_other_and_of_the_size_of_casts(parameters, cubes):
    settled, step = layered_chain(parameters, cubes)
    floors = [stationary(floor_transition(parameters, floor)) for floor in range(len(parameters.cells))]
    for state, chance in settled.items():
        product = np.prod([floor[held] for floor, held in zip(floors, state, strict=True)])
        assert float(chance) == pytest.approx(product, **CLOSE)
    expected = [float(number) for number in (*spread_of(settled, sum), correlation_of(settled, step, sum))]
    assert contents_moments(parameters, cubes) == pytest.approx(expected, **CLOSE)
    assert spread(contents_distribution(parameters, cubes)) == pytest.approx(expected[:2], **CLOSE)


@pytest.mark.parametrize("parameters", [PLAIN, SWAPPED])
def test_without_cascades_floors_settle_binomially(parameters):
    settled, _ = layered_chain(parameters, 1)
    assert layered_contents(parameters) == pytest.approx([float(number) for number in spread_of(settled, sum)], **CLOSE)
    for floor, (cells, share) in enumerate(zip(parameters.cells, layered_shares(parameters), strict=True)):
        mean, variance = spread_of(settled, lambda state, floor=floor: state[floor])
        assert (float(mean), float(variance)) == pytest.approx((cells * share, cells * share * (1 - share)), **CLOSE)


@pytest.mark.parametrize("parameters", FLOORS)
def test_layered_fills_are_those_of_every_way_a_cast_can_go(parameters):
    for thrown in (0, 1, 4):
        chances = layered_chances(parameters, thrown, (0,) * len(parameters.cells))
        kept = after_each(chances, lambda floors: {sum(floors): exact(1)})
        assert fill_distribution(parameters, thrown) == pytest.approx(as_array(kept, thrown + 1), abs=1e-13)


@pytest.mark.parametrize("name", ["rulebook-layered", "mid-layered"])
def test_the_mean_field_is_near_the_shipped_towers_with_cascades(name):
    parameters = load_tower(name).parameters
    assert mean_after(parameters, 200, 8) == pytest.approx(contents_moments(parameters, 8).mean, rel=0.03)


FILLS_OUT = {
    "rulebook": (7.1, 2.4), "rulebook-urn": (7.2, 2.1), "rulebook-layered": (7.0, 2.6), "mid": (27.4, 2.8),
    "mid-urn": (26.8, 2.7), "mid-layered": (28.6, 2.5), "spielbyweb": (25.3, 2.9), "spielbyweb-urn": (25.6, 2.0),
    "spielbyweb-layered": (30.4, 2.1),
}  # fmt: skip


@pytest.mark.parametrize("name", tower_presets())
def test_a_fill_of_the_shipped_towers_lets_out_what_they_were_made_for(name):
    mean, variance = spread(fill_distribution(load_tower(name).parameters, 38)[::-1])
    assert (mean, variance**0.5) == pytest.approx(FILLS_OUT[name], abs=0.16)


# ------------------------------------------------------------------------------------------------ what is refused

STUCK = Layered((3,), (0.0,), (0.5,), swap=1.0)


@pytest.mark.parametrize(
    ("form", "words"),
    [
        (lambda: fill_distribution(Urn(0.5, 10, 0.1, 1, clump=2), 8), r"clump: 2 .*\(1 has\)"),
        (lambda: fill_distribution(Layered((3,), (0.5,), (0.5,), clump=3), 8), r"clump: 3 .*\(1 has\)"),
        (lambda: layered_shares(STUCK), "swap < 1"),
        (lambda: mean_after(STUCK, 1, 8), "swap < 1"),
    ],
)
def test_a_form_that_is_not_exact_for_a_law_says_for_which_it_is(form, words):
    with pytest.raises(ValueError, match=words):
        form()
