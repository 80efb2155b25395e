"""One contrast: how a number differs between two runs of the same games, with its interval."""

from __future__ import annotations

from dataclasses import dataclass
from math import nan, sqrt

import numpy as np

from wallsim.stats.intervals import NO_ERROR, Confidence, Interval
from wallsim.stats.ratios import Moments, RatioSums
from wallsim.stats.screening import students_p_value
from wallsim.stats.sparse_pairs import SparsePairs, pairs_of_sums

WIN = "win"


@dataclass(frozen=True)
class Contrast:
    """A number in both runs and its paired change, second minus first.

    `who` says over which seats the number is taken, `group` which games or rounds, empty for all. `first`, `second`
    and `change` come from one block per game of the pairing; only `counted` of these blocks have cases. `pairs` are the
    differences of wins, per case times `scale`; None for others.
    """

    column: str
    who: str
    group: str
    first: Moments
    second: Moments
    change: Moments
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
        apart = self.first.squares + self.second.squares
        return 1 - self.change.squares / apart if apart > NO_ERROR else nan

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
    sums = ContrastSums(column, who, group)
    sums.add(first, second, cases)
    return sums.contrast()


class ContrastSums:
    """What a contrast needs of its games, which are added batch by batch and not stored."""

    def __init__(self, column: str, who: str, group: str) -> None:
        """No games yet."""
        self._key = column, who, group
        self._first, self._second, self._change = RatioSums(), RatioSums(), RatioSums()
        self._counted, self._same = 0, True
        self._cases = self._most_cases = 0.0
        self._rises = self._falls = self._squares = 0.0  # of wins

    def add(self, first: np.ndarray, second: np.ndarray, cases: np.ndarray) -> None:
        """Add games: a sum of each in both runs, and the cases that both are divided by, all float64 [games]."""
        change = second - first
        for sums, totals in ((self._first, first), (self._second, second), (self._change, change)):
            sums.add(totals, cases)
        self._counted += int(np.count_nonzero(cases > 0))
        self._same = self._same and not change.any()
        if self._key[0] == WIN:
            self._cases += float(cases.sum())
            self._most_cases = max(self._most_cases, float(cases.max()))
            self._rises += float(change[change > 0].sum())
            self._falls -= float(change[change < 0].sum())
            self._squares += float((change * change).sum())

    def contrast(self) -> Contrast | None:
        """The contrast of all games that were added; None without cases."""
        if not self._counted:
            return None
        pairs, scale = None, 1.0
        if self._key[0] == WIN:
            # Differences per case are between -1 and 1; games with more cases weigh more.
            most = self._most_cases
            pairs = pairs_of_sums(self._counted, self._rises / most, self._falls / most, self._squares / most**2)
            scale = most / (self._cases / self._counted)
        return Contrast(
            *self._key, self._first.moments(), self._second.moments(), self._change.moments(),
            self._counted, self._same, pairs, scale,
        )  # fmt: skip
