"""Runs without files: tables of planted numbers that answer like a run folder."""

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import polars as pl

from wallsim.analysis.contrasts.contrast import ContrastSums
from wallsim.errors import InputError
from wallsim.rules.board import load_board
from wallsim.rules.terms import SEASON_NAMES

LETTERS = "ABCDE"


@dataclass(frozen=True)
class PlantedRun:
    """What the analysis of contrasts asks of a run: its folder, facts and tables."""

    grown = False  # the number of games was fixed beforehand

    folder: Path
    identity: dict
    frames: dict = field(default_factory=dict)

    @property
    def manifest(self):
        """The facts beside the identity."""
        games = self.frames["games"].height
        return {"experiment": {"identity": self.identity}, "games": games, "tower": {"name": "mid"}, "board": {}}

    def scan(self, table, *, check=True):
        """A table as a lazy frame."""
        if table not in self.frames:
            raise InputError(f"{self.folder}: has no table {table!r}")
        return self.frames[table].lazy()


def planted_run(name, seats, *, seasons=None, games=None, **facts):
    """A run of columns of `seats`, each [games, seats], and of `seasons`, each [games, moments, seats].

    Rows are mixed, since nothing may depend on their order; `games` are the game numbers, by default from 0.
    """
    count, players = next(iter(seats.values())).shape
    numbers = np.arange(count) if games is None else np.asarray(games)
    identity = {
        "engine_version": 4, "players": players, "setup": "lineup", "lineups": list(LETTERS[:players]), "seed": 1,
        "combat": "must", "board": load_board().digest, "tower": {"model": "independent", "p": 0.6},
        "policies": [{"name": "balanced", "weights": {"tile": 1.0}} for _ in range(players)], **facts,
    }  # fmt: skip
    keys = {"game": np.repeat(numbers, players), "seat": np.tile(np.arange(players), count)}
    frames = {
        "games": pl.DataFrame({"game": numbers}),
        "seats": pl.DataFrame({**keys, **{column: values.ravel() for column, values in seats.items()}}).with_columns(
            policy=pl.lit("balanced")
        ),
    }
    if seasons is not None:
        moment = np.tile(np.repeat(np.arange(len(SEASON_NAMES)), players), count)
        words = [SEASON_NAMES[place].split() for place in moment]
        frames["seasons"] = pl.DataFrame(
            {
                "game": np.repeat(numbers, players * len(SEASON_NAMES)),
                "seat": np.tile(np.arange(players), count * len(SEASON_NAMES)),
                "season": [season for season, _ in words],
                "year": [int(year) for _, year in words],
                **{column: values.ravel() for column, values in seasons.items()},
            }
        )
    mixed = {table: rows.sample(fraction=1, shuffle=True, seed=3) for table, rows in frames.items()}
    return PlantedRun(Path(name), identity, mixed)


def wins_of(vp):
    """Shares of the win by victory points, [games, seats]."""
    best = vp == vp.max(axis=1, keepdims=True)
    return best / best.sum(axis=1, keepdims=True)


def contrast(column, who, group, first, second, cases):
    """The contrast of two sums by game divided by the same cases, all float64 [games]; None without cases."""
    sums = ContrastSums(column, who, group)
    sums.add(first, second, cases)
    return sums.contrast()
