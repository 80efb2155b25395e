"""The games of a tuning: seeds by purpose, so that no game is used for two purposes, and the tables that play them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from wallsim.policies.catalogue import Policy

GAME_PURPOSES = ("search", "selection", "checks", "held-out")
PURPOSES = (*GAME_PURPOSES, "tables", "candidates")  # the seeds depend on this order


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
