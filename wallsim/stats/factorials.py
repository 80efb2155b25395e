"""Main effects and interactions of a 2^k factorial: weights for the estimates of its scenarios.

The scenarios stand in the standard (Yates's) order, in which the first factor changes fastest: none, a, b, ab, c, ac, …
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from wallsim.stats.blocks import Estimate, combined

Effect = tuple[str, ...]


def factorial_weights(factors: Sequence[str]) -> dict[Effect, np.ndarray]:
    """For each main effect and interaction, by its factors, the weights of all scenarios, float64 [2^k].

    A main effect is the mean of the scenarios with the factor minus the mean of those without. An interaction of two
    is half the difference between the effects of one factor with and without the other, and so on: each interaction
    is scaled like a main effect (Box, Hunter and Hunter, Statistics for Experimenters). Main effects come first.
    ValueError without factors and for a factor named twice.
    """
    count = len(factors)
    if count == 0 or len(set(factors)) < count:
        raise ValueError(f"factors: {list(factors)}; one or more different names are needed")
    high = np.arange(2**count)[:, None] >> np.arange(count) & 1  # [scenarios, factors]
    signs = 2.0 * high - 1.0
    return {
        tuple(factors[place] for place in places): signs[:, places].prod(axis=1) / 2 ** (count - 1)
        for size in range(1, count + 1)
        for places in combinations(range(count), size)
    }


def factorial_effects(factors: Sequence[str], scenarios: Sequence[Estimate]) -> dict[Effect, Estimate]:
    """All main effects and interactions from the estimates of the 2^k scenarios, which share their blocks.

    ValueError for another number of scenarios, or scenarios of different numbers of blocks.
    """
    if len(scenarios) != 2 ** len(factors):
        raise ValueError(f"scenarios: {len(scenarios)}; {len(factors)} factors of two levels have {2 ** len(factors)}")
    return {
        effect: combined([float(weight) for weight in weights], scenarios)
        for effect, weights in factorial_weights(factors).items()
    }
