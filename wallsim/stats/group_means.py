"""Means of groups of rows from the same blocks, and their differences, with errors that hold for dependent rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from math import nan, sqrt

import numpy as np
import polars as pl

from wallsim.stats.blocks import block_ratio
from wallsim.stats.intervals import LEVEL, NO_ERROR, Confidence, Interval, wilson


@dataclass(frozen=True)
class GroupMean:
    """The mean of one group. `blocks` are its blocks as ascending numbers, int64; `totals` and `sizes` are theirs.

    A total is the sum of a block's values, its size the number of its rows, both float64. Rows of one block need not be
    independent, blocks must be. There are two blocks or more.
    """

    blocks: np.ndarray
    totals: np.ndarray
    sizes: np.ndarray

    @property
    def rows(self) -> int:
        """The number of rows."""
        return int(self.sizes.sum())

    @cached_property
    def mean(self) -> float:
        """The mean of all rows."""
        return float(self.totals.sum() / self.sizes.sum())

    @cached_property
    def standard_error(self) -> float:
        """The standard error of the mean, a ratio of two sums over blocks (Taylor series, as for a cluster sample)."""
        return block_ratio(self.totals, self.sizes).error

    @cached_property
    def degrees_of_freedom(self) -> float:
        """Satterthwaite's degrees of freedom of the variance: blocks - 1 if all blocks have equal sizes, else fewer.

        As Bell and McCaffrey (Survey Methodology 28, 2002), with independent rows as the working model.
        """
        return 1 / _trace_of_product(self, self)

    def interval(self, confidence: Confidence, *, shares: bool) -> Interval | None:
        """Student's t interval, cut off at 0 and 1 if all values are `shares` between 0 and 1.

        None for fewer blocks than `confidence` needs. If all blocks are equal, the variance is unknown: Wilson's
        interval with blocks as trials for shares, None for others.
        """
        number = len(self.blocks)
        return _interval(self.mean, self.standard_error, number, self.degrees_of_freedom, confidence, shares=shares)


@dataclass(frozen=True)
class Difference:
    """The mean of a group minus that of a baseline, paired by the blocks that both have."""

    group: GroupMean
    baseline: GroupMean

    @property
    def value(self) -> float:
        """The difference of the means."""
        return self.group.mean - self.baseline.mean

    @cached_property
    def shared_blocks(self) -> int:
        """The number of blocks that both groups have."""
        return len(np.intersect1d(self.group.blocks, self.baseline.blocks, assume_unique=True))

    @cached_property
    def standard_error(self) -> float:
        """That of the paired t test for the same blocks of equal sizes, Welch's without common ones."""
        blocks = np.union1d(self.group.blocks, self.baseline.blocks)
        influence = np.zeros(len(blocks))
        influence[np.searchsorted(blocks, self.group.blocks)] += _influence(self.group)
        influence[np.searchsorted(blocks, self.baseline.blocks)] -= _influence(self.baseline)
        return sqrt(float((influence**2).sum()))

    @cached_property
    def degrees_of_freedom(self) -> float:
        """Satterthwaite's: blocks - 1 for the same blocks of equal sizes, Welch's without common ones.

        nan if neither mean varies.
        """
        a, b = self.group.standard_error**2, self.baseline.standard_error**2
        if not max(a, b) > NO_ERROR**2:
            return nan
        alone = a * a / self.group.degrees_of_freedom + b * b / self.baseline.degrees_of_freedom
        return (a + b) ** 2 / (alone + 2 * a * b * _trace_of_product(self.group, self.baseline))

    def interval(self, confidence: Confidence) -> Interval | None:
        """Student's t interval; None if either group has fewer blocks than `confidence` needs, or nothing varies."""
        if min(len(self.group.blocks), len(self.baseline.blocks)) < confidence.min_blocks:
            return None
        if not self.standard_error > NO_ERROR:
            return None
        return confidence.students(self.value, self.standard_error, self.degrees_of_freedom + 1)


def group_means(groups: np.ndarray, blocks: np.ndarray, values: np.ndarray) -> Sequence[GroupMean]:
    """The mean of every group, in the order of their numbers.

    `groups` and `blocks`, int64 [rows], number the group and the block of each row from 0; `values` is float64 [rows].
    Rows are sorted by group and then by block. ValueError if a group has a single block.
    """
    starts = np.flatnonzero((np.diff(groups, prepend=-1) != 0) | (np.diff(blocks, prepend=-1) != 0))
    cell = np.repeat(np.arange(len(starts)), np.diff(starts, append=len(groups)))
    totals, sizes = np.bincount(cell, values), np.bincount(cell).astype(float)
    bounds = np.flatnonzero(np.diff(groups[starts], prepend=-1, append=-1))
    if (np.diff(bounds) < 2).any():
        raise ValueError("a group has a single block")
    return [
        GroupMean(blocks[starts[first:last]], totals[first:last], sizes[first:last]) for first, last in pairwise(bounds)
    ]


