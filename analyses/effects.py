"""Effects of interventions, for several studies: scenarios on the same games, in every play, tower and set-up.

A scenario is a list of interventions with seat "turn" and round "turn". So 6 × players games in a row treat every pair
of seat and round once: such a row of games is a block, the unit of all errors. All scenarios of a cell play the same
numbers, from 0 on, of the same seed, and differ in nothing but the interventions. Games are not kept: a study counts
what it needs of each batch, and what is kept in its folder is one mean per block and round.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from math import nan
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np

from analyses.kept import Kept
from analyses.random_tables import seating_of
from wallsim.analysis.claims.cells import CALIBRATIONS, SETUPS, Cell
from wallsim.analysis.claims.plays import RIVAL_POLICIES, STRONG, STRONG_POLICIES, Play, usual_plays
from wallsim.engine.arena import Arena, Tables
from wallsim.engine.columns import columns_of
from wallsim.engine.version import ENGINE_VERSION
from wallsim.errors import InputError
from wallsim.rules.interventions import parse_interventions
from wallsim.rules.record import pack_rules
from wallsim.rules.script import pack_script, table_of
from wallsim.rules.terms import ROUND_NAMES, SEASON_NAMES
from wallsim.runs.components import identity_hash
from wallsim.runs.experiment import Experiment
from wallsim.runs.experiment_file import load_experiment
from wallsim.runs.parallel import in_parallel
from wallsim.runs.workers import checked_workers
from wallsim.stats.blocks import Estimate, block_mean
from wallsim.stats.intervals import NO_ERROR

Kind = TypeVar("Kind")
Lines = tuple[Mapping[str, Any], ...]
Counted = dict[str, np.ndarray]  # by outcome: float64 [blocks, rounds], the mean over the seats treated in that round
BASE: Lines = ()
BASELINE_TOWER, BASELINE_SETUP = CALIBRATIONS[0], SETUPS[0]
_BATCH = 2_000  # games, about; they limit the memory of a worker to a few MB
_PLACES = {
    table: {column.name: place for place, column in enumerate(columns_of(table))}
    for table in ("games", "seats", "seasons")
}
_SEASON_OF_ROUND = np.array([SEASON_NAMES.index(name) for name in ROUND_NAMES])


@dataclass(frozen=True)
class Games:
    """A batch of games: numbers `first` ..., whose treated seat and round follow from their numbers."""

    first: int
    players: int
    tables: Tables

    @cached_property
    def numbers(self) -> np.ndarray:
        """The numbers of the games, int64 [games]."""
        return self.first + np.arange(len(self.tables.games))

    @cached_property
    def seat(self) -> np.ndarray:
        """The treated seat of each game, int64 [games]."""
        return self.numbers % self.players

    def game(self, column: str) -> np.ndarray:
        """A column of `games`, float64 [games]."""
        return self.tables.games[:, _PLACES["games"][column]].astype(np.float64)

    def seats(self, column: str) -> np.ndarray:
        """A column of `seats`, float64 [games, seats]; shared wins are shares."""
        values = self.tables.seats[:, _PLACES["seats"][column]].reshape(-1, self.players).astype(np.float64)
        return np.divide(1.0, values, out=np.zeros_like(values), where=values > 0) if column == "win" else values

    def treated(self, values: np.ndarray) -> np.ndarray:
        """The values of the treated seats, [games] of [games, seats]."""
        return np.take_along_axis(values, self.seat[:, None], axis=1)[:, 0]

    def in_round(self, column: str) -> np.ndarray:
        """A column of `seasons` in the treated round, float64 [games, seats]."""
        return self.in_seasons(column, _SEASON_OF_ROUND[self.numbers // self.players % len(ROUND_NAMES)])

    def in_seasons(self, column: str, seasons: np.ndarray) -> np.ndarray:
        """A column of `seasons` in one season of each game, 0 to 7, float64 [games, seats]."""
        values = self.tables.seasons[:, _PLACES["seasons"][column]].reshape(-1, len(SEASON_NAMES), self.players)
        return np.take_along_axis(values, seasons[:, None, None], axis=1)[:, 0].astype(np.float64)


Count = Callable[[Games], Mapping[str, np.ndarray]]  # what is kept of a batch, by outcome, float64 [games]


class Scope(NamedTuple):
    """In which cells a study plays, and how many blocks: in the baseline cell, and in each of the others."""

    plays: tuple[Play, ...]
    towers: tuple[str, ...]
    setups: tuple[str, ...]
    baseline: int
    others: int
    quick: bool = False

    def cells(self) -> list[Cell]:
        """All combinations, that of the baseline first."""
        baseline = self.baseline_cell()
        every = [Cell(play.name, tower, setup) for play in self.plays for tower in self.towers for setup in self.setups]
        return [baseline, *(cell for cell in every if cell != baseline)]

    def baseline_cell(self) -> Cell:
        """Strong play with line-ups under the default tower."""
        return Cell(STRONG, BASELINE_TOWER, BASELINE_SETUP)

    def limited(self, games: int | None) -> Scope:
        """The same with so many games of each scenario in the baseline cell, and elsewhere at most so many."""
        if games is None:
            return self
        blocks = blocks_of(games)
        return self._replace(baseline=blocks, others=min(blocks, self.others))

    def blocks(self, cell: Cell) -> int:
        """The number of blocks of a cell."""
        return self.baseline if cell == self.baseline_cell() else self.others


def plays_for(players: int) -> tuple[Play, ...]:
    """The usual plays with the strong policies of this number of players."""
    return usual_plays(STRONG_POLICIES[players], RIVAL_POLICIES[players])


class Blocks(NamedTuple):
    """How many blocks a study plays: in the cells beside the baseline; and in a quick look in the baseline, and beside.

    Those of the baseline of the full study follow from the games of its experiment.
    """

    others: int
    quick: int
    quick_others: int


def scope_for(path: Path, blocks: Blocks, games: int | None, quick: bool) -> Scope:
    """The cells of a study and their blocks; `games` of each scenario in the baseline, elsewhere at most so many."""
    if quick:
        return quick_scope(blocks.quick, blocks.quick_others).limited(games)
    return full_scope(blocks_of(load_experiment(path).games), blocks.others).limited(games)


def full_scope(baseline: int, others: int) -> Scope:
    """Five plays, three calibrations of the tower, line-ups and draft."""
    return Scope(plays_for(4), CALIBRATIONS, SETUPS, baseline, others)


def quick_scope(baseline: int, others: int) -> Scope:
    """A look in under two minutes: middling and strong play, one tower, line-ups and draft."""
    plays = tuple(play for play in plays_for(4) if play.name in ("middling", STRONG))
    return Scope(plays, (BASELINE_TOWER,), SETUPS, baseline, others, quick=True)


def block_size(players: int) -> int:
    """The games of a block: each pair of seat and round once."""
    return len(ROUND_NAMES) * players


def blocks_of(games: int, players: int = 4) -> int:
    """The blocks that so many games fill, at least one."""
    return max(1, games // block_size(players))


def experiment_of(path: Path, cell: Cell, lines: Lines = BASE, players: int = 4) -> Experiment:
    """The experiment of a file as it is played in a cell, with these interventions. InputError if it cannot be."""
    policy = next(play.policy for play in plays_for(players) if play.name == cell.play)
    changes: dict[str, Any] = {"players": players, "policies": policy, "tower": cell.tower, "setup": cell.setup}
    return load_experiment(path, {**changes, "lineups": [], "interventions": [dict(line) for line in lines]})


def played(
    experiment: Experiment, blocks: int, count: Count, *, seasons: bool = False, workers: int | None = None
) -> Counted:
    """Play blocks of an experiment from game 0 on, and keep the mean of each outcome by block and round.

    `seasons` says whether `count` reads that table. The result does not depend on the number of workers.
    """
    return _played(experiment.components().arena(experiment.seed), blocks, count, seasons, workers)


def _played(arena: Arena, blocks: int, count: Count, seasons: bool, workers: int | None) -> Counted:
    parts = in_batches(arena, range(blocks), partial(_reduced, count=count), seasons, workers)
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def in_batches(
    arena: Arena, blocks: range, keep: Callable[[Games], Kind], seasons: bool = False, workers: int | None = None
) -> list[Kind]:
    """What is kept of each batch of blocks, in order, whatever the number of workers."""
    size = block_size(arena.seats)
    step = max(1, _BATCH // size)
    batches = [
        (block * size, min(step, blocks.stop - block) * size) for block in range(blocks.start, blocks.stop, step)
    ]
    return list(in_parallel(partial(_batch, arena, keep, seasons), batches, checked_workers(workers)))


def _batch(arena: Arena, keep: Callable[[Games], Kind], seasons: bool, first: int, count: int) -> Kind:
    return keep(Games(first, arena.seats, arena.play(first, count, seasons=seasons)))


def _reduced(games: Games, count: Count) -> Counted:
    shape = (-1, len(ROUND_NAMES), games.players)
    return {name: values.reshape(shape).mean(axis=2) for name, values in count(games).items()}


def scenarios_played(
    path: Path,
    cell: Cell,
    scenarios: Mapping[str, Lines],
    blocks: int,
    count: Count,
    *,
    players: int = 4,
    seasons: bool = False,
    workers: int | None = None,
    kept: Kept,
) -> Iterator[tuple[str, Counted]]:
    """Play one scenario after the other on the same games of a cell, but for those that are `kept`.

    The rules and the policies are prepared once, since that takes longer than some hundred games. InputError for
    interventions that cannot be.
    """
    experiment = experiment_of(path, cell, BASE, players)
    facts = {"engine_version": ENGINE_VERSION, "experiment": experiment.hash(with_games=True), "blocks": blocks}
    for name, arena in arenas_of(experiment, scenarios):
        play = partial(_played, arena, blocks, count, seasons, workers)
        yield name, kept.get({**facts, "interventions": [dict(line) for line in scenarios[name]]}, count, play)


def arenas_of(experiment: Experiment, scenarios: Mapping[str, Lines]) -> Iterator[tuple[str, Arena]]:
    """The arena of each scenario of an experiment, by its name; the experiment's own interventions are not used."""
    parts = experiment.components()
    rules = pack_rules(parts.board, parts.ruleset, parts.tower)
    seat, table = seating_of(parts), table_of(parts.board, parts.ruleset)
    for name, lines in scenarios.items():
        steps, faults = parse_interventions(lines, table)
        if faults:
            raise InputError([f"{name}: {key}: {text}" for key, _, text in faults])
        yield name, seat(rules, experiment.seed, pack_script(steps, parts.board, parts.ruleset.letters()))


