"""The numeric columns of `seats` and `seasons` as arrays of games by seats, for the games of a pairing."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from wallsim.errors import InputError, RunError
from wallsim.folder.results import Run, refuse_lean
from wallsim.rules.suggestions import did_you_mean
from wallsim.rules.terms import SEASON_NAMES

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
    for run in runs:
        refuse_lean(run, table, *columns)
    known = numeric_columns(runs, table)
    errors = [
        f"columns: {name} is no numeric column of {table} in both folders{did_you_mean(name, known)}"
        for name in columns
        if name not in known
    ]
    if errors:
        raise InputError(errors)
    return columns


def seat_table(run: Run, games: np.ndarray, columns: tuple[str, ...], rows: pl.LazyFrame | None = None) -> SeatTable:
    """Columns of `seats` for these games, int64 [games], ascending, which the run must have.

    `rows` is the scanned table, where its files were checked before. RunError if rows are missing or damaged.
    """
    frame = _read(run, run.scan("seats") if rows is None else rows, games, ("game", "seat", *columns))
    return _table(run, frame, games)


def season_tables(
    run: Run,
    games: np.ndarray,
    columns: tuple[str, ...],
    moments: tuple[str, ...] = SEASON_NAMES,
    rows: pl.LazyFrame | None = None,
) -> dict[str, SeatTable]:
    """Columns of `seasons` after (or, for counts, of) each of these moments, such as `spring 1`.

    Games and `rows` as for `seat_table`. InputError if the run did not write the table, RunError if rows are missing or
    damaged.
    """
    places = {moment: _at(moment) for moment in moments}
    wanted = (run.scan("seasons") if rows is None else rows).filter(pl.any_horizontal(places.values()))
    frame = _read(run, wanted, games, _KEYS + columns)
    return {moment: _table(run, frame.filter(place), games) for moment, place in places.items()}


def _at(moment: str) -> pl.Expr:
    season, year = moment.split()
    return (pl.col("season") == season) & (pl.col("year") == int(year))


def _read(run: Run, rows: pl.LazyFrame, games: np.ndarray, names: tuple[str, ...]) -> pl.DataFrame:
    # The range lets polars skip files and row groups, which the join alone does not.
    rows = rows.select(*dict.fromkeys(names)).filter(pl.col("game").is_between(*games[[0, -1]].tolist()))
    if games[-1] - games[0] + 1 > len(games):
        rows = rows.join(pl.LazyFrame({"game": games}), on="game", how="semi")
    try:
        return rows.collect()
    except pl.exceptions.PolarsError as error:
        raise RunError(f"{run.folder}: the rows cannot be read: {error}") from None


def _table(run: Run, frame: pl.DataFrame, games: np.ndarray) -> SeatTable:
    players = int(run.identity["players"])
    frame = frame.sort("game", "seat")
    keys = (np.repeat(games, players), np.tile(np.arange(players), len(games)))
    whole = frame.height == len(keys[0]) and all(
        (frame[name].to_numpy() == key).all() for name, key in zip(("game", "seat"), keys, strict=True)
    )
    if not whole:
        raise RunError(f"{run.folder}: has {frame.height:,} rows for {len(games):,} games of {players} seats")
    return SeatTable(frame, players)
