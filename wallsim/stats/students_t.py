"""The quantile of Student's t distribution without SciPy, whose import takes longer than the summary of a run."""

from __future__ import annotations

from functools import lru_cache
from math import exp, inf, lgamma, log, log1p, pi
from statistics import NormalDist

_MANY = 2000.0  # degrees of freedom from which four terms of the expansion around the normal are accurate enough
_TINY = 1e-300
_EXACT = 1e-15


@lru_cache(maxsize=4096)  # tables of intervals ask for a few quantiles thousands of times
def quantile(probability: float, degrees: float) -> float:
    """The quantile of Student's t with `degrees` > 0 degrees of freedom at a probability from 0.5 to 1.

    Agrees with `scipy.special.stdtrit` to eleven digits. ValueError for arguments out of range.
    """
    if not 0.5 <= probability <= 1.0 or not degrees > 0:
        raise ValueError(f"no quantile of Student's t for probability {probability}, {degrees} degrees of freedom")
    if probability in (0.5, 1.0):
        return 0.0 if probability == 0.5 else inf
    normal = NormalDist().inv_cdf(probability)
    if degrees >= _MANY:
        return _expansion(normal, degrees)
    tail = 1.0 - probability
    low, high = 0.0, 1.0
    while _upper_tail(high, degrees) > tail:
        low, high = high, 2.0 * high
    value = min(max(_expansion(normal, degrees), low), high)
    for _ in range(200):  # Newton's method, or bisection where a step would leave the bracket
        excess = _upper_tail(value, degrees) - tail
        low, high = (value, high) if excess > 0 else (low, value)
        better = value + excess / _density(value, degrees)
        if not low < better < high:
            better = (low + high) / 2
        if abs(better - value) <= _EXACT * value:
            return better
        value = better
    return value


def _expansion(z: float, degrees: float) -> float:
    # Cornish and Fisher: Abramowitz and Stegun, Handbook of Mathematical Functions, 26.7.5.
    s = z * z
    terms = (
        (s + 1) / 4,
        ((5 * s + 16) * s + 3) / 96,
        (((3 * s + 19) * s + 17) * s - 15) / 384,
        ((((79 * s + 776) * s + 1482) * s - 1920) * s - 945) / 92160,
    )
    return z * (1.0 + sum(term / degrees**power for power, term in enumerate(terms, start=1)))


def _density(t: float, degrees: float) -> float:
    scale = lgamma((degrees + 1) / 2) - lgamma(degrees / 2) - log(degrees * pi) / 2
    return exp(scale - (degrees + 1) / 2 * log1p(t * t / degrees))


def _upper_tail(t: float, degrees: float) -> float:
    return _incomplete_beta(degrees / 2, 0.5, degrees / (degrees + t * t), t * t / (degrees + t * t)) / 2


def _incomplete_beta(a: float, b: float, x: float, rest: float) -> float:
    """The regularised incomplete beta function at x, `rest` being 1 - x, by its continued fraction."""
    if x == 0.0 or rest == 0.0:
        return 0.0 if x == 0.0 else 1.0
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log(rest))
    if x > (a + 1) / (a + b + 2):
        return 1.0 - front * _fraction(b, a, rest) / b
    return front * _fraction(a, b, x) / a


def _fraction(a: float, b: float, x: float) -> float:
    # Lentz's method.
    c, d = 1.0, 1.0 / _away(1.0 - (a + b) * x / (a + 1))
    value = d
    for m in range(1, 10_000):
        for step in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d, c = 1.0 / _away(1.0 + step * d), _away(1.0 + step / c)
            value *= c * d
        if abs(c * d - 1.0) < _EXACT:
            break
    return value


def _away(value: float) -> float:
    return value if abs(value) > _TINY else _TINY
