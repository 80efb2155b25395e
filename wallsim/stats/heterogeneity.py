"""How much a true value varies from condition to condition, and in which share of conditions it has the other sign.

The errors of the estimates are known; the true values are taken for draws from a normal distribution (DerSimonian and
Laird 1986). Estimates from the same random numbers share a part of their errors: its variance, `shared`, does not tell
conditions apart, so it is taken off where they are compared, and added where their mean is judged.
"""

from __future__ import annotations

from math import inf, sqrt
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from wallsim.stats.intervals import quantile

_PRECISE = 1e-7  # of a standard deviation
_LEAST = 1e-12  # the smallest level that is tried


class Spread(NamedTuple):
    """The distribution of true values: mean and standard deviation, in the unit of the values."""

    mean: float
    deviation: float


def spread_of(values: np.ndarray, errors: np.ndarray) -> Spread:
    """Mean and standard deviation of the true values, by Paule and Mandel's equation (1982).

    `values` and their standard errors have the shape [conditions]. ValueError for fewer than two conditions.
    """
    deviation = _deviation_at(values, errors, len(values) - 1.0)
    return Spread(_mean(values, errors, deviation), deviation)


def highest_deviation(values: np.ndarray, errors: np.ndarray, miss: float) -> float:
    """An upper bound of the standard deviation of true values that is too low with probability `miss`.

    By the profile of Cochran's Q (Viechtbauer 2007).
    """
    from scipy.special import chdtri

    return _deviation_at(values, errors, float(chdtri(len(values) - 1, 1.0 - miss)))


def lowest_mean(values: np.ndarray, errors: np.ndarray, miss: float, shared: float = 0.0) -> float:
    """A lower bound of the mean of true values that is too high with probability `miss`.

    By Hartung and Knapp's variance (2001), which is at least that of fixed effects. `errors` are without the shared
    part, whose variance is `shared`.
    """
    found = spread_of(values, errors)
    weights = 1.0 / (errors**2 + found.deviation**2)
    scatter = float((weights * (values - found.mean) ** 2).sum()) / (len(values) - 1)
    error = sqrt(max(1.0, scatter) / float(weights.sum()) + shared)
    return found.mean - quantile(1.0 - miss, len(values) - 1) * error


def highest_share_below(
    values: np.ndarray, errors: np.ndarray, limit: float, miss: float, shared: float = 0.0
) -> float:
    """An upper bound of the share of conditions whose true value is below `limit`, too low with probability `miss`.

    Half of `miss` is that of the mean's bound, half that of the deviation's. 1 if the bound of the mean is not above
    the limit.
    """
    mean = lowest_mean(values, errors, miss / 2, shared)
    deviation = highest_deviation(values, errors, miss / 2)
    if mean <= limit:
        return 1.0
    return NormalDist().cdf((limit - mean) / deviation) if deviation > 0.0 else 0.0


def chance_of_share(values: np.ndarray, errors: np.ndarray, limit: float, share: float, shared: float = 0.0) -> float:
    """The p-value of the statement that fewer than this share of conditions lie below `limit`; 1 if it is not shown."""

    def is_shown(miss: float) -> bool:
        return highest_share_below(values, errors, limit, miss, shared) < share

    if not is_shown(0.5):
        return 1.0
    low, high = _LEAST, 0.5
    if is_shown(low):
        return low
    while high / low > 1.01:
        middle = sqrt(low * high)
        low, high = (low, middle) if is_shown(middle) else (middle, high)
    return high  # a p-value may be a hundredth too large


def _mean(values: np.ndarray, errors: np.ndarray, deviation: float) -> float:
    weights = 1.0 / (errors**2 + deviation**2)
    return float((weights * values).sum() / weights.sum())


def _scatter(values: np.ndarray, errors: np.ndarray, deviation: float) -> float:
    """Cochran's Q with this standard deviation of true values."""
    mean = _mean(values, errors, deviation)
    return float(((values - mean) ** 2 / (errors**2 + deviation**2)).sum())


def _deviation_at(values: np.ndarray, errors: np.ndarray, scatter: float) -> float:
    """The standard deviation at which Q falls to `scatter`; 0 if it is lower from the start."""
    if len(values) < 2:
        raise ValueError(f"{len(values)} conditions: two at least are needed to see how much they differ")
    if _scatter(values, errors, 0.0) <= scatter:
        return 0.0
    if scatter <= 0.0:
        return inf
    low, high = 0.0, float(np.ptp(values)) + float(errors.max())
    while _scatter(values, errors, high) > scatter:
        high *= 2.0
    while high - low > _PRECISE * high:
        middle = (low + high) / 2.0
        low, high = (middle, high) if _scatter(values, errors, middle) > scatter else (low, middle)
    return high
