"""The pay-off matrix of a tournament: the results of each policy against each other one at one table, with upsets and
cycles that contradict the ladder."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import polars as pl

from wallsim.errors import InputError
from wallsim.stats.intervals import LEVEL, Confidence, Interval, wilson
from wallsim.stats.rankings import head_to_head, pair_means, rankings


@dataclass(frozen=True)
class Payoffs:
    """The results of rows against columns, each [policies, policies] in the order of `policies`; nan if they never met.

    `before`: how often the row's seat finishes before the column's, ties as half, with `before_low` and `before_high`.
    `margin`: mean victory points of the row's seat minus the column's, with `margin_low` and `margin_high`. `games` and
    `blocks`, int64, count those in which the two sat at one table. The intervals of a kind hold for all `pairs` that
    met simultaneously with confidence `level` (Bonferroni; Student's t over blocks); their ends are nan where there is
    none. If all blocks are equal, as for a pair that always ends the same way, the interval of `before` is Wilson's
    with blocks as trials.
    """

    policies: tuple[str, ...]
    before: np.ndarray
    before_low: np.ndarray
    before_high: np.ndarray
    margin: np.ndarray
    margin_low: np.ndarray
    margin_high: np.ndarray
    games: np.ndarray
    blocks: np.ndarray
    pairs: int
    level: float

    @property
    def confidence(self) -> Confidence:
        """The confidence of the simultaneous intervals of all pairs."""
        return Confidence(self.level, max(1, self.pairs))

    @property
    def beats(self) -> np.ndarray:
        """Where the interval shows that the row finishes before the column more often than not, bool."""
        return np.asarray(self.before_low > 0.5)


@dataclass(frozen=True)
class Upset:
    """A policy that more often than not finishes before one that is higher on the ladder."""

    lower: str
    higher: str
    before: float
    interval: Interval
    games: int


@dataclass(frozen=True)
class Cycle:
    """Three policies of which the first beats the second, the second the third, and the third the first.

    `shares` are the shares of these wins, in that order; each has an interval above one half. The first policy is the
    highest on the ladder.
    """

    policies: tuple[str, str, str]
    shares: tuple[float, float, float]


def payoffs(rows: pl.DataFrame, order: Sequence[str] | None = None, *, level: float = LEVEL) -> Payoffs:
    """The pay-off matrix of finished games, one row per game and seat as in `wallsim.stats.rankings`.

    `order` is the order of the policies, such as that of a ladder; the default is alphabetical. A policy against itself
    has no entry. InputError for bad rows, and if `order` does not have exactly the policies of the rows.
    """
    ranked = rankings(rows)
    names = tuple(order) if order is not None else ranked.policies
    if sorted(names) != sorted(ranked.policies):
        raise InputError(f"order: {', '.join(names)}; the games have {', '.join(ranked.policies)}, each once")
    at = [ranked.policies.index(name) for name in names]
    met = head_to_head(ranked)
    pairs = int(np.triu(met.games > 0, 1).sum())
    confidence = Confidence(level, max(1, pairs))
    fewest = confidence.min_blocks
    ordered = np.ix_(at, at)
    before, before_error, blocks = (part[ordered] for part in pair_means(met.before, met.cases, fewest))
    quantile = np.vectorize(confidence.t, otypes=[np.float64])(np.maximum(blocks, 2))
    low, high = _shares_between(before, quantile * before_error, blocks, confidence)
    margin, margin_error, _ = (part[ordered] for part in pair_means(met.margin, met.cases, fewest))
    return Payoffs(
        policies=names,
        before=before,
        before_low=low,
        before_high=high,
        margin=margin,
        margin_low=margin - quantile * margin_error,
        margin_high=margin + quantile * margin_error,
        games=met.games[ordered],
        blocks=blocks,
        pairs=pairs,
        level=level,
    )


def upsets(matrix: Payoffs, ladder: Sequence[str]) -> tuple[Upset, ...]:
    """Pairs where the lower policy of the ladder beats the higher one, with an interval that excludes one half.

    The largest share first. With probability `matrix.level` all of them are real.
    """
    place = {name: number for number, name in enumerate(ladder)}
    seen = [
        Upset(
            lower=matrix.policies[i],
            higher=matrix.policies[j],
            before=float(matrix.before[i, j]),
            interval=(float(matrix.before_low[i, j]), float(matrix.before_high[i, j])),
            games=int(matrix.games[i, j]),
        )
        for i, j in zip(*np.nonzero(matrix.beats), strict=True)
        if place[matrix.policies[i]] > place[matrix.policies[j]]
    ]
    return tuple(sorted(seen, key=lambda upset: (-upset.before, upset.lower, upset.higher)))


def cycles(matrix: Payoffs, ladder: Sequence[str]) -> tuple[Cycle, ...]:
    """Directed cycles of three among pairs whose interval excludes one half, as in rock, paper, scissors.

    In the order of the ladder. With probability `matrix.level` all of them are real.
    """
    at = [matrix.policies.index(name) for name in ladder]
    beats, seen = matrix.beats, []
    for high, middle, low in combinations(at, 3):
        for ring in ((high, middle, low), (high, low, middle)):
            steps = list(zip(ring, (*ring[1:], ring[0]), strict=True))
            if all(beats[step] for step in steps):
                names = (matrix.policies[ring[0]], matrix.policies[ring[1]], matrix.policies[ring[2]])
                first, second, third = (float(matrix.before[step]) for step in steps)
                seen.append(Cycle(names, (first, second, third)))
    return tuple(seen)


def _shares_between(
    share: np.ndarray, half: np.ndarray, blocks: np.ndarray, confidence: Confidence
) -> tuple[np.ndarray, np.ndarray]:
    low, high = np.maximum(share - half, 0.0), np.minimum(share + half, 1.0)
    for i, j in zip(*np.nonzero(np.isnan(half) & (blocks >= confidence.min_blocks)), strict=True):
        low[i, j], high[i, j] = wilson(float(share[i, j]), int(blocks[i, j]), confidence.z)
    return low, high
