"""The share of wins of a seat by its strength gap to the others at its table: observed, and by the model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import islice
from typing import NamedTuple, TypeVar

import numpy as np
import polars as pl

from wallsim.analysis.tournament.ratings import Ratings
from wallsim.errors import InputError
from wallsim.stats.bootstrap import block_weights, simultaneous_half_widths
from wallsim.stats.intervals import Confidence, Interval, wilson
from wallsim.stats.rankings import EMPTY, Rankings, rankings

BINS = 8
_Name = TypeVar("_Name")
_KINDS = ("observed", "expected", "difference")  # what a bin has an interval of


@dataclass(frozen=True)
class GapBin:
    """Seats whose gap lies between `low` and `high`: how many, in how many blocks, and how often they won.

    `gap` is their mean gap, `expected` the mean of the model's chances, `difference` the observed share minus the
    expected one. An interval is None for fewer blocks than the simultaneous intervals need, and if all resamples are
    equal.
    """

    low: float
    high: float
    gap: float
    seats: int
    blocks: int
    observed: float
    expected: float
    difference: float
    interval: Interval | None = None
    expected_interval: Interval | None = None
    difference_interval: Interval | None = None


class _Sample(NamedTuple):
    """A field's bins, without intervals, and the resamples of their observed and expected shares and differences."""

    bins: list[GapBin]
    samples: np.ndarray  # float64 [resamples, 3, bins]


def wins_by_gap_of(
    fields: Mapping[_Name, tuple[pl.DataFrame, Ratings]], *, level: float, bins: int = BINS
) -> dict[_Name, tuple[GapBin, ...]]:
    """Win shares by strength gap, in at most `bins` bins of about equally many seats; one number of players per field.

    The gap of a seat is its strength minus the logarithm of the mean of exp(strength) over the other seats, in log
    units: in the Plackett-Luce model it wins at a table of n with probability 1 / (1 + (n - 1) exp(-gap)), for any
    others. The bins are cut once, by the estimated strengths. Each resample of the ratings draws strengths and wins
    from the same blocks, so it includes the correlation of the errors of curve and observed shares. The intervals of
    all shares, curves and differences of all fields hold simultaneously with confidence `level` (max-|t|). The interval
    of a share that is the same in all blocks is Wilson's with blocks as trials.

    The strengths may come from the same games: each policy's total share then fits nearly by construction, and only the
    shape of the curve is tested. InputError for bad rows, several numbers of players, a policy without a rating,
    ratings of other blocks, and fields of different numbers of resamples.
    """
    if bins < 1:
        raise InputError(f"bins: {bins}; at least 1 is needed")
    resamples = {ratings.resamples for _, ratings in fields.values()}
    if len(resamples) != 1:
        raise InputError("fields: rated with different numbers of resamples; rate them with the same")
    samples = {name: _sample(rows, ratings, bins) for name, (rows, ratings) in fields.items()}
    bins_of_all = [each for sample in samples.values() for each in sample.bins]
    confidence = Confidence(level, len(_KINDS) * len(bins_of_all))
    blocks = np.array([each.blocks for each in bins_of_all])
    half_widths = simultaneous_half_widths(
        np.concatenate([each.samples for each in samples.values()], axis=2).reshape(resamples.pop(), -1),
        np.array([getattr(each, kind) for kind in _KINDS for each in bins_of_all]),
        level,
        np.maximum(np.tile(blocks, len(_KINDS)), 2),
    ).reshape(len(_KINDS), -1)
    half_widths[:, blocks < confidence.min_blocks] = 0.0
    known = iter([_with_intervals(*each, confidence) for each in zip(bins_of_all, half_widths.T, strict=True)])
    return {name: tuple(islice(known, len(sample.bins))) for name, sample in samples.items()}


def _with_intervals(each: GapBin, half_widths: np.ndarray, confidence: Confidence) -> GapBin:
    observed, expected, difference = (
        (getattr(each, kind) - half, getattr(each, kind) + half) if half > 0 else None
        for kind, half in zip(_KINDS, half_widths.tolist(), strict=True)
    )
    if observed is None and each.blocks >= confidence.min_blocks:
        observed = wilson(each.observed, each.blocks, confidence.z)
    return replace(each, interval=observed, expected_interval=expected, difference_interval=difference)


