"""Means over clusters of dependent rows: the seats of one game share its random numbers and its one win."""

from __future__ import annotations

from math import sqrt

import numpy as np
import polars as pl

from wallsim.stats.intervals import LEVEL, NO_ERROR, Confidence, Interval, wilson


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
    errors = np.sqrt(np.bincount(at, (totals - means[at] * sizes) ** 2)) / counts
    confidence = Confidence(level, max(1, len(counts)))
    clusters = np.bincount(at)
    shares = bool(table["value"].is_between(0, 1).all())
    limits = [
        _interval(float(mean), float(error), int(number), confidence, shares=shares) or (None, None)
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


def _interval(mean: float, error: float, clusters: int, confidence: Confidence, *, shares: bool) -> Interval | None:
    if clusters < confidence.min_blocks:
        return None
    if not error > NO_ERROR:
        return wilson(mean, clusters, confidence.z) if shares else None
    low, high = confidence.students(mean, error * sqrt(clusters / (clusters - 1)), clusters)
    return (max(0.0, low), min(1.0, high)) if shares else (low, high)
