"""How far a ladder, made from finishing orders alone, agrees with places and victory points."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl
from scipy.stats import rankdata

from wallsim.analysis.tournament.ratings import Ratings
from wallsim.errors import InputError
from wallsim.stats.bootstrap import block_weights, percentiles
from wallsim.stats.head_to_head import head_to_head
from wallsim.stats.intervals import Confidence, Interval
from wallsim.stats.rankings import EMPTY, Rankings, rankings

# What is measured, in words, in the order of `agreement`.
MEASURES = {
    "spearman": "strengths and mean VP of the policies, Spearman's rank correlation",
    "kendall": "strengths and mean VP of the policies, Kendall's tau",
    "places": "strength and place inside games, Kendall's tau over pairs of seats",
    "points": "strength and VP inside games, Kendall's tau over pairs of seats",
    "margin": "gap of strengths and mean VP margin over pairs of policies, correlation through the origin",
    "slope": "VP margin for each log unit of the gap",
}
_OVER_POLICIES = ("spearman", "kendall", "margin")  # 1 or -1 for any two policies, which says nothing


@dataclass(frozen=True)
class Agreement:
    """One measure of MEASURES with its bootstrap interval (expanded percentiles).

    None for fewer blocks than so many simultaneous intervals need, and where no resample differs from another. The
    intervals of all measures hold simultaneously with the level of the ratings (Bonferroni).
    """

    name: str
    value: float
    interval: Interval | None


def agreement(rows: pl.DataFrame, ratings: Ratings) -> tuple[Agreement, ...]:
    """Compare the ladder with places and points of the games it was made from, a number for each of MEASURES.

    Correlations over policies, or pairs of them, are left out for two policies, where they are 1 or -1 whatever
    happened. Pairs inside games are seats of two policies; the tau is the share of pairs where the stronger comes
    first, minus the share where it comes last. Gap and margin of each pair count by its cases. Strengths and points are
    drawn again together, from the same blocks. InputError if the ratings are those of other games.
    """
    found = rankings(rows)
    if (found.games, found.blocks, set(found.policies)) != (ratings.games, ratings.blocks, set(ratings.policies)):
        raise InputError(
            f"rows: {found.games:,} games in {found.blocks:,} blocks; the ratings come from {ratings.games:,} games in "
            f"{ratings.blocks:,}; they must be of the same games"
        )
    order = [found.policies.index(name) for name in ratings.policies]
    sums = _block_sums(found, order)
    value = _measures(ratings.strengths[None, :], {name: total.sum(axis=0)[None] for name, total in sums.items()})
    drawn = [
        {name: np.tensordot(weights, total, axes=1) for name, total in sums.items()}
        for weights in block_weights(ratings.blocks, ratings.resamples, ratings.seed)
    ]
    resampled = {name: np.concatenate([piece[name] for piece in drawn]) for name in sums}
    samples = _measures(ratings.samples, resampled)
    kept = [name for name in MEASURES if len(ratings.policies) > 2 or name not in _OVER_POLICIES]
    confidence = Confidence(ratings.level, len(kept))
    few = ratings.blocks < confidence.min_blocks
    return tuple(
        Agreement(
            name,
            float(value[name][0]),
            None if few else percentiles(samples[name], confidence, ratings.blocks),
        )
        for name in kept
    )


def _block_sums(found: Rankings, order: list[int]) -> dict[str, np.ndarray]:
    met, count = head_to_head(found), len(found.policies)
    sits = found.policy != EMPTY
    cell = (found.block[:, None] * count + found.policy)[sits]
    form = (found.blocks, count)
    size = found.blocks * count
    both = np.ix_(range(found.blocks), order, order)
    return {
        "seats": np.bincount(cell, minlength=size).reshape(form)[:, order].astype(np.float64),
        "vp": np.bincount(cell, found.vp[sits], minlength=size).reshape(form)[:, order],
        "cases": met.cases[both],
        "before": met.before[both],
        "ahead": met.ahead[both],
        "margin": met.margin[both],
    }


def _measures(strengths: np.ndarray, sums: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Each measure, float64 [resamples]; `strengths` [resamples, policies] and the sums of each resample."""
    with np.errstate(invalid="ignore", divide="ignore"):
        points = sums["vp"] / sums["seats"]
        margin = np.nan_to_num(sums["margin"] / sums["cases"])
        gap = strengths[:, :, None] - strengths[:, None, :]
        stronger, cases = np.sign(gap), sums["cases"]
        pairs = (cases * np.abs(stronger)).sum(axis=(1, 2))
        ranks = (rankdata(strengths, axis=1), rankdata(points, axis=1))
        one, other = (rank - rank.mean(axis=1, keepdims=True) for rank in ranks)
        signs = np.sign(points[:, :, None] - points[:, None, :])
        across = (cases * gap * margin).sum(axis=(1, 2))
        gaps, margins = ((cases * part**2).sum(axis=(1, 2)) for part in (gap, margin))
        return {
            "spearman": (one * other).sum(axis=1) / np.sqrt((one**2).sum(axis=1) * (other**2).sum(axis=1)),
            "kendall": (stronger * signs).sum(axis=(1, 2))
            / np.sqrt((stronger**2).sum(axis=(1, 2)) * (signs**2).sum(axis=(1, 2))),
            "places": (stronger * (2 * sums["before"] - cases)).sum(axis=(1, 2)) / pairs,
            "points": (stronger * (2 * sums["ahead"] - cases)).sum(axis=(1, 2)) / pairs,
            "margin": across / np.sqrt(gaps * margins),
            "slope": across / gaps,
        }
