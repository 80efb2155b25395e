"""The behaviour of a policy, measured from games, and the distance between the behaviours of two policies.

A block is a game number: all games of one number, with the policy in different seats, belong to one block.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import copysign, inf, isinf, isnan, sqrt
from typing import NamedTuple

import numpy as np
import polars as pl

from wallsim.analysis.behaviour.measures import RESULT, WINS, Measure
from wallsim.folder.results import Run
from wallsim.stats.blocks import Estimate, block_ratio, block_values, combined
from wallsim.stats.intervals import LEVEL, Confidence, Interval, wilson

PLAIN = 0.8  # a standardised difference is plain if its interval lies beyond it; Cohen (1988) calls 0.8 large
_NOTHING = 1e-12  # smaller values are rounding errors
_PARTS = ("totals", "cases", "totals squared", "totals by cases", "cases squared")
Sums = dict[str, np.ndarray]  # by measure: sums of _PARTS over the seats of a block, float64 [5, blocks]


@dataclass(frozen=True)
class Behaviour:
    """The behaviour of the seats of a policy: by measure an estimate, and the variance between seats and games.

    `blocks` is the sample size, `games` the number of games played.
    """

    policy: str
    estimates: Mapping[str, Estimate]
    variances: Mapping[str, Estimate]
    blocks: int
    games: int

    def interval(self, measure: str, confidence: Confidence) -> Interval | None:
        """The interval of a measure: Wilson's if none or all games were won, otherwise Student's t."""
        estimate = self.estimates[measure]
        if measure == WINS and self.blocks >= confidence.min_blocks and estimate.value in (0.0, 100.0):
            low, high = wilson(estimate.value / 100, self.blocks, confidence.z)
            return 100 * low, 100 * high
        return estimate.interval(confidence)


class Distance(NamedTuple):
    """The measure in which two behaviours differ most, and their standardised difference.

    `plain` is true if the interval of some measure, this one or a more precise one, lies beyond PLAIN.
    """

    measure: str
    estimate: Estimate
    plain: bool


def sums_of(measures: Sequence[Measure], seats: pl.LazyFrame, seasons: pl.LazyFrame, blocks: int) -> Sums:
    """Sums of each measure by block, from the rows of the seats that a policy plays.

    `seats` and `seasons` have the columns of these tables, with `game` from 0 to blocks - 1; rows of several games
    with the same number are one block, in which no seat may occur twice.
    """
    tables = {"seats": seats, "seasons": seasons}
    by_part: dict[str, np.ndarray] = {}
    for table, rows in tables.items():
        each: dict[str, pl.Expr] = {}
        sums: dict[str, pl.Expr] = {}
        for measure in measures:
            if measure.table != table:
                continue
            total, cases = f"{measure.name} total", f"{measure.name} cases"
            each[total] = measure.total.cast(pl.Float64).sum()
            # A literal is one number, not one per row.
            each[cases] = (measure.cases.cast(pl.Float64) + 0 * pl.col("seat").cast(pl.Float64)).sum()
            t, c = pl.col(total), pl.col(cases)
            parts = (t.sum(), c.sum(), (t * t).sum(), (t * c).sum(), (c * c).sum())
            sums |= {f"{measure.name} {part}": value for part, value in zip(_PARTS, parts, strict=True)}
        by_part |= block_values(rows.group_by("game", "seat").agg(**each), blocks, **sums)
    return {m.name: np.stack([by_part[f"{m.name} {part}"] for part in _PARTS]) for m in measures}


def behaviour_from(policy: str, measures: Sequence[Measure], sums: Sums, seats: int, games: int) -> Behaviour:
    """The behaviour from sums by block, of `seats` seats of `games` games per block; nan for measures without cases."""
    estimates = {name: block_ratio(*parts[:2]) for name, parts in sums.items()}
    variances = {name: _variance(parts, estimates[name], seats) for name, parts in sums.items()}
    blocks = next(iter(sums.values())).shape[1]
    return Behaviour(
        policy,
        {measure.name: estimates[measure.name] * measure.scale for measure in measures},
        {measure.name: variances[measure.name] * measure.scale**2 for measure in measures},
        blocks,
        blocks * games,
    )


def _variance(parts: np.ndarray, ratio: Estimate, seats: int) -> Estimate:
    # The variance of the linearised ratio, seat by seat: (total - ratio * cases) / mean cases; its influence by the
    # delta method from the means of all five parts.
    if isnan(ratio.value):
        return ratio
    _, cases, by_totals, mixed, by_cases = parts
    size = cases.mean()
    squares = by_totals - 2 * ratio.value * mixed + ratio.value**2 * by_cases
    if squares.mean() <= _NOTHING * by_totals.mean():  # rounding: all seats and games are equal
        return Estimate(0.0, np.zeros(ratio.blocks))
    value = seats * float(squares.mean()) / size**2
    slope = 2 * seats * float((ratio.value * by_cases - mixed).mean()) / size**2
    influence = (
        seats * (squares - squares.mean()) / size**2 + slope * ratio.influence - 2 * value * (cases - size) / size
    )
    return Estimate(value, influence)


def behaviour_of_runs(policy: str, measures: Sequence[Measure], runs: Sequence[tuple[Run, Sequence[int]]]) -> Behaviour:
    """The behaviour of the given seats of each of several runs with the same games and the table `seasons`.

    The files are checked first: InputError if a table is missing, RunError if one is damaged. ValueError for runs of
    different numbers of games, and for a seat that is measured in two runs.
    """
    sizes = {run.manifest["games"] for run, _ in runs}
    if len(sizes) != 1:
        raise ValueError(f"runs of {', '.join(map(str, sorted(sizes)))} games cannot be combined by game number")
    n_seats = once([seats for _, seats in runs])

    def rows(table: str) -> pl.LazyFrame:
        return pl.concat(
            [run.scan(table).drop("policy").filter(pl.col("seat").is_in(list(seats))) for run, seats in runs]
        )

    sums = sums_of(measures, rows("seats"), rows("seasons"), sizes.pop())
    return behaviour_from(policy, measures, sums, n_seats, len(runs))


def once(seats: Sequence[Sequence[int]]) -> int:
    """The number of measured seats over several tables. ValueError if one is measured at two: its rows would mix."""
    all_seats = [seat for some in seats for seat in some]
    if len(set(all_seats)) < len(all_seats):
        raise ValueError(f"seats {', '.join(map(str, all_seats))}: one is measured twice under the same game number")
    return len(all_seats)


def standardised(one: Behaviour, other: Behaviour, measure: str) -> Estimate:
    """The difference of two behaviours of the same blocks, in standard deviations between seats and games (Cohen's d).

    The standard deviation is the root of the mean of both variances (Cohen 1988); the influence includes its
    uncertainty, by the delta method. Infinite if they differ but neither varies, nan if one has no value.
    """
    gap = one.estimates[measure] - other.estimates[measure]
    variance = combined((0.5, 0.5), (one.variances[measure], other.variances[measure]))
    if isnan(gap.value):
        return gap
    if variance.value == 0:
        return Estimate(copysign(inf, gap.value) if abs(gap.value) > _NOTHING else 0.0, np.zeros(gap.blocks))
    value = gap.value / sqrt(variance.value)
    return Estimate(value, gap.influence / sqrt(variance.value) - value * variance.influence / (2 * variance.value))


def is_plain(difference: Estimate, confidence: Confidence) -> bool:
    """Whether the interval of a standardised difference lies beyond PLAIN; false with too few blocks."""
    if isinf(difference.value):
        return difference.blocks >= confidence.min_blocks
    interval = difference.interval(confidence)
    return interval is not None and (interval[0] > PLAIN or interval[1] < -PLAIN)


def furthest(one: Behaviour, other: Behaviour, measures: Sequence[Measure], confidence: Confidence) -> Distance | None:
    """The measure in which two behaviours differ most, without results; None if no measure has a value for both.

    Both must come from the same blocks. The measure is chosen by the data, so `confidence` must count all measures
    and all pairs compared.
    """
    gaps = {measure.name: standardised(one, other, measure.name) for measure in measures if measure.group != RESULT}
    known = [name for name, estimate in gaps.items() if not isnan(estimate.value)]
    if not known:
        return None
    most = max(known, key=lambda name: abs(gaps[name].value))
    return Distance(most, gaps[most], any(is_plain(gaps[name], confidence) for name in known))


def distances(
    behaviours: Iterable[Behaviour], measures: Sequence[Measure], confidence: Confidence
) -> dict[tuple[str, str], Distance]:
    """The largest standardised difference of each pair of policies, by their names in the order given.

    `confidence` must count the differences of all pairs and measures, see `distance_confidence`.
    """
    by_pair = {}
    for one, other in combinations(behaviours, 2):
        apart = furthest(one, other, measures, confidence)
        if apart is not None:
            by_pair[one.policy, other.policy] = apart
    return by_pair


def distance_confidence(policies: int, measures: Sequence[Measure], level: float = LEVEL) -> Confidence:
    """The confidence of simultaneous intervals for the differences of all pairs of policies in all measures."""
    compared = sum(measure.group != RESULT for measure in measures)
    return Confidence(level, max(1, policies * (policies - 1) // 2 * compared))
