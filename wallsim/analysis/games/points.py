"""Where victory points come from: counties, buildings and majorities, winter by winter, and the expansions."""

from __future__ import annotations

import polars as pl

from wallsim.rules.terms import EXPANSIONS
from wallsim.runs.folder.results import Run

SOURCES = ("counties", "buildings", "palace majorities", "church majorities", "trading post majorities")
# Sources of the expansions: the first are gained in the rounds of both years, the others in the winters.
IN_ROUNDS = {"court": ("favors",), "landsknechte": ("Landsknechte",)}
IN_WINTERS = {"leaders": ("statues", "trophies")}


def sources_of(expansions: tuple[str, ...]) -> tuple[str, ...]:
    """The sources of victory points where these expansions are in play."""
    added = {**IN_ROUNDS, **IN_WINTERS}
    return (*SOURCES, *(source for name in EXPANSIONS if name in expansions for source in added[name]))


def columns_of_source(source: str) -> dict[int | None, str]:
    """The columns of `seats` that hold the points of a source, by year; None for points of the rounds."""
    column = f"vp_{source.lower().replace(' ', '_')}"
    if any(source in sources for sources in IN_ROUNDS.values()):
        return {None: column}
    return {year: f"{column}_year{year}" for year in (1, 2)}


def points_by_source(run: Run) -> pl.DataFrame:
    """Mean victory points per game by player, winter and source, from the run's `seats`, checked first.

    Columns: player (the line-up's letter, or "seat 0" ... in a draft), year (1 or 2; null for favors and Landsknechte,
    whose points come in the rounds of both), source, vp. Ordered by seat, year (null last) and `sources_of` the run's
    expansions; the means of a player add up to its mean score.
    """
    columns = {
        column: (source, year)
        for when in (1, 2, None)
        for source in sources_of(run.expansions)
        for year, column in columns_of_source(source).items()
        if year == when
    }
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
        rows, schema={"player": pl.String, "year": pl.Int64, "source": pl.String, "vp": pl.Float64}, orient="row"
    )
