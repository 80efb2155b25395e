"""The number of games needed to distinguish two policies, from the variance between the blocks of a tournament."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from math import ceil, inf, isinf
from typing import NamedTuple

import polars as pl
from scipy.optimize import brentq
from scipy.special import stdtrit

from wallsim.analysis.tournament.ratings import Ratings
from wallsim.errors import InputError
from wallsim.stats.blocks import Estimate, block_ratio
from wallsim.stats.head_to_head import head_to_head
from wallsim.stats.intervals import LEVEL, Confidence, Interval
from wallsim.stats.rankings import rankings

POWER = 0.8  # the share of studies that detect a real difference
MIN_BLOCKS = 2.0  # one block has no variance between blocks
_SETTLED = 1e-9


class GamesNeeded(NamedTuple):
    """The number of games needed to distinguish `one` from `other`, its lower neighbour on the ladder.

    `before` is the share of `games` games in which `one` finished before `other`, ties as half; its `interval` holds
    simultaneously with those of all neighbours. `needed` is the number of games with both at the table, with its range
    for shares within the interval; inf means that no number of games is enough, as for equal policies. Both are None
    if there is no interval.
    """

    one: str
    other: str
    games: int
    before: Estimate
    interval: Interval | None
    needed: float | None
    ends: Interval | None


def blocks_needed(gap: float, deviation: float) -> float:
    """The number of blocks with which a two-sided test detects a difference `gap` between a mean and a fixed number.

    `deviation` is the standard deviation of block means. With that many blocks Student's t interval excludes the fixed
    number with probability POWER, if block means are normal; below `Confidence.min_blocks` no such interval is shown,
    because they may not be. At least MIN_BLOCKS; inf without a gap. The quantiles depend on the number of blocks, so
    it is the solution of an equation.
    """
    if gap == 0:
        return inf

    def missing(blocks: float) -> float:
        reach = Confidence(LEVEL).t(blocks) + float(stdtrit(blocks - 1, POWER))
        return (reach * deviation / gap) ** 2 - blocks

    most = MIN_BLOCKS
    while missing(most) > 0:
        most *= 2
    return most if most == MIN_BLOCKS else float(brentq(missing, most / 2, most, rtol=_SETTLED))


def games_needed_by_neighbours(rows: pl.DataFrame, ratings: Ratings) -> Iterator[GamesNeeded]:
    """The games needed to distinguish each policy of a ladder from the next one, from the games of the ladder.

    Counted are games with both at the table, in whole blocks, in which seats, line-ups and opponents alternate as
    played. A block's share of finishes before the other is one observation; its variance between blocks is assumed to
    hold for more blocks. At least two blocks. InputError for neighbours that never met, and rows of other policies.
    """
    ranked = rankings(rows)
    if set(ranked.policies) != set(ratings.policies):
        raise InputError("rows: other policies than those of the ratings; they must be of the same games")
    met, confidence = head_to_head(ranked), Confidence(LEVEL, max(1, len(ratings.policies) - 1))
    for one, other in pairwise(ratings.policies):
        at = ranked.policies.index(one), ranked.policies.index(other)
        cases, games = met.cases[:, *at], int(met.games[at])
        used = cases > 0
        if not games:
            raise InputError(f"policies: {one} and {other} are neighbours that never met; nothing compares them")
        share = block_ratio(met.before[:, *at][used], cases[used])
        if (interval := share.interval(confidence)) is None:
            yield GamesNeeded(one, other, games, share, None, None, None)
            continue
        gaps = [abs(each - 0.5) for each in (share.value, *interval)]
        near = 0.0 if interval[0] <= 0.5 <= interval[1] else min(gaps[1:])
        blocks = (blocks_needed(gap, share.error * share.blocks**0.5) for gap in (gaps[0], max(gaps[1:]), near))
        needed, *ends = (inf if isinf(each) else float(ceil(each * games / share.blocks)) for each in blocks)
        yield GamesNeeded(one, other, games, share, interval, needed, (ends[0], ends[1]))
