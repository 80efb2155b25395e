"""Intervals for shares and means, alone or several at once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import sqrt
from statistics import NormalDist

from scipy.special import stdtrit

LEVEL = 0.95
FEWEST = 30  # games below which nothing is claimed about a mean
_EXCESS = 1.044  # a Student's t quantile this many times the normal one is the widest that is used

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

    def t(self, blocks: int) -> float:
        """The two-sided quantile of Student's t distribution for a mean of `blocks` blocks, blocks - 1 degrees."""
        return float(stdtrit(blocks - 1, self._upper))

    @property
    def min_blocks(self) -> int:
        """The fewest blocks that give an interval: those whose t quantile exceeds the normal one by at most 4.4 %.

        For one interval of 95 % they are the usual 30. The more intervals hold simultaneously, the further out in the
        tails each of them ends, the worse a spread from few blocks tells where that is, and the more blocks it takes.
        """
        return _min_blocks(self._upper)

    @property
    def _upper(self) -> float:
        return 1 - (1 - self.level) / self.n_comparisons / 2


@lru_cache
def _min_blocks(upper: float) -> int:
    blocks, widest = 3, _EXCESS * NormalDist().inv_cdf(upper)
    while stdtrit(blocks - 1, upper) > widest:
        blocks += 1
    return blocks


def normal_quantile(level: float = LEVEL, together: int = 1) -> float:
    """The two-sided normal quantile z for `together` intervals that shall hold at once with chance `level`.

    Bonferroni's correction: each interval alone has level 1 - (1 - level) / together. It holds however the
    estimates hang together.
    """
    return NormalDist().inv_cdf(1 - (1 - level) / together / 2)


def wilson(share: float, trials: int, z: float) -> Interval:
    """Wilson's score interval (1927) of a mean of `trials` outcomes between 0 and 1, at normal quantile `z`.

    For outcomes of 0 and 1 it is the usual interval of a proportion. For shared wins (1/k) it is on the safe
    side: no outcome in [0, 1] with mean m varies more than m (1 - m), which the interval assumes.
    """
    centre = share + z * z / (2 * trials)
    spread = z * sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials))
    scale = 1 + z * z / trials
    return max(0.0, (centre - spread) / scale), min(1.0, (centre + spread) / scale)


def mean_interval(mean: float, deviation: float, trials: int, z: float) -> Interval:
    """The normal interval of a mean of `trials` independent values with the given standard deviation."""
    half = z * deviation / sqrt(trials)
    return mean - half, mean + half
