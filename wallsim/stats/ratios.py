"""The ratio of two independent estimates with an interval that carries the errors of both: Fieller's theorem (1954)."""

from __future__ import annotations

from dataclasses import dataclass
from math import nan, sqrt

from wallsim.stats.intervals import NO_ERROR, Confidence, Interval


@dataclass(frozen=True)
class Ratio:
    """An estimate divided by an independent one, each with its value, standard error and number of blocks.

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
