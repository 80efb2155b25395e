"""The spread of wins: how far the seats' shares of wins lie from the fair one, in a run and from one run to another.

It is the standard deviation of the shares around the fair share, in percentage points. Where line-ups stay with their
seats and all seats play one policy, it says how fair the line-ups are for such play.

What chance adds to the squared deviations is taken off. Far from 0 the interval is that of the linearised root (delta
method), from the covariances of the seats' wins within a game. Near 0 the squared deviations, in units of their error,
are taken for a noncentral chi-square distribution, whose parameter's interval is that of the spread.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import nan, sqrt
from typing import NamedTuple

import numpy as np
import polars as pl

from wallsim.analysis.contrasts.pairing import Pairing
from wallsim.analysis.contrasts.seat_tables import seat_table
from wallsim.folder.results import Run
from wallsim.stats.blocks import Measurement
from wallsim.stats.intervals import NO_ERROR, Confidence, Interval

_WIN = "win"
PARTS = 60  # of a win: a win shared by two to five seats is a whole number of them
_GAMES = 65_536  # of a batch
_FAR = 2.0  # standard errors beyond the quantile from which a root is nearly linear


@dataclass(frozen=True)
class Spread:
    """A spread of wins in percentage points; `blocks` is the number of games, `seats` that of seats.

    `error` is that of the linearised root, `noise` the standard error of a share, a mean over the seats.
    """

    value: float
    error: float
    noise: float
    blocks: int
    seats: int

    def interval(self, confidence: Confidence) -> Interval | None:
        """One of the simultaneous intervals of `confidence`; None for too few games. Its ends are at least 0."""
        if self.blocks < confidence.min_blocks or not self.noise > NO_ERROR:
            return None
        if self.is_far(confidence):
            low, high = confidence.students(self.value, self.error, self.blocks)
            return max(0.0, low), high
        from scipy.special import chndtr, chndtrinc

        freedom = self.seats - 1
        size = freedom + self.seats * (self.value / self.noise) ** 2  # of the squared deviations, chance included
        ends = []
        for chance in (1.0 - confidence.alpha / 2, confidence.alpha / 2):
            above = chndtr(size, freedom, 0.0) > chance
            centre = float(chndtrinc(size, freedom, chance)) if above else 0.0
            ends.append(self.noise * sqrt(centre / self.seats))
        return ends[0], ends[1]

    def is_far(self, confidence: Confidence) -> bool:
        """Whether the spread is so far from 0 that its root is nearly linear."""
        return self.error > NO_ERROR and self.value > (_FAR + confidence.t(self.blocks)) * self.error


class SpreadChange(NamedTuple):
    """The spreads of two runs of the same games, and the change from the first to the second, in percentage points.

    The change has no error, and so no interval, unless both spreads are far from 0.
    """

    first: Spread
    second: Spread
    change: Measurement


def is_of_lineups(run: Run) -> bool:
    """Whether the seats of a run differ by their line-ups alone, since one policy plays all of them."""
    facts = run.identity
    return facts["setup"] == "lineup" and len({policy["name"] for policy in facts["policies"]}) == 1


def win_parts() -> pl.Expr:
    """The column `win` in sixtieths: whole numbers add up to the same sum in any order."""
    return (pl.col(_WIN) * PARTS).round().cast(pl.Int64)


def spread_of_run(run: Run) -> Spread:
    """The spread of wins of a run. RunError if a file is damaged.

    Rows are only counted, but for those of shared wins, so that memory does not depend much on the number of games.
    """
    games, players = int(run.manifest["games"]), int(run.identity["players"])
    seats = run.scan("seats").select("game", "seat", win_parts())
    whole = seats.filter(pl.col(_WIN) == PARTS).group_by("seat").agg(pl.len().alias("count")).collect()
    shared = seats.filter((pl.col(_WIN) > 0) & (pl.col(_WIN) < PARTS)).collect()
    total, squares = np.zeros(players), np.zeros((players, players))
    for seat, count in whole.iter_rows():
        total[seat] += count
        squares[seat, seat] += count
    for seat, wins in shared.group_by("seat").agg(pl.col(_WIN).sum()).iter_rows():
        total[seat] += wins / PARTS
    pairs = shared.join(shared, on="game", suffix="_other")
    products = pairs.group_by("seat", "seat_other").agg((pl.col(_WIN) * pl.col(f"{_WIN}_other")).sum())
    for seat, other, product in products.iter_rows():
        squares[seat, other] += product / PARTS**2
    return _spreads(total, squares, games, players)[0][0]


def spread_of_shares(wins: np.ndarray) -> Spread:
    """The spread of wins of units such as games, from the shares in the win of all seats, float64 [units, seats]."""
    return _spreads(wins.sum(axis=0), wins.T @ wins, *wins.shape)[0][0]


def spread_of_pairing(pairing: Pairing) -> SpreadChange:
    """The spreads of both runs of a pairing in the games that both have, and their change, paired by game."""
    size = 2 * pairing.players
    total, squares = np.zeros(size), np.zeros((size, size))
    for wins in _wins_of(pairing.runs, pairing.games):
        total += wins.sum(axis=0)
        squares += wins.T @ wins
    (first, second), error = _spreads(total, squares, len(pairing.games), pairing.players)
    is_linear = first.is_far(Confidence()) and second.is_far(Confidence())
    change = Measurement(second.value - first.value, error if is_linear else nan, first.blocks)
    return SpreadChange(first, second, change)


def _wins_of(runs: tuple[Run, Run], games: np.ndarray) -> Iterator[np.ndarray]:
    """Shares in the win of all seats of both runs in batches, float64 [games, 2 x seats]."""
    scanned = [(run, run.scan("seats")) for run in runs]
    for start in range(0, len(games), _GAMES):
        numbers = games[start : start + _GAMES]
        yield np.concatenate([seat_table(run, numbers, (_WIN,), rows).values(_WIN) for run, rows in scanned], axis=1)


def _spreads(total: np.ndarray, squares: np.ndarray, games: int, players: int) -> tuple[list[Spread], float]:
    """The spread of each run, and of two the error of the change.

    `total` has the sums of the wins of all seats of all runs, `squares` those of the products of any two.
    """
    runs, means = len(total) // players, total / games
    covariances = (squares / games - np.outer(means, means)) * (games / max(1, games - 1))
    slopes, spreads = np.zeros((runs, len(total))), []
    for run in range(runs):
        seats = slice(run * players, (run + 1) * players)
        away = means[seats] - 1.0 / players
        size = sqrt(float((away**2).mean()))
        slopes[run, seats] = away / (players * size) if size > 0.0 else 0.0
        noise = float(np.trace(covariances[seats, seats])) / games  # of the sum of all shares' squared errors
        value = sqrt(max(0.0, size**2 - noise / players))
        error, each = _error(slopes[run], covariances, games), sqrt(noise / (players - 1))
        spreads.append(Spread(100.0 * value, 100.0 * error, 100.0 * each, games, players))
    change = 100.0 * _error(slopes[1] - slopes[0], covariances, games) if runs > 1 else nan
    return spreads, change


def _error(slope: np.ndarray, covariances: np.ndarray, games: int) -> float:
    return sqrt(max(0.0, float(slope @ covariances @ slope)) / games) if games > 1 else nan
