"""The geometric mean of ratios with an interval: Student's t on their logarithms."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log
from statistics import fmean, stdev

from wallsim.stats.intervals import Confidence, Interval, mean_interval

LEAST = 3  # ratios; with two the interval would be as wide as their t quantile of 12.7


def geometric_mean(ratios: Sequence[float], confidence: Confidence) -> tuple[float, Interval]:
    """The geometric mean of independent ratios above 0, and its interval, one of those of `confidence`.

    The logarithms are taken as normal, which suits ratios of sums of many small times. ValueError for fewer than LEAST
    ratios, and for one that is not above 0.
    """
    if len(ratios) < LEAST:
        raise ValueError(f"ratios: {len(ratios)} are too few; at least {LEAST} are required")
    logarithms = [log(ratio) for ratio in ratios]
    mean = fmean(logarithms)
    low, high = mean_interval(mean, stdev(logarithms), len(logarithms), confidence)
    return exp(mean), (exp(low), exp(high))
