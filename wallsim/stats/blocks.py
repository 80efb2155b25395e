"""Estimates from blocks: games of one number, played under several conditions, that share their cards and their luck.

An estimate keeps how far each block bends it, so that two estimates of the same blocks can be compared block by block
(common random numbers), whatever they are: means, ratios of sums, or weighted sums of those.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import nan, sqrt

import numpy as np
import polars as pl

from wallsim.stats.intervals import NO_ERROR, Confidence, Interval


@dataclass(frozen=True)
class Estimate:
    """A number found from blocks. `influence`, float64 [blocks], says how far each block bends it; it adds up to 0.

    A value that nothing speaks of, a ratio without cases say, is nan.
    """

    value: float
    influence: np.ndarray

    @property
    def blocks(self) -> int:
        """How many blocks it comes from: the sample size."""
        return len(self.influence)

    @property
    def error(self) -> float:
        """Its standard error, from the spread of the blocks; nan for a single one."""
        if self.blocks < 2 or np.isnan(self.value):
            return nan
        return sqrt(float((self.influence**2).sum()) / (self.blocks * (self.blocks - 1)))

    def interval(self, confidence: Confidence) -> Interval | None:
        """Student's t interval with blocks - 1 degrees of freedom, one of those that hold simultaneously.

        None below the fewest blocks of `confidence`, without a value, and where no block differs from another.
        """
        if self.blocks < confidence.min_blocks or not self.error > NO_ERROR:
            return None
        return confidence.students(self.value, self.error, self.blocks)

    def __sub__(self, other: Estimate) -> Estimate:
        """The difference of two estimates of the same blocks, paired by block. ValueError for other blocks."""
        return combined((1.0, -1.0), (self, other))

    def __mul__(self, factor: float) -> Estimate:
        """The estimate in another unit."""
        return Estimate(self.value * factor, self.influence * factor)


def block_mean(values: np.ndarray) -> Estimate:
    """The mean of one number per block; `values` has the form [blocks]."""
    value = float(values.mean())
    return Estimate(value, values - value)


def block_ratio(totals: np.ndarray, cases: np.ndarray) -> Estimate:
    """Totals by cases over all blocks, both [blocks]: a block counts by its cases. nan if there are none.

    The influence is that of the ratio's linear part (Taylor's series, as for a cluster sample).
    """
    if not cases.sum() > 0:
        return Estimate(nan, np.zeros(len(cases)))
    value = float(totals.sum() / cases.sum())
    return Estimate(value, (totals - value * cases) / cases.mean())


def combined(weights: Sequence[float], parts: Sequence[Estimate]) -> Estimate:
    """The weighted sum of estimates of the same blocks. ValueError if they have different numbers of blocks."""
    if len({part.blocks for part in parts}) != 1:
        raise ValueError(f"estimates of {[part.blocks for part in parts]} blocks cannot be put together block by block")
    pairs = list(zip(weights, parts, strict=True))
    return Estimate(
        sum(weight * part.value for weight, part in pairs),
        np.sum([weight * part.influence for weight, part in pairs], axis=0),
    )


def largest_difference(
    arms: Mapping[str, Estimate], pairs: Iterable[tuple[str, str]]
) -> tuple[tuple[str, str], Estimate] | None:
    """The pair of arms that lie furthest apart, the higher first, with its paired difference; None if there is none.

    Chosen by the data: its interval holds only as one of all the pairs', so its `Confidence` must count them all.
    """
    known = [(one, other) for one, other in pairs if not np.isnan(arms[one].value - arms[other].value)]
    if not known:
        return None
    one, other = max(known, key=lambda pair: abs(arms[pair[0]].value - arms[pair[1]].value))
    if arms[one].value < arms[other].value:
        one, other = other, one
    return (one, other), arms[one] - arms[other]


def block_values(rows: pl.LazyFrame, games: int, **values: pl.Expr) -> dict[str, np.ndarray]:
    """Numbers by game: for each named expression float64 [games], 0 for a game without rows.

    `rows` has a column `game` from 0 to games - 1; an expression makes one number of the rows of a game.
    """
    found = rows.group_by("game").agg(**{name: value.cast(pl.Float64) for name, value in values.items()}).collect()
    blocks = {}
    for name in values:
        blocks[name] = np.zeros(games)
        blocks[name][found["game"].to_numpy()] = found[name].to_numpy()
    return blocks
