"""Where victory points come from: counties, buildings and majorities, winter by winter."""

from __future__ import annotations

import polars as pl

from wallsim.runs.results import Run

SOURCES = ("counties", "buildings", "palace majorities", "church majorities", "trading post majorities")


def points_by_source(run: Run) -> pl.DataFrame:
    """Mean victory points a game by player, winter and source, from the run's `seats`, checked first.

    Columns: player (the line-up's letter, or "seat 0" ... in a draft), year (1 or 2), source, vp. Ordered by
    seat, year and the order of SOURCES; the means of a player add up to its mean score.
    """
    columns = {_column(source, year): (source, year) for year in (1, 2) for source in SOURCES}
    means = (
        run.scan("seats")
        .group_by("seat")
        .agg(pl.col("lineup").first(), *(pl.col(column).mean() for column in columns))
        .sort("seat")
        .collect()
    )
    rows = [
        (row["lineup"] or f"seat {row['seat']}", year, source, row[column])
        for row in means.iter_rows(named=True)
        for column, (source, year) in columns.items()
    ]
    return pl.DataFrame(
        rows, schema={"player": pl.String, "year": pl.Int8, "source": pl.String, "vp": pl.Float64}, orient="row"
    )


def _column(source: str, year: int) -> str:
    return f"vp_{source.replace(' ', '_')}_year{year}"
