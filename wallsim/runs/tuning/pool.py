"""The pool: whom candidates meet. It begins with the starting policy and grows by past versions of the mean."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

import numpy as np

from wallsim.policies.catalogue import Policy
from wallsim.runs.tuning.samples import Table, seed_for, spread

OPPONENTS_PER_SEAT = 3  # tables of a generation by seats: each way of dealing line-ups comes as often as any other
NEWEST = 0.5  # chance that an opponent is the newest member; else it is any, the newest too
CLEARLY = 3.0  # standard errors above the fair share at which the mean joins
MIN_GENERATIONS, MAX_GENERATIONS = 3, 15  # between two that join


class Pool:
    """Policies in the order in which they joined, and how the mean has done against them since the last did.

    The mean joins when its share of wins over all generations since the last one joined, three at least, lies
    CLEARLY above the fair share, and after MAX_GENERATIONS in any case.
    """

    def __init__(self, members: Sequence[Policy], seats: int, seed: int) -> None:
        """A pool that begins with some members, the newest last."""
        self.members = list(members)
        self._seats = seats
        self._seed = seed
        self._since: list[tuple[float, float]] = []

    def tables(self, blocks: int, turn: int) -> list[Table]:
        """The tables of a turn; draws depend on seed, turn and size of the pool only."""
        return spread(blocks, self._drawn(turn), turn)

    def note(self, share: float, error: float) -> bool:
        """Note a generation's share of wins of the mean with its standard error; whether the mean is to join."""
        self._since.append((share, error))
        count = len(self._since)
        if count < MIN_GENERATIONS:
            return False
        mean = sum(share for share, _ in self._since) / count
        uncertain = sqrt(sum(error**2 for _, error in self._since)) / count
        return count >= MAX_GENERATIONS or mean - CLEARLY * uncertain > 1 / self._seats

    def join(self, policy: Policy) -> None:
        """Take a past version in; counting starts again."""
        self.members.append(policy)
        self._since = []

    def _drawn(self, turn: int) -> list[tuple[Policy, ...]]:
        rng = np.random.default_rng(seed_for(self._seed, "tables", turn))
        shape = (OPPONENTS_PER_SEAT * self._seats, self._seats - 1)
        newest, anyone = rng.random(shape) < NEWEST, rng.integers(len(self.members), size=shape)
        places = np.where(newest, len(self.members) - 1, anyone)
        return [tuple(self.members[place] for place in row) for row in places]
