"""Which games are played for what: seeds by purpose, so that no game serves two, and the tables that play them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from wallsim.policies.catalogue import Policy

GAME_PURPOSES = ("search", "selection", "checks", "held-out")
PURPOSES = (*GAME_PURPOSES, "tables", "candidates")  # the order is part of the seeds


@dataclass(frozen=True)
class Table:
    """Who sits with a candidate, and in which games: `count` game numbers from `first` on, line-ups dealt by `shift`.

    The candidate takes every seat in turn and the opponents follow it in their order, so that each number is a block
    of as many games as there are seats.
    """

    opponents: tuple[Policy, ...]
    shift: int
    first: int
    count: int


def seed_for(seed: int, purpose: str, *spot: int) -> int:
    """The seed, from 0 to 2**63 - 1, that belongs to a purpose of a tuning's own seed, and to a spot within it.

    NumPy's SeedSequence hashes seed, purpose and spot (O'Neill's seed_seq_fe, 2015): other purposes, other seeds.
    """
    sequence = np.random.SeedSequence(seed, spawn_key=(PURPOSES.index(purpose), *spot))
    return int(sequence.generate_state(1, np.uint64)[0] >> np.uint64(1))


def blocks_for(games: int, seats: int) -> int:
    """How many blocks make at least so many games."""
    return -(-games // seats)


def spread(blocks: int, tables: list[tuple[Policy, ...]], turn: int) -> list[Table]:
    """Tables that share the blocks of a turn as evenly as can be; turn t has the numbers from t * blocks on.

    Table c deals line-ups with shift c. Tables left without a block are dropped.
    """
    edges = [round(blocks * place / len(tables)) for place in range(len(tables) + 1)]
    return [
        Table(opponents, place, turn * blocks + begin, end - begin)
        for place, (opponents, begin, end) in enumerate(zip(tables, edges, edges[1:], strict=False))
        if end > begin
    ]
