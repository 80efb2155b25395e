"""The settings of a tuning: everything that decides its result except the number of generations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from wallsim.experiment.experiment import Experiment, identity
from wallsim.policies.catalogue import Policy
from wallsim.rules.terms import ROUNDS
from wallsim.searches.tuning.coordinates import Coordinate, rounds_of, starting_values, with_values
from wallsim.searches.tuning.samples import blocks_for

_RUN_KEYS = (
    "policies",
    "games",
    "seed",
    "seasons",
    "battles",
)  # keys of an experiment's identity that matter only for runs


@dataclass(frozen=True)
class Settings:
    """What is tuned, in which games, and how many games are played.

    `games` is the number per candidate and generation, `held_out` the number against each opponent at the end; both are
    rounded up to whole blocks. `pool` has further initial opponents, `references` the opponents of the held-out games,
    each with its role: `start`, `reference` or `sanity`. `further` are more experiments, which share the games with
    `experiment`: they differ in set-up or tower. Without `self_play` the pool stays as it is: neither the start nor
    past versions join it. `ridge` is how many percentage points of wins the search takes off for a weight that is a
    whole range of its bounds away from its value in `towards`; a tenth of the range costs a hundredth of it.
    """

    experiment: Experiment
    start: Policy
    weights: tuple[Coordinate, ...]
    pool: tuple[Policy, ...]
    references: tuple[tuple[str, Policy], ...]
    games: int
    population: int
    seed: int
    step: float
    lead_weight: float
    held_out: int
    check_every: int
    further: tuple[Experiment, ...] = ()
    self_play: bool = True
    ridge: float = 0.0
    towards: Policy | None = None

    @property
    def experiments(self) -> tuple[Experiment, ...]:
        """All experiments, whose settings share the games."""
        return (self.experiment, *self.further)

    @property
    def members(self) -> tuple[Policy, ...]:
        """The first members of the pool, the newest last."""
        return (*self.pool, self.start) if self.self_play else self.pool

    @property
    def seats(self) -> int:
        """The number of seats of a table."""
        return self.experiment.players

    @property
    def blocks(self) -> int:
        """Blocks per candidate and generation."""
        return blocks_for(self.games, self.seats)

    def policy(self, name: str, weights: dict[str, float]) -> Policy:
        """The starting policy with other values of the tuned weights, by the names of their coordinates."""
        return with_values(name, self.start, self.weights, weights)

    def penalty(self, weights: Mapping[str, float]) -> float:
        """What the ridge takes off the share of wins, by the values of the coordinates by name.

        Hoerl and Kennard (1970). A coordinate counts by the share of the rounds that it decides, so that a weight costs
        the same in phases.
        """
        if self.towards is None or self.ridge == 0.0:
            return 0.0
        total = 0.0
        for coordinate, aim in zip(self.weights, self._aims, strict=True):
            away = (weights[coordinate.name] - aim) / (coordinate.high - coordinate.low)
            total += rounds_of(coordinate, self.weights) / ROUNDS * away**2
        return self.ridge / 100 * total

    @cached_property
    def _aims(self) -> list[float]:
        # The value of each coordinate in `towards`.
        assert self.towards is not None
        values = starting_values(self.towards, self.weights)
        return [values[coordinate.name] for coordinate in self.weights]

    def identity(self) -> dict[str, Any]:
        """All settings, in types of JSON; tunings with equal identity have equal results."""
        table, *further = (_table(experiment) for experiment in self.experiments)
        return {
            **table,
            **({"further": further} if further else {}),
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
            **({} if self.self_play else {"self_play": False}),
            **({"ridge": self.ridge, "towards": self.towards.identity()} if self.ridge and self.towards else {}),
        }


def _table(experiment: Experiment) -> dict[str, Any]:
    facts = identity(experiment, experiment.components())
    return {key: value for key, value in facts.items() if key not in _RUN_KEYS}
