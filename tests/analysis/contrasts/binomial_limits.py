"""Between which numbers a count of successes lies nearly always, if each has the chance that is claimed."""

from functools import reduce

import numpy as np
from scipy.stats import binom

CENTRAL = 0.999  # the probability that a count lies between its limits


def limits(studies, *chances):
    """The least and the most successes of so many studies for each of some chances, added up: central 99.9 %.

    A chance is a number, or the least and the most that it may be.
    """
    pairs = [chance if isinstance(chance, tuple) else (chance, chance) for chance in chances]
    least, most = (_sums(studies, [pair[end] for pair in pairs]) for end in (0, 1))
    tail = (1 - CENTRAL) / 2
    return int(np.searchsorted(least.cumsum(), tail)), int(np.searchsorted(most.cumsum(), 1 - tail))


def _sums(studies, chances):
    """The probabilities of 0, 1, 2 ... successes in all."""
    counts = np.arange(studies + 1)
    return reduce(np.convolve, [binom.pmf(counts, studies, chance) for chance in chances])
