"""The variety of openings: how much the first plan of a seat differs from game to game, with the same line-up.

An opening is the plan of spring of year one: the card on every box of the mat, the bid included. What lies open while
planning differs from game to game, so even a policy without chance in it has more than one opening.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from wallsim.engine.arena import Arena
from wallsim.engine.log_lines import PLAN, line_places
from wallsim.rules.terms import BOXES
from wallsim.stats.blocks import Estimate, combined

LEAST_COVERED = 0.1  # with fewer openings seen before, the estimate of the entropy says nothing
_PLAN = line_places(PLAN)


class Openings(NamedTuple):
    """The variety of a policy's openings, a mean over seats; a block is a game.

    `entropy` is Shannon's in bits, as Chao and Shen (2003) estimate it. `repeated` is the chance in per cent that a
    seat opens a further game with a plan of these games (Good and Turing, 1953). `least` is the entropy in bits of
    the openings as counted, which is too low.
    """

    entropy: Estimate
    repeated: Estimate
    least: float

    @property
    def known(self) -> bool:
        """Whether enough openings came up again for the estimate of the entropy; `least` is a lower bound if not."""
        return self.repeated.value >= 100 * LEAST_COVERED


def opening_plans(arena: Arena, games: int) -> np.ndarray:
    """The opening of every seat in games 0 to `games` - 1 of an arena: cards by box, int64 [games, seats, BOXES]."""
    plans = np.empty((games, arena.seats, BOXES), np.int64)
    for game in range(games):
        lines = arena.trace(game).lines
        first = lines[lines[:, 0] == PLAN][: arena.seats]
        plans[game, first[:, _PLAN.seat]] = first[:, _PLAN.cards : _PLAN.cards + BOXES]
    return plans


def openings_of(arena: Arena, games: int) -> Openings:
    """The variety of the openings of all seats of an arena, which should play one policy with line-ups.

    ValueError for fewer than two games.
    """
    return variety(opening_plans(arena, games))


def variety(plans: np.ndarray) -> Openings:
    """The variety of plans [games, seats, boxes]. ValueError for fewer than two games."""
    games, seats = plans.shape[:2]
    if games < 2:
        raise ValueError(f"games: {games} is too few; at least two are needed to compare openings")
    by_seat = [_variety_of_seat(plans[:, seat]) for seat in range(seats)]
    equal = [1 / seats] * seats
    return Openings(
        combined(equal, [each.entropy for each in by_seat]),
        combined(equal, [each.repeated for each in by_seat]),
        sum(each.least for each in by_seat) / seats,
    )


def _variety_of_seat(plans: np.ndarray) -> Openings:
    _, kind, times = np.unique(plans, axis=0, return_inverse=True, return_counts=True)
    seen = times[kind.reshape(-1)]  # how often the opening of each game came up
    whole = _entropy(times), _covered(times)
    # By the jackknife: without a game its opening came up once less, so equal counts have equal influence.
    without = {count: _without_one(times, count) for count in np.unique(times)}
    parts = np.array([without[count] for count in seen])
    influence = (len(plans) - 1) * (parts.mean(axis=0) - parts)
    shares = times / len(plans)
    return Openings(
        Estimate(whole[0], influence[:, 0]),
        Estimate(100 * whole[1], 100 * influence[:, 1]),
        float(-(shares * np.log2(shares)).sum()),
    )


def _without_one(times: np.ndarray, count: int) -> tuple[float, float]:
    fewer = times.copy()
    fewer[np.flatnonzero(times == count)[0]] -= 1
    fewer = fewer[fewer > 0]
    return _entropy(fewer), _covered(fewer)


def _covered(times: np.ndarray) -> float:
    """Good and Turing's estimate of the share of all games that open with one of the openings seen."""
    return 1 - float((times == 1).sum()) / float(times.sum())


def _entropy(times: np.ndarray) -> float:
    """Chao and Shen's entropy in bits: shares are scaled to the coverage, and weighted by the chance to be seen."""
    games = float(times.sum())
    covered = max(_covered(times), 1 / games)
    shares = covered * times / games
    seen = 1 - (1 - shares) ** games
    return float(-(shares * np.log2(shares) / seen).sum()) + 0.0
