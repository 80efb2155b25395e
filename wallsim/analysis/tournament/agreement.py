"""The agreement of a ladder, which is estimated from finishing orders alone, with places and victory points."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from wallsim.analysis.tournament.ratings import Ratings
from wallsim.errors import InputError
from wallsim.stats.bootstrap import block_weights, percentiles
from wallsim.stats.intervals import Confidence, Interval
from wallsim.stats.rankings import EMPTY, Rankings, head_to_head, rankings

# The measures in words, in the order of `agreement`.
MEASURES = {
    "spearman": "strengths and mean VP of the policies, Spearman's rank correlation",
    "kendall": "strengths and mean VP of the policies, Kendall's tau",
    "places": "strength and place inside games, Kendall's tau over pairs of seats",
    "points": "strength and VP inside games, Kendall's tau over pairs of seats",
    "margin": "gap of strengths and mean VP margin over pairs of policies, correlation through the origin",
    "slope": "VP margin per log unit of the gap",
}
_OVER_POLICIES = ("spearman", "kendall", "margin")  # trivially 1 or -1 for two policies


@dataclass(frozen=True)
class Agreement:
    """One of MEASURES with its bootstrap interval (expanded percentiles).

    The interval is None for fewer blocks than the simultaneous intervals need, and if all resamples are equal. The
    intervals of all measures hold simultaneously with the level of the ratings (Bonferroni).
    """

    name: str
    value: float
    interval: Interval | None


def agreement(rows: pl.DataFrame, ratings: Ratings) -> tuple[Agreement, ...]:
    """Compare the ladder with places and points of the games it was estimated from, one number per measure.

    Correlations over policies, or pairs of them, are left out for two policies, where they are always 1 or -1. Pairs
    inside games are seats of two policies; tau is the share of pairs where the stronger comes first, minus the share
    where it comes last. Gap and margin of each pair are weighted by its cases. Strengths and points are resampled from
    the same blocks. InputError if the ratings are those of other games.
    """
    ranked = rankings(rows)
    if (ranked.games, ranked.blocks, set(ranked.policies)) != (ratings.games, ratings.blocks, set(ratings.policies)):
        raise InputError(
            f"rows: {ranked.games:,} games in {ranked.blocks:,} blocks; the ratings come from {ratings.games:,} games "
            f"in {ratings.blocks:,}; they must be of the same games"
        )
    order = [ranked.policies.index(name) for name in ratings.policies]
    sums = _block_sums(ranked, order)
    value = _measures(ratings.strengths[None, :], {name: total.sum(axis=0)[None] for name, total in sums.items()})
    drawn = [
        {name: np.tensordot(weights, total, axes=1) for name, total in sums.items()}
        for weights in block_weights(ratings.blocks, ratings.resamples, ratings.seed)
    ]
    resampled = {name: np.concatenate([piece[name] for piece in drawn]) for name in sums}
    samples = _measures(ratings.samples, resampled)
    selected = [name for name in MEASURES if len(ratings.policies) > 2 or name not in _OVER_POLICIES]
    confidence = Confidence(ratings.level, len(selected))
    few = ratings.blocks < confidence.min_blocks
    return tuple(
        Agreement(name, float(value[name][0]), None if few else percentiles(samples[name], confidence, ratings.blocks))
        for name in selected
    )


def _block_sums(ranked: Rankings, order: list[int]) -> dict[str, np.ndarray]:
    met, count = head_to_head(ranked), len(ranked.policies)
    sits = ranked.policy != EMPTY
    cell = (ranked.block[:, None] * count + ranked.policy)[sits]
    form = (ranked.blocks, count)
    size = ranked.blocks * count
    both = np.ix_(range(ranked.blocks), order, order)
    return {
        "seats": np.bincount(cell, minlength=size).reshape(form)[:, order].astype(np.float64),
        "vp": np.bincount(cell, ranked.vp[sits], minlength=size).reshape(form)[:, order],
        "cases": met.cases[both],
        "before": met.before[both],
        "ahead": met.ahead[both],
        "margin": met.margin[both],
    }


def _measures(strengths: np.ndarray, sums: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Each measure, float64 [resamples], from `strengths`, [resamples, policies], and the sums of each resample."""
    from scipy.stats import rankdata  # its import takes a second

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
