"""Who finished before whom: pairs of seats at one table, added up by block for every pair of policies."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from wallsim.stats.intervals import NO_ERROR
from wallsim.stats.rankings import EMPTY, Rankings


@dataclass(frozen=True)
class HeadToHead:
    """HeadToHead of each policy (row) with each other one (column) by block, float64 [blocks, policies, policies].

    `cases` counts pairs of seats; `before` those where the row's seat finished before the column's, ties half; `ahead`
    those where it had more victory points, equal ones half; `margin` adds up its points minus the column's. `games`,
    int64 [policies, policies], is in how many games the two sat at one table. Pairs of seats of the same policy are
    left out: they say nothing about another.
    """

    cases: np.ndarray
    before: np.ndarray
    ahead: np.ndarray
    margin: np.ndarray
    games: np.ndarray

    def total(self, name: str) -> np.ndarray:
        """One of the four over all blocks, float64 [policies, policies]."""
        return np.asarray(getattr(self, name).sum(axis=0))


def head_to_head(found: Rankings) -> HeadToHead:
    """Count the meetings of all pairs of policies in some finished games."""
    count = len(found.policies)
    form = (found.blocks, count, count)
    added = {name: np.zeros(found.blocks * count * count) for name in ("cases", "before", "ahead", "margin")}
    met = []
    places = found.policy.shape[1]
    for one in range(places):
        for other in range(places):
            row, column = found.policy[:, one], found.policy[:, other]
            at = np.flatnonzero((row != EMPTY) & (column != EMPTY) & (row != column))
            pair = row[at] * count + column[at]
            met.append(at * count * count + pair)
            cell = found.block[at] * count * count + pair
            lead = found.vp[at, one] - found.vp[at, other]
            later = found.rank[at, other] - found.rank[at, one]
            for name, weights in (
                ("cases", np.ones(len(at))), ("before", 0.5 + 0.5 * np.sign(later)),
                ("ahead", 0.5 + 0.5 * np.sign(lead)), ("margin", lead),
            ):  # fmt: skip
                added[name] += np.bincount(cell, weights, minlength=len(added[name]))
    games = np.bincount(np.unique(np.concatenate(met)) % (count * count), minlength=count * count)
    return HeadToHead(**{name: sums.reshape(form) for name, sums in added.items()}, games=games.reshape(count, count))


def pair_means(totals: np.ndarray, cases: np.ndarray, fewest: int = 2) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Mean a case of each pair, its standard error and in how many blocks the pair met, each [policies, policies].

    `totals` and `cases` by block. The error is that of a ratio of sums over blocks (Taylor's series), as in
    `wallsim.stats.clusters`. The mean is nan without a case; the error nan in fewer than `fewest` blocks, and where
    no block differs from another.
    """
    blocks, weight = (cases > 0).sum(axis=0), cases.sum(axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = totals.sum(axis=0) / weight
        residual = np.nan_to_num(totals - mean * cases)
        error = np.sqrt((residual**2).sum(axis=0) * blocks / (blocks - 1)) / weight
    return mean, np.where((blocks >= fewest) & (error > NO_ERROR), error, np.nan), blocks
