"""How the tables play by round, and what a changed habit brings one seat: games and estimates."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache, partial
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from wallsim.analysis.claims.cells import Cell
from wallsim.runs.experiment import Experiment
from wallsim.runs.experiment_file import load_experiment
from wallsim.stats.blocks import block_mean
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


def play(design: Design, storage: Storage) -> dict[Key, Value]:
    """Play every table as it is and with every habit in every seat, count fought counties, and play tuned seats."""
    values: dict[Key, Value] = {}
    for players, table in product(design.sizes, TABLES):
        experiment = experiment_of(players, table)
        values |= by_round(experiment, table, design.blocks, storage)
        every = [habit.measure for habit in HABITS.values()]
        before = cache(partial(unchanged, experiment, every, design.blocks, storage.workers))
        for habit in HABITS.values():
            values |= of_habit(experiment, table, habit, design.blocks, storage, before)
    for table in TABLES:
        for county, (attacks, lost) in fought_for(experiment_of(PLAYERS, table), design.blocks, storage).items():
            values[Key("attacked", county, PLAYERS, table)] = attacks
            values[Key("lost", county, PLAYERS, table)] = lost
    for table in TABLES:
        found = tuned_for(table, design.blocks, storage)
        values |= {Key("tuned", item, PLAYERS, table): each for item, each in found.items()}
    return values


def by_round(experiment: Experiment, table: Cell, blocks: int, storage: Storage) -> dict[Key, Value]:
    """Each measure of a seat in each round, the mean of all seats."""
    wanted = {
        Key("measure", name, experiment.players, table, moment): Measure(f"{name}, {moment}", columns, seasons)
        for name, columns in MEASURES.items()
        for moment, seasons in ROUNDS.items()
    }

    def played(_: object) -> dict[str, np.ndarray]:
        arena = experiment.components().arena(experiment.seed)
        return played_blocks(arena, blocks, partial(_means, measures=tuple(wanted.values())), storage.workers)

    facts = {"experiment": experiment, "blocks": blocks, "measures": MEASURES}
    result = storage.cache.get("measures by round", facts, played)
    return {key: block_mean(result[measure.words]) for key, measure in wanted.items()}


def of_habit(
    experiment: Experiment, table: Cell, habit: Habit, blocks: int, storage: Storage,
    before: Callable[[], Mapping[str, np.ndarray]],
) -> dict[Key, Value]:  # fmt: skip
    """What the habit changes for the seat that has it, the mean over all seats: points, wins in %, and its measure.

    `before` returns the same games without the habit, as `unchanged` does.
    """

    def played(_: object) -> dict[str, np.ndarray]:
        return changes_of(experiment, habit, blocks, storage.workers, before())

    facts = {"experiment": experiment, "blocks": blocks, "habit": habit.identity()}
    result = storage.cache.get("changed habit", facts, played)
    at = partial(Key, "habit", players=experiment.players, cell=table)
    return {at(f"{habit.name} {what}"): block_mean(values) for what, values in result.items()}


def _means(games: Games, measures: Iterable[Measure]) -> dict[str, np.ndarray]:
    """Each measure by block, the mean of all games and seats, float64 [blocks]."""
    shape = (-1, block_size(games.players) * games.players)
    return {each.words: measured(games, each).reshape(shape).mean(axis=1) for each in measures}
