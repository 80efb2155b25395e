"""How numbers are written: values, half-widths, interval ends and shares, never rounded to certainty.

A number that is not zero, or not 100 %, is never written as if it were. Where rounding would do that, a bound one unit
of the last decimal away is written instead: `< 0.1`, `> 99.9`, `± < 0.01`.
"""

from __future__ import annotations

from math import floor, isinf, isnan
from typing import TYPE_CHECKING

from wallsim.report.tables.traced import marked

if TYPE_CHECKING:  # every command prints numbers, but few need these modules
    from wallsim.analysis.behaviour.measures import Measure
    from wallsim.analysis.behaviour.profiles import Behaviour
    from wallsim.analysis.tournament.order import SameOrder
    from wallsim.stats.blocks import Measured
    from wallsim.stats.intervals import Confidence, Interval

NOTHING = "–"
_ROUNDING = 1e-9  # smaller values are rounding errors of sums and count as zero
_MORE = 6  # the most decimals that may be added to interval ends so that they differ


def number(value: float, decimals: int, sign: str = "") -> str:
    """A rounded number: `4.71`, `−0.30`, `∞`; a dash for nan.

    With `sign` "+" every number but zero has a sign. Minus is the typographic sign and never precedes 0.00.
    """
    if isnan(value):
        return NOTHING
    shown = value if isinf(value) else round(value, decimals) + 0.0
    return f"{shown:{sign if shown else ''}.{decimals}f}".replace("-", "−").replace("inf", "∞")


def bounded(value: float, decimals: int, top: float | None = None, sign: str = "") -> str:
    """A number as `number` writes it, or a bound where rounding would make it zero or `top` and it is neither.

    `< 0.1`, `> −0.1`, `> 99.9` for a `top` of 100.
    """
    unit = 10.0**-decimals
    shown = value if isnan(value) or isinf(value) else round(value, decimals)
    if shown == 0 and abs(value) > _ROUNDING:
        return marked(f"< {number(unit, decimals, sign)}" if value > 0 else f"> {number(-unit, decimals)}", value)
    if top is not None and shown == top and value < top:
        return marked(f"> {number(top - unit, decimals)}", value)
    return number(value, decimals, sign)


def share(value: float, decimals: int = 1) -> str:
    """A share between 0 and 1 in per cent, without the per-cent sign: `27.3`, `< 0.1`, `> 99.9`."""
    return bounded(100 * value, decimals, 100.0)


def share_of_resamples(value: float, resamples: int, decimals: int = 1) -> str:
    """The share of resamples with some result, in per cent; all or none of them are written as a bound.

    The resolution is one resample: `> 99.9` for all of 1,000, `< 1.0` for none of 100.
    """
    # A tie counts half a resample; a bound is at least one whole resample away from certainty.
    unit = 10.0**-decimals
    finest = max(unit, unit * -floor(-100.0 / resamples / unit + 1e-9))
    if 100 * value > 100 - finest:
        return f"> {number(100 - finest, decimals)}"
    return f"< {number(finest, decimals)}" if 100 * value < finest else number(100 * value, decimals)


def how_many(number: int, thing: str) -> str:
    """A number of things: `1 game`, `2,000 games`."""
    return f"{number:,} {thing}{'' if number == 1 else 's'}"


def count_of(count: int, of: int) -> str:
    """A count out of a total: `12 of 1,000`, `fewer than 1 of 1,000`, `all 1,000`."""
    if count == of:
        return f"all {of:,}"
    return f"{count:,} of {of:,}" if count else f"fewer than 1 of {of:,}"


def half_width(interval: Interval | None, decimals: int, factor: float = 1.0, mark: str = " ± ") -> str:
    """` ± 0.05` to follow a value, ` ± < 0.01` where it would round to zero; empty without an interval.

    `factor` is 100 for a share that is written in per cent; `mark` is ` ±` where space is short.
    """
    return "" if interval is None else f"{mark}{bounded(factor * (interval[1] - interval[0]) / 2, decimals)}"


def ends(
    interval: Interval | None, decimals: int, factor: float = 1.0, top: float | None = None, between: str = " to "
) -> str:
    """`20.1 to 27.3`, `at least 3.03` without an upper end, or a dash where there is no interval.

    With more decimals if the ends would look equal.

    `factor` and `top` are 100 for a share that is written in per cent. A low end is never rounded up to the top, nor a
    high end down to zero.
    """
    if interval is None:
        return NOTHING
    low, high = (factor * end for end in interval)
    if isinf(low) or isinf(high):
        return _open(low, high, decimals)
    for finer in range(decimals, decimals + _MORE + 1):
        first, last = number(low, finer), number(high, finer)
        if top is not None and round(low, finer) == top > low:
            first = bounded(low, finer, top)
        if round(high, finer) == 0 < high:
            last = bounded(high, finer)
        if first != last or low == high:
            break
    return f"{first}{between}{last}"


