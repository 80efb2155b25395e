"""The cells of the study `robustness`, what is played in them, and the verdicts over all of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from wallsim.analysis.claims.cells import CALIBRATIONS, SETUPS, Cell
from wallsim.analysis.claims.plays import MIDDLING, MIDDLING_POLICY, STRONG, Play
from wallsim.runs.experiment import Experiment
from wallsim.runs.experiment_file import load_experiment
from wallsim.runs.workers import checked_workers
from wallsim.stats.blocks import Estimate
from wallsim.studies.cache import Cache
from wallsim.studies.random_tables import random_tables, seated_at_random
from wallsim.studies.scope import SECOND_TABLE
from wallsim.studies.scope import plays_for as default_plays
from wallsim.studies.study import Choices, Storage

from ..expansions.boards import variants
from .additions import Addition, additions, seed_of
from .additions import outcomes_of as added_outcomes
from .boards import CASES, FAVORS, PRINTED, AssumedBoards, Case
from .sources import Source, source, sources
from .sources import outcomes_of as outcomes_played

EXPERIMENT = Path(__file__).with_name("experiment.toml")
RANDOM = "random tables"  # the pool
ROWS = 1_080  # of games in a cell, and tables drawn at random: a unit of errors each
QUICK_ROWS = 288
_LEAST_ROWS = 144  # with fewer, the drafts are too few for the worth of all counties


class Scope(NamedTuple):
    """The pools, by name, the towers and set-ups, and the rows of games in each cell.

    Other boards than the printed one are played under the first tower alone, in a quick look with line-ups alone.
    `additions` are the games of later stages.
    """

    pools: tuple[str, ...]
    towers: tuple[str, ...]
    rows: int
    quick: bool = False
    additions: tuple[Addition, ...] = ()

    def cells(self, source: Source, case: Case) -> list[Cell]:
        """All combinations of pool, tower and set-up in which a source is judged on a board."""
        towers = self.towers if case.name == PRINTED else self.towers[:1]
        towers = tuple(tower for tower in towers if tower in source.towers)
        here = SETUPS[:1] if case.players != 4 or (self.quick and case.name != PRINTED) else SETUPS
        setups = [setup for setup in here if setup in source.setups]
        pools = [pool for pool in pools_of(source, case.players) if place_of(pool, source) in self.pools]
        return [Cell(pool, tower, setup) for pool in pools for tower in towers for setup in setups]


def plays_for(source: Source, players: int) -> dict[str, Play]:
    """The plays of a source, by the name of the pool."""
    return {play.name: play for play in source.plays(players)}


def pools_of(source: Source, players: int) -> list[str]:
    """The names of all pools of a source: its plays, and random tables."""
    return [*plays_for(source, players), RANDOM]


def default_pools() -> list[str]:
    """The names of the default plays, and of random tables."""
    return [*(play.name for play in default_plays(4)), RANDOM]


def place_of(pool: str, source: Source) -> str:
    """The name that a pool of a source has elsewhere: with expansions the second line has names of its own."""
    own, default = pools_of(source, 4), default_pools()
    return default[own.index(pool)] if pool in own else SECOND_TABLE.play


def scope_of(choices: Choices) -> Scope:
    """The cells and their rows; the chosen games are those of each comparison of prices, or the fewest possible."""
    rows = ROWS
    if choices.games is not None:
        whole = choices.games // source("price").games_a_row // 72 * 72  # blocks with three players and with four
        rows = min(ROWS, max(_LEAST_ROWS, whole))
    if choices.quick:
        return Scope((MIDDLING, STRONG, RANDOM), CALIBRATIONS[:1], min(rows, QUICK_ROWS), True)
    return Scope(tuple(default_pools()), CALIBRATIONS, rows, additions=additions() if rows == ROWS else ())


def experiment_of(
    source: Source, players: int, cell: Cell, rows: int, board: Path | None = None, seed: int | None = None
) -> Experiment:
    """The experiment of a cell with a number of players; `board` and `seed` are those of the study by default."""
    changes: dict[str, Any] = {"players": players, "tower": cell.tower, "setup": cell.setup, "lineups": []}
    changes |= {} if board is None else {"board": str(board)}
    changes |= {} if seed is None else {"seed": seed}
    if cell.play != RANDOM:
        return load_experiment(EXPERIMENT, {**changes, "policies": plays_for(source, players)[cell.play].policy})
    experiment = load_experiment(EXPERIMENT, {**changes, "policies": MIDDLING_POLICY})
    return seated_at_random(experiment, tables_of(players, rows, experiment.seed), source.games_a_row)


@cache
def tables_of(players: int, rows: int, seed: int) -> tuple[tuple[str, ...], ...]:
    """The tables drawn at random."""
    return random_tables(players, rows, seed)


def added_experiments(addition: Addition, rows: int) -> dict[int, Experiment]:
    """The experiments of an addition by part."""
    stage, _, players, cell, parts, _ = addition
    seeds = [seed_of(load_experiment(EXPERIMENT).seed, stage, part) for part in range(parts)]
    return {part: experiment_of(addition.source, players, cell, rows, seed=seed) for part, seed in enumerate(seeds)}


def identity(scope: Scope) -> dict[str, Any]:
    """Everything that decides the results."""
    facts: dict[str, Any] = {
        "cells": {
            "/".join((case.name, source.name, *cell)): experiment_of(source, case.players, cell, scope.rows)
            for case, source, cell in tasks_of(scope)
        },
        "favors": {name: variants()[name] for name in FAVORS},
        "games": {source.name: source.games_a_row for source in sources()},
        "rows": scope.rows,
        "given": {source.name: source.judged.given() for source in sources() if source.judged.given is not None},
    }
    if scope.additions:  # their parts differ in the seed alone, which follows from the part
        facts["additions"] = [
            [each.stage, each.parts, *each.outcomes, added_experiments(each._replace(parts=1), scope.rows)[0]]
            for each in scope.additions
        ]
    return facts


class Task(NamedTuple):
    """What is played at once: the claims of a source in a cell of a board."""

    case: Case
    source: Source
    cell: Cell


class Played(NamedTuple):
    """The outcomes of all tasks, and those of the games that later stages added."""

    scope: Scope
    tasks: Sequence[tuple[Task, Mapping[str, Estimate]]]
    added: Sequence[tuple[Addition, Mapping[str, Estimate]]] = ()


def tasks_of(scope: Scope) -> list[Task]:
    """All that is played at once."""
    return [Task(case, source, cell) for case in CASES for source in case.sources for cell in scope.cells(source, case)]


def play(scope: Scope, storage: Storage) -> Played:
    """Play all claims in all cells and on all boards, and estimate; boards lie in the study's folder."""
    cache, boards, tasks = storage.cache, AssumedBoards(storage.folder), tasks_of(scope)
    places = {case.name: case.write(boards) if case.write else None for case in CASES}

    def played(task: Task) -> dict[str, Estimate]:
        return outcomes_of(task, scope.rows, places[task.case.name], cache)

    def added(addition: Addition) -> dict[str, Estimate]:
        return added_outcomes(addition, added_experiments(addition, scope.rows), scope.rows, cache)

    with ThreadPoolExecutor(checked_workers(storage.workers)) as pool:
        more = list(zip(scope.additions, pool.map(added, scope.additions), strict=True))
        return Played(scope, list(zip(tasks, pool.map(played, tasks), strict=True)), more)


def outcomes_of(task: Task, rows: int, board: Path | None, cache: Cache) -> dict[str, Estimate]:
    """The outcomes of a source's claims in a cell."""
    case, source, cell = task
    experiment = experiment_of(source, case.players, cell, rows, board)
    return outcomes_played(source, "claims", experiment, rows, case.players, cache)
