"""Paired differences of outcomes between 0 and 1 of which most are 0, such as wins before and after a small change.

With 300 pairs of which six differ, a variance estimated from the differences is too uncertain for Student's t. Tango's
score interval (Statistics in Medicine 17, 1998) uses the variance that the number of differing pairs would have at each
value tried, as Wilson's does for a single share.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, sqrt

from scipy.special import ndtr

from wallsim.stats.intervals import Confidence, Interval

_HALVINGS = 60


@dataclass(frozen=True)
class SparsePairs:
    """Pairs counted for Tango's interval: `up` of `pairs` rose and `down` fell, by one `unit` each.

    Tango assumes independent pairs of outcomes 0 or 1. A shared win counts 1/k and a block may have several games, so a
    difference can also be a fraction. The unit is then the sum of squares divided by the sum of sizes, and the counts
    are sums of differences in that unit: they have the mean and the second moment of the differences, and with 0 and 1
    alone they are Tango's own. This assumes that the differences other than 0 are of similar size.
    """

    pairs: int
    up: float
    down: float
    unit: float

    def interval(self, confidence: Confidence) -> Interval:
        """Tango's interval of the mean difference, one of the simultaneous intervals of `confidence`.

        It has an end on either side of 0 even where no pair differs.
        """
        z, value = confidence.z, (self.up - self.down) / self.pairs
        return self.unit * self._end(-1.0, value, z), self.unit * self._end(value, 1.0, -z)

    def p_value(self) -> float:
        """The two-sided p-value of no difference, McNemar's test (1947); 1 where no pair differs."""
        return 1.0 if self.up + self.down == 0 else float(2 * ndtr(-abs(self._score(0.0))))

    def _end(self, low: float, high: float, z: float) -> float:
        # The score falls as the difference grows; the end lies where it is z.
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            if self._score(middle) > z:
                low = middle
            else:
                high = middle
        return (low + high) / 2

    def _score(self, difference: float) -> float:
        # Standard errors between the observed difference and the one assumed. `fell` is the share of falling pairs of
        # maximum likelihood if the difference is as assumed (Tango 1998, equation 4).
        excess = self.up - self.down - self.pairs * difference
        half = (2 * self.pairs - self.up + self.down) * difference - self.up - self.down
        root = half * half + 8 * self.pairs * self.down * difference * (1 - difference)
        fell = (sqrt(max(0.0, root)) - half) / (4 * self.pairs)
        variance = self.pairs * (2 * fell + difference * (1 - difference))
        if variance <= 0:
            return 0.0 if excess == 0 else inf if excess > 0 else -inf
        return excess / sqrt(variance)


def pairs_of_sums(pairs: int, rises: float, falls: float, squares: float) -> SparsePairs:
    """The counts from sums over `pairs` differences between -1 and 1: of rises, of falls (> 0), and of all squares."""
    total = rises + falls
    unit = squares / total if total else 1.0
    return SparsePairs(pairs, rises / unit, falls / unit, unit)
