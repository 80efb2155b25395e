"""Whom an event card helps: what it changes for seats that lead or are last, and for those rich or poor in a thing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from wallsim.analysis.claims.cells import Cell
from wallsim.rules.terms import ROUND_NAMES, SEASON_NAMES
from wallsim.stats.blocks import Estimate, block_ratio
from wallsim.studies.changes import by_round
from wallsim.studies.games import Counted, Games
from wallsim.studies.scenarios import Lines, identity_of
from wallsim.studies.scope import Scope, sizes_of, three_tables
from wallsim.studies.study import Storage

from .cards import CARDS, EXPERIMENT
from .played import played_everywhere

BLOCKS, QUICK_BLOCKS = 200, 12
COUNTED = "cards by standing and holding"
# What a seat may have most or least of at its table, when the round begins, by the column of `seasons` that has it.
HOLDINGS = {
    "points": "vp_with_board",
    "counties": "counties",
    "palaces": "palaces",
    "churches": "churches",
    "trading posts": "trading_posts",
    "armies": "armies",
    "Thalers": "thalers",
}
ENDS = ("most", "fewest")
OUTCOMES = {"vp": 1.0, "win": 100.0}  # with their factors: wins in per cent
Holdings = dict[tuple[str, str, str, str], Estimate]  # by card, holding, end and outcome


def scenarios() -> dict[str, Lines]:
    """The scenarios by name: each card forced into the treated round, in force and cancelled."""
    cancelled = {"do": "event", "to": "cancelled", "round": "turn"}
    result: dict[str, Lines] = {}
    for card in CARDS:
        forced = {"do": "event", "to": card, "round": "turn"}
        result |= {f"{card} forced": (forced,), f"{card} cancelled": (forced, cancelled)}
    return result


def tables_of(scope: Scope) -> Scope:
    """The tables that are played, and their blocks."""
    return three_tables(scope, BLOCKS, QUICK_BLOCKS)


def identity(scope: Scope) -> dict[str, Any]:
    """Everything that decides the results."""
    return identity_of(EXPERIMENT, tables_of(scope), {"holdings": scenarios()}, sizes_of(scope))


def count(games: Games) -> Mapping[str, np.ndarray]:
    """Sums over the seats with most or fewest of something when the treated round began, and how many these are.

    Nobody is either where all have as much, and in the first round.
    """
    outcomes = {name: factor * games.seats(name) for name, factor in OUTCOMES.items()}
    outcomes = {name: values - values.mean(axis=1, keepdims=True) for name, values in outcomes.items()}
    starts = np.array([SEASON_NAMES.index(name) for name in ROUND_NAMES])[
        games.numbers // games.players % len(ROUND_NAMES)
    ]
    counted = {}
    for holding, column in HOLDINGS.items():
        had = games.in_seasons(column, np.maximum(starts - 1, 0))
        low, high = had.min(axis=1, keepdims=True), had.max(axis=1, keepdims=True)
        differ = (low < high) & (starts > 0)[:, None]
        for end, bound in zip(ENDS, (high, low), strict=True):
            fits = (had == bound) & differ
            counted[f"{end} {holding}"] = fits.sum(axis=1).astype(float)
            counted |= {f"{name} {end} {holding}": (values * fits).sum(axis=1) for name, values in outcomes.items()}
    return counted


def play(scope: Scope, storage: Storage) -> dict[tuple[int, Cell], Holdings]:
    """Play the scenarios at every table with every number of players, and estimate whom each card helps."""
    everywhere = played_everywhere(scope, tables_of(scope), scenarios(), count, COUNTED, storage)
    return {where: holdings_of(played) for where, played in everywhere}


def holdings_of(played: Mapping[str, Counted]) -> Holdings:
    """What each card changes for such seats above what it changes for their table, the card in force or cancelled."""
    result = {}
    for card in CARDS:
        before, after = played[f"{card} cancelled"], played[f"{card} forced"]
        for holding in HOLDINGS:
            for end in ENDS:
                kind = f"{end} {holding}"
                for name in OUTCOMES:
                    key = f"{name} {kind}"
                    gains = by_round(after[key] - before[key])
                    result[card, holding, end, name] = block_ratio(gains, by_round(before[kind]))
    return result
