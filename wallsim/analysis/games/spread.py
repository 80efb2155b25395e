"""The spread of wins: how far the seats' shares of wins lie from the fair one, in a run and from one run to another.

It is the standard deviation of the shares around the fair share, in percentage points. Where line-ups stay with their
seats and all seats play one policy, it says how fair the line-ups are for such play. Its error is that of the
linearised root (delta method), from the covariances of the seats' wins within a game. Chance alone makes it a little
larger than it is, never smaller.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import nan, sqrt

import numpy as np
import polars as pl

from wallsim.analysis.contrasts.pairing import Pairing
from wallsim.analysis.contrasts.seat_tables import seat_table
from wallsim.runs.folder.results import Run
from wallsim.stats.intervals import NO_ERROR, Confidence, Interval

_WIN = "win"
_GAMES = 65_536  # of a batch


@dataclass(frozen=True)
class Spread:
    """A spread of wins, or a change of one, in percentage points; `blocks` is the number of games."""

    value: float
    error: float
    blocks: int

    def interval(self, confidence: Confidence) -> Interval | None:
        """One of the simultaneous intervals of `confidence`, with Student's t; None for too few games."""
        if self.blocks < confidence.min_blocks or not self.error > NO_ERROR:
            return None
        return confidence.students(self.value, self.error, self.blocks)


@dataclass(frozen=True)
class SpreadChange:
    """The spreads of two runs of the same games, and the change from the first to the second."""

    first: Spread
    second: Spread
    change: Spread


def is_of_lineups(run: Run) -> bool:
    """Whether the seats of a run differ by their line-ups alone, since one policy plays all of them."""
    facts = run.identity
    return facts["setup"] == "lineup" and len({policy["name"] for policy in facts["policies"]}) == 1


def spread_of_run(run: Run) -> Spread:
    """The spread of wins of a run. RunError if a file is damaged.

    Rows are only counted, but for those of shared wins, so that memory does not depend much on the number of games.
    """
    games, players = int(run.manifest["games"]), int(run.identity["players"])
    won, seats = pl.col(_WIN).cast(pl.Float64), run.scan("seats").select("game", "seat", _WIN)
    whole = seats.filter(won == 1.0).group_by("seat").agg(pl.len().alias("count")).collect()
    shared = seats.filter((won > 0.0) & (won < 1.0)).with_columns(won).collect()
    total, squares = np.zeros(players), np.zeros((players, players))
    for seat, count in whole.iter_rows():
        total[seat] += count
        squares[seat, seat] += count
    for seat, wins in shared.group_by("seat").agg(pl.col(_WIN).sum()).iter_rows():
        total[seat] += wins
    pairs = shared.join(shared, on="game", suffix="_other")
    products = pairs.group_by("seat", "seat_other").agg((pl.col(_WIN) * pl.col(f"{_WIN}_other")).sum())
    for seat, other, product in products.iter_rows():
        squares[seat, other] += product
    return _spreads(total, squares, games, players)[0]


def spread_of_pairing(pairing: Pairing) -> SpreadChange:
    """The spreads of both runs of a pairing in the games that both have, and their change, paired by game."""
    size = 2 * pairing.players
    total, squares = np.zeros(size), np.zeros((size, size))
    for wins in _wins_of(pairing.runs, pairing.games):
        total += wins.sum(axis=0)
        squares += wins.T @ wins
    return SpreadChange(*_spreads(total, squares, len(pairing.games), pairing.players))


def _wins_of(runs: tuple[Run, Run], games: np.ndarray) -> Iterator[np.ndarray]:
    """Shares in the win of all seats of both runs in batches, float64 [games, 2 x seats]."""
    scanned = [(run, run.scan("seats")) for run in runs]
    for start in range(0, len(games), _GAMES):
        numbers = games[start : start + _GAMES]
        yield np.concatenate([seat_table(run, numbers, (_WIN,), rows).values(_WIN) for run, rows in scanned], axis=1)


def _spreads(total: np.ndarray, squares: np.ndarray, games: int, players: int) -> list[Spread]:
    """The spread of each run and, of two, the change.

    `total` has the sums of the wins of all seats of all runs, `squares` those of the products of any two.
    """
    runs, means = len(total) // players, total / games
    covariances = (squares / games - np.outer(means, means)) * (games / max(1, games - 1))
    slopes, values = np.zeros((runs, len(total))), np.zeros(runs)
    for run in range(runs):
        seats = slice(run * players, (run + 1) * players)
        away = means[seats] - 1.0 / players
        values[run] = sqrt(float((away**2).mean()))
        slopes[run, seats] = away / (players * values[run]) if values[run] > 0.0 else 0.0
    if runs > 1:
        slopes, values = np.vstack([slopes, slopes[1] - slopes[0]]), np.append(values, values[1] - values[0])
    return [
        Spread(100.0 * float(value), 100.0 * _error(slope, covariances, games), games)
        for value, slope in zip(values, slopes, strict=True)
    ]


def _error(slope: np.ndarray, covariances: np.ndarray, games: int) -> float:
    return sqrt(max(0.0, float(slope @ covariances @ slope)) / games) if games > 1 else nan
