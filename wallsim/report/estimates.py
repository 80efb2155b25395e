"""How estimates are written: the value with half the width of its interval, or the interval's ends."""

from __future__ import annotations

from math import isinf, isnan

from wallsim.analysis.behaviour import Behaviour
from wallsim.analysis.blocks import Estimate
from wallsim.analysis.intervals import Interval
from wallsim.analysis.measures import WINS, Measure

NOTHING = "–"


def in_words(estimate: Estimate, interval: Interval | None, decimals: int, sign: str = "") -> str:
    """`4.71 ± 0.05`; without the half-width where there is no interval, a dash where there is no value.

    `sign` is "+" where a sign shall stand but before nought. Minus is the proper sign.
    """
    if isnan(estimate.value):
        return NOTHING
    value = estimate.value if isinf(estimate.value) else round(estimate.value, decimals) + 0.0  # no minus before 0.00
    sign = sign if value else ""
    half = "" if interval is None else f" ± {(interval[1] - interval[0]) / 2:.{decimals}f}"
    return f"{value:{sign}.{decimals}f}{half}".replace("-", "−").replace("inf", "∞")


def of_measure(behaviour: Behaviour, measure: Measure, z: float) -> str:
    """A measure of a behaviour, with half the width of its interval at quantile `z`.

    Wins that were none or all have the other end of the interval instead: `0.0 (≤ 1.2)`, `100.0 (≥ 98.8)`.
    """
    estimate, interval = behaviour.estimates[measure.name], behaviour.interval(measure.name, z)
    if measure.name == WINS and interval is not None and estimate.value in (0.0, 100.0):
        bound = (
            f"≤ {interval[1]:.{measure.decimals}f}" if estimate.value == 0 else f"≥ {interval[0]:.{measure.decimals}f}"
        )
        return f"{in_words(estimate, None, measure.decimals)} ({bound})"
    return in_words(estimate, interval, measure.decimals)


def ends(interval: Interval | None, decimals: int) -> str:
    """`20.1 to 27.3`, or a dash where there is none."""
    return NOTHING if interval is None else f"{interval[0]:.{decimals}f} to {interval[1]:.{decimals}f}"
