"""Rounds of simulations find the posterior that can be worked out by hand."""

import numpy as np
import pytest

from tests.refusals import refused
from wallsim.analysis.tower.posterior import Posterior, Range, Search

RANGES = (Range("mean", -10.0, 10.0), Range("scale", 0.1, 10.0, by_ratio=True))
SAMPLE = 50


def normal_statistics(seed):
    """Mean and log of the deviation of a normal sample, and three numbers that say nothing."""
    rng = np.random.default_rng(seed)

    def simulate(numbers, first):
        drawn = numbers[:, :1] + numbers[:, 1:2] * rng.standard_normal((len(numbers), SAMPLE))
        result = np.column_stack((drawn.mean(axis=1), np.log(drawn.std(axis=1)), rng.random((len(numbers), 3))))
        result[numbers[:, 0] > 8] = np.nan  # cannot be
        return result

    return simulate


def search(observed, seed=1):
    result = Search(RANGES, normal_statistics(seed), observed, seed)
    for draws in (2000, 2000, 4000):
        result.round(draws, 500)
    return result.posterior(1000)


def test_the_posterior_of_a_normal_sample_is_found():
    posterior = search(np.array([2.0, np.log(1.5), 0.5, 0.5, 0.5]))
    mean, scale = posterior.numbers.T
    # Student's t for the mean, and chi-square for the variance: with a prior flat in log scale, known exactly.
    low, middle, high = posterior.quantiles(mean, (0.025, 0.5, 0.975))
    error = 1.5 / np.sqrt(SAMPLE - 1)
    assert middle == pytest.approx(2.0, abs=0.2 * error)
    assert high - low == pytest.approx(2 * 2.01 * error, rel=0.15)
    low, middle, high = posterior.quantiles(scale, (0.025, 0.5, 0.975))
    root = 1.5 * np.sqrt(SAMPLE)
    assert middle == pytest.approx(root / np.sqrt(48.33), rel=0.03)
    assert low == pytest.approx(root / np.sqrt(70.22), rel=0.05)  # 97.5 % of chi-square with 49 degrees of freedom
    assert high == pytest.approx(root / np.sqrt(31.55), rel=0.05)
    assert posterior.deviation(scale) == pytest.approx((high - low) / 3.92, rel=0.15)
    assert posterior.weights.sum() == pytest.approx(1)
    assert posterior.simulations == 8000


def test_statistics_that_say_nothing_leave_the_prior():
    def noise(numbers, first):
        return np.random.default_rng(first).random((len(numbers), 3))

    result = Search(RANGES, noise, np.full(3, 0.5), 4)
    for draws in (2000, 4000, 8000):
        result.round(draws, 500)
    posterior = result.posterior(6000)
    for place, number in enumerate(RANGES):
        quarters = posterior.quantiles(number.position(posterior.numbers[:, place]), (0.1, 0.25, 0.5, 0.75, 0.9))
        assert quarters == pytest.approx([0.1, 0.25, 0.5, 0.75, 0.9], abs=0.05)


def test_draws_near_the_numbers_are_weighed_against_the_prior():
    result = Search(RANGES, normal_statistics(2), np.array([2.0, np.log(1.5), 0.5, 0.5, 0.5]), 2)
    for draws in (1000, 3000):
        result.round(draws, 300)
    weights = result.importance(result.places)
    # All but the tenth of the prior that cannot be: ratios of two densities have mean 1 under the second.
    assert weights.mean() == pytest.approx(0.9, abs=0.05)
    assert weights.min() < 0.1 < 1 < weights.max()


def test_the_same_seed_finds_the_same():
    observed = np.array([2.0, np.log(1.5), 0.5, 0.5, 0.5])
    one, same, other = (search(observed, seed).numbers for seed in (1, 1, 2))
    assert (one == same).all()
    assert (one[:100] != other[:100]).all()


def test_numbers_stay_in_their_ranges_and_positions_are_their_inverse():
    posterior = search(np.array([-9.9, np.log(0.1), 0.5, 0.5, 0.5]))
    for place, number in enumerate(RANGES):
        values = posterior.numbers[:, place]
        assert (number.low <= values).all()
        assert (values <= number.high).all()
        assert number.at(number.position(values)) == pytest.approx(values)
        assert number.at(np.array([0.0, 1.0])) == pytest.approx([number.low, number.high])


def test_quantiles_and_deviations_mind_the_weights():
    posterior = Posterior(RANGES, np.zeros((4, 2)), np.array([0.7, 0.1, 0.1, 0.1]), 4)
    values = np.array([1.0, 3.0, 2.0, 4.0])
    assert posterior.quantiles(values, (0.35, 0.75, 0.85, 0.95)).tolist() == pytest.approx([1, 2, 3, 4])
    assert posterior.effective == pytest.approx(1 / 0.52)
    mean = 0.7 + 0.9
    assert posterior.deviation(values) == pytest.approx(np.sqrt(0.7 + 0.1 * (9 + 4 + 16) - mean**2))


def test_a_search_in_which_hardly_anything_is_possible_ends_with_an_error():
    result = Search(RANGES, lambda numbers, first: np.full((len(numbers), 2), np.nan), np.zeros(2), 1)
    result.round(500, 100)
    with refused("0 of 500 simulations", by=ValueError):
        result.posterior(100)
