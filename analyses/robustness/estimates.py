"""The cells of the study `robustness`, what is played in them, and what is published of it.

`additions.csv` says which outcomes of a study got more games in later stages, in which cell, and how many:
`allocation.py` chose them by the figures of the stages before and wrote them there. So the games of a stage follow from
the file, not from the register of the day. An addition is played in parts, each with as many rows of games as a cell of
the first stage and a seed of its own, the same for all cells and outcomes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

from wallsim.analysis.claims.cells import CALIBRATIONS, SETUPS, Cell
from wallsim.analysis.claims.plays import MIDDLING, MIDDLING_POLICY, STRONG
from wallsim.errors import InputError
from wallsim.runs.experiment import Experiment
from wallsim.runs.experiment_file import load_experiment
from wallsim.runs.workers import checked_workers
from wallsim.stats.blocks import Estimate, combined
from wallsim.studies.quantities import Key, Quantity
from wallsim.studies.random_tables import random_tables, seated_at_random
from wallsim.studies.shared_files import rows_of
from wallsim.studies.study import Choices, Storage

from ..expansions.boards import Boards, variants
from .sources import (
    AS_PRINTED,
    BOARDS,
    CASES,
    FAVORS,
    MEAN,
    PLAYERS,
    RANDOM,
    STAGES,
    USUAL,
    Asked,
    Case,
    Source,
    source,
    sources,
)  # fmt: skip

EXPERIMENT = Path(__file__).with_name("experiment.toml")
SEED = load_experiment(EXPERIMENT).seed
ROWS = 1_080  # of games in a cell, and tables drawn at random: a unit of errors each
QUICK_ROWS = 288
_LEAST_ROWS = 144  # with fewer, the drafts are too few for the worth of all counties
ADDITIONS = Path(__file__).with_name("additions.csv")
COLUMNS = ("stage", "study", "players", "play", "tower", "setup", "parts", "outcomes")
BETWEEN = "; "  # outcomes
OF_STAGE = 10_000  # seeds, so that no part has the seed of another, or that of a study
_ALLOWED = {"stage": STAGES, "players": (3, 4, 5), "parts": range(1, OF_STAGE)}


class Addition(NamedTuple):
    """Games that a stage adds for some outcomes of a study in a cell, in so many parts."""

    stage: int
    study: str
    players: int
    cell: Cell
    parts: int
    outcomes: tuple[str, ...]


@cache
def additions(path: Path = ADDITIONS) -> tuple[Addition, ...]:
    """The additions of a file, by default those of the study. InputError that names file, line and field."""
    rows = rows_of(path, COLUMNS)[1:]
    return tuple(_read(f"{path}: line {line}", dict(zip(COLUMNS, cells, strict=True))) for line, cells in rows)


def _read(place: str, row: Mapping[str, str]) -> Addition:
    for name, allowed in _ALLOWED.items():
        if not row[name].isdecimal() or int(row[name]) not in allowed:
            raise InputError(f"{place}: {name}: {row[name]!r}; allowed are {allowed[0]} to {allowed[-1]}")
    stage, players, parts = (int(row[name]) for name in _ALLOWED)
    cell = Cell(row["play"], row["tower"], row["setup"])
    return Addition(stage, row["study"], players, cell, parts, tuple(row["outcomes"].split(BETWEEN)))


def seed_of(stage: int, part: int) -> int:
    """The seed of a part of a stage, from that of the study."""
    return SEED * 1_000_000 + stage * OF_STAGE + part


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
        printed = case == CASES[0]
        pools = [pool for pool in source.pools(case.players) if source.place_of(pool) in self.pools]
        towers = self.towers if printed else self.towers[:1]
        setups = SETUPS if case.players == PLAYERS and (printed or not self.quick) else SETUPS[:1]
        return [Cell(pool, tower, setup) for pool, tower, setup in product(pools, towers, setups)
                if tower in source.judged.towers and setup in source.judged.setups]  # fmt: skip

    def tasks(self) -> list[tuple[Case, Source, Cell]]:
        """What is played at once: the claims of a source in a cell of a board."""
        return [(case, each, cell) for case in CASES for each in sources()
                if not case.studies or each.name in case.studies for cell in self.cells(each, case)]  # fmt: skip


def scope_of(choices: Choices) -> Scope:
    """The cells and their rows; the chosen games are those of each comparison of prices, or the fewest possible."""
    rows = ROWS
    if choices.games is not None:
        whole = choices.games // source("price").judged.games_a_row // 72 * 72  # blocks with 3 players and with 4
        rows = min(ROWS, max(_LEAST_ROWS, whole))
    if choices.quick:
        return Scope((MIDDLING, STRONG, RANDOM), CALIBRATIONS[:1], min(rows, QUICK_ROWS), True)
    return Scope(USUAL, CALIBRATIONS, rows, additions=additions() if rows == ROWS else ())


def experiment_of(source: Source, players: int, cell: Cell, rows: int, **changes: Any) -> Experiment:
    """The experiment of a cell with a number of players; `changes` are those of its board and seed."""
    changes |= {"players": players, "tower": cell.tower, "setup": cell.setup, "lineups": []}
    if cell.play != RANDOM:
        return load_experiment(EXPERIMENT, {**changes, "policies": source.plays(players)[cell.play].policy})
    experiment = load_experiment(EXPERIMENT, {**changes, "policies": MIDDLING_POLICY})
    return seated_at_random(experiment, _tables(players, rows, experiment.seed), source.judged.games_a_row)


_tables = cache(random_tables)


def added_experiments(addition: Addition, rows: int) -> list[Experiment]:
    """The experiments of the parts of an addition."""
    stage, study, players, cell, parts, _ = addition
    return [experiment_of(source(study), players, cell, rows, seed=seed_of(stage, part)) for part in range(parts)]


def identity(scope: Scope) -> dict[str, Any]:
    """Everything that decides the results."""
    judged = {each.name: each.judged for each in sources()}
    facts: dict[str, Any] = {
        "cells": {
            "/".join((case.name, source.name, *cell)): experiment_of(source, case.players, cell, scope.rows)
            for case, source, cell in scope.tasks()
        },
        "favors": {name: variants()[name] for name in FAVORS},
        "games": {name: each.games_a_row for name, each in judged.items()},
        "rows": scope.rows,
        "given": {name: each.given() for name, each in judged.items() if each.given is not None},
    }
    if scope.additions:  # their parts differ in the seed alone, which follows from the part
        facts["additions"] = [
            [each.stage, each.parts, *each.outcomes, *added_experiments(each._replace(parts=1), scope.rows)]
            for each in scope.additions
        ]
    return facts


def play(scope: Scope, storage: Storage) -> dict[Key, Estimate]:
    """Play all claims in all cells and on all boards, and estimate, means as well; boards lie in the study's folder."""
    boards = Boards(storage.folder)
    board = {case.name: {"board": str(case.written(boards))} if case.written else {} for case in CASES}

    def played(task: tuple[Case, Source, Cell]) -> dict[Key, Estimate]:
        case, by, cell = task
        experiment = experiment_of(by, case.players, cell, scope.rows, **board[case.name])
        found = by.kept([experiment], scope.rows, storage.cache)
        return {Key(case.quantity, f"{by.name} {name}", case.players, cell): found[name]
                for name in by.claims if name in found}  # fmt: skip

    def added(more: Addition) -> dict[Key, Estimate]:
        experiments = added_experiments(more, scope.rows)
        found = source(more.study).kept(experiments, scope.rows, storage.cache, more.outcomes)
        at = f"stage-{more.stage}"
        return {Key(at, f"{more.study} {name}", more.players, more.cell): found[name] for name in more.outcomes}

    with ThreadPoolExecutor(checked_workers(storage.workers)) as pool:
        parts = [*pool.map(played, scope.tasks()), *pool.map(added, scope.additions)]
    values = {key: each for part in parts for key, each in part.items()}
    return values | dict(means_of(values))


