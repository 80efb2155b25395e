"""Each seat's victory points by source, winter by winter, and how often it used the expansions."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import polars as pl

from wallsim.folder.results import Run
from wallsim.rules.terms import EXPANSIONS
from wallsim.stats.intervals import LEVEL, Confidence, Interval, mean_interval

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


MAJORITIES = "majorities"  # of palaces, churches and trading posts together
# Columns of `seats` that count uses of an expansion; several columns are added up.
USES: dict[str, dict[str, tuple[str, ...]]] = {
    "court": {
        "favors taken": ("favors",),
        "courtiers sent": ("courtiers_for_armies", "courtiers_for_cubes"),  # without those of the first fill
    },
    "landsknechte": {"Landsknechte cards": ("landsknecht_cards",)},
    "leaders": {"statues left": ("statues_left",), "trophies taken": ("trophies",)},
}


@dataclass(frozen=True)
class Mean:
    """A seat's mean per game; no interval for too few games, or if all games have the same value."""

    mean: float
    interval: Interval | None


@dataclass(frozen=True)
class Line:
    """One quantity, with its mean for each seat; the intervals hold for all seats simultaneously with LEVEL."""

    name: str
    is_points: bool  # victory points of a source; otherwise how often something was done
    seats: tuple[Mean, ...]


def breakdown(run: Run, *, check: bool = True) -> tuple[Line, ...]:
    """Points by source, then uses of the expansions, one line each, from the run's `seats`.

    The files are checked first unless `check` is false. The points of a seat add up to its mean score; uses are listed
    only for the expansions in play.
    """
    columns_by_name = _columns(run.expansions)
    values = {name: pl.sum_horizontal(of) for name, of in columns_by_name.items()}
    sums = (
        run.scan("seats", check=check)
        .select("seat", **values)
        .group_by("seat")
        .agg(
            pl.len().alias("games"),
            pl.exclude("seat").sum().name.suffix(" sum"),
            pl.exclude("seat").pow(2).sum().name.suffix(" squares"),
        )
        .sort("seat")
        .collect()
        .rows(named=True)
    )
    confidence = Confidence(LEVEL, max(1, len(sums)))
    uses = {name for used in USES.values() for name in used}
    return tuple(
        Line(
            name,
            name not in uses,
            tuple(_mean(row["games"], row[f"{name} sum"], row[f"{name} squares"], confidence) for row in sums),
        )
        for name in columns_by_name
    )


def _columns(expansions: tuple[str, ...]) -> dict[str, list[str]]:
    columns_by_name: dict[str, list[str]] = {}
    for source in sources_of(expansions):
        name = MAJORITIES if source in SOURCES and source.endswith(MAJORITIES) else source
        columns_by_name.setdefault(name, []).extend(columns_of_source(source).values())
    for expansion in EXPANSIONS:
        if expansion in expansions:
            columns_by_name.update((name, list(columns)) for name, columns in USES[expansion].items())
    return columns_by_name


def _mean(games: int, total: int, squares: int, confidence: Confidence) -> Mean:
    spread = games * squares - total * total  # integers: 0 if and only if all games have the same value
    if games < confidence.min_blocks or spread == 0:
        return Mean(total / games, None)
    deviation = sqrt(spread / games / (games - 1))
    return Mean(total / games, mean_interval(total / games, deviation, games, confidence))
