"""The contents of the dice tower at three moments of a game."""

from __future__ import annotations

import polars as pl

from wallsim.runs.folder.lean_columns import refuse_lean
from wallsim.runs.folder.results import Run

MOMENTS = {
    "tower_after_fill": "after the first fill",
    "tower_after_year1": "after year one",
    "tower_end": "at the end",
}


def tower_contents(run: Run) -> pl.DataFrame:
    """The distribution of the number of cubes in the tower, from the run's `games`, checked first.

    Columns: moment (a value of MOMENTS), cubes, games, share; one row per number that occurred, in order.
    InputError for a run with `columns = "lean"`, which lacks them.
    """
    refuse_lean(run, "games", *MOMENTS)
    games = run.scan("games")
    parts = [
        games.group_by(pl.col(column).alias("cubes"))
        .agg(pl.len().alias("games"))
        .sort("cubes")
        .select(
            pl.lit(moment).alias("moment"), "cubes", "games", (pl.col("games") / pl.col("games").sum()).alias("share")
        )
        for column, moment in MOMENTS.items()
    ]
    return pl.concat(parts).collect()
