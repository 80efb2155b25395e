"""The numeric columns of `seats` and `seasons` as arrays of games by seats, for the games of a pairing."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from wallsim.errors import InputError, RunError
from wallsim.rules.spelling import did_you_mean
from wallsim.rules.terms import SEASON_NAMES
from wallsim.runs.folder.results import Run

_KEYS = ("game", "year", "season", "seat")


@dataclass(frozen=True)
class SeatTable:
    """Columns of a table by game and seat: a frame with one row for each of both, sorted by game and seat."""

    rows: pl.DataFrame
    players: int

    def values(self, column: str) -> np.ndarray:
        """A column as float64 [games, seats]."""
        return self.rows[column].cast(pl.Float64).to_numpy().reshape(-1, self.players)


def numeric_columns(runs: tuple[Run, ...], table: str) -> list[str]:
    """The numeric columns that a table has in all runs, in its order; InputError if a run did not write it."""
    schemas = [run.scan(table, check=False).collect_schema() for run in runs]
    return [
        name
        for name, kind in schemas[0].items()
        if kind.is_numeric() and name not in _KEYS and all(name in schema for schema in schemas)
    ]


def checked_columns(runs: tuple[Run, ...], table: str, columns: tuple[str, ...]) -> tuple[str, ...]:
    """The columns asked for; InputError for one that is no numeric column of the table in both runs."""
    known = numeric_columns(runs, table)
    faults = [
        f"columns: {name} is no numeric column of {table} in both folders{did_you_mean(name, known)}"
        for name in columns
        if name not in known
    ]
    if faults:
        raise InputError(faults)
    return columns


def seat_table(run: Run, games: np.ndarray, columns: tuple[str, ...]) -> SeatTable:
    """Columns of `seats` for these games, which the run must have. RunError if rows are missing or damaged."""
    return _table(run, run.scan("seats"), games, columns)


def season_tables(
    run: Run, games: np.ndarray, columns: tuple[str, ...], moments: tuple[str, ...] = SEASON_NAMES
) -> dict[str, SeatTable]:
    """Columns of `seasons` after (or, for counts, of) each of these moments, such as `spring 1`.

    InputError if the run did not write the table, RunError if rows are missing or damaged.
    """
    rows = run.scan("seasons")
    tables = {}
    for moment in moments:
        season, year = moment.split()
        at = rows.filter((pl.col("season") == season) & (pl.col("year") == int(year)))
        tables[moment] = _table(run, at, games, columns)
    return tables


def _table(run: Run, rows: pl.LazyFrame, games: np.ndarray, columns: tuple[str, ...]) -> SeatTable:
    players = int(run.identity["players"])
    wanted = pl.LazyFrame({"game": games})
    names = dict.fromkeys(("game", "seat", *columns))
    try:
        frame = rows.select(*names).join(wanted, on="game", how="semi").sort("game", "seat").collect()
    except pl.exceptions.PolarsError as error:
        raise RunError(f"{run.folder}: the rows cannot be read: {error}") from None
    seats = frame["seat"].to_numpy()
    if len(seats) != len(games) * players or (seats != np.tile(np.arange(players), len(games))).any():
        raise RunError(f"{run.folder}: has {len(seats):,} rows for {len(games):,} games of {players} seats")
    return SeatTable(frame, players)