def played_by_game(
    experiment: Experiment,
    scenarios: Mapping[str, Lines],
    blocks: int,
    count: Count,
    *,
    seasons: bool = False,
    workers: int | None = None,
) -> dict[str, Counted]:
    """Play scenarios on the same games of any experiment; each outcome is float64 [games, 1], and nothing is kept.

    So the unit of errors is the game, where blocks would be too few. Games treat all pairs of seat and round equally
    often, so the means are those of blocks; the errors contain what rounds and seats differ by, and are rather large.
    """
    found = {}
    for name, arena in arenas_of(experiment, scenarios):
        parts = in_batches(arena, range(blocks), count, seasons, workers)
        found[name] = {key: np.concatenate([part[key] for part in parts])[:, None] for key in parts[0]}
    return found


def digest_of(path: Path, scope: Scope, scenarios: Mapping[str, Mapping[str, Lines]], sizes: Sequence[int]) -> str:
    """The hash of everything that decides a study's results.

    That is the experiment of every cell with each number of players, the interventions, and the numbers of blocks;
    `scenarios` are all that are played, by a name of their set.
    """
    cells = {
        "/".join((str(size), *cell)): experiment_of(path, cell, BASE, size).hash(with_games=True)
        for size in sizes
        for cell in scope.cells()
    }
    lines = {
        name: {scenario: [dict(line) for line in steps] for scenario, steps in each.items()}
        for name, each in scenarios.items()
    }
    return identity_hash({"cells": cells, "scenarios": lines, "blocks": [scope.baseline, scope.others]})


class Change(NamedTuple):
    """The paired change of an outcome by block, its mean before, and the share of the variance that pairing saved."""

    estimate: Estimate
    before: float
    gain: float


def change(first: np.ndarray, second: np.ndarray, rounds: int | Sequence[int] | None = None) -> Change:
    """Second minus first, both [blocks, rounds]: the mean over some rounds, by default all.

    The gain is 1 - var(change) / (var(first) + var(second)); nan where nothing varies.
    """
    one, other = (by_round(values, rounds) for values in (first, second))
    apart = one.var() + other.var()
    gain = 1 - float((other - one).var() / apart) if apart > NO_ERROR else nan
    return Change(block_mean(other - one), float(one.mean()), gain)


def by_round(values: np.ndarray, rounds: int | Sequence[int] | None = None) -> np.ndarray:
    """The mean over some rounds of each block, [blocks]; all rounds by default."""
    if rounds is None:
        return np.asarray(values.mean(axis=1))
    return np.asarray(values[:, rounds] if isinstance(rounds, int) else values[:, list(rounds)].mean(axis=1))
