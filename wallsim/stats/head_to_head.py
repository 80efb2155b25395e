"""Head-to-head results: pairs of seats at one table, added up by block for every pair of policies."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from wallsim.stats.intervals import NO_ERROR
from wallsim.stats.rankings import EMPTY, Rankings


@dataclass(frozen=True)
class HeadToHead:
    """Head-to-head results of each policy (row) against each other one (column), float64 [blocks, policies, policies].

    `cases` counts pairs of seats; `before` counts those where the row's seat finished before the column's, ties as
    half; `ahead` those where it had more victory points, equal points as half; `margin` is the sum of its points minus
    the column's. `games`, int64 [policies, policies], counts the games in which the two sat at one table. Pairs of
    seats of the same policy are left out, since they compare no two policies.
    """

    cases: np.ndarray
    before: np.ndarray
    ahead: np.ndarray
    margin: np.ndarray
    games: np.ndarray

    def total(self, name: str) -> np.ndarray:
        """The sum over all blocks of the field called `name`, float64 [policies, policies]."""
        return np.asarray(getattr(self, name).sum(axis=0))


def head_to_head(rankings: Rankings) -> HeadToHead:
    """Compare all pairs of policies over finished games."""
    count = len(rankings.policies)
    form = (rankings.blocks, count, count)
    added = {name: np.zeros(rankings.blocks * count * count) for name in ("cases", "before", "ahead", "margin")}
    met = []
    places = rankings.policy.shape[1]
    for one in range(places):
        for other in range(places):
            row, column = rankings.policy[:, one], rankings.policy[:, other]
            at = np.flatnonzero((row != EMPTY) & (column != EMPTY) & (row != column))
            pair = row[at] * count + column[at]
            met.append(at * count * count + pair)
            cell = rankings.block[at] * count * count + pair
            lead = rankings.vp[at, one] - rankings.vp[at, other]
            later = rankings.rank[at, other] - rankings.rank[at, one]
            for name, weights in (
                ("cases", np.ones(len(at))), ("before", 0.5 + 0.5 * np.sign(later)),
                ("ahead", 0.5 + 0.5 * np.sign(lead)), ("margin", lead),
            ):  # fmt: skip
                added[name] += np.bincount(cell, weights, minlength=len(added[name]))
    games = np.bincount(np.unique(np.concatenate(met)) % (count * count), minlength=count * count)
    return HeadToHead(**{name: sums.reshape(form) for name, sums in added.items()}, games=games.reshape(count, count))


def pair_means(totals: np.ndarray, cases: np.ndarray, fewest: int = 2) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The mean per case of each pair, its standard error and the number of blocks, each [policies, policies].

    `totals` and `cases`, by block, are [blocks, policies, policies]; a block counts if the pair met in it. The error
    is that of a ratio of sums over blocks (Taylor series), as in `wallsim.stats.clusters`. The mean is nan without a
    case; the error is nan in fewer than `fewest` blocks, and if all blocks are equal.
    """
    blocks, weight = (cases > 0).sum(axis=0), cases.sum(axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = totals.sum(axis=0) / weight
        residual = np.nan_to_num(totals - mean * cases)
        error = np.sqrt((residual**2).sum(axis=0) * blocks / (blocks - 1)) / weight
    return mean, np.where((blocks >= fewest) & (error > NO_ERROR), error, np.nan), blocks
