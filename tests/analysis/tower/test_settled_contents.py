"""Long series of casts, compiled and in plain Python, against formulas and exact distributions of the tower's contents.

Casts follow each other, so errors are those of autocorrelated series. The autocorrelation is a sum of geometric ones:
one for a tower without floors, one a floor else. All bounds are four standard errors, with fixed seeds.
"""

from math import sqrt

import numpy as np
import pytest

from tests.naive.rng import chi_square_z, many_draws
from tests.naive.tower_formulas import contents_distribution, contents_moments, layered_relaxation
from wallsim.analysis.tower.closed_forms import fill_distribution, layered_shares
from wallsim.engine.casting import CastingBench
from wallsim.rules.tower import Layered, TowerModel, load_tower, tower_presets

HAND = (2, 1, 1, 1, 1, 2)  # cubes of six colours, the same every cast
CUBES = sum(HAND)
FILL = (7, 7, 7, 7, 0, 10)


# -------------------------------------------------------------------------------------------------- simulations


def contents_compiled(parameters, cubes_a_cast, casts, seed):
    """Cubes inside after each cast of a tower that is empty at first, int64 [casts]; colours in turn as in HAND."""
    hand = np.bincount([colour for colour, cubes in enumerate(HAND) for _ in range(cubes)][:cubes_a_cast], minlength=6)
    thrown = np.tile(hand, (casts, 1))
    fallen = CastingBench(TowerModel("planted", parameters)).throw(thrown, seed=seed)
    return (thrown - fallen).sum(axis=1).cumsum()


# ------------------------------------------------------------------------------------------------------- errors


def memories(parameters, cubes):
    """Shares of the variance and how much of each is left a cast later: arrays [parts]."""
    if not isinstance(parameters, Layered):
        return np.ones(1), np.array([contents_moments(parameters, cubes).correlation])
    shares = np.array(layered_shares(parameters))
    weights = np.array(parameters.cells) * shares * (1 - shares)
    return weights / weights.sum(), (1 - 1 / np.array(layered_relaxation(parameters))) ** cubes


def autocorrelation(parameters, cubes, lags):
    """Correlations at lags 0, 1, ... after `memories`."""
    weights, left = memories(parameters, cubes)
    return weights @ left[:, None] ** np.arange(lags)


def standard_errors(parameters, cubes, casts, lag):
    """Standard errors of mean, variance and correlation at a lag, estimated from so many casts in a row.

    The mean's is exact: a geometric autocorrelation adds up to (1 + left) / (1 - left). The others are Bartlett's
    (1946) for a normal process.
    """
    variance = contents_moments(parameters, cubes).variance
    weights, left = memories(parameters, cubes)
    far = lag + int(8 / (1 - left.max())) + 8
    there = autocorrelation(parameters, cubes, far + 1)
    rho = np.concatenate((there[:0:-1], there))  # from -far to far
    mean = sqrt(variance / casts * (weights * (1 + left) / (1 - left)).sum())
    spread = variance * sqrt(2 * (rho**2).sum() / casts)
    middle = np.arange(-far + lag, far - lag + 1) + far
    here, ahead, behind, at_lag = rho[middle], rho[middle + lag], rho[middle - lag], there[lag]
    terms = here**2 + ahead * behind + 2 * (at_lag * here) ** 2 - 4 * at_lag * here * ahead
    return mean, spread, sqrt(terms.sum() / casts)


def expected_correlation(parameters, cubes, lag):
    """The exact correlation of settled contents so many casts apart.

    Of a layered tower, whose floors know of cubes and not of casts, it is that of one large cast.
    """
    if isinstance(parameters, Layered):
        return contents_moments(parameters, cubes * lag).correlation
    return contents_moments(parameters, cubes).correlation ** lag


def assert_settled(parameters, cubes, contents, lags=(1,)):
    """Mean, variance and correlations of a long settled series are the exact ones, within four standard errors.

    And the series is so long that an error of 3 % in the mean would show.
    """
    exact, casts = contents_moments(parameters, cubes), len(contents)
    mean_error, variance_error, _ = standard_errors(parameters, cubes, casts, 1)
    assert 4 * mean_error < 0.03 * exact.mean
    assert abs(contents.mean() - exact.mean) < 4 * mean_error
    deviations = contents - exact.mean
    assert abs((deviations**2).mean() - exact.variance) < 4 * variance_error
    deviations = contents - contents.mean()
    for lag in lags:
        correlation = (deviations[lag:] * deviations[:-lag]).mean() / (deviations**2).mean()
        error = standard_errors(parameters, cubes, casts, lag)[2]
        assert abs(correlation - expected_correlation(parameters, cubes, lag)) < 4 * error


def assert_distribution(parameters, cubes, contents):
    """The total variation between the series' distribution and the exact one is no larger than chance makes it.

    Each share's standard error is at most that of the slowest memory, and a normal error has a mean size of 0.8 of it.
    Most of a share forgets faster, so that half of the bound is usual.
    """
    chances = contents_distribution(parameters, cubes)
    shares = np.bincount(contents, minlength=len(chances)) / len(contents)
    chances = np.pad(chances, (0, len(shares) - len(chances)))
    left = memories(parameters, cubes)[1].max()
    errors = np.sqrt(chances * (1 - chances) / len(contents) * (1 + left) / (1 - left))
    assert np.abs(shares - chances).sum() / 2 < 0.8 * errors.sum() / 2


# -------------------------------------------------------------------------------------------------------- tests


@many_draws
@pytest.mark.parametrize("name", tower_presets())
def test_compiled_towers_settle_as_the_formulas_say(name):
    parameters = load_tower(name).parameters
    contents = contents_compiled(parameters, CUBES, 304_000, seed=1)[4000:]
    assert_settled(parameters, CUBES, contents, lags=(1, 2, 5))
    assert_distribution(parameters, CUBES, contents)


@many_draws
@pytest.mark.parametrize("name", tower_presets())
def test_compiled_towers_keep_of_a_first_fill_what_the_exact_law_says(name):  # B1.6
    tower, fills = load_tower(name), 20_000
    thrown = np.tile(FILL, (fills, 1))
    kept = (thrown - CastingBench(tower).throw(thrown, np.ones(fills, dtype=bool), seed=2)).sum(axis=1)
    chances = fill_distribution(tower.parameters, sum(FILL))
    counts = np.bincount(kept, minlength=len(chances))
    likely = np.flatnonzero(chances * fills >= 10)  # the rest of either end goes to its last likely neighbour
    ends = [0, *likely[1:]]
    assert abs(chi_square_z(np.add.reduceat(counts, ends), np.add.reduceat(chances, ends))) < 4