def _sample(rows: pl.DataFrame, ratings: Ratings, bins: int) -> _Sample:
    ranked = rankings(rows)
    players = ranked.one_size()
    missing = sorted(set(ranked.policies) - set(ratings.policies))
    if missing:
        raise InputError(f"policies: {', '.join(missing)} without a rating")
    if ranked.blocks != ratings.blocks:
        raise InputError(f"rows: {ranked.blocks:,} blocks; the ratings come from {ratings.blocks:,}")
    block = np.repeat(ranked.block, players)
    # Seats of one policy with the same opponents have equal gap and chance; such kinds are far fewer than seats.
    kinds, kind = _kinds_of_seats(ranked)
    often = np.bincount(kind)
    gap = np.bincount(kind, strength_gaps(ranked, ratings).ravel()) / often
    edges = np.unique(np.quantile(gap[kind], np.linspace(0, 1, bins + 1)))[1:-1]
    _, at = np.unique(np.searchsorted(edges, gap, side="left"), return_inverse=True)
    within = (at[:, None] == np.arange(at.max() + 1)).astype(np.float64)  # [kinds, bins]
    form = (ranked.blocks, len(kinds))
    seats = np.bincount(block * len(kinds) + kind, minlength=form[0] * form[1]).reshape(form)
    wins = np.bincount(block * len(kinds) + kind, ranked.win.ravel(), form[0] * form[1]).reshape(form) @ within
    order = [ratings.policies.index(name) for name in ranked.policies]

    def shares(weights: np.ndarray, strengths: np.ndarray) -> np.ndarray:
        drawn, worth = weights @ seats, np.exp(strengths[:, order])
        chance = worth[:, kinds[:, 0]] / worth[:, kinds].sum(axis=2)
        cases = drawn @ within
        with np.errstate(invalid="ignore", divide="ignore"):
            observed, expected = (weights @ wins) / cases, (drawn * chance) @ within / cases
        return np.stack([observed, expected, observed - expected], axis=1)

    whole = shares(np.ones((1, ranked.blocks)), ratings.strengths[None])[0]
    samples, first = [], 0
    for weights in block_weights(ratings.blocks, ratings.resamples, ratings.seed):
        drawn = shares(weights, ratings.samples[first : first + len(weights)])
        # A resample without seats in a bin has no estimate there; the whole sample's is used.
        samples.append(np.where(np.isfinite(drawn), drawn, whole))
        first += len(weights)
    cases, made = seats @ within, []
    for place, inside in enumerate(within.T.astype(bool)):
        mean, of_bin = float(np.average(gap[inside], weights=often[inside])), cases[:, place]
        ends = float(gap[inside].min()), float(gap[inside].max())
        made.append(GapBin(*ends, mean, int(of_bin.sum()), int((of_bin > 0).sum()), *whole[:, place].tolist()))
    return _Sample(made, np.concatenate(samples))


def _kinds_of_seats(ranked: Rankings) -> tuple[np.ndarray, np.ndarray]:
    """The distinct pairs of a seat's policy and the others at its table, [kinds, players], and the kind of each seat.

    The seat's policy comes first, the others in order. Seats are numbered game by game.
    """
    players = ranked.policy.shape[1]
    tables = np.stack([np.delete(ranked.policy, seat, axis=1) for seat in range(players)], axis=1)
    tables.sort(axis=2)
    seats = np.concatenate([ranked.policy[:, :, None], tables], axis=2).reshape(-1, players)
    kinds, kind = np.unique(seats, axis=0, return_inverse=True)
    return kinds, kind.reshape(-1)


def strength_gaps(ranked: Rankings, ratings: Ratings) -> np.ndarray:
    """The gap of each seat as in `wins_by_gap_of`, float64 [games, places], nan at an empty place."""
    strength = dict(zip(ratings.policies, ratings.strengths, strict=True))
    worth = np.exp(np.array([*(strength[name] for name in ranked.policies), -np.inf]))[
        ranked.policy
    ]  # EMPTY is the last
    others = (worth.sum(axis=1, keepdims=True) - worth) / (ranked.seats[:, None] - 1)
    with np.errstate(divide="ignore"):
        gap = np.log(worth) - np.log(others)
    return np.where(ranked.policy == EMPTY, np.nan, gap)
