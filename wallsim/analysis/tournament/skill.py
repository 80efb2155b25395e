"""Skill and luck: components of the variance between the seats of a table.

The result of a seat, such as its points, is modelled as a sum: the mean of the game, an effect of the policy, of the
line-up, of the seat, the interaction of policy and line-up, an effect of the cards that the games of a block share, and
the rest, which is chance and the play of the others. Only differences within games count. The variance among the seats
of a table (divisor seats - 1), averaged over the games, is then a sum of one component per effect.

Effects of policy, line-up and seat are fitted by least squares. The square of an estimated effect is too large by the
variance of its error, which is subtracted (as in the analysis of variance), so a component without influence is 0 in
the mean and may be negative. The meaning of a share depends on the design: with equal policies their share is 0, and
the components add up to the whole variance only if policies, line-ups and seats meet about equally often. Line-ups have
the same seats in all games of a block, so the interaction of line-up and seat counts as cards.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
import polars as pl

from wallsim.analysis.tournament.effects import BOTH, CARDS, NEVER_MET, SUITS, TIED, Split, effects_of
from wallsim.errors import InputError
from wallsim.stats.bootstrap import block_weights, standard_errors
from wallsim.stats.intervals import LEVEL, Confidence, Interval
from wallsim.stats.rankings import rankings

RESAMPLES = 1000
RESULTS = {"vp": "victory points", "win": "wins", "rank": "places"}
NOT_SHARED = "No two games of a block share their cards; what these bring is part of chance."
_FLAT = 1e-9


@dataclass(frozen=True)
class Part:
    """A component: its variance in squared units of the result, its share of all, and the interval of that share."""

    name: str
    variance: float
    share: float
    interval: Interval | None


@dataclass(frozen=True)
class Skill:
    """The components of the variance among the seats of a table, for one number of players.

    Components: policy, line-up, seat, policy × line-up, cards, chance; a design may lack some, see `notes`. `total` is
    the observed variance, `overlap` the difference of the components' sum from it, as a share of it: 0 in a balanced
    design apart from chance. Intervals hold for all components simultaneously with confidence `level`.
    """

    players: int
    result: str
    games: int
    blocks: int
    policies: tuple[str, ...]
    parts: tuple[Part, ...]
    total: float
    overlap: float
    level: float
    resamples: int
    seed: int
    notes: tuple[str, ...]

    @property
    def confidence(self) -> Confidence:
        """The confidence of the simultaneous intervals of all components; it gives the number of blocks they need."""
        return Confidence(self.level, len(self.parts))

    def share(self, name: str) -> float:
        """The share of one component; KeyError if the design has none of that name."""
        return {part.name: part.share for part in self.parts}[name]


def notes_of(components: Collection[str]) -> tuple[str, ...]:
    """The notes on a field of several policies with line-ups, by the names of its components."""
    possible = ((TIED, BOTH in components), (NEVER_MET, SUITS not in components), (NOT_SHARED, CARDS not in components))
    return tuple(note for note, applies in possible if applies)


def skill(
    rows: pl.DataFrame, result: str = "vp", *, resamples: int = RESAMPLES, seed: int = 1, level: float = LEVEL
) -> Skill:
    """Split the variance of a result among the seats of a table; rows as in `wallsim.stats.rankings`.

    `result` is one of RESULTS. Where line-ups do not change seats the two are one part, "line-up and seat". Without
    line-ups (a draft), or with one line-up, there are only seats. The part of policy × line-up is left to chance where
    some policy never has some line-up; that of the cards where no two games of a block share theirs. Intervals are
    Student's t, with the spread of the block bootstrap; a resample moves effects in proportion to the blocks' part in
    their equations (one Newton step). InputError for bad rows, several numbers of players, results that never differ,
    and policies that are tied to seats or line-ups so that the two cannot be separated.
    """
    if result not in RESULTS:
        raise InputError(f"result: {result!r}; allowed are {', '.join(RESULTS)}")
    ranked = rankings(rows)
    if len(ranked.players) != 1:
        raise InputError(f"rows: tables of {' and '.join(map(str, ranked.players))} players; only one is allowed")
    players = ranked.players[0]
    values = np.asarray(getattr(ranked, result), float)
    values = values - values.mean(axis=1, keepdims=True)
    total = float((values**2).sum() / (players - 1) / ranked.games)
    if not total > _FLAT:
        raise InputError(f"rows: {RESULTS[result]} never differ inside a game; there is nothing to split")
    effects, notes = effects_of(ranked)
    split = Split(ranked, values, effects)
    sums = split.of(np.ones((1, ranked.blocks)))[0]
    shares = sums / sums.sum()
    samples = np.concatenate([split.of(weights) for weights in block_weights(ranked.blocks, resamples, seed)])
    confidence = Confidence(level, len(split.names))
    intervals: list[Interval | None] = [None] * len(shares)
    if ranked.blocks >= confidence.min_blocks:
        errors = standard_errors(samples / samples.sum(axis=1, keepdims=True), ranked.blocks)
        intervals = [
            confidence.students(float(share), float(error), ranked.blocks)
            for share, error in zip(shares, errors, strict=True)
        ]
    if CARDS not in split.names:
        notes.append(NOT_SHARED)
    return Skill(
        players=players,
        result=result,
        games=ranked.games,
        blocks=ranked.blocks,
        policies=ranked.policies,
        parts=tuple(
            Part(name, float(variance), float(share), interval)
            for name, variance, share, interval in zip(split.names, sums, shares, intervals, strict=True)
        ),
        total=total,
        overlap=float(1 - sums.sum() / total),
        level=level,
        resamples=resamples,
        seed=seed,
        notes=tuple(notes),
    )
