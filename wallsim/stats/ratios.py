"""Ratios with errors: of two independent estimates, and of sums over blocks."""

from __future__ import annotations

from dataclasses import dataclass
from math import nan, sqrt

import numpy as np

from wallsim.stats.intervals import NO_ERROR, Confidence, Interval


@dataclass(frozen=True)
class Ratio:
    """An estimate divided by an independent one, each with its value, standard error and number of blocks.

    The interval carries the errors of both: Fieller's theorem (1954).

    Where the divisor may be 0 the ratio may be anything: then there is no interval.
    """

    dividend: float
    dividend_error: float
    divisor: float
    divisor_error: float
    blocks: int  # the smaller number of the two

    @property
    def value(self) -> float:
        """The ratio; nan where the divisor is 0."""
        return self.dividend / self.divisor if self.divisor else nan

    def interval(self, confidence: Confidence) -> Interval | None:
        """Fieller's interval, one of the simultaneous intervals of `confidence`.

        None for fewer blocks than `confidence` needs, without errors, and where the interval of the divisor holds 0.
        """
        if self.blocks < confidence.min_blocks or not self.dividend_error > NO_ERROR:
            return None
        t = confidence.t(self.blocks)
        doubt = (t * self.divisor_error / self.divisor) ** 2 if self.divisor else 1.0
        if doubt >= 1:
            return None
        centre = self.value / (1 - doubt)
        spread = sqrt((1 - doubt) * self.dividend_error**2 + (self.value * self.divisor_error) ** 2)
        half = t * spread / (abs(self.divisor) * (1 - doubt))
        return centre - half, centre + half


@dataclass(frozen=True)
class Moments:
    """A number estimated from `blocks` blocks, without the blocks: `squares` is the sum of their squared influences.

    `Estimate` in `wallsim/stats/blocks.py` is the same with the influence of each block. The value is nan where there
    are no data, such as for a ratio without cases.
    """

    value: float
    squares: float
    blocks: int

    @property
    def error(self) -> float:
        """The standard error, from the variance between blocks; nan for a single block."""
        if self.blocks < 2 or np.isnan(self.value):
            return nan
        return sqrt(self.squares / (self.blocks * (self.blocks - 1)))


class RatioSums:
    """The sums behind `block_ratio` of all blocks that were added: the sum of their totals by that of their cases.

    They are added batch by batch, for blocks that are too many to hold in memory.
    """

    def __init__(self) -> None:
        """No blocks yet."""
        self._blocks = 0
        self._shift: float | None = None
        self._totals = self._cases = 0.0
        self._squares = self._products = self._squared_cases = 0.0

    def add(self, totals: np.ndarray, cases: np.ndarray) -> None:
        """Add blocks: their totals and cases, both float64 [blocks]."""
        self._blocks += len(totals)
        number = float(cases.sum())
        if number == 0 and not totals.any():
            return
        total = float(totals.sum())
        if self._shift is None:
            # Squares are taken around a first estimate: around 0, rounding would exceed the variance of blocks that
            # are all equal or nearly so.
            self._shift = total / number if number > 0 else 0.0
        moved = totals - self._shift * cases
        self._totals += total
        self._cases += number
        self._squares += float((moved * moved).sum())
        self._products += float((moved * cases).sum())
        self._squared_cases += float((cases * cases).sum())

    def moments(self) -> Moments:
        """The ratio with its linearised variance (Taylor series, as for a cluster sample); nan without cases."""
        if self._shift is None or not self._cases > 0:
            return Moments(nan, 0.0, self._blocks)
        value, mean = self._totals / self._cases, self._cases / self._blocks
        step = value - self._shift
        squares = self._squares - 2 * step * self._products + step**2 * self._squared_cases
        return Moments(value, max(0.0, squares) / mean**2, self._blocks)
