"""The events of the games of a run, by round and winter, for studies of events in the second edition."""

from __future__ import annotations

import polars as pl

from wallsim.errors import InputError
from wallsim.rules.terms import SEASONS
from wallsim.runs.folder.results import Run, refuse_lean

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
