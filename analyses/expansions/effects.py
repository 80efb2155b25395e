"""What expansions change: the eight subsets of the study `expansions`, their factorial, and what is claimed of it.

Every subset has games of its own. Block k of one subset and block k of another share nothing, so the contrasts of eight
such blocks are independent and identically distributed, and their mean has
an exact Student's t with blocks - 1 degrees of freedom.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np

from wallsim.analysis.claims.cells import Cell
from wallsim.analysis.claims.plays import MIDDLING, STRONG, Play
from wallsim.analysis.claims.verdicts import Claim
from wallsim.rules.terms import EXPANSIONS
from wallsim.runs.experiment import Experiment
from wallsim.runs.experiment_file import load_experiment
from wallsim.runs.scenarios.file import own_seed
from wallsim.stats.blocks import Estimate, block_mean
from wallsim.stats.factorials import Effect, factorial_effects, factorial_weights
from wallsim.studies.cache import Cache
from wallsim.studies.games import in_batches
from wallsim.studies.outcomes import POINTS, SPREAD
from wallsim.studies.scope import Blocks, Scope, plays_for, scope_for
from wallsim.studies.study import Choices

from .count import ATTACKS, count, play

EXPERIMENT = Path(__file__).with_name("experiment.toml")
BLOCKS = Blocks(others=225, quick=170, quick_others=120)
COURT, LANDSKNECHTE, LEADERS = EXPANSIONS
Subset = tuple[str, ...]
# In the standard order of a factorial: the first expansion changes fastest.
SUBSETS: tuple[Subset, ...] = tuple(
    tuple(name for place, name in enumerate(EXPANSIONS) if number >> place & 1)
    for number in range(2 ** len(EXPANSIONS))
)
EFFECTS: tuple[Effect, ...] = tuple(factorial_weights(EXPANSIONS))  # main effects first
MAIN = EFFECTS[: len(EXPANSIONS)]
_WITH_ALL = "strong-4p-bigbox"
WITHOUT = ("tuned without", "taught without")  # plays of strong lines that met no expansion


def name_of_effect(effect: Effect) -> str:
    """An effect in words, such as `court × leaders`."""
    return " × ".join(effect)


def of_effect(effect: Effect, outcome: str) -> str:
    """The name of an outcome of the factorial, such as `court × leaders: VP of a seat`."""
    return f"{name_of_effect(effect)}: {outcome}"


def fall_of(effect: Effect, outcome: str) -> str:
    """The name of the same with the other sign, such as `court: fall of attacks of a seat`."""
    return of_effect(effect, f"fall of {outcome}")


CLAIMS = (
    Claim("The military leaders raise the spread of VP.", of_effect((LEADERS,), SPREAD), 0),
    Claim("The Landsknechte raise the number of attacks.", of_effect((LANDSKNECHTE,), ATTACKS), 0),
    Claim("The Emperor's Court lowers the number of attacks.", fall_of((COURT,), ATTACKS), 0),
    Claim("The Emperor's Court raises a seat's VP.", of_effect((COURT,), POINTS), 0),
    Claim("The Landsknechte raise a seat's VP.", of_effect((LANDSKNECHTE,), POINTS), 0),
)


def name_of(subset: Subset) -> str:
    """A subset in words."""
    return "all three" if len(subset) == len(EXPANSIONS) else " + ".join(subset) or "none"


def plays() -> tuple[Play, ...]:
    """The plays. Strong play is that tuned with all three expansions; lines made without any are not called strong."""
    *usual, first, second = plays_for(4)
    without = [
        Play(name, MIDDLING, play.policy, play.line) for name, play in zip(WITHOUT, (first, second), strict=True)
    ]
    return *usual, first._replace(policy=_WITH_ALL, line="tuned weights, with expansions"), *without


def scope_of(choices: Choices) -> Scope:
    """The cells, and their blocks; a number of games is that of each subset in the baseline cell."""
    quick, scope = choices.quick, scope_for(EXPERIMENT, BLOCKS, choices.games, choices.quick)
    chosen = {play.name for play in scope.plays} if quick else {play.name for play in plays()}
    return scope._replace(plays=tuple(play for play in plays() if play.name in chosen))


def experiment_of(cell: Cell) -> Experiment:
    """The experiment of a cell without expansions."""
    policy = next(play.policy for play in plays() if play.name == cell.play)
    return load_experiment(
        EXPERIMENT, {"policies": policy, "tower": cell.tower, "setup": cell.setup, "lineups": [], "seasons": True}
    )


def seed_of(seed: int, subset: Subset) -> int:
    """The seed of a subset's own games: made of the experiment's and the names."""
    return int(own_seed(seed, "+".join(subset) or "none"))


def with_subset(experiment: Experiment, subset: Subset) -> Experiment:
    """The experiment with these expansions, on games of its own."""
    return experiment.changed(expansions=subset, seed=seed_of(experiment.seed, subset))


def play_subsets(
    experiment: Experiment, blocks: int, cache: Cache, workers: int | None = None
) -> dict[Subset, dict[str, Estimate]]:
    """The outcomes of all eight subsets, each on games of its own, as means over blocks."""
    return {
        subset: {
            outcome: block_mean(values)
            for outcome, values in play(with_subset(experiment, subset), blocks, cache, workers).items()
        }
        for subset in SUBSETS
    }


def effects_of(subsets: Mapping[Subset, Mapping[str, Estimate]]) -> dict[str, dict[Effect, Estimate]]:
    """The main effects and interactions of every outcome, by outcome and effect."""
    return {
        outcome: factorial_effects(EXPANSIONS, [subsets[subset][outcome] for subset in SUBSETS])
        for outcome in subsets[()]
    }


def claimed(effects: Mapping[str, Mapping[Effect, Estimate]]) -> dict[str, Estimate]:
    """The outcomes that are claimed, by their names."""
    named = {}
    for outcome, by_effect in effects.items():
        for effect, estimate in by_effect.items():
            named[of_effect(effect, outcome)] = estimate
            named[fall_of(effect, outcome)] = estimate * -1
    return {claim.outcome: named[claim.outcome] for claim in CLAIMS}


def claim_outcomes(experiment: Experiment, blocks: int, workers: int | None = None) -> dict[str, Estimate]:
    """The outcomes of CLAIMS under any experiment; its own expansions are not used, since all subsets are played."""
    return claimed(effects_of(play_subsets(experiment, blocks, Cache(None), workers)))


def outcomes_by_game(experiment: Experiment, blocks: int, workers: int | None = None) -> dict[str, Estimate]:
    """The same with the game as the unit of errors, where the study's blocks would be too few."""
    subsets = {}
    for subset in SUBSETS:
        arena = with_subset(experiment, subset).arena()
        batches = in_batches(arena, range(blocks), count, seasons=True, workers=workers)
        subsets[subset] = {name: block_mean(np.concatenate([each[name] for each in batches])) for name in batches[0]}
    return claimed(effects_of(subsets))


def plays_with_expansions(players: int) -> tuple[Play, ...]:
    """The plays with expansions: strong is that tuned with all three; the second line, taught without, is not."""
    return tuple(play for play in plays() if play.name != WITHOUT[0])  # that line is tuned with expansions there


class Factorial(NamedTuple):
    """By cell: the outcomes of each subset, their effects by outcome and effect, and the outcomes that are claimed."""

    subsets: dict[Cell, dict[Subset, dict[str, Estimate]]]
    effects: dict[Cell, dict[str, dict[Effect, Estimate]]]
    cells: dict[Cell, dict[str, Estimate]]


def factorial(scope: Scope, cache: Cache, workers: int | None = None) -> Factorial:
    """Play all subsets in all cells."""
    subsets = {cell: play_subsets(experiment_of(cell), scope.blocks(cell), cache, workers) for cell in scope.cells()}
    effects = {cell: effects_of(played) for cell, played in subsets.items()}
    return Factorial(subsets, effects, {cell: claimed(each) for cell, each in effects.items()})


def strong_play() -> Play:
    """The play of the baseline."""
    return next(play for play in plays() if play.name == STRONG)
