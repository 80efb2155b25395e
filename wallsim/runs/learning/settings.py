"""The settings of a learning: everything that decides its result."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from wallsim.policies.catalogue import Policy
from wallsim.runs.learning.chunked import ChunkedSettings
from wallsim.runs.learning.journal_lines import BLOCK, CHUNK

HELD_OUT = 5  # every fifth block is held out


@dataclass(frozen=True)
class Settings(ChunkedSettings):
    """Which games a value is learned from, and what is fitted to them.

    `cells` are the settings of the games: an experiment for each number of players, set-up and tower. Each block of
    BLOCK games has a cell, and for every seat one of the `policies` and one of the levels of `noise`, in VP, drawn at
    random. `games` are those of each number of players, rounded up to whole chunks.
    """

    policies: tuple[Policy, ...]
    noise: tuple[float, ...]
    units: int
    passes: int

    chunk_games = BLOCK * CHUNK

    def seating(self, players: int, block: int) -> list[Policy]:
        """The policies of a block, one per seat."""
        rng = np.random.default_rng(self.seed_for("seatings", players, block))
        chosen = rng.integers(len(self.policies), size=players)
        levels = rng.integers(len(self.noise), size=players)
        return [
            with_noise(self.policies[policy], self.noise[level]) for policy, level in zip(chosen, levels, strict=True)
        ]

    def identity(self) -> dict[str, Any]:
        """What decides the games, in types of JSON: a folder can go on with more of them, and fit other models."""
        return self.identity_with(
            policies=[policy.identity() for policy in self.policies],
            noise=list(self.noise),
        )


def with_noise(policy: Policy, level: float) -> Policy:
    """A policy that judges with at least such errors in every round; one without weights as it is."""
    if not policy.weights or level <= policy.weights["noise"]:
        return policy
    phases = {phase: {k: v for k, v in weights.items() if k != "noise"} for phase, weights in policy.phases.items()}
    return replace(policy, weights={**policy.weights, "noise": level}, phases=phases)
