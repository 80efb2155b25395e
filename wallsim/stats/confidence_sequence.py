"""Intervals that stay valid however often one looks: asymptotic confidence sequences.

An ordinary interval holds with its level at one number of blocks fixed beforehand. Who looks after every block and
stops as soon as the interval pleases makes it miss more often. A confidence sequence holds at all looks at once, so
that games may be added until an interval is short enough.

Source: Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas, Time-uniform central limit theory and asymptotic confidence
sequences, Annals of Statistics 52 (2024): theorem 2.2 and the choice of rho in its appendix. The boundary is the normal
mixture of Robbins (1970).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log, sqrt

from wallsim.stats.blocks import Estimate
from wallsim.stats.intervals import NO_ERROR, Confidence, Interval

_CLOSE = 1e-12


@dataclass(frozen=True)
class ConfidenceSequence:
    """Intervals that hold at all numbers of blocks at once, narrowest near `planned` blocks, which must be positive.

    `confidence` says how many such sequences hold simultaneously (Bonferroni). The guarantee is asymptotic, as for
    Student's t interval: looks begin at `confidence.min_blocks` blocks. Blocks are independent.
    """

    confidence: Confidence
    planned: int

    def __post_init__(self) -> None:
        """ValueError unless `planned` is positive."""
        if not self.planned > 0:
            raise ValueError(f"planned: {self.planned} blocks; at least 1 is needed")

    @property
    def rho(self) -> float:
        """The standard deviation of the mixture with which the interval at `planned` blocks is the shortest."""
        return sqrt(_mixed(self.confidence.alpha) / self.planned)

    def errors(self, blocks: int) -> float:
        """Half the width of the interval after `blocks` blocks, in standard errors of the estimate there."""
        mixed = blocks * self.rho**2
        return sqrt((mixed + 1) / mixed * (log(mixed + 1) - 2 * log(self.confidence.alpha)))

    def interval(self, estimate: Estimate) -> Interval | None:
        """The interval at this look, for a mean, a ratio or a weighted sum of those.

        None if there are fewer blocks than `confidence` needs, no value, or no difference between blocks.
        """
        if estimate.blocks < self.confidence.min_blocks or not estimate.error > NO_ERROR:
            return None
        half = self.errors(estimate.blocks) * estimate.error
        return estimate.value - half, estimate.value + half


def _mixed(alpha: float) -> float:
    # The x = blocks × rho² with the smallest (x + 1) / x × log((x + 1) / alpha²): it solves x = log((x + 1) / alpha²),
    # by the branch -1 of Lambert's W. The steps contract by 1 / (x + 1) at least.
    x = -2 * log(alpha)
    while abs((better := log(x + 1) - 2 * log(alpha)) - x) > _CLOSE * better:
        x = better
    return better
