"""What each weight of a policy is good for: how one seat fares with it moved, among copies of the policy as it is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

from wallsim.experiment.experiment import Experiment
from wallsim.play.setting import Setting
from wallsim.policies.catalogue import Policy
from wallsim.policies.weights import Weight
from wallsim.searches.tuning.coordinates import every_group, tuned_weights
from wallsim.searches.tuning.evaluation import Finding, Games, held_out
from wallsim.searches.tuning.samples import blocks_for

STEP = 0.1  # of the range between a weight's bounds
DOWN, UP = -1, 1


class Move(NamedTuple):
    """A weight that is moved in all rounds, by how much (in its unit), and how one seat with it fares."""

    weight: Weight
    by: float
    finding: Finding


def moved(policy: Policy, weight: Weight, by: float) -> Policy | None:
    """The policy with a weight moved in all rounds, as far as its bounds allow; None if no round moves."""

    def shifted(table: dict[str, float]) -> dict[str, float]:
        if weight.name not in table:
            return table
        return {**table, weight.name: min(weight.high, max(weight.low, table[weight.name] + by))}

    weights = shifted(policy.weights)
    phases = {phase: shifted(table) for phase, table in policy.phases.items()}
    if (weights, phases) == (policy.weights, policy.phases):
        return None
    return replace(policy, weights=weights, phases=phases)


def moves_of(policy: Policy, experiment: Experiment) -> list[tuple[Weight, float, Policy]]:
    """The weights that matter in these games, down and up by STEP of their range: weight, by how much, and the policy.

    InputError for a policy that searches, has code or has no weights.
    """
    rules = experiment.ruleset()
    result = []
    for weight in tuned_weights(policy, [rules], every_group([rules]), []):
        for way in (DOWN, UP):
            by = way * STEP * (weight.high - weight.low)
            other = moved(policy, weight, by)
            if other is not None:
                result.append((weight, by, other))
    return result


def games_of_moves(policy: Policy, experiment: Experiment, games: int) -> int:
    """How many games `measure_moves` plays."""
    return len(moves_of(policy, experiment)) * blocks_for(games, experiment.players) * experiment.players


def measure_moves(
    policy: Policy, experiment: Experiment, games: int, workers: int, watch: Callable[[int], None] | None = None
) -> list[Move]:
    """Play one seat of each moved policy, in every seat in turn, among copies of the policy as it is.

    All play the same game numbers, `games` of them rounded up to whole blocks; their intervals hold simultaneously.
    `watch` receives the number of games just played.
    """
    evaluator = Games(Setting(experiment), workers, watch)
    planned = moves_of(policy, experiment)
    result = []
    for weight, by, other in planned:
        [finding] = held_out(
            evaluator, other, [("host", policy)], seats=experiment.players, games=games, seed=experiment.seed, turn=0,
            n_comparisons=len(planned),
        )  # fmt: skip
        result.append(Move(weight, by, finding))
    return result
