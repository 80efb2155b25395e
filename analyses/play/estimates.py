"""How the tables play by round, and what a changed habit brings one seat: games and estimates."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from wallsim.analysis.claims.cells import Cell
from wallsim.analysis.claims.plays import STRONG
from wallsim.engine.arena import Arena
from wallsim.runs.experiment import Experiment
from wallsim.runs.experiment_file import load_experiment
from wallsim.stats.blocks import Estimate, block_mean
from wallsim.studies.games import Games, block_size, blocks_of, in_batches
from wallsim.studies.scope import CASUAL_TABLE, EXPERIENCED_TABLE, plays_for
from wallsim.studies.study import Choices, Storage

from .fought import Fought, fought_for
from .habits import HABITS, MEASURES, ROUNDS, Habit, Measure

EXPERIMENT = Path(__file__).with_name("experiment.toml")
SECOND_TABLE = EXPERIENCED_TABLE._replace(play=f"second {STRONG}")
TABLES = (CASUAL_TABLE, EXPERIENCED_TABLE, SECOND_TABLE)
PLAYERS, SIZES = 4, (3, 4, 5)
POINTS, WINS, SHOWN = "VP", "wins", "measure"  # what is estimated of a habit
QUICK = 12  # blocks


class Design(NamedTuple):
    """The numbers of players, and the blocks at every table."""

    sizes: tuple[int, ...]
    blocks: int
    quick: bool = False


class Play(NamedTuple):
    """By number of players and table: each measure by round, and by habit what it changes.

    `fought` are the counties by table of four.
    """

    design: Design
    measures: dict[tuple[int, Cell], dict[tuple[str, str], Estimate]]
    changes: dict[tuple[int, Cell], dict[tuple[str, str], Estimate]]
    fought: dict[Cell, dict[str, Fought]]


def design(choices: Choices) -> Design:
    """What is played; a number of games is that of the numbers at each table of four."""
    if choices.quick:
        return Design((PLAYERS,), blocks_of(choices.games) if choices.games else QUICK, True)
    return Design(SIZES, blocks_of(choices.games or load_experiment(EXPERIMENT).games))


def experiment_of(players: int, table: Cell) -> Experiment:
    """The experiment of a table: all seats play alike."""
    policy = next(play.policy for play in plays_for(players) if play.name == table.play)
    changes = {"players": players, "policies": policy, "tower": table.tower, "setup": table.setup}
    return load_experiment(EXPERIMENT, changes)


def identity(design: Design) -> dict[str, Any]:
    """Everything that decides the results."""
    tables = {
        "/".join((str(players), *table)): experiment_of(players, table) for players in design.sizes for table in TABLES
    }
    habits = {name: habit.identity() for name, habit in HABITS.items()}
    return {
        "tables": tables, "blocks": design.blocks, "habits": habits, "measures": MEASURES, "fought for with": PLAYERS,
    }  # fmt: skip


def play(design: Design, storage: Storage) -> Play:
    """Play every table as it is, and with every habit in every seat."""
    measures, changes = {}, {}
    for players in design.sizes:
        for table in TABLES:
            experiment = experiment_of(players, table)
            measures[players, table] = by_round(experiment, design.blocks, storage)
            every = [habit.measure for habit in HABITS.values()]
            before = cache(partial(unchanged, experiment, every, design.blocks, storage.workers))
            changes[players, table] = {
                (name, what): estimate
                for name, habit in HABITS.items()
                for what, estimate in of_habit(experiment, habit, design.blocks, storage, before).items()
            }
    fought = {table: fought_for(experiment_of(PLAYERS, table), design.blocks, storage) for table in TABLES}
    return Play(design, measures, changes, fought)


def by_round(experiment: Experiment, blocks: int, storage: Storage) -> dict[tuple[str, str], Estimate]:
    """Each measure of a seat in each round, the mean of all seats."""
    wanted = {
        f"{name}, {round_name}": Measure(name, columns, seasons)
        for name, columns in MEASURES.items()
        for round_name, seasons in ROUNDS.items()
    }

    def played(_: object) -> dict[str, np.ndarray]:
        arena = experiment.components().arena(experiment.seed)
        return _played(arena, blocks, partial(_means, measures=wanted), storage.workers)

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


def unchanged(
    experiment: Experiment, measures: Iterable[Measure], blocks: int, workers: int | None = None
) -> dict[str, np.ndarray]:
    """Points, wins in per cent and each measure by its words, of seats without a habit, float64 [games, seats]."""
    arena = experiment.components().arena(experiment.seed)
    return _played(arena, blocks, partial(_seats, measures=tuple(measures)), workers)


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
    parts = experiment.components()
    before = before or unchanged(experiment, (habit.measure,), blocks, workers)
    keep = partial(_seats, measures=(habit.measure,))
    names = {POINTS: POINTS, WINS: WINS, SHOWN: habit.measure.words}
    total = {name: np.zeros(blocks) for name in names}
    for seat in range(experiment.players):
        policies = list(parts.policies)
        policies[seat] = habit.of(policies[seat])
        after = _played(replace(parts, policies=tuple(policies)).arena(experiment.seed), blocks, keep, workers)
        for name, key in names.items():
            change = (after[key] - before[key])[:, seat]
            total[name] += change.reshape(blocks, block_size(experiment.players)).mean(axis=1)
    return {name: values / experiment.players for name, values in total.items()}


def _played(arena: Arena, blocks: int, keep: Any, workers: int | None) -> dict[str, np.ndarray]:
    parts = in_batches(arena, range(blocks), keep, True, workers)
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def _seats(games: Games, measures: Iterable[Measure]) -> dict[str, np.ndarray]:
    """Points, wins in per cent, and each measure by its words, of every seat, float64 [games, seats]."""
    shown = {measure.words: measured(games, measure) for measure in measures}
    return {POINTS: games.seats("vp"), WINS: 100 * games.seats("win")} | shown


def _means(games: Games, measures: Mapping[str, Measure]) -> dict[str, np.ndarray]:
    """Each measure by block, the mean of all games and seats, float64 [blocks]."""
    shape = (-1, block_size(games.players) * games.players)
    return {name: measured(games, measure).reshape(shape).mean(axis=1) for name, measure in measures.items()}


def measured(games: Games, measure: Measure) -> np.ndarray:
    """A measure of every seat, float64 [games, seats]."""
    total = np.zeros((len(games.numbers), games.players))
    for season in measure.seasons:
        seasons = np.full(len(games.numbers), season)
        for column, sign in measure.columns.items():
            total += sign * games.in_seasons(column, seasons)
    return total / len(measure.seasons) if measure.mean else total
