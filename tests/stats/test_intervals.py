"""Quantiles agree with SciPy's, and Wilson's interval has its known values."""

import pytest
from scipy.special import stdtrit

from wallsim.stats.intervals import Confidence, quantile, wilson

PROBABILITIES = (0.5001, 0.6, 0.75, 0.9, 0.95, 0.975, 0.995, 0.9999, 1 - 1e-6, 1 - 1e-8)
DEGREES = (1, 1.5, 2, 2.7, 3, 29, 100.5, 999, 1999, 2001, 1e6, 1e10)


@pytest.mark.parametrize("degrees", DEGREES)
def test_quantiles_agree_with_scipy(degrees):
    for probability in PROBABILITIES:
        assert quantile(probability, degrees) == pytest.approx(stdtrit(degrees, probability), rel=5e-12)


def test_the_median_is_nought_and_certainty_has_no_bound():
    assert quantile(0.5, 7) == 0.0
    assert quantile(1.0, 7) == float("inf")


@pytest.mark.parametrize(("probability", "degrees"), [(0.4, 3), (1.1, 3), (0.9, 0), (float("nan"), 3)])
def test_other_arguments_are_refused(probability, degrees):
    with pytest.raises(ValueError, match="no quantile"):
        quantile(probability, degrees)


@pytest.mark.parametrize(
    ("wins", "trials", "low", "high"),  # Newcombe (1998), table I
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_wilsons_interval_has_its_known_values(wins, trials, low, high):
    assert wilson(wins / trials, trials, Confidence(0.95).z) == pytest.approx((low, high), abs=5e-5)


def test_several_intervals_at_once_are_wider():
    assert Confidence(0.95).z == pytest.approx(1.959964, abs=1e-6)
    assert Confidence(0.95, 4).z == pytest.approx(2.497705, abs=1e-6)
