"""Intervals for shares and means, alone, simultaneous, or at all numbers of blocks at once."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from math import ceil, exp, inf, lgamma, log, log1p, pi, sqrt
from statistics import NormalDist

_MANY = 2000.0  # degrees of freedom from which four terms of the expansion around the normal are accurate enough
_TINY = 1e-300
_EXACT = 1e-15
_CLOSE = 1e-12


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


LEVEL = 0.95
MIN_BLOCKS = 30  # with fewer blocks or games a mean has no interval
NO_ERROR = 1e-12  # a smaller standard error is rounding: all values are equal, so their variance is unknown

_Z_OF_ONE = NormalDist().inv_cdf(0.975)  # the quantile of a single 95 % interval
_ROUNDING = 1e-9

Interval = tuple[float, float]


@dataclass(frozen=True)
class Confidence:
    """`n_comparisons` intervals that hold simultaneously with probability `level`, by Bonferroni's correction.

    Each interval alone has level 1 - (1 - level) / n_comparisons, however the estimates depend on each other. Where
    their dependence is known, from resamples say, `miss` is the probability with which each alone may miss.
    """

    level: float = LEVEL
    n_comparisons: int = 1
    miss: float | None = None

    @property
    def alpha(self) -> float:
        """The probability with which each interval alone may miss: `miss`, else (1 - level) / n_comparisons."""
        return (1 - self.level) / self.n_comparisons if self.miss is None else self.miss

    @property
    def z(self) -> float:
        """The two-sided quantile of the normal distribution."""
        return NormalDist().inv_cdf(self._upper)

    def t(self, blocks: float) -> float:
        """The two-sided quantile of Student's t with blocks - 1 degrees of freedom, for a mean of `blocks` blocks."""
        return quantile(self._upper, blocks - 1)

    def students(self, value: float, error: float, blocks: float) -> Interval:
        """Student's t interval around `value`, estimated from `blocks` blocks, with standard error `error`."""
        half = self.t(blocks) * error
        return value - half, value + half

    def around(self, value: float, error: float, blocks: int) -> Interval | None:
        """The same; None for fewer blocks than it needs, for no value, or where the blocks do not differ."""
        if blocks < self.min_blocks or not error > NO_ERROR:
            return None
        return self.students(value, error, blocks)

    @property
    def min_blocks(self) -> int:
        """The least number of blocks for an interval: MIN_BLOCKS × (z / 1.96)³, so MIN_BLOCKS for a single 95 % one.

        Student's t allows for a variance estimated from few blocks, but not for rare events, whose means are skewed.
        The more intervals hold simultaneously, the further out in the tails they end, where skewness matters most. In
        resampled studies, families without rare events stay above 93 % with this minimum; 349 intervals that include
        events which hardly ever occur hold in 88 % (docs/studies/coverage.md) with any minimum. The same holds for
        `miss`, which is itself estimated from the blocks.
        """
        return max(MIN_BLOCKS, ceil(MIN_BLOCKS * (replace(self, miss=None).z / _Z_OF_ONE) ** 3 - _ROUNDING))

    def too_few(self, there: int, unit: str) -> str:
        """A sentence for `there` units, fewer than `min_blocks`: how many the intervals would need."""
        one = self.n_comparisons == 1
        intervals = "An interval needs" if one else f"{self.n_comparisons:,} simultaneous intervals need"
        those = "this is" if there == 1 else "these are"
        return f"{intervals} at least {self.min_blocks:,} {unit}; {those} {there:,}, so there are none."

    @property
    def _upper(self) -> float:
        return 1 - self.alpha / 2


def side_of(interval: Interval | None, number: float = 0.0) -> int:
    """1 if the whole interval lies above a number, -1 if it lies below it, else 0; also 0 without an interval."""
    return 0 if interval is None else int(interval[0] > number) - int(interval[1] < number)


def wilson(share: float, trials: int, z: float) -> Interval:
    """Wilson's score interval (1927) of a mean of `trials` outcomes between 0 and 1, at normal quantile `z`.

    For outcomes of 0 and 1 it is the usual interval of a proportion. For shared wins (1/k) it is conservative: the
    interval assumes the variance m (1 - m), the largest of any outcome in [0, 1] with mean m.
    """
    centre = share + z * z / (2 * trials)
    spread = z * sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials))
    scale = 1 + z * z / trials
    low, high = (centre - spread) / scale, (centre + spread) / scale
    return max(0.0, min(share, low)), min(1.0, max(share, high))  # never short of the share by rounding


def mean_interval(mean: float, deviation: float, trials: int, confidence: Confidence) -> Interval:
    """Student's t interval of a mean of `trials` independent values with the given standard deviation."""
    return confidence.students(mean, deviation / sqrt(trials), trials)


def sequence_errors(confidence: Confidence, planned: int, blocks: int) -> float:
    """Half the width of a confidence sequence's interval after `blocks` blocks, in standard errors of the estimate.

    An ordinary interval holds with its level at one number of blocks fixed beforehand. Who looks after every block and
    stops as soon as the interval pleases makes it miss more often. A confidence sequence holds at all looks at once, so
    that games may be added until an interval is short enough. It is narrowest near `planned` blocks, which must be
    positive. `confidence` says how many such sequences hold simultaneously (Bonferroni). The guarantee is asymptotic,
    as for Student's t interval: looks begin at `confidence.min_blocks` blocks. Blocks are independent.

    Source: Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas, Time-uniform central limit theory and asymptotic confidence
    sequences, Annals of Statistics 52 (2024): theorem 2.2 and the choice of rho in its appendix. The boundary is the
    normal mixture of Robbins (1970).
    """
    rho = sqrt(_mixed(confidence.alpha) / planned)  # the deviation of the mixture that is the shortest at `planned`
    mixed = blocks * rho**2
    return sqrt((mixed + 1) / mixed * (log(mixed + 1) - 2 * log(confidence.alpha)))


def _mixed(alpha: float) -> float:
    # The x = blocks × rho² with the smallest (x + 1) / x × log((x + 1) / alpha²): it solves x = log((x + 1) / alpha²),
    # by the branch -1 of Lambert's W. The steps contract by 1 / (x + 1) at least.
    x = -2 * log(alpha)
    while abs((better := log(x + 1) - 2 * log(alpha)) - x) > _CLOSE * better:
        x = better
    return better
