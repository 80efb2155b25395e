"""The pool of opponents of the candidates: the starting policy and past versions of the mean."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

import numpy as np

from wallsim.policies.catalogue import Policy
from wallsim.runs.tuning.samples import Table, seed_for, spread

OPPONENTS_PER_SEAT = 3  # fewest tables of a generation per seat; every assignment of line-ups is equally frequent
NEWEST = 0.5  # probability that an opponent is the newest member; otherwise it is any member
CLEARLY = 3.0  # the mean joins when it is this many standard errors above the fair share
MIN_GENERATIONS, MAX_GENERATIONS = 3, 15  # between two joins


class Pool:
    """The members in the order in which they joined, and the results of the mean since the last join.

    The mean joins when its share of wins over all generations since the last join, at least MIN_GENERATIONS, is more
    than CLEARLY standard errors above the fair share, and in any case after MAX_GENERATIONS. A pool that does not grow
    takes nobody in.
    """

    def __init__(
        self, members: Sequence[Policy], seats: int, seed: int, settings: int = 1, *, grows: bool = True
    ) -> None:
        """A pool with some initial members, the newest last, for tables of one or several settings."""
        self.members = list(members)
        self._grows = grows
        self._seats = seats
        self._settings = settings
        self._seed = seed
        self._since: list[tuple[float, float]] = []

    def tables(self, blocks: int, turn: int) -> list[Table]:
        """The tables of a turn, drawn at random; they depend only on seed, turn and size of the pool."""
        return spread(blocks, self._drawn(turn), turn, self._settings)

    def note(self, share: float, error: float) -> bool:
        """Record the mean's share of wins in a generation with its standard error; True if the mean should join."""
        self._since.append((share, error))
        count = len(self._since)
        if count < MIN_GENERATIONS or not self._grows:
            return False
        mean = sum(share for share, _ in self._since) / count
        uncertain = sqrt(sum(error**2 for _, error in self._since)) / count
        return count >= MAX_GENERATIONS or mean - CLEARLY * uncertain > 1 / self._seats

    def join(self, policy: Policy) -> None:
        """Add a past version to the pool and restart the count."""
        self.members.append(policy)
        self._since = []

    def _drawn(self, turn: int) -> list[tuple[Policy, ...]]:
        rng = np.random.default_rng(seed_for(self._seed, "tables", turn))
        single = len(self.members) == 1 and not self._grows
        per_setting = (1 if single else -(-OPPONENTS_PER_SEAT // self._settings)) * self._seats
        shape = (per_setting * self._settings, self._seats - 1)
        newest, anyone = rng.random(shape) < NEWEST, rng.integers(len(self.members), size=shape)
        places = np.where(newest, len(self.members) - 1, anyone)
        return [tuple(self.members[place] for place in row) for row in places]
