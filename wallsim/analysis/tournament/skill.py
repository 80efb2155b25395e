"""Skill and luck: which shares of the differences between the seats of a table go back to what.

The result of a seat, its points say, is taken as a sum: something that all seats of the game share and that decides
nothing, an effect of the policy, of the line-up, of the seat, of how well the policy suits the line-up, of the cards
that the seats of a block share, and the rest, which is chance and the play of the others. Only differences inside games
are looked at. The variance among the seats of a table (divisor seats - 1), in the mean over the games, is then a sum of
one part for each effect.

Effects of policy, line-up and seat are fitted by least squares; the square of an effect that is known with an error is
too large by the error's variance, which is taken off (as in the analysis of variance), so a part without influence
comes out as 0 in the mean, and may come out below. The design decides what a share means: with policies that are all
alike no share is theirs, and the parts add up to all only where policies, line-ups and seats meet about equally often.
Line-ups are dealt to the seats alike in all games of a block, so how a line-up suits a seat counts as cards.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from wallsim.analysis.tournament.effects import CARDS, Split, effects_of
from wallsim.errors import InputError
from wallsim.stats.bootstrap import block_weights, standard_errors
from wallsim.stats.intervals import LEVEL, Confidence, Interval
from wallsim.stats.rankings import rankings

RESAMPLES = 1000
RESULTS = {"vp": "victory points", "win": "wins", "rank": "places"}
_FLAT = 1e-9


@dataclass(frozen=True)
class Part:
    """One part: its variance in squared units of the result, its share of all parts, and the share's interval."""

    name: str
    variance: float
    share: float
    interval: Interval | None


@dataclass(frozen=True)
class Skill:
    """The parts of the variance among the seats of a table, of one number of players.

    Components: policy, line-up, seat, policy × line-up, cards, chance; a design may lack some, see `notes`. `total` is
    the variance that was observed, `overlap` by which share of it the parts miss it: 0 in a balanced design but for
    chance. Intervals hold for all parts simultaneously with confidence `level`.
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
        """With which the intervals of all parts hold simultaneously; it says how many blocks they need."""
        return Confidence(self.level, len(self.parts))

    def share(self, name: str) -> float:
        """The share of one part; KeyError if the design has none of that name."""
        return {part.name: part.share for part in self.parts}[name]


def skill(
    rows: pl.DataFrame, result: str = "vp", *, resamples: int = RESAMPLES, seed: int = 1, level: float = LEVEL
) -> Skill:
    """Split the variance of a result among the seats of a table; rows as in `wallsim.stats.rankings`.

    `result` is one of RESULTS. Where line-ups do not change seats the two are one part, "line-up and seat". Without
    line-ups (a draft), or with one line-up, there are only seats. The part of policy × line-up is left to chance where
    some policy never has some line-up; that of the cards where no two games of a block share theirs. Intervals are
    Student's t, with the spread of the block bootstrap; a resample moves effects in proportion to the blocks' part in
    their equations (one Newton step). InputError for bad rows, several numbers of players, results that never differ,
    and policies that are tied to seats or line-ups so that the two cannot be told apart.
    """
    if result not in RESULTS:
        raise InputError(f"result: {result!r}; allowed are {', '.join(RESULTS)}")
    found = rankings(rows)
    if len(found.players) != 1:
        raise InputError(f"rows: tables of {' and '.join(map(str, found.players))} players; one size at a time")
    players = found.players[0]
    values = np.asarray(getattr(found, result), float)
    values = values - values.mean(axis=1, keepdims=True)
    total = float((values**2).sum() / (players - 1) / found.games)
    if not total > _FLAT:
        raise InputError(f"rows: {RESULTS[result]} never differ inside a game; there is nothing to split")
    effects, notes = effects_of(found)
    split = Split(found, values, effects)
    sums = split.of(np.ones((1, found.blocks)))[0]
    shares = sums / sums.sum()
    samples = np.concatenate([split.of(weights) for weights in block_weights(found.blocks, resamples, seed)])
    confidence = Confidence(level, len(split.names))
    intervals: list[Interval | None] = [None] * len(shares)
    if found.blocks >= confidence.min_blocks:
        errors = standard_errors(samples / samples.sum(axis=1, keepdims=True), found.blocks)
        intervals = [
            confidence.students(float(share), float(error), found.blocks)
            for share, error in zip(shares, errors, strict=True)
        ]
    if CARDS not in split.names:
        notes.append("No two games of a block share their cards; what these bring is part of chance.")
    return Skill(
        players=players,
        result=result,
        games=found.games,
        blocks=found.blocks,
        policies=found.policies,
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
