"""What the study `robustness` judges and on which boards, the cells that it plays, and what is published of them.

Claims of every study are judged by the study's own code, between the bots of the three tables and at random tables, on
every board. The settings of the printed board are judged by the studies themselves, with the games that they play
anyway; here they are played for outcomes that their study does not publish, or has chosen.

`additions.csv` says which outcomes of a study got more games in later stages, in which cell, and how many: `.ci/maker
allocation` chose them by the figures of the stages before and wrote them there. So the games of a stage follow from the
file, not from the register of the day. An addition is played in parts, each with as many rows of games as a cell of the
first stage and a seed of its own, the same for all cells and outcomes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from wallsim.analysis.claims.cells import MIDDLING_POLICY, SETUPS, Cell, Play, levels
from wallsim.analysis.claims.verdicts import Claim
from wallsim.errors import InputError
from wallsim.experiment.experiment import Experiment
from wallsim.experiment.file import load_experiment
from wallsim.play.parallel import checked_workers
from wallsim.rules.board_cards import ASSUMED
from wallsim.stats.blocks import Estimate, combined
from wallsim.stats.stages import SHARES
from wallsim.studies.cache import Cache
from wallsim.studies.catalogue import load_study, own_studies
from wallsim.studies.games import block_size
from wallsim.studies.quantities import Key, Quantity
from wallsim.studies.random_tables import by_table, random_tables, seated_at_random
from wallsim.studies.scope import (
    BASELINE_TOWER,
    PLAYERS,
    SECOND_TABLE,
    SETTINGS,
    SIZES,
    THREE_TABLES,
    TWO_TABLES,
    in_setup,
    plays_for,
)
from wallsim.studies.shared_files import rows_of
from wallsim.studies.study import Choices, Judged, Storage

from ..expansions.boards import Boards, Row, variants

OWN = "robustness"  # which judges no claims of its own
RANDOM = "random tables"  # the pool
STAGES = tuple(range(2, len(SHARES) + 1))  # later ones, which add games where the first left a claim undecided
USUAL = (*(play.name for play in plays_for(PLAYERS)), RANDOM)  # pools
AT_RANDOM = tuple(Cell(RANDOM, BASELINE_TOWER, setup) for setup in SETUPS)


class Source(NamedTuple):
    """A study whose claims are judged, with the version of its counts."""

    name: str
    judged: Judged
    count_version: int

    @property
    def claims(self) -> dict[str, Claim]:
        """The claims by their outcomes."""
        return {claim.outcome: claim for claim in self.judged.claims}

    def plays(self, players: int = PLAYERS) -> dict[str, Play]:
        """The plays in which the study judges its claims, by the name of the pool."""
        return {play.name: play for play in self.judged.plays(players)}

    def pools(self, players: int = PLAYERS) -> list[str]:
        """The names of all pools: the plays, and random tables."""
        return [*self.plays(players), RANDOM]

    def place_of(self, pool: str) -> str:
        """The name that a pool has elsewhere: with expansions the second line has names of its own."""
        return dict(zip(self.pools(), USUAL, strict=True)).get(pool, SECOND_TABLE.play)

    def named(self, pool: str) -> str:
        """The own name of the pool in a place."""
        return dict(zip(USUAL, self.pools(), strict=True)).get(pool, pool)

    def cells(self, among: Sequence[Cell], players: int = PLAYERS) -> list[Cell]:
        """Cells by the own names of their pools, in the set-ups of the study; with 3 or 5 players with line-ups."""
        setups = self.judged.setups if players == PLAYERS else SETUPS[:1]
        every = among if len(setups) > 1 else in_setup(among, *setups)
        return [cell._replace(play=self.named(cell.play)) for cell in every]

    def outcomes(self, experiment: Experiment, blocks: int, names: Sequence[str] | None = None) -> dict[str, Estimate]:
        """The outcomes, or those with these names, under any experiment. TypeError if only the study judges them."""
        if self.judged.outcomes is None:
            raise TypeError(f"{self.name}: {names or 'all claims'}: only the study itself judges them")
        found = self.judged.outcomes(experiment, blocks, names)
        return {name: each for name, each in found.items() if names is None or name in names}

    def kept(
        self, experiments: Sequence[Experiment], rows: int, store: Cache, names: Sequence[str] | None = None
    ) -> dict[str, Estimate]:
        """The outcomes, or some, in the mean of experiments of so many rows of games each, which are kept.

        The units of errors are rows of games, or random tables. ValueError for rows that make no whole blocks.
        """
        blocks, rest = divmod(rows * self.judged.games_a_row, block_size(experiments[0].players))
        if rest:
            raise ValueError(f"{self.name}: {rows} rows of games are no whole blocks")
        facts: dict[str, Any] = {"blocks": blocks, "rows": rows, "count_version": self.count_version}
        facts |= {} if names is None else {"outcomes": names}
        if self.judged.given is not None:
            facts["given"] = self.judged.given()

        def play(design: Mapping[str, Any]) -> dict[str, np.ndarray]:
            result = by_table(self.outcomes(design["experiment"], blocks, names), rows)
            return {name: np.concatenate([[each.value], each.influence]) for name, each in result.items()}

        counted = f"{'claims' if names is None else 'more games'} of {self.name}"
        parts = [store.get(counted, {"experiment": each, **facts}, play) for each in experiments]
        together = {name: np.stack([part[name] for part in parts]) for name in parts[0]}
        return {name: Estimate(float(each[:, 0].mean()), each[:, 1:].ravel()) for name, each in together.items()}


@cache
def sources() -> tuple[Source, ...]:
    """The studies of this repository whose claims are judged, in alphabetical order."""
    studies = [load_study(name) for name in own_studies() if name != OWN]
    return tuple(Source(each.name, judged, each.count_version) for each in studies for judged in each.judged)


def replayed() -> list[Source]:
    """Those of them whose claims this study plays; the others are judged by their own study alone."""
    return [each for each in sources() if each.judged.outcomes is not None]


def source(name: str) -> Source:
    """The source of a study. KeyError if none of its claims are judged."""
    return {each.name: each for each in sources()}[name]


class Asked(NamedTuple):
    """A claim of a study, by its outcome, for a number of players."""

    study: str
    outcome: str
    players: int = PLAYERS

    @property
    def item(self) -> str:
        """The item of its figures."""
        return f"{self.study} {self.outcome}"

    @property
    def claim(self) -> Claim:
        """The claim."""
        return source(self.study).claims[self.outcome]

    @property
    def unit(self) -> str:
        """The unit of its outcome."""
        return source(self.study).judged.units.get(self.outcome, "VP")

    @property
    def title(self) -> str:
        """The study, and the number of players if it is another than usual."""
        return self.study if self.players == PLAYERS else f"{self.study}, {self.players} players"


class Case(NamedTuple):
    """A board, and what is played on it; `quantity` is that of its figures.

    Judged are the claims of some `studies`, of all by default.
    """

    name: str
    quantity: str
    players: int = PLAYERS
    studies: tuple[str, ...] = ()
    written: Callable[[Boards], Path] | None = None

    @property
    def move(self) -> str:
        """The quantity of the change from the printed board."""
        return f"move-{self.quantity}"


def _without_border(row: Row) -> Row | None:
    return None if [*row.values()] == ["Altmark", "Vorpommern"] else row  # the border that is least sure


def _with_next_guess(row: Row) -> Row:
    return {**row, "county": "Altmark"} if row["provenance"] == ASSUMED else row  # the ninth county of line-up A


AS_PRINTED = "as-printed"  # the quantity
NO_BORDER, OTHER_COUNTY = "no border Altmark–Vorpommern", "3 players, Altmark for Anhalt"
FAVORS = ("amounts halved", "amounts doubled", "amounts alike")  # as the study `expansions` calls them
_OF_THREE = ("price", "tiles")  # studies judged with three players
CASES = (
    Case("as printed", AS_PRINTED),
    Case(NO_BORDER, "no-border", written=lambda boards: boards.written("no-border", "borders.csv", _without_border)),
    Case("3 players, as printed", AS_PRINTED, 3, _OF_THREE),
    Case(OTHER_COUNTY, "Altmark-for-Anhalt", 3, _OF_THREE,
         lambda boards: boards.written("next-guess", "lineups.csv", _with_next_guess)),
    *(Case(f"favors: {name}", name.replace("amounts ", "favors-"), PLAYERS, ("expansions",),
           partial(Boards.with_favors, name=name)) for name in FAVORS),
)  # fmt: skip
BOARDS = [case for case in CASES if case.quantity != AS_PRINTED]
EXPERIMENT = Path(__file__).with_name("experiment.toml")
SEED = load_experiment(EXPERIMENT).seed
# Rows of games in a cell, and random tables: units of errors. Below LEAST_ROWS drafts do not show all counties' worth.
ROWS, QUICK_ROWS, LEAST_ROWS = 360, 288, 144
ADDITIONS = Path(__file__).with_name("additions.csv")
COLUMNS = ("stage", "study", "players", "play", "tower", "setup", "parts", "outcomes")
BETWEEN = "; "  # outcomes
OF_STAGE = 10_000  # seeds, so that no part has the seed of another, or that of a study
_tables = cache(random_tables)
_ALLOWED = {"stage": STAGES, "players": SIZES, "parts": range(1, OF_STAGE)}


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
    found = []
    for line, cells in rows_of(path, COLUMNS)[1:]:
        row = dict(zip(COLUMNS, cells, strict=True))
        for name, allowed in _ALLOWED.items():
            if not row[name].isdecimal() or int(row[name]) not in allowed:
                raise InputError(f"{path}: line {line}: {name}: {row[name]!r} is not {allowed[0]} to {allowed[-1]}")
        stage, players, parts = (int(row[name]) for name in _ALLOWED)
        outcomes = tuple(row["outcomes"].split(BETWEEN))
        found.append(Addition(stage, row["study"], players, Cell(*cells[3:6]), parts, outcomes))
    return tuple(found)


def seed_of(stage: int, part: int) -> int:
    """The seed of a part of a stage, from that of the study."""
    return SEED * 1_000_000 + stage * OF_STAGE + part


class Scope(NamedTuple):
    """The cells, by the usual names of pools, and the rows of games in each.

    All claims are judged in `tables` on every board, in `settings` those that their study does not judge there, on the
    printed board. `additions` are the games of later stages.
    """

    tables: tuple[Cell, ...]
    settings: tuple[Cell, ...]
    rows: int
    quick: bool = False
    additions: tuple[Addition, ...] = ()

    @property
    def pools(self) -> tuple[str, ...]:
        """The pools of all cells."""
        return tuple(pool for pool in USUAL if any(cell.play == pool for cell in (*self.tables, *self.settings)))

    @property
    def towers(self) -> tuple[str, ...]:
        """The towers of all cells."""
        return levels("tower", (*self.tables, *self.settings))

    def tasks(self) -> list[Task]:
        """What is played at once: the claims of a source in a cell of a board."""
        tasks = []
        for case in CASES:
            for each in replayed():
                if not case.studies or each.name in case.studies:
                    tables = each.cells(self.tables, case.players)
                    tasks += [Task(case, each, cell) for cell in tables]
                    if case == CASES[0] and (names := each.judged.unpublished):
                        others = (cell for cell in each.cells(self.settings) if cell not in tables)
                        tasks += [Task(case, each, cell, names) for cell in others]
        return tasks


class Task(NamedTuple):
    """A source in a cell of a board; all its claims are judged there, or those of some outcomes."""

    case: Case
    source: Source
    cell: Cell
    names: tuple[str, ...] | None = None


def scope_of(choices: Choices) -> Scope:
    """The cells and their rows; the chosen games are those of each comparison of prices, or the fewest possible."""
    rows = ROWS
    if choices.games is not None:
        whole = choices.games // source("price").judged.games_a_row // 72 * 72  # blocks with 3 players and with 4
        rows = min(ROWS, max(LEAST_ROWS, whole))
    if choices.quick:
        return Scope((*TWO_TABLES, AT_RANDOM[0]), (), min(rows, QUICK_ROWS), True)
    return Scope((*THREE_TABLES, *AT_RANDOM), SETTINGS, rows, additions=additions() if rows == ROWS else ())


def experiment_of(source: Source, players: int, cell: Cell, rows: int, **changes: Any) -> Experiment:
    """The experiment of a cell with a number of players; `changes` are those of its board and seed."""
    changes |= {"players": players, "tower": cell.tower, "setup": cell.setup, "lineups": []}
    if cell.play != RANDOM:
        return load_experiment(EXPERIMENT, {**changes, "policies": source.plays(players)[cell.play].policy})
    experiment = load_experiment(EXPERIMENT, {**changes, "policies": MIDDLING_POLICY})
    return seated_at_random(experiment, _tables(players, rows, experiment.seed), source.judged.games_a_row)


def added_experiments(more: Addition, rows: int) -> list[Experiment]:
    """The experiments of the parts of an addition."""
    return [experiment_of(source(more.study), more.players, more.cell, rows, seed=seed_of(more.stage, part))
            for part in range(more.parts)]  # fmt: skip


def identity(scope: Scope) -> dict[str, Any]:
    """Everything that decides the results."""
    facts: dict[str, Any] = {
        "cells": {"/".join((case.name, by.name, *cell)): [experiment_of(by, case.players, cell, scope.rows), names]
                  for case, by, cell, names in scope.tasks()},
        "favors": {name: variants()[name] for name in FAVORS},
        "games": {each.name: each.judged.games_a_row for each in replayed()},
        "rows": scope.rows,
        "given": {each.name: each.judged.given() for each in replayed() if each.judged.given is not None},
    }  # fmt: skip
    if scope.additions:  # their parts differ in the seed alone, which follows from the part
        facts["additions"] = [
            [each.stage, each.parts, *each.outcomes, *added_experiments(each._replace(parts=1), scope.rows)]
            for each in scope.additions
        ]
    return facts


def play(scope: Scope, storage: Storage) -> dict[Key, Estimate]:
    """Play all claims in all cells and on all boards, and what boards change; they lie in the study's folder."""
    boards = Boards(storage.folder)
    board = {case.name: {"board": str(case.written(boards))} if case.written else {} for case in CASES}

    def played(task: Task) -> dict[Key, Estimate]:
        case, by, cell, names = task
        experiment = experiment_of(by, case.players, cell, scope.rows, **board[case.name])
        found = by.kept([experiment], scope.rows, storage.cache, names)
        return {Key(case.quantity, f"{by.name} {name}", case.players, cell): found[name]
                for name in by.claims if name in found}  # fmt: skip

    def added(more: Addition) -> dict[Key, Estimate]:
        experiments = added_experiments(more, scope.rows)
        found = source(more.study).kept(experiments, scope.rows, storage.cache, more.outcomes)
        return {Key(f"stage-{more.stage}", f"{more.study} {name}", more.players, more.cell): each
                for name, each in found.items()}  # fmt: skip

    with ThreadPoolExecutor(checked_workers(storage.workers)) as pool:
        parts = [*pool.map(played, scope.tasks()), *pool.map(added, scope.additions)]
    values = {key: each for part in parts for key, each in part.items()}
    return values | dict(moves_of(values))


