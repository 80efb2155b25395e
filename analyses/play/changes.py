"""Games of a table in which one seat plays otherwise, and what that changes: points, wins and measures by block."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from wallsim.engine.arena import Arena
from wallsim.policies.policy import Policy
from wallsim.runs.experiment import Experiment
from wallsim.studies.games import Games, block_size, in_batches

from .habits import Habit, Measure

POINTS, WINS, SHOWN = "VP", "wins", "measure"  # what is estimated of a habit


def unchanged(
    experiment: Experiment, measures: Iterable[Measure], blocks: int, workers: int | None = None
) -> dict[str, np.ndarray]:
    """Points, wins in per cent and each measure by its words, of seats without a habit, float64 [games, seats]."""
    arena = experiment.components().arena(experiment.seed)
    return played(arena, blocks, partial(_seats, measures=tuple(measures)), workers)


def changes_of(
    experiment: Experiment,
    habit: Habit,
    blocks: int,
    workers: int | None = None,
    before: Mapping[str, np.ndarray] | None = None,
) -> dict[str, np.ndarray]:
    """The changes by block, float64 [blocks]: of the same games, less what the seat has without the habit.

    `before` are the games without it, by `unchanged`; they are played if they are not given.
    """
    before = before or unchanged(experiment, (habit.measure,), blocks, workers)
    changes = changes_with(experiment, habit.of, (habit.measure,), blocks, workers, before)
    return {POINTS: changes[POINTS], WINS: changes[WINS], SHOWN: changes[habit.measure.words]}


def changes_with(
    experiment: Experiment,
    other: Callable[[Policy], Policy],
    measures: Iterable[Measure],
    blocks: int,
    workers: int | None,
    before: Mapping[str, np.ndarray],
) -> dict[str, np.ndarray]:
    """What one seat's `other` policy changes, in every seat in turn: points, wins and measures, float64 [blocks].

    `before` are the same games without it, by `unchanged` with these measures.
    """
    parts = experiment.components()
    keep = partial(_seats, measures=tuple(measures))
    total: dict[str, np.ndarray] = {}
    for seat in range(experiment.players):
        policies = list(parts.policies)
        policies[seat] = other(policies[seat])
        after = played(replace(parts, policies=tuple(policies)).arena(experiment.seed), blocks, keep, workers)
        for name, values in after.items():
            change = (values - before[name])[:, seat].reshape(blocks, block_size(experiment.players)).mean(axis=1)
            total[name] = total.get(name, 0.0) + change
    return {name: values / experiment.players for name, values in total.items()}


def played(arena: Arena, blocks: int, keep: Any, workers: int | None) -> dict[str, np.ndarray]:
    """What `keep` returns of the games of all blocks, by name."""
    parts = in_batches(arena, range(blocks), keep, True, workers)
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def _seats(games: Games, measures: Iterable[Measure]) -> dict[str, np.ndarray]:
    """Points, wins in per cent, and each measure by its words, of every seat, float64 [games, seats]."""
    shown = {measure.words: measured(games, measure) for measure in measures}
    return {POINTS: games.seats("vp"), WINS: 100 * games.seats("win")} | shown


def measured(games: Games, measure: Measure) -> np.ndarray:
    """A measure of every seat, float64 [games, seats]."""
    total = np.zeros((len(games.numbers), games.players))
    for season in measure.seasons:
        seasons = np.full(len(games.numbers), season)
        for column, sign in measure.columns.items():
            total += sign * games.in_seasons(column, seasons)
    return total / len(measure.seasons) if measure.mean else total
