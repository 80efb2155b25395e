"""Intervals for shares and means, alone or simultaneous."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import ceil, sqrt
from statistics import NormalDist

from wallsim.stats.students_t import quantile

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


def side_of(interval: Interval | None) -> int:
    """1 if the whole interval lies above 0, -1 if it lies below 0, else 0; also 0 without an interval."""
    return 0 if interval is None else int(interval[0] > 0) - int(interval[1] < 0)


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
