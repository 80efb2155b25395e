"""The quantile of Student's t against SciPy's, over probabilities and degrees of freedom."""

import pytest
from scipy.special import stdtrit

from wallsim.stats.intervals import quantile

PROBABILITIES = (0.5001, 0.6, 0.75, 0.9, 0.95, 0.975, 0.995, 0.9999, 1 - 1e-6, 1 - 1e-8)
DEGREES = (1, 1.5, 2, 2.7, 3, 8, 29, 30, 95, 100.5, 500, 999, 1999, 2001, 3000, 1e6, 1e10)


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
