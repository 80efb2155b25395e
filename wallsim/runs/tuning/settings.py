"""The settings of a tuning: all that decides its result but the number of generations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from wallsim.policies.catalogue import Policy
from wallsim.policies.weights import Weight
from wallsim.runs.components import identity
from wallsim.runs.experiment import Experiment
from wallsim.runs.tuning.samples import blocks_for

_RUN_KEYS = ("policies", "games", "seed", "seasons", "battles")  # what an experiment's identity has for runs alone


@dataclass(frozen=True)
class Settings:
    """What is tuned, where, and how much is played.

    `games` are a candidate's in a generation, `held_out` those against each opponent at the end; both are rounded up
    to whole blocks. `pool` holds further first opponents, `references` whom held-out games are played against, each
    with its role: `start`, `reference` or `sanity`.
    """

    experiment: Experiment
    start: Policy
    weights: tuple[Weight, ...]
    pool: tuple[Policy, ...]
    references: tuple[tuple[str, Policy], ...]
    games: int
    population: int
    seed: int
    step: float
    lead_weight: float
    held_out: int
    check_every: int

    @property
    def seats(self) -> int:
        """How many seats a table has."""
        return self.experiment.players

    @property
    def blocks(self) -> int:
        """Blocks a candidate and generation."""
        return blocks_for(self.games, self.seats)

    def policy(self, name: str, weights: dict[str, float]) -> Policy:
        """The starting policy with other values of the tuned weights."""
        return Policy(name, self.start.kind, {**self.start.weights, **weights})

    def identity(self) -> dict[str, Any]:
        """All of it, in types that JSON has; two tunings with equal identity run alike."""
        table = identity(self.experiment, self.experiment.components())
        return {
            **{key: value for key, value in table.items() if key not in _RUN_KEYS},
            "start": self.start.identity(),
            "tuned": [weight.name for weight in self.weights],
            "pool": [policy.identity() for policy in self.pool],
            "opponents": [{"role": role, **policy.identity()} for role, policy in self.references],
            "games": self.games,
            "population": self.population,
            "seed": self.seed,
            "step": self.step,
            "lead_weight": self.lead_weight,
            "held_out": self.held_out,
            "check_every": self.check_every,
        }