def _asked(key: Key) -> Asked:
    study, _, outcome = key.item.partition(" ")
    return Asked(study, outcome)


_CELLS = partial(Quantity, unit=lambda key: _asked(key).unit, null=lambda key: _asked(key).claim.above, together=(),
                 family="all", n_unit="rows of games", shown="claims")  # fmt: skip
_IT = "{rest} (study {first})"
QUANTITIES = (
    _CELLS(AS_PRINTED, _IT),
    *(_CELLS(case.quantity, f"{_IT}, {case.name}") for case in BOARDS),
    *(_CELLS(case.move, f"{_IT}: mean of these cells, {case.name}, less that as printed", null=0, shown="tables")
      for case in BOARDS),
    *(_CELLS(f"stage-{stage}", f"{_IT}: games of stage {stage}", seed=lambda key: seed_of(int(key.quantity[-1]), 0))
      for stage in STAGES),
)  # fmt: skip


def moves_of(values: Mapping[Key, Estimate]) -> Iterator[tuple[Key, Estimate]]:
    """What boards change in the mean of their cells, paired by row of games, since all boards play the same numbers."""
    cells: dict[tuple[str, int, str], dict[Cell, Estimate]] = {}
    for key, each in values.items():
        cells.setdefault((key.quantity, key.players, key.item), {})[key.cell] = each
    moves = {case.quantity: case.move for case in BOARDS}
    for (quantity, players, item), there in cells.items():
        if quantity in moves:
            before = cells[AS_PRINTED, players, item]
            yield Key(moves[quantity], item, players), _mean(there.values()) - _mean(before[at] for at in there)


def _mean(cells: Iterable[Estimate]) -> Estimate:
    every = list(cells)
    return combined([1 / len(every)] * len(every), every)
