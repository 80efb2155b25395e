"""One contrast: how a number differs between two runs of the same games, with its interval."""

from __future__ import annotations

from dataclasses import dataclass
from math import nan, sqrt

import numpy as np

from wallsim.stats.blocks import Estimate, block_ratio
from wallsim.stats.intervals import NO_ERROR, Confidence, Interval
from wallsim.stats.screening import students_p_value
from wallsim.stats.sparse_pairs import SparsePairs, sparse_pairs

WIN = "win"


@dataclass(frozen=True)
class Contrast:
    """A number in both runs and its paired change, second minus first.

    `who` says over which seats the number is taken, `group` which games or rounds, empty for all. `first`, `second`
    and `change` have one block per game of the pairing, so that they can be combined with other contrasts of it; only
    `counted` of these blocks have cases. `pairs` are the differences of wins, per case times `scale`; None for others.
    """

    column: str
    who: str
    group: str
    first: Estimate
    second: Estimate
    change: Estimate
    counted: int
    same: bool  # in every game
    pairs: SparsePairs | None = None
    scale: float = 1.0

    @property
    def error(self) -> float:
        """The standard error of the change among the blocks with cases; nan if there are fewer than two."""
        if self.counted < 2:
            return nan
        # The blocks without cases have no influence: only the divisors change.
        counted, blocks = self.counted, self.change.blocks
        return self.change.error * sqrt(counted / (counted - 1) * (blocks - 1) / blocks)

    @property
    def pairing_gain(self) -> float:
        """The share of the variance that pairing saves: 1 - var(change) / (var(first) + var(second)).

        0 as if the runs were independent, 1 if they move together, negative if pairing hurts; nan without variance.
        """
        apart = float((self.first.influence**2).sum() + (self.second.influence**2).sum())
        return 1 - float((self.change.influence**2).sum()) / apart if apart > NO_ERROR else nan

    def interval(self, confidence: Confidence) -> Interval | None:
        """Tango's interval for wins and Student's t for others, one of the simultaneous intervals of `confidence`.

        None if fewer games have cases than `confidence` needs, or if the change is the same in all games, except for
        wins.
        """
        if self.counted < confidence.min_blocks:
            return None
        if self.pairs is not None:
            low, high = self.pairs.interval(confidence)
            return self.scale * low, self.scale * high
        if not self.error > NO_ERROR:
            return None
        return confidence.students(self.change.value, self.error, self.counted)

    def p_value(self, confidence: Confidence) -> float:
        """The p-value of no change, of the test that belongs to the interval; nan where there is none."""
        if self.interval(confidence) is None:
            return nan
        if self.pairs is not None:
            return self.pairs.p_value()
        return students_p_value(self.change.value, self.error, self.counted)


def contrast(
    column: str, who: str, group: str, first: np.ndarray, second: np.ndarray, cases: np.ndarray
) -> Contrast | None:
    """The contrast of two sums by game divided by the same cases, all float64 [games]; None without cases."""
    has = cases > 0
    if not has.any():
        return None
    pairs, scale = None, 1.0
    if column == WIN:
        # Differences per case are between -1 and 1; games with more cases weigh more.
        largest = float(cases.max())
        pairs = sparse_pairs((second - first)[has] / largest)
        scale = largest / float(cases[has].mean())
    return Contrast(
        column, who, group, block_ratio(first, cases), block_ratio(second, cases), block_ratio(second - first, cases),
        int(has.sum()), bool((first == second).all()), pairs, scale,
    )  # fmt: skip
