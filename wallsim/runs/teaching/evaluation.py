"""What a correction gains on lessons that it was not fitted to."""

from __future__ import annotations

from typing import Any

import numpy as np

from wallsim.runs.teaching.fitting import Fit
from wallsim.runs.teaching.plan_sums import PlanSums
from wallsim.stats.blocks import block_ratio
from wallsim.stats.intervals import Confidence

_STEP = 500  # lessons at a time


def held_out_gain(sums: PlanSums, blocks: np.ndarray, fit: Fit, confidence: Confidence) -> dict[str, Any]:
    """How many hundredths of a win the pupil gains if the correction chooses among the plans that a lesson tried.

    `blocks` are the numbers of the lessons' blocks of games, the unit of the interval.
    """
    gains = []
    for first in range(0, sums.lessons, _STEP):
        last = min(sums.lessons, first + _STEP)
        worth = sums.worth[first:last] + sums.of_plans(fit.of_cards(sums, first, last), first, last)
        best = np.where(sums.found[first:last], worth, -np.inf).argmax(axis=1)
        result = sums.result[first:last]
        gains.append(result[np.arange(last - first), best] - result[:, 0])
    _, place = np.unique(blocks, return_inverse=True)
    gain = block_ratio(np.bincount(place, np.concatenate(gains)), np.bincount(place).astype(float))
    low, high = gain.interval(confidence) or (None, None)
    return {
        "lessons": sums.lessons,
        "gain": round(gain.value, 3),
        "low": None if low is None else round(low, 3),
        "high": None if high is None else round(high, 3),
    }