def _open(low: float, high: float, decimals: int) -> str:
    # An interval without a lower or an upper end.
    if isinf(low) and isinf(high):
        return NOTHING
    return f"at least {number(low, decimals)}" if isinf(high) else f"at most {number(high, decimals)}"


def share_ends(interval: Interval | None, decimals: int = 1, between: str = " to ") -> str:
    """The ends of an interval of a share, in per cent without the per-cent sign: `20.1 to 27.3`, `> 99.9 to 100.0`."""
    return ends(interval, decimals, 100.0, 100.0, between)


def tau_in_words(ladders: SameOrder) -> str:
    """Kendall's tau of two ladders with its interval, or only the number of pairs where the order of all is known."""
    if len(ladders.same) == ladders.pairs:
        return f"1, all {ladders.pairs} pairs in the same order"
    if len(ladders.turned) == ladders.pairs:
        return f"−1, all {ladders.pairs} pairs in reverse order"
    if ladders.interval == (ladders.tau, ladders.tau):
        return f"{number(ladders.tau, 2)}, the order of all {ladders.pairs} pairs is known"
    return f"{number(ladders.tau, 2)} ({ends(ladders.interval, 2)})"


def in_words(
    value: float,
    interval: Interval | None,
    decimals: int,
    sign: str = "",
    top: float | None = None,
    factor: float = 1.0,
    mark: str = " ± ",
) -> str:
    """`4.71 ± 0.05`; without the half-width where there is no interval, a dash where there is no value.

    An interval with one end is written out: `4.71 (at least 3.03)`, without a value `at least 3.03`.

    With `sign` "+" every number but zero has a sign; `top` is 100 for shares in per cent, and so is `factor` if they
    are given as numbers from 0 to 1; `mark` is ` ±` where space is short. A value may be rounded to zero if its
    half-width is visible, since it does not look certain then.
    """
    shown = factor * value
    if interval is not None and any(map(isinf, interval)):
        limit = ends(interval, decimals, factor, top)
        return limit if isnan(shown) else f"{bounded(shown, decimals, top, sign)} ({limit})"
    if isnan(shown):
        return NOTHING
    half = half_width(interval, decimals, factor, mark)
    seen = interval is not None and "<" not in half and (top is None or shown < top - 10.0**-decimals)
    return f"{number(shown, decimals, sign) if seen else bounded(shown, decimals, top, sign)}{half}"


def share_words(value: float, interval: Interval | None) -> str:
    """A share from 0 to 1 in per cent with its interval: `27.1 ± 0.9`."""
    return in_words(value, interval, 1, top=100.0, factor=100.0)


def of_estimate(
    estimate: Measured | None, confidence: Confidence, decimals: int, top: float | None = None, sign: str = ""
) -> str:
    """An estimate with the half-width of its interval, one of the simultaneous intervals of `confidence`.

    A dash without an estimate; `top` and `sign` are those of `in_words`.
    """
    if estimate is None:
        return NOTHING
    return in_words(estimate.value, estimate.interval(confidence), decimals, sign, top)


def of_measure(behaviour: Behaviour, measure: Measure, confidence: Confidence) -> str:
    """A measure of a behaviour with the half-width of its interval.

    If none or all games were won, the other end of the interval is shown instead: `0.0 (≤ 1.2)`, `100.0 (≥ 98.8)`.
    """
    return measured_words(
        behaviour.estimates[measure.name].value, behaviour.interval(measure.name, confidence), measure
    )


def measured_words(value: float, interval: Interval | None, measure: Measure) -> str:
    """The same by the value and the interval."""
    from wallsim.analysis.behaviour.measures import WINS

    top = 100.0 if measure.scale == 100.0 else None
    if measure.name == WINS and interval is not None and value in (0.0, 100.0):
        low, high = interval
        end = f"≤ {number(high, measure.decimals)}" if value == 0 else f"≥ {number(low, measure.decimals)}"
        return f"{number(value, measure.decimals)} ({end})"
    return in_words(value, interval, measure.decimals, top=top)