def _asked(key: Key) -> Asked:
    return Asked(*key.item.split(" ", 1))


OF_POOL, OF_SETUP = "mean-of-a-pool", "mean-of-a-set-up"
_CELLS = partial(Quantity, unit=lambda key: _asked(key).unit, null=lambda key: _asked(key).claim.above, together=(),
                 family="all", n_unit="rows of games", shown="claims")  # fmt: skip
_MEANS = partial(_CELLS, shown="tables")
_IT = "{rest} (study {first})"
QUANTITIES = (
    _CELLS(AS_PRINTED, _IT),
    *(_CELLS(case.quantity, f"{_IT}, {case.name}") for case in BOARDS),
    *(_MEANS(case.move, f"{_IT}: mean of these cells, {case.name}, less that as printed", null=0)
      for case in BOARDS),
    *(_CELLS(f"stage-{stage}", f"{_IT}: games of stage {stage}",
             seed=lambda key: seed_of(int(key.quantity[-1]), 0))
      for stage in STAGES),
    # The means of both set-ups are counted with that of all cells: a claim of one set-up has one of them, which is all.
    _MEANS(MEAN, f"{_IT}: mean of all cells", among=1 + len(SETUPS)),
    _MEANS(OF_POOL, f"{_IT}: mean of the cells of the pool"),
    _MEANS(OF_SETUP, f"{_IT}: mean of the cells of the set-up", like="all"),
)  # fmt: skip


def means_of(values: Mapping[Key, Estimate]) -> Iterator[tuple[Key, Estimate]]:
    """Means of cells with equal weights, paired by row of games, since all cells play the same numbers."""
    cells: dict[tuple[str, int, str], dict[Cell, Estimate]] = {}
    for key, each in values.items():
        cells.setdefault((key.quantity, key.players, key.item), {})[key.cell] = each
    for case in BOARDS:
        for (quantity, players, item), there in cells.items():
            if quantity == case.quantity:
                before = cells[AS_PRINTED, players, item]
                yield Key(case.move, item, players), _mean(there) - _mean({at: before[at] for at in there})
    for (quantity, players, item), there in cells.items():
        if (quantity, players) == (AS_PRINTED, PLAYERS):
            yield Key(MEAN, item, PLAYERS), _mean(there)
            for field, name in (("play", OF_POOL), ("setup", OF_SETUP)):
                for level in dict.fromkeys(getattr(cell, field) for cell in there):
                    where = Cell("", "", "")._replace(**{field: level})
                    among = {cell: each for cell, each in there.items() if getattr(cell, field) == level}
                    yield Key(name, item, PLAYERS, where), _mean(among)


def _mean(cells: Mapping[Cell, Estimate]) -> Estimate:
    return combined([1 / len(cells)] * len(cells), list(cells.values()))
