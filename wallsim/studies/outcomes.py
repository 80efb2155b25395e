"""Outcomes of whole games that several studies compare: points, their spread, the margin, and decisiveness."""

from __future__ import annotations

import numpy as np

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
