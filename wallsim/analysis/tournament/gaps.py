"""The share of wins of a seat by its strength gap to the others at its table: observed, and by the model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import polars as pl

from wallsim.analysis.tournament.ratings import Ratings
from wallsim.errors import InputError
from wallsim.stats.bootstrap import block_weights, simultaneous_half_widths
from wallsim.stats.intervals import Confidence, Interval, wilson
from wallsim.stats.rankings import EMPTY, Rankings, rankings

BINS = 8
_Name = TypeVar("_Name")
_KINDS = 3  # of intervals per bin: observed, curve, difference


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
    interval: Interval | None
    expected: float
    expected_interval: Interval | None
    difference: float
    difference_interval: Interval | None


@dataclass(frozen=True)
class _Sample:
    """A field's bins: facts of each, and observed, expected and difference of all, [3, bins], with resamples."""

    facts: list[dict[str, float]]
    seats: list[int]
    blocks: list[int]
    values: np.ndarray
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
    if len({ratings.resamples for _, ratings in fields.values()}) != 1:
        raise InputError("fields: rated with different numbers of resamples; rate them with the same")
    samples = {name: _sample(rows, ratings, bins) for name, (rows, ratings) in fields.items()}
    count = sum(len(each.facts) for each in samples.values())
    confidence = Confidence(level, _KINDS * count)
    blocks = np.concatenate([np.tile(each.blocks, _KINDS) for each in samples.values()])
    half_widths = simultaneous_half_widths(
        np.concatenate([each.samples.reshape(len(each.samples), -1) for each in samples.values()], axis=1),
        np.concatenate([each.values.ravel() for each in samples.values()]),
        level,
        np.maximum(blocks, 2),
    )
    half_widths[blocks < confidence.min_blocks] = 0.0
    made, first = {}, 0
    for name, each in samples.items():
        size = each.values.size
        made[name] = _bins(each, half_widths[first : first + size].reshape(_KINDS, -1), confidence)
        first += size
    return made


def _bins(sample: _Sample, half_widths: np.ndarray, confidence: Confidence) -> tuple[GapBin, ...]:
    bins = []
    for place, (facts, blocks) in enumerate(zip(sample.facts, sample.blocks, strict=True)):
        observed, expected, difference = (float(value) for value in sample.values[:, place])
        limits: list[Interval | None] = [
            (float(value - half), float(value + half)) if half > 0 else None
            for value, half in zip(sample.values[:, place], half_widths[:, place], strict=True)
        ]
        if limits[0] is None and blocks >= confidence.min_blocks:
            limits[0] = wilson(observed, blocks, confidence.z)
        bins.append(
            GapBin(
                low=facts["low"], high=facts["high"], gap=facts["gap"], seats=sample.seats[place], blocks=blocks,
                observed=observed, interval=limits[0], expected=expected, expected_interval=limits[1],
                difference=difference, difference_interval=limits[2],
            )
        )  # fmt: skip
    return tuple(bins)


def _sample(rows: pl.DataFrame, ratings: Ratings, bins: int) -> _Sample:
    ranked = rankings(rows)
    if len(ranked.players) != 1:
        raise InputError(f"rows: tables of {' and '.join(map(str, ranked.players))} players; only one is allowed")
    missing = sorted(set(ranked.policies) - set(ratings.policies))
    if missing:
        raise InputError(f"policies: {', '.join(missing)} without a rating")
    if ranked.blocks != ratings.blocks:
        raise InputError(f"rows: {ranked.blocks:,} blocks; the ratings come from {ratings.blocks:,}")
    block = np.repeat(ranked.block, ranked.players[0])
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
    facts = []
    for inside in within.T.astype(bool):
        mean = float(np.average(gap[inside], weights=often[inside]))
        facts.append({"low": float(gap[inside].min()), "high": float(gap[inside].max()), "gap": mean})
    cases = seats @ within
    return _Sample(
        facts, cases.sum(axis=0).astype(int).tolist(), (cases > 0).sum(axis=0).tolist(), whole, np.concatenate(samples)
    )


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
