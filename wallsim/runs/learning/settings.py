"""The settings of a learning: everything that decides its result."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from wallsim.engine.version import ENGINE_VERSION
from wallsim.policies.catalogue import Policy
from wallsim.runs.experiment import Experiment, identity
from wallsim.runs.learning.journal_lines import BLOCK as BLOCK
from wallsim.runs.learning.journal_lines import CHUNK as CHUNK

HELD_OUT = 5  # every fifth block is held out
_RUN_KEYS = ("policies", "games", "seed", "seasons", "battles", "players", "setup", "tower", "lineups")
_PURPOSES = ("games", "seatings", "network")  # the seeds depend on this order


@dataclass(frozen=True)
class Settings:
    """Which games a value is learned from, and what is fitted to them.

    `cells` are the settings of the games: an experiment for each number of players, set-up and tower. Each block of
    BLOCK games has a cell, and for every seat one of the `policies` and one of the levels of `noise`, in VP, drawn at
    random. `games` are those of each number of players, rounded up to whole chunks.
    """

    cells: tuple[Experiment, ...]
    policies: tuple[Policy, ...]
    noise: tuple[float, ...]
    games: int
    seed: int
    units: int
    passes: int

    @property
    def players(self) -> tuple[int, ...]:
        """The numbers of players, in the order of the command."""
        return tuple(dict.fromkeys(cell.players for cell in self.cells))

    @property
    def chunks(self) -> int:
        """Chunks of each number of players."""
        return -(-self.games // (BLOCK * CHUNK))

    @property
    def played_games(self) -> int:
        """Games of each number of players: `games`, rounded up to whole chunks."""
        return self.chunks * BLOCK * CHUNK

    @property
    def wanted_chunks(self) -> list[tuple[int, int]]:
        """The number of players and the number of every chunk, in the order in which they are played."""
        return [(players, chunk) for chunk in range(self.chunks) for players in self.players]

    def cells_of(self, players: int) -> tuple[Experiment, ...]:
        """The cells of a number of players."""
        return tuple(cell for cell in self.cells if cell.players == players)

    def seating(self, players: int, block: int) -> list[Policy]:
        """The policies of a block, one per seat."""
        rng = np.random.default_rng(self.seed_for("seatings", players, block))
        chosen = rng.integers(len(self.policies), size=players)
        levels = rng.integers(len(self.noise), size=players)
        return [
            with_noise(self.policies[policy], self.noise[level]) for policy, level in zip(chosen, levels, strict=True)
        ]

    def seed_for(self, purpose: str, *position: int) -> int:
        """The seed, from 0 to 2**63 - 1, for a purpose and a position within it."""
        sequence = np.random.SeedSequence(self.seed, spawn_key=(_PURPOSES.index(purpose), *position))
        return int(sequence.generate_state(1, np.uint64)[0] >> np.uint64(1))

    def identity(self) -> dict[str, Any]:
        """What decides the games, in types of JSON: a folder can go on with more of them, and fit other models."""
        whole = [identity(cell, cell.components()) for cell in self.cells]
        return {
            "engine_version": ENGINE_VERSION,
            "rules": {key: value for key, value in whole[0].items() if key not in _RUN_KEYS},
            "cells": [{key: cell.get(key) for key in ("players", "setup", "tower")} for cell in whole],
            "policies": [policy.identity() for policy in self.policies],
            "noise": list(self.noise),
            "seed": self.seed,
        }


def with_noise(policy: Policy, level: float) -> Policy:
    """A policy that judges with at least such errors in every round; one without weights as it is."""
    if not policy.weights or level <= policy.weights["noise"]:
        return policy
    phases = {phase: {k: v for k, v in weights.items() if k != "noise"} for phase, weights in policy.phases.items()}
    return replace(policy, weights={**policy.weights, "noise": level}, phases=phases)
