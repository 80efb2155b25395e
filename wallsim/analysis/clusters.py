"""Means over rows that belong together: the seats of one game share its luck, and its one win."""

from __future__ import annotations

import polars as pl

from wallsim.analysis.intervals import LEVEL, normal_quantile
from wallsim.analysis.summary import FEWEST


def mean_by_group(rows: pl.LazyFrame, group: str, value: str = "win", cluster: str = "game") -> pl.DataFrame:
    """The mean of a column in each group, with intervals that hold for all groups at once (Bonferroni).

    Rows of one cluster need not be independent, clusters must be. The mean is a ratio of two sums over clusters;
    its variance is that of the ratio's linear part (Taylor's series, as for a cluster sample). Columns: group, rows,
    clusters, mean, low, high; no interval for a group that occurs in fewer than FEWEST clusters.
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
    z = normal_quantile(LEVEL, max(1, sums.height))
    count = pl.col("clusters")
    half = pl.when(count >= FEWEST).then(z * pl.col("error") * (count / (count - 1)).sqrt())
    return sums.select(
        "group", "rows", "clusters", "mean", (pl.col("mean") - half).alias("low"), (pl.col("mean") + half).alias("high")
    )