def _influence(group: GroupMean) -> np.ndarray:
    """The influence of each block on the mean, float64 [blocks]; the sum of their squares is the squared error."""
    count = len(group.blocks)
    return block_ratio(group.totals, group.sizes).influence / sqrt(count * (count - 1))


def _trace_of_product(one: GroupMean, other: GroupMean) -> float:
    """The trace of the product of the two covariance matrices of block residuals, each scaled to trace 1.

    With independent rows of variance 1 the residuals of the blocks of a group have the covariance D - n n' / N, where n
    are the sizes, D is the diagonal matrix of n, and N is their sum.
    """
    _, of_one, of_other = np.intersect1d(one.blocks, other.blocks, assume_unique=True, return_indices=True)
    n, m = one.sizes[of_one], other.sizes[of_other]
    rows, others = one.sizes.sum(), other.sizes.sum()
    trace = (n * m).sum() - (n * m * m).sum() / others - (n * n * m).sum() / rows + (n * m).sum() ** 2 / (rows * others)
    return float(trace / _trace(one) / _trace(other))


def _trace(group: GroupMean) -> float:
    return float(group.sizes.sum() - (group.sizes**2).sum() / group.sizes.sum())


def mean_by_group(
    rows: pl.LazyFrame, group: str, value: str = "win", cluster: str = "game", level: float = LEVEL
) -> pl.DataFrame:
    """The mean of a column in each group, with Student's t intervals that hold for all groups simultaneously.

    Rows of one cluster need not be independent, clusters must be. The mean is a ratio of two sums over clusters; its
    variance is that of the linearised ratio (Taylor series, as for a cluster sample). If all values of all groups lie
    between 0 and 1, as for shares of wins, intervals are cut off at 0 and 1. If all clusters are equal, as in forty
    games without a win, that variance would be 0 and suggest certainty: Wilson's interval with clusters as trials is
    used then for values between 0 and 1, and no interval for others. Columns: group, rows, clusters, mean, low, high;
    no interval for a group with fewer clusters than the simultaneous intervals need (`Confidence.min_blocks`).
    """
    # Sorted before adding up: parallel sums would differ in their last digit from call to call.
    table = (
        rows.filter(pl.col(group).is_not_null())
        .select(
            pl.col(group).alias("group"),
            pl.col(cluster).alias("cluster"),
            pl.col(value).cast(pl.Float64).fill_null(0.0).alias("value"),
        )
        .sort("group", "cluster", "value")
        .collect()
    )
    of_row = table["group"].rle_id().to_numpy().astype(np.int64)
    cluster_of = table["cluster"].rle_id().to_numpy().astype(np.int64)
    starts = np.flatnonzero(np.diff(of_row, prepend=-1) | np.diff(cluster_of, prepend=-1))
    cell = np.repeat(np.arange(len(starts)), np.diff(starts, append=len(of_row)))
    at = of_row[starts]  # the group of each cluster within a group
    totals, sizes = np.bincount(cell, table["value"].to_numpy()), np.bincount(cell)
    counts = np.bincount(of_row)
    means = np.bincount(at, totals) / counts
    clusters = np.bincount(at)
    errors = np.sqrt(np.bincount(at, (totals - means[at] * sizes) ** 2)) / counts
    errors *= np.sqrt(clusters / np.maximum(clusters - 1, 1))
    confidence = Confidence(level, max(1, len(counts)))
    shares = bool(table["value"].is_between(0, 1).all())
    limits = [
        _interval(float(mean), float(error), int(number), int(number) - 1, confidence, shares=shares) or (None, None)
        for mean, error, number in zip(means, errors, clusters, strict=True)
    ]
    return pl.DataFrame(
        {
            "group": table["group"].unique(maintain_order=True),
            "rows": pl.Series(counts, dtype=pl.Int64),
            "clusters": pl.Series(clusters, dtype=pl.Int64),
            "mean": pl.Series(means, dtype=pl.Float64),
            **{
                name: pl.Series([pair[side] for pair in limits], dtype=pl.Float64)
                for side, name in enumerate(("low", "high"))
            },
        }
    )


def _interval(
    mean: float, error: float, blocks: int, degrees: float, confidence: Confidence, *, shares: bool
) -> Interval | None:
    if blocks < confidence.min_blocks:
        return None
    if not error > NO_ERROR:
        return wilson(mean, blocks, confidence.z) if shares else None
    low, high = confidence.students(mean, error, degrees + 1)
    return (max(0.0, low), min(1.0, high)) if shares else (low, high)
