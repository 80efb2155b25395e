"""P-values and intervals of an outcome that was given more games where it was uncertain, in stages.

Who decides after each stage whether and how many games to add cannot judge all games as one sample: an ordinary p-value
would be too small too often. Here each stage has a p-value of its own games alone. Those up to a stage are combined by
weights that are fixed beforehand, whatever the sizes of the stages turn out to be (the inverse normal method: Lehmacher
and Wassmer, Adaptive sample size calculations in group sequential trials, Biometrics 55, 1999). The stages share the
level (Bonferroni), so that a claim may be decided at any of them. What was found before may decide which outcomes get
games, how many, and when they end: the p-value stays valid, even if no further stage is played.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import isnan, sqrt

from scipy.special import ndtr, ndtri, stdtr

from wallsim.stats.blocks import Known, Measurement
from wallsim.stats.intervals import NO_ERROR, Confidence, Interval

SHARES = (0.2, 0.4, 0.4)  # of the level, by stage
WEIGHTS = (1.0, 4.0, 16.0)  # of the variance, by stage; about the games that each is expected to have
_FURTHEST = 37.0  # standard errors; further out the normal distribution has no floating-point tail
_PRECISE = 1e-6  # of a standard error


@dataclass(frozen=True)
class Staged:
    """An outcome by its stages, one to three, in the order in which they were played; their games are independent.

    ValueError for another number of stages.
    """

    stages: tuple[Known, ...]

    def __post_init__(self) -> None:
        """ValueError unless there are one to three stages."""
        if not 1 <= len(self.stages) <= len(SHARES):
            raise ValueError(f"stages: {len(self.stages)}; allowed are 1 to {len(SHARES)}")

    @cached_property
    def pooled(self) -> Known:
        """All stages as one estimate, weighted by precision."""
        result = self.stages[0]
        for stage in self.stages[1:]:
            result = pooled(result, stage)
        return result

    @property
    def value(self) -> float:
        """The mean of all stages, weighted by precision."""
        return self.pooled.value

    @property
    def error(self) -> float:
        """The standard error of the value, as if the sizes of the stages had been fixed beforehand."""
        return self.pooled.error

    @property
    def blocks(self) -> int:
        """The sample size that has the degrees of freedom of the error."""
        return self.pooled.blocks

    def tails(self, limit: float) -> tuple[float, float]:
        """The one-sided p-values that the outcome is above a limit and that it is below it, at most 1."""
        total = spent = 0.0
        above = below = 1.0
        for stage, share, weight in zip(self.stages, SHARES, WEIGHTS, strict=False):
            total += sqrt(weight) * _score(stage, limit)
            spent += weight
            score = total / sqrt(spent)
            above, below = min(above, float(ndtr(-score)) / share), min(below, float(ndtr(score)) / share)
        return above, below

    def interval(self, confidence: Confidence) -> Interval | None:
        """All limits that neither of the p-values excludes; None where there are too few blocks or no error."""
        enough = all(stage.blocks >= confidence.min_blocks for stage in self.stages)
        if not enough or not all(stage.error > NO_ERROR for stage in self.stages):
            return None
        return self._end(confidence.alpha / 2, 0), self._end(confidence.alpha / 2, 1)

    def _end(self, miss: float, side: int) -> float:
        # The p-values are monotone in the limit, so the end is found by bisection from far outside.
        out = self.stages[0].value + (2 * side - 1) * 2 * _FURTHEST * max(stage.error for stage in self.stages)
        out += (2 * side - 1) * max(abs(stage.value - self.stages[0].value) for stage in self.stages)
        within = self.value
        while abs(out - within) > _PRECISE * self.error:
            middle = (out + within) / 2
            out, within = (middle, within) if self.tails(middle)[side] <= miss else (out, middle)
        return (out + within) / 2


def pooled(one: Known, other: Known) -> Known:
    """Two independent estimates of one outcome as one, weighted by precision.

    The degrees of freedom are Satterthwaite's (1946). One without an error leaves the other alone.
    """
    if not (one.error > NO_ERROR and other.error > NO_ERROR):
        return other if other.error > NO_ERROR else one
    weights = [each.error**-2 for each in (one, other)]
    shares = [weight / sum(weights) for weight in weights]
    parts = [(part * each.error) ** 2 for part, each in zip(shares, (one, other), strict=True)]
    error = sum(parts)
    degrees = error**2 / sum(part**2 / (each.blocks - 1) for part, each in zip(parts, (one, other), strict=True))
    value = sum(part * each.value for part, each in zip(shares, (one, other), strict=True))
    return Measurement(value, sqrt(error), int(degrees) + 1)


def students_tails(value: float, error: float, blocks: int, limit: float) -> tuple[float, float]:
    """The one-sided p-values that a value is above a limit and that it is below it, by Student's t.

    Both are 1 where value or error are not known; without an error the value counts as known exactly.
    """
    if isnan(value) or isnan(error):
        return 1.0, 1.0
    if not error > NO_ERROR:
        return float(value <= limit), float(value >= limit)
    t = (value - limit) / error
    return float(stdtr(blocks - 1, -t)), float(stdtr(blocks - 1, t))


def _score(stage: Known, limit: float) -> float:
    """The normal score of a stage's distance from a limit; 0 where nothing is known."""
    above, below = students_tails(stage.value, stage.error, stage.blocks, limit)
    if above == below == 1.0:
        return 0.0
    tail = min(above, below)
    far = float(-ndtri(tail)) if tail > 0.0 else _FURTHEST
    return min(far, _FURTHEST) * (1.0 if above < below else -1.0)
