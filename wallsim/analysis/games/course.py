"""The course of games: how the lead changed hands at the ends of the seasons, and the events by round and winter."""

from __future__ import annotations

import polars as pl

from wallsim.errors import InputError
from wallsim.folder.results import Run, refuse_lean
from wallsim.rules.terms import SEASONS, YEARS

_ENDS = YEARS * len(SEASONS)


def courses(run: Run) -> pl.DataFrame:
    """One row per game: `lead_changes`, `largest_deficit` and `led_from`, at the ends of the eight seasons.

    A seat's standing is its victory points after a winter, and before it those that the winter would bring as the board
    is (`vp_with_board`). `lead_changes` counts how often another seat leads alone than the one that did last.
    `largest_deficit` is the most points by which the winner was behind the best seat, and `led_from` the season, from 1
    to 8, from which on it was never behind; both are null for a shared win.

    InputError if the run did not write the table `seasons`, RunError if it is damaged.
    """
    if "seasons" not in run.tables:
        raise InputError(f"{run.folder}: has no table 'seasons'; play the run with --seasons into another folder")
    season = pl.col("season").cast(pl.String)
    standings = run.scan("seasons").select(
        "game",
        "seat",
        end=len(SEASONS) * (pl.col("year") - 1)
        + season.replace_strict(list(SEASONS), list(range(1, 1 + len(SEASONS))), return_dtype=pl.Int64),
        points=pl.when(season == SEASONS[-1]).then(pl.col("vp")).otherwise(pl.col("vp_with_board")),
    )
    best = pl.col("points").max().over("game", "end")
    standings = standings.with_columns(behind=best - pl.col("points"))
    return (
        run.scan("games")
        .select("game", "winner")
        .join(_lead_changes(standings), on="game", how="left")
        .join(_winners(standings, run), on="game", how="left")
        .select("game", pl.col("lead_changes").fill_null(0), "largest_deficit", "led_from")
        .sort("game")
        .collect()
    )


def _lead_changes(standings: pl.LazyFrame) -> pl.LazyFrame:
    """By game how often another seat led alone than the last one that did; games where nobody ever did are left out."""
    alone = (
        standings.filter(pl.col("behind") == 0)
        .group_by("game", "end")
        .agg(pl.len().alias("leaders"), pl.col("seat").first())
        .filter(pl.col("leaders") == 1)
        .sort("game", "end")
    )
    changed = (pl.col("seat") != pl.col("seat").shift()).over("game")
    return alone.with_columns(changed=changed).group_by("game").agg(lead_changes=pl.col("changed").sum().cast(pl.Int64))


def _winners(standings: pl.LazyFrame, run: Run) -> pl.LazyFrame:
    winners = run.scan("games", check=False).select("game", seat=pl.col("winner")).drop_nulls("seat")
    last_behind = pl.when(pl.col("behind") > 0).then(pl.col("end")).max().fill_null(0)
    return (
        standings.join(winners, on=("game", "seat"))
        .group_by("game")
        .agg(largest_deficit=pl.col("behind").max(), led_from=(last_behind + 1).clip(upper_bound=_ENDS))
    )


WHEN = tuple((year, season) for year in (1, 2) for season in SEASONS)


def events_of(run: Run) -> pl.LazyFrame:
    """One row per game, round and winter of a run: game, year, season, event (B2.4, B7.1), the files checked first.

    InputError for the first edition: its 25 event cards are not known, and games of it are played with the twelve of
    the second, so no finding about events holds for it (V8); and for a run with `columns = "lean"`, which lacks
    them. RunError for a damaged file.
    """
    if run.manifest["experiment"]["identity"]["edition"] == "1e":
        raise InputError(
            f'{run.folder}: edition "1e" has no known events (V8: 25 cards, whose list was not found); '
            'a study of events takes runs of "2e"'
        )
    refuse_lean(run, "games", *(_column(year, season) for year, season in WHEN))
    games = run.scan("games")
    return pl.concat(
        games.select("game", year=pl.lit(year, pl.Int64), season=pl.lit(season), event=pl.col(_column(year, season)))
        for year, season in WHEN
    )


def _column(year: int, season: str) -> str:
    return f"winter_event_year{year}" if season == "winter" else f"event_{season}_year{year}"
