"""Intervals for shares and means, alone or simultaneous."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, sqrt
from statistics import NormalDist

from wallsim.stats.students_t import quantile

LEVEL = 0.95
MIN_BLOCKS = 30  # blocks or games below which nothing is claimed about a mean
NO_ERROR = 1e-12  # a standard error below it is rounding: nothing differed, so nothing is known of its spread

_USUAL = NormalDist().inv_cdf(0.975)  # the quantile of one interval of 95 %
_ROUNDING = 1e-9

Interval = tuple[float, float]


@dataclass(frozen=True)
class Confidence:
    """`n_comparisons` intervals that hold simultaneously with probability `level`, by Bonferroni's correction.

    Each interval alone has level 1 - (1 - level) / n_comparisons, however the estimates depend on each other.
    """

    level: float = LEVEL
    n_comparisons: int = 1

    @property
    def z(self) -> float:
        """The two-sided quantile of the normal distribution."""
        return NormalDist().inv_cdf(self._upper)

    def t(self, blocks: float) -> float:
        """The two-sided quantile of Student's t distribution for a mean of `blocks` blocks, blocks - 1 degrees."""
        return quantile(self._upper, blocks - 1)

    def students(self, value: float, error: float, blocks: int) -> Interval:
        """Student's t interval around a value of `blocks` blocks with a standard error."""
        half = self.t(blocks) * error
        return value - half, value + half

    @property
    def min_blocks(self) -> int:
        """The least number of blocks for an interval: MIN_BLOCKS for one of 95 %, more by the cube of the quantile.

        Student's t takes care of a spread that few blocks tell badly, but not of rare events, whose means are skew; and
        the more intervals hold simultaneously, the further out in the tails each of them ends, where that matters most.
        In studies drawn from a played one 349 intervals, rare events among them, hold in 90.0 % at 96 blocks and in
        94.4 % at 220 (docs/studies/coverage.md): with MIN_BLOCKS times (z / 1.96)³ all families there stay above 92 %.
        """
        return max(MIN_BLOCKS, ceil(MIN_BLOCKS * (self.z / _USUAL) ** 3 - _ROUNDING))

    def too_few(self, there: int, unit: str) -> str:
        """A sentence for `there` units that are fewer than `min_blocks`: how many these intervals need, and so none."""
        one = self.n_comparisons == 1
        intervals = "An interval needs" if one else f"{self.n_comparisons:,} simultaneous intervals need"
        return f"{intervals} at least {self.min_blocks:,} {unit}; these are {there:,}, so there are none."

    @property
    def _upper(self) -> float:
        return 1 - (1 - self.level) / self.n_comparisons / 2


def wilson(share: float, trials: int, z: float) -> Interval:
    """Wilson's score interval (1927) of a mean of `trials` outcomes between 0 and 1, at normal quantile `z`.

    For outcomes of 0 and 1 it is the usual interval of a proportion. For shared wins (1/k) it is on the safe
    side: no outcome in [0, 1] with mean m varies more than m (1 - m), which the interval assumes.
    """
    centre = share + z * z / (2 * trials)
    spread = z * sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials))
    scale = 1 + z * z / trials
    low, high = (centre - spread) / scale, (centre + spread) / scale
    return max(0.0, min(share, low)), min(1.0, max(share, high))  # never short of the share by rounding


def mean_interval(mean: float, deviation: float, trials: int, confidence: Confidence) -> Interval:
    """Student's t interval of a mean of `trials` independent values with the given standard deviation."""
    return confidence.students(mean, deviation / sqrt(trials), trials)
