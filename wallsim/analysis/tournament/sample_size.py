"""How many games it takes to tell two policies apart, from how much the blocks of a tournament differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, inf, isinf

import polars as pl
from scipy.optimize import brentq
from scipy.special import stdtrit

from wallsim.analysis.tournament.ratings import Ratings
from wallsim.errors import InputError
from wallsim.stats.blocks import Estimate, block_ratio
from wallsim.stats.head_to_head import head_to_head
from wallsim.stats.intervals import LEVEL, Confidence, Interval
from wallsim.stats.rankings import rankings

POWER = 0.8  # of studies that find a difference which is there
MIN_BLOCKS = 2.0  # one says nothing of how far blocks differ
_SETTLED = 1e-9


@dataclass(frozen=True)
class GamesNeeded:
    """What it takes to tell `one` from `other`, its lower neighbour.

    `before` is how often `one` finished before `other` at one table, ties half, in `games` games of `blocks` blocks;
    `interval` is one of those that hold for all neighbours simultaneously. `needed` games, in which both sit, tell the
    two apart; they are `least` to `most` where the share lies anywhere in its interval. inf: no number of games does,
    as for policies that are alike. All three are None where there is no interval.
    """

    one: str
    other: str
    games: int
    blocks: int
    before: float
    interval: Interval | None
    needed: float | None
    least: float | None
    most: float | None


def blocks_needed(gap: float, deviation: float, level: float = LEVEL, power: float = POWER) -> float:
    """How many blocks tell a mean that differs by `gap` from what it is compared with, by a two-sided test.

    `deviation` is that of the mean of a block from block to block. In so many blocks Student's t interval of chance
    `level` excludes the number it is compared with with chance `power`, if block means are normal; below
    `Confidence.min_blocks` no such interval is shown, because they may not be. At least MIN_BLOCKS; inf if there is
    no gap. The quantiles depend on the number that they decide: it is where the two meet.
    """
    if gap == 0:
        return inf
    confidence = Confidence(level)

    def missing(blocks: float) -> float:
        reach = confidence.t(blocks) + float(stdtrit(blocks - 1, power))
        return (reach * deviation / gap) ** 2 - blocks

    most = MIN_BLOCKS
    while missing(most) > 0:
        most *= 2
    return most if most == MIN_BLOCKS else float(brentq(missing, most / 2, most, rtol=_SETTLED))


def games_needed_by_neighbours(
    rows: pl.DataFrame, ratings: Ratings, *, level: float = LEVEL, power: float = POWER
) -> tuple[GamesNeeded, ...]:
    """What it takes to tell each policy of a ladder from the next one, from the games that it was made of.

    Counted are games with both at the table, in whole blocks as they were played: seats, line-ups and fellows in turn.
    A block's share of finishes before the other is taken as one number, whose spread over the blocks holds for more
    blocks too; two blocks are the least. InputError for neighbours that never met, and rows of other policies.
    """
    found = rankings(rows)
    if set(found.policies) != set(ratings.policies):
        raise InputError("rows: other policies than those of the ratings; they must be of the same games")
    met, confidence = head_to_head(found), Confidence(level, max(1, len(ratings.policies) - 1))
    tellings = []
    for one, other in zip(ratings.policies, ratings.policies[1:], strict=False):
        i, j = found.policies.index(one), found.policies.index(other)
        cases, games = met.cases[:, i, j], int(met.games[i, j])
        used = cases > 0
        if not games:
            raise InputError(f"policies: {one} and {other} are neighbours that never met; nothing tells them apart")
        share, blocks = block_ratio(met.before[:, i, j][used], cases[used]), int(used.sum())
        interval = share.interval(confidence)
        numbers = (None, None, None) if interval is None else _games(share, interval, games / blocks, level, power)
        tellings.append(GamesNeeded(one, other, games, blocks, share.value, interval, *numbers))
    return tuple(tellings)


def _games(
    share: Estimate, interval: Interval, games_per_block: float, level: float, power: float
) -> tuple[float, float, float]:
    deviation = share.error * share.blocks**0.5
    far = max(abs(end - 0.5) for end in interval)
    near = 0.0 if interval[0] <= 0.5 <= interval[1] else min(abs(end - 0.5) for end in interval)
    gaps: Sequence[float] = (abs(share.value - 0.5), far, near)
    blocks = [blocks_needed(gap, deviation, level, power) for gap in gaps]
    needed, least, most = (inf if isinf(each) else float(ceil(each * games_per_block)) for each in blocks)
    return needed, least, most
