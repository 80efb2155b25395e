"""The spread of true values over conditions: planted ones come out, and bounds are too low as often as they say."""

import numpy as np
import pytest
from scipy import stats

from tests.refusals import refused
from wallsim.stats.heterogeneity import chance_of_share, highest_deviation, highest_share_below, lowest_mean, spread_of

RNG = np.random.default_rng(6)


def drawn(mean, deviation, conditions, rng):
    """Estimates of conditions whose true values are normal, with errors that differ from condition to condition."""
    errors = rng.uniform(0.1, 0.4, conditions)
    return rng.normal(mean, np.hypot(deviation, errors)), errors


def test_many_conditions_show_mean_and_deviation():
    values, errors = drawn(1.0, 0.5, 20_000, RNG)
    found = spread_of(values, errors)
    assert found.mean == pytest.approx(1.0, abs=0.02)
    assert found.deviation == pytest.approx(0.5, abs=0.02)


def test_without_differences_the_mean_is_that_of_fixed_effects():
    errors = np.array([0.1, 0.2, 0.4])
    found = spread_of(np.array([1.0, 1.01, 0.99]), errors)
    assert found.deviation == 0.0
    assert found.mean == pytest.approx((1.0 / 0.01 + 1.01 / 0.04 + 0.99 / 0.16) / (1 / 0.01 + 1 / 0.04 + 1 / 0.16))


def test_the_bound_of_the_deviation_is_where_cochrans_q_has_that_quantile():
    values, errors = drawn(1.0, 0.5, 12, RNG)
    bound = highest_deviation(values, errors, 0.05)
    weights = 1.0 / (errors**2 + bound**2)
    mean = (weights * values).sum() / weights.sum()
    assert (weights * (values - mean) ** 2).sum() == pytest.approx(stats.chi2.ppf(0.05, 11), rel=1e-6)


@pytest.mark.slow
@pytest.mark.one_in(4)
@pytest.mark.parametrize("deviation", [0.0, 0.1, 0.5])
@pytest.mark.parametrize("conditions", [6, 54])
def test_bounds_are_missed_no_more_often_than_they_say(deviation, conditions):
    """2,000 draws; 0.1 is four and a half binomial standard errors above the nominal 0.07 at most."""
    rng, missed = np.random.default_rng(conditions), np.zeros(3)
    share = stats.norm.cdf(-0.4 / deviation) if deviation else 0.0
    for _ in range(2000):
        values, errors = drawn(0.4, deviation, conditions, rng)
        missed += (
            highest_deviation(values, errors, 0.07) < deviation,
            lowest_mean(values, errors, 0.07) > 0.4,
            highest_share_below(values, errors, 0.0, 0.07) < share,
        )
    assert (missed / 2000 < 0.1).all()


def test_a_bound_of_the_mean_below_the_limit_says_nothing_of_the_share():
    values, errors = np.array([0.1, -0.1, 0.05]), np.full(3, 0.2)
    assert highest_share_below(values, errors, 0.0, 0.05) == 1.0
    assert chance_of_share(values, errors, 0.0, 0.05) == 1.0


def test_the_chance_of_a_share_is_the_level_at_which_its_bound_is_that_share():
    values, errors = drawn(1.0, 0.3, 20, RNG)
    chance = chance_of_share(values, errors, 0.0, 0.05)
    assert 1e-12 < chance < 0.5
    assert highest_share_below(values, errors, 0.0, chance) < 0.05
    assert highest_share_below(values, errors, 0.0, chance / 1.05) > 0.05 * 0.9


def test_one_condition_shows_no_spread():
    with refused("1 conditions", by=ValueError):
        spread_of(np.array([1.0]), np.array([0.1]))
