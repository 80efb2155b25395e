"""Estimates from blocks: games of one number, played under several conditions, that share cards and random numbers.

An estimate keeps the influence of each block, so that two estimates of the same blocks can be compared block by block
(common random numbers). It may be a mean, a ratio of sums, or a weighted sum of those, such as a main effect.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import nan, sqrt
from typing import Protocol

import numpy as np
import polars as pl

from wallsim.stats.intervals import Confidence, Interval

Effect = tuple[str, ...]  # of a factorial: a main effect, or an interaction, by its factors


class Measured(Protocol):
    """What has a value and intervals: an estimate, a ratio of two estimates, or a published figure."""

    @property
    def value(self) -> float:
        """The number; nan where it is not known."""
        ...

    @property
    def blocks(self) -> int:
        """The sample size."""
        ...

    def interval(self, confidence: Confidence) -> Interval | None:
        """One of the simultaneous intervals of `confidence`; None where there is none."""
        ...


class Known(Measured, Protocol):
    """The same with a standard error."""

    @property
    def error(self) -> float:
        """The standard error of the value."""
        ...


@dataclass(frozen=True)
class Measurement:
    """A number with its standard error, from `blocks` blocks that are not kept."""

    value: float
    error: float
    blocks: int

    def interval(self, confidence: Confidence) -> Interval | None:
        """Student's t interval, as that of an `Estimate`; None without an error."""
        return confidence.around(self.value, self.error, self.blocks)


@dataclass(frozen=True)
class Estimate:
    """A number estimated from blocks. `influence`, float64 [blocks], is the influence of each block; it adds up to 0.

    The value is nan where there are no data, such as for a ratio without cases.
    """

    value: float
    influence: np.ndarray

    @property
    def blocks(self) -> int:
        """The number of blocks: the sample size."""
        return len(self.influence)

    @property
    def error(self) -> float:
        """The standard error, from the variance between blocks; nan for a single block."""
        if self.blocks < 2 or np.isnan(self.value):
            return nan
        return sqrt(float((self.influence**2).sum()) / (self.blocks * (self.blocks - 1)))

    def interval(self, confidence: Confidence) -> Interval | None:
        """Student's t interval with blocks - 1 degrees of freedom, one of the simultaneous intervals of `confidence`.

        None if there are fewer blocks than `confidence` needs, no value, or no difference between blocks.
        """
        return confidence.around(self.value, self.error, self.blocks)

    def __sub__(self, other: Estimate) -> Estimate:
        """The difference of two estimates of the same blocks, paired by block. ValueError for other blocks."""
        return combined((1.0, -1.0), (self, other))

    def __mul__(self, factor: float) -> Estimate:
        """The estimate in another unit."""
        return Estimate(self.value * factor, self.influence * factor)


def block_mean(values: np.ndarray) -> Estimate:
    """The mean of one number per block; `values` has the shape [blocks]."""
    value = float(values.mean())
    return Estimate(value, values - value)


def block_ratio(totals: np.ndarray, cases: np.ndarray) -> Estimate:
    """Sum of totals divided by sum of cases, both [blocks]: blocks are weighted by their cases. nan without cases.

    The influence is that of the linearised ratio (Taylor series, as for a cluster sample).
    """
    if not cases.sum() > 0:
        return Estimate(nan, np.zeros(len(cases)))
    value = float(totals.sum() / cases.sum())
    return Estimate(value, (totals - value * cases) / cases.mean())


def combined(weights: Sequence[float], parts: Sequence[Estimate]) -> Estimate:
    """The weighted sum of estimates of the same blocks. ValueError if they have different numbers of blocks."""
    if len({part.blocks for part in parts}) != 1:
        raise ValueError(f"estimates of {[part.blocks for part in parts]} blocks cannot be combined block by block")
    pairs = list(zip(weights, parts, strict=True))
    return Estimate(
        sum(weight * part.value for weight, part in pairs),
        np.sum([weight * part.influence for weight, part in pairs], axis=0),
    )


def block_values(rows: pl.LazyFrame, games: int, **values: pl.Expr) -> dict[str, np.ndarray]:
    """One number per game: for each named expression float64 [games], 0 for a game without rows.

    `rows` has a column `game` from 0 to games - 1; an expression aggregates the rows of a game to one number.
    """
    by_game = rows.group_by("game").agg(**{name: value.cast(pl.Float64) for name, value in values.items()}).collect()
    blocks = {}
    for name in values:
        blocks[name] = np.zeros(games)
        blocks[name][by_game["game"].to_numpy()] = by_game[name].to_numpy()
    return blocks


def factorial_weights(factors: Sequence[str]) -> dict[Effect, np.ndarray]:
    """For each main effect and interaction of a 2^k factorial the weights of all scenarios, float64 [2^k].

    The scenarios stand in the standard (Yates's) order, in which the first factor changes fastest: none, a, b, ab, c, …
    A main effect is the mean of the scenarios with the factor minus the mean of those without. An interaction of two
    is half the difference between the effects of one factor with and without the other, and so on: each interaction
    is scaled like a main effect (Box, Hunter and Hunter, Statistics for Experimenters). Main effects come first.
    ValueError without factors and for a factor named twice.
    """
    count = len(factors)
    if count == 0 or len(set(factors)) < count:
        raise ValueError(f"factors: {list(factors)}; one or more different names are needed")
    high = np.arange(2**count)[:, None] >> np.arange(count) & 1  # [scenarios, factors]
    signs = 2.0 * high - 1.0
    return {
        tuple(factors[place] for place in places): signs[:, places].prod(axis=1) / 2 ** (count - 1)
        for size in range(1, count + 1)
        for places in combinations(range(count), size)
    }


def factorial_effects(factors: Sequence[str], scenarios: Sequence[Estimate]) -> dict[Effect, Estimate]:
    """All main effects and interactions from the estimates of the 2^k scenarios, which share their blocks.

    ValueError for another number of scenarios, or scenarios of different numbers of blocks.
    """
    if len(scenarios) != 2 ** len(factors):
        raise ValueError(f"scenarios: {len(scenarios)}; {len(factors)} factors of two levels have {2 ** len(factors)}")
    return {
        effect: combined([float(weight) for weight in weights], scenarios)
        for effect, weights in factorial_weights(factors).items()
    }
