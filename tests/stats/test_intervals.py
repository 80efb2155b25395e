"""Quantiles agree with SciPy's, and a confidence sequence has the errors of its theorem."""

import numpy as np
import pytest
from scipy.special import lambertw, stdtrit

from wallsim.stats.intervals import Confidence, quantile, sequence_errors, wilson

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


# ------------------------------------------------------------------------------------ confidence sequences


def test_it_is_narrowest_at_the_planned_number_of_blocks():
    planned = sequence_errors(Confidence(), 1000, 1000)
    assert all(planned < sequence_errors(Confidence(), other, 1000) for other in (300, 900, 1100, 3000))
    assert planned == pytest.approx(3.04, abs=0.01)  # that of one look has 1.96
    assert sequence_errors(Confidence(), 1, 1) < sequence_errors(Confidence(), 2, 1)


@pytest.mark.parametrize("together", [1, 5])
def test_the_errors_are_the_theorems(together):
    alpha = 0.05 / together
    n, squared = 200, (-lambertw(-(alpha**2) / np.e, -1).real - 1) / 400  # rho²
    half = np.sqrt(2 * (n * squared + 1) / (n**2 * squared) * np.log(np.sqrt(n * squared + 1) / alpha))
    assert sequence_errors(Confidence(n_comparisons=together), 400, n) / np.sqrt(n) == pytest.approx(half)
