"""How the tables play by round, and what a changed habit brings one seat: games and estimates."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import Any, NamedTuple

import numpy as np

from wallsim.runs.experiment import Experiment
from wallsim.runs.experiment_file import load_experiment
from wallsim.stats.blocks import Estimate, block_mean
from wallsim.studies.games import Games, block_size, blocks_of
from wallsim.studies.quantities import Key, Value
from wallsim.studies.study import Choices, Storage

from .changes import changes_of, measured, unchanged
from .changes import played as played_blocks
from .fought import fought_for
from .habits import HABITS, MEASURES, ROUNDS, Habit, Measure
from .tables import EXPERIMENT, PLAYERS, SIZES, TABLES, experiment_of
from .tuned import COSTLY, policy_of, tuned_for

QUICK = 12  # blocks


class Design(NamedTuple):
    """The numbers of players, and the blocks at every table."""

    sizes: tuple[int, ...]
    blocks: int
    quick: bool = False


class Play(NamedTuple):
    """What was measured: each measure by round, what every habit changes, fought counties, and tuned seats."""

    design: Design
    values: dict[Key, Value]


def design(choices: Choices) -> Design:
    """What is played; a number of games is that of the numbers at each table of four."""
    if choices.quick:
        return Design((PLAYERS,), blocks_of(choices.games) if choices.games else QUICK, True)
    return Design(SIZES, blocks_of(choices.games or load_experiment(EXPERIMENT).games))


def identity(design: Design) -> dict[str, Any]:
    """Everything that decides the results."""
    tables = {
        "/".join((str(players), *table)): experiment_of(players, table) for players in design.sizes for table in TABLES
    }
    habits = {name: habit.identity() for name, habit in HABITS.items()}
    tuned = [policy_of(table, name).identity() for table in TABLES for name in (None, *COSTLY[table])]
    return {
        "tables": tables, "blocks": design.blocks, "habits": habits, "measures": MEASURES, "fought for with": PLAYERS,
        "tuned": tuned,
    }  # fmt: skip


def play(design: Design, storage: Storage) -> Play:
    """Play every table as it is, and with every habit in every seat."""
    values: dict[Key, Value] = {}
    for players in design.sizes:
        for table in TABLES:
            experiment = experiment_of(players, table)
            for (name, moment), each in by_round(experiment, design.blocks, storage).items():
                values[Key("measure", name, players, table, moment)] = each
            every = [habit.measure for habit in HABITS.values()]
            before = cache(partial(unchanged, experiment, every, design.blocks, storage.workers))
            for name, habit in HABITS.items():
                for what, each in of_habit(experiment, habit, design.blocks, storage, before).items():
                    values[Key("habit", f"{name} {what}", players, table)] = each
    for table in TABLES:
        for county, (attacks, lost) in fought_for(experiment_of(PLAYERS, table), design.blocks, storage).items():
            values[Key("attacked", county, PLAYERS, table)] = attacks
            values[Key("lost", county, PLAYERS, table)] = lost
    for table in TABLES:
        found = tuned_for(table, design.blocks, storage)
        values |= {Key("tuned", item, PLAYERS, table): each for item, each in found.items()}
    return Play(design, values)


def by_round(experiment: Experiment, blocks: int, storage: Storage) -> dict[tuple[str, str], Estimate]:
    """Each measure of a seat in each round, the mean of all seats."""
    wanted = {
        f"{name}, {round_name}": Measure(name, columns, seasons)
        for name, columns in MEASURES.items()
        for round_name, seasons in ROUNDS.items()
    }

    def played(_: object) -> dict[str, np.ndarray]:
        arena = experiment.components().arena(experiment.seed)
        return played_blocks(arena, blocks, partial(_means, measures=wanted), storage.workers)

    facts = {"experiment": experiment, "blocks": blocks, "measures": MEASURES}
    result = storage.cache.get("measures by round", facts, played)
    return {
        (name, round_name): block_mean(result[f"{name}, {round_name}"]) for name in MEASURES for round_name in ROUNDS
    }


def of_habit(
    experiment: Experiment, habit: Habit, blocks: int, storage: Storage, before: Callable[[], Mapping[str, np.ndarray]]
) -> dict[str, Estimate]:
    """What the habit changes for the seat that has it, the mean over all seats: points, wins in %, and its measure.

    `before` returns the same games without the habit, as `unchanged` does.
    """

    def played(_: object) -> dict[str, np.ndarray]:
        return changes_of(experiment, habit, blocks, storage.workers, before())

    facts = {"experiment": experiment, "blocks": blocks, "habit": habit.identity()}
    result = storage.cache.get("changed habit", facts, played)
    return {name: block_mean(values) for name, values in result.items()}


def _means(games: Games, measures: Mapping[str, Measure]) -> dict[str, np.ndarray]:
    """Each measure by block, the mean of all games and seats, float64 [blocks]."""
    shape = (-1, block_size(games.players) * games.players)
    return {name: measured(games, measure).reshape(shape).mean(axis=1) for name, measure in measures.items()}
