"""How often a seat wins by how much stronger it is than its table: observed, and by the model."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from wallsim.analysis.clusters import mean_by_group
from wallsim.analysis.finishes import EMPTY, Finishes, finishes
from wallsim.analysis.intervals import FEWEST, Interval
from wallsim.analysis.ratings import Ratings
from wallsim.runs.errors import InputError

BINS = 8


@dataclass(frozen=True)
class GapBin:
    """Seats whose gap lies between `low` and `high`: how many, in how many blocks, and how often they won.

    `gap` is their mean gap, `expected` the mean of the model's chances. `interval` is None in fewer than FEWEST blocks.
    """

    low: float
    high: float
    gap: float
    seats: int
    blocks: int
    observed: float
    interval: Interval | None
    expected: float


def win_by_gap(rows: pl.DataFrame, ratings: Ratings, *, bins: int = BINS) -> tuple[GapBin, ...]:
    """Win shares by strength gap, in at most `bins` bins of about equally many seats; one number of players a call.

    The gap of a seat is its strength less the logarithm of the mean of exp(strength) over the other seats, in log
    units: by Plackett and Luce it wins a table of n with chance 1 / (1 + (n - 1) exp(-gap)), whoever the others are.
    Intervals hold for all bins at once (Bonferroni, over blocks). The strengths may come from the same games: each
    policy's own share is then met nearly by construction, and only the shape of the curve is put to the test.
    InputError for bad rows, several numbers of players, and a policy without a rating.
    """
    found = finishes(rows)
    if len(found.players) != 1:
        raise InputError(f"rows: tables of {' and '.join(map(str, found.players))} players; one size at a time")
    missing = sorted(set(found.policies) - set(ratings.policies))
    if missing or bins < 1:
        raise InputError(f"policies: {', '.join(missing)} without a rating" if missing else f"bins: {bins}; from 1")
    gap = strength_gaps(found, ratings).ravel()
    frame = pl.DataFrame(
        {
            "block": np.repeat(found.block, found.players[0]),
            "gap": gap,
            "win": found.win.ravel(),
            "expected": 1 / (1 + (found.players[0] - 1) * np.exp(-gap)),
        }
    )
    edges = np.unique(np.quantile(gap, np.linspace(0, 1, bins + 1)))[1:-1]
    frame = frame.with_columns(bin=pl.Series(np.searchsorted(edges, gap, side="left")))
    means = mean_by_group(frame.lazy(), "bin", "win", "block", ratings.level)
    within = frame.group_by("bin").agg(
        low=pl.col("gap").min(), high=pl.col("gap").max(), gap=pl.col("gap").mean(), expected=pl.col("expected").mean()
    )
    facts = {row["bin"]: row for row in within.iter_rows(named=True)}
    return tuple(
        GapBin(
            low=facts[row["group"]]["low"],
            high=facts[row["group"]]["high"],
            gap=facts[row["group"]]["gap"],
            seats=row["rows"],
            blocks=row["clusters"],
            observed=row["mean"],
            interval=None if row["clusters"] < FEWEST or row["low"] is None else (row["low"], row["high"]),
            expected=facts[row["group"]]["expected"],
        )
        for row in means.iter_rows(named=True)
    )


def strength_gaps(found: Finishes, ratings: Ratings) -> np.ndarray:
    """The gap of each seat as in `win_by_gap`, float64 [games, places], nan where nobody sits."""
    strength = dict(zip(ratings.policies, ratings.strengths, strict=True))
    worth = np.exp(np.array([*(strength[name] for name in found.policies), -np.inf]))[found.policy]  # EMPTY is the last
    others = (worth.sum(axis=1, keepdims=True) - worth) / (found.seats[:, None] - 1)
    with np.errstate(divide="ignore"):
        gap = np.log(worth) - np.log(others)
    return np.where(found.policy == EMPTY, np.nan, gap)
