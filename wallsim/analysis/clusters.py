"""Means over rows that belong together: the seats of one game share its luck, and its one win."""

from __future__ import annotations

from math import sqrt
from typing import Any

import polars as pl

from wallsim.analysis.intervals import FEWEST, LEVEL, normal_quantile, wilson

_NOTHING = 1e-12  # an error below it is rounding: no cluster differed from another


def mean_by_group(
    rows: pl.LazyFrame, group: str, value: str = "win", cluster: str = "game", level: float = LEVEL
) -> pl.DataFrame:
    """The mean of a column in each group, with intervals that hold for all groups at once (Bonferroni).

    Rows of one cluster need not be independent, clusters must be. The mean is a ratio of two sums over clusters;
    its variance is that of the ratio's linear part (Taylor's series, as for a cluster sample). Where no cluster differs
    from another, say forty games without a win, that variance would be 0 and promise certainty: there Wilson's interval
    with clusters as trials serves, for values between 0 and 1 (others then have none). Columns: group, rows, clusters,
    mean, low, high; no interval for a group that occurs in fewer than FEWEST clusters.
    """
    sums = (
        rows.filter(pl.col(group).is_not_null())
        .group_by(cluster, pl.col(group).alias("group"))
        .agg(pl.col(value).cast(pl.Float64).sum().alias("total"), pl.len().alias("rows"))
        .with_columns((pl.col("total").sum() / pl.col("rows").sum()).over("group").alias("mean"))
        .with_columns((pl.col("total") - pl.col("mean") * pl.col("rows")).alias("residual"))
        .group_by("group")
        .agg(
            pl.col("rows").sum(),
            pl.len().alias("clusters"),
            pl.col("mean").first(),
            ((pl.col("residual") ** 2).sum().sqrt() / pl.col("rows").sum()).alias("error"),
        )
        .sort("group")
        .collect()
    )
    z = normal_quantile(level, max(1, sums.height))
    limits = [_interval(row, z) for row in sums.rows(named=True)]
    return sums.drop("error").with_columns(
        pl.Series(name, [pair[side] for pair in limits], pl.Float64) for side, name in enumerate(("low", "high"))
    )


def _interval(row: dict[str, Any], z: float) -> tuple[float, float] | tuple[None, None]:
    mean, clusters = row["mean"], row["clusters"]
    if clusters < FEWEST:
        return None, None
    if row["error"] > _NOTHING:
        half = z * row["error"] * sqrt(clusters / (clusters - 1))
        return mean - half, mean + half
    return wilson(mean, clusters, z) if 0 <= mean <= 1 else (None, None)
