"""Outcomes of whole games that several studies compare, and their paired changes.

A change is an outcome under one condition less that of the same games under another.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import nan
from typing import NamedTuple

import numpy as np

from wallsim.stats.blocks import Estimate, block_mean
from wallsim.stats.intervals import NO_ERROR
from wallsim.studies.games import Games

POINTS, SPREAD, MARGIN = "VP of a seat", "spread of VP", "margin of VP"
LEADER = "wins of year one's leader, % points"
OUTCOMES = (POINTS, SPREAD, MARGIN, LEADER)


def wins_of(seat: int) -> str:
    """The name of the outcome that is a seat's share of wins, in per cent."""
    return f"wins of seat {seat}"


def outcomes_of(games: Games) -> dict[str, np.ndarray]:
    """By outcome, float64 [games]: the OUTCOMES and the wins of each seat.

    The spread is the standard deviation of the points of a game's seats. Where several lead after year one, their
    shares of wins count in equal parts.
    """
    points, wins, first = games.seats("vp"), 100 * games.seats("win"), games.seats("vp_year1")
    leads = first == first.max(axis=1, keepdims=True)
    return {
        POINTS: points.mean(axis=1),
        SPREAD: points.std(axis=1),
        MARGIN: games.game("vp_margin"),
        LEADER: (wins * leads).sum(axis=1) / leads.sum(axis=1),
        **{wins_of(seat): wins[:, seat] for seat in range(games.players)},
    }


class Change(NamedTuple):
    """The paired change of an outcome by block, its mean before, and the share of the variance that pairing saved."""

    estimate: Estimate
    before: float
    gain: float


def change(first: np.ndarray, second: np.ndarray, rounds: int | Sequence[int] | None = None) -> Change:
    """Second minus first, both [blocks, rounds]: the mean over some rounds, by default all.

    The gain is 1 - var(change) / (var(first) + var(second)); nan where nothing varies.
    """
    one, other = (by_round(values, rounds) for values in (first, second))
    apart = one.var() + other.var()
    gain = 1 - float((other - one).var() / apart) if apart > NO_ERROR else nan
    return Change(block_mean(other - one), float(one.mean()), gain)


def by_round(values: np.ndarray, rounds: int | Sequence[int] | None = None) -> np.ndarray:
    """The mean over some rounds of each block, [blocks]; all rounds by default."""
    if rounds is None:
        return np.asarray(values.mean(axis=1))
    return np.asarray(values[:, rounds] if isinstance(rounds, int) else values[:, list(rounds)].mean(axis=1))
