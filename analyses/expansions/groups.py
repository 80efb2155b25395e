"""What each expansion does to a group: by number of players and kind of table, who gains, and the better player.

Both lines of strong play take part, each with the weights for expansions of the policy that was tuned with all three.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from wallsim.analysis.claims.cells import Cell
from wallsim.analysis.claims.plays import CASUAL_POLICY, MIDDLING_POLICY, SECOND_POLICIES, STRONG_POLICIES
from wallsim.rules.terms import EXPANSIONS
from wallsim.runs.experiment import Experiment
from wallsim.runs.experiment_file import load_experiment
from wallsim.stats.blocks import Estimate, block_mean
from wallsim.studies.outcomes import POINTS, SPREAD, wins_of
from wallsim.studies.scope import CASUAL_TABLE, EXPERIENCED_TABLE, SECOND_TABLE, Scope, sizes_of
from wallsim.studies.study import Storage

from .count import ATTACKS, LEADER, play
from .effects import EXPERIMENT, Subset, with_subset

LINES = Path(__file__).with_name("lines")
BLOCKS, BETTER_BLOCKS, QUICK_BLOCKS = 150, 110, 12
PLAYERS = 4  # at tables with one seat that knows the expansions
NONE: Subset = ()
PLAYED: tuple[Subset, ...] = (NONE, *((name,) for name in EXPANSIONS), EXPANSIONS)
OUTCOMES = (POINTS, SPREAD, LEADER, ATTACKS)
TABLES = (CASUAL_TABLE, EXPERIENCED_TABLE, SECOND_TABLE)
BETTER_TABLES = (CASUAL_TABLE, EXPERIENCED_TABLE)
Values = dict[str, np.ndarray]  # by outcome, float64 [blocks]


class Groups(NamedTuple):
    """The results by number of players, table and subset of expansions.

    `groups` are the outcomes of a table and the wins of each seat, which has the same line-up in every game. `better`
    are the wins of one better player among others. `knows` are the wins, with all expansions, of one seat that
    knows them among three of the same line that do not.
    """

    groups: dict[tuple[int, Cell, Subset], dict[str, Estimate]]
    better: dict[tuple[int, Cell, Subset], Estimate]
    knows: dict[Cell, Estimate]


def line_of(table: Cell, players: int) -> str:
    """The policy of a table with expansions: the casual one, or the file of a line of strong play."""
    if table == CASUAL_TABLE:
        return CASUAL_POLICY
    return str(LINES / f"{plain_line(table, players)}-bigbox.toml")


def plain_line(table: Cell, players: int) -> str:
    """The policy of a line of strong play that knows no expansion."""
    return (STRONG_POLICIES if table == EXPERIENCED_TABLE else SECOND_POLICIES)[players]


def others_of(table: Cell) -> str:
    """The policy of those among whom one better player, of the first line, sits."""
    return CASUAL_POLICY if table == CASUAL_TABLE else MIDDLING_POLICY


def experiment_of(table: Cell, players: int, policies: str | list[str]) -> Experiment:
    """The experiment of a table without expansions."""
    changes = {"players": players, "policies": policies, "tower": table.tower, "setup": table.setup}
    return load_experiment(EXPERIMENT, {**changes, "lineups": [], "seasons": True})


def one_among(table: Cell, players: int, one: str, others: str) -> list[Experiment]:
    """The experiments in which one seat, each in turn, plays one policy and all others another."""
    return [
        experiment_of(table, players, [one if each == seat else others for each in range(players)])
        for seat in range(players)
    ]


def blocks_of(scope: Scope, most: int) -> int:
    """How many blocks are played, at most so many."""
    return min(scope.baseline, QUICK_BLOCKS if scope.quick else most)


def better_tables(table: Cell, players: int) -> list[Experiment]:
    """The experiments of one better player at a table: of the first line, in every seat."""
    return one_among(table, players, line_of(EXPERIENCED_TABLE, players), others_of(table))


def identity(scope: Scope) -> dict[str, Any]:
    """Everything that decides the results."""
    groups, better, knows = {}, {}, {}
    for players in sizes_of(scope):
        for table in TABLES:
            key = "/".join((str(players), *table))
            groups[key] = experiment_of(table, players, line_of(table, players))
            if table in BETTER_TABLES:
                better[key] = better_tables(table, players)[0]
            if table != CASUAL_TABLE and players == PLAYERS:
                knows[key] = one_among(table, players, line_of(table, players), plain_line(table, players))[0]
    blocks = [blocks_of(scope, BLOCKS), blocks_of(scope, BETTER_BLOCKS)]
    return {"groups": groups, "better": better, "knows": knows, "subsets": PLAYED, "blocks": blocks}


def groups(scope: Scope, storage: Storage) -> Groups:
    """Play every table with every subset and number of players."""
    result = Groups({}, {}, {})

    def played(experiment: Experiment, subset: Subset, most: int) -> Values:
        return play(with_subset(experiment, subset), blocks_of(scope, most), storage.cache, storage.workers)

    def wins(experiments: list[Experiment], subset: Subset) -> Estimate:
        every = [played(each, subset, BETTER_BLOCKS)[wins_of(seat)] for seat, each in enumerate(experiments)]
        return block_mean(np.mean(every, axis=0))

    for players in sizes_of(scope):
        for table in TABLES:
            line = line_of(table, players)
            for subset in PLAYED:
                group = played(experiment_of(table, players, line), subset, BLOCKS)
                result.groups[players, table, subset] = {name: block_mean(each) for name, each in group.items()}
                if table in BETTER_TABLES:
                    result.better[players, table, subset] = wins(better_tables(table, players), subset)
            if table != CASUAL_TABLE and players == PLAYERS:
                plain = one_among(table, players, line, plain_line(table, players))
                result.knows[table] = wins(plain, EXPANSIONS)
    return result
