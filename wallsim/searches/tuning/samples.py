"""The games of a tuning: seeds by purpose, the tables that play them, and the pool of opponents of the candidates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np

from wallsim.policies.catalogue import Policy

GAME_PURPOSES = ("search", "selection", "checks", "held-out")
PURPOSES = (*GAME_PURPOSES, "tables", "candidates")  # the seeds depend on this order
OPPONENTS_PER_SEAT = 3  # fewest tables of a generation per seat; every assignment of line-ups is equally frequent
NEWEST = 0.5  # probability that an opponent is the newest member; otherwise it is any member
CLEARLY = 3.0  # the mean joins when it is this many standard errors above the fair share
MIN_GENERATIONS, MAX_GENERATIONS = 3, 15  # between two joins


@dataclass(frozen=True)
class Table:
    """The opponents of a candidate and their games: `count` game numbers from `first`, line-ups rotated by `shift`.

    `setting` is the place of the set-up and tower among those of the tuning. The candidate plays in every seat in turn
    and the opponents follow it in their order, so each number is a block of as many games as there are seats.
    """

    opponents: tuple[Policy, ...]
    shift: int
    first: int
    count: int
    setting: int = 0


def seed_for(seed: int, purpose: str, *position: int) -> int:
    """The seed, from 0 to 2**63 - 1, for a purpose of a tuning with the seed `seed`, and for a position within it.

    NumPy's SeedSequence hashes seed, purpose and position (O'Neill's seed_seq_fe, 2015), so different purposes have
    different seeds.
    """
    sequence = np.random.SeedSequence(seed, spawn_key=(PURPOSES.index(purpose), *position))
    return int(sequence.generate_state(1, np.uint64)[0] >> np.uint64(1))


def blocks_for(games: int, seats: int) -> int:
    """The number of blocks that have at least `games` games."""
    return -(-games // seats)


def spread(blocks: int, tables: list[tuple[Policy, ...]], turn: int, settings: int = 1) -> list[Table]:
    """Tables that share the blocks of a turn as evenly as possible; turn t has the numbers from t * blocks.

    Table c rotates line-ups by shift c. With several settings the first part of the tables has the first setting, and
    so on. Tables without a block are dropped.
    """
    edges = [round(blocks * place / len(tables)) for place in range(len(tables) + 1)]
    return [
        Table(opponents, place, turn * blocks + begin, end - begin, place * settings // len(tables))
        for place, (opponents, begin, end) in enumerate(zip(tables, edges, edges[1:], strict=False))
        if end > begin
    ]


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
