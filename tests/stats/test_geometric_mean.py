"""The geometric mean of ratios and its interval: by hand, by SciPy, and in simulated comparisons."""

from math import exp, log

import numpy as np
import pytest
from scipy import stats

from wallsim.stats.geometric_mean import geometric_mean
from wallsim.stats.intervals import Confidence


def test_the_mean_of_a_half_one_and_two_is_one_and_its_interval_is_symmetric_in_logarithms():
    mean, (low, high) = geometric_mean([0.5, 1.0, 2.0], Confidence())
    assert mean == pytest.approx(1)
    assert low * high == pytest.approx(1)
    assert log(high) == pytest.approx(stats.t.ppf(0.975, 2) * log(2) / 3**0.5)


def test_inverse_ratios_give_the_inverse_mean_and_interval():
    ratios = [0.97, 1.02, 1.04, 0.99]
    mean, (low, high) = geometric_mean(ratios, Confidence())
    inverse, interval = geometric_mean([1 / ratio for ratio in ratios], Confidence())
    assert (inverse, *interval) == pytest.approx((1 / mean, 1 / high, 1 / low))


def test_nineteen_in_twenty_intervals_cover_the_ratio():
    rng = np.random.default_rng(1)
    covered = 0
    for _ in range(2000):
        _, (low, high) = geometric_mean(list(1.1 * np.exp(rng.normal(0, 0.03, 9))), Confidence())
        covered += low <= 1.1 <= high
    assert abs(covered / 2000 - 0.95) < 0.02


@pytest.mark.parametrize("ratios", [[], [1.0, 1.1], [1.0, 0.0, 1.0], [1.0, -1.0, 1.0]])
def test_too_few_ratios_and_ratios_that_are_not_positive_are_rejected(ratios):
    with pytest.raises(ValueError):
        geometric_mean(ratios, Confidence())


def test_equal_ratios_have_an_interval_without_width():
    mean, interval = geometric_mean([exp(0.1)] * 4, Confidence())
    assert interval == pytest.approx((mean, mean))
