"""What each expansion does to a group: by number of players and kind of table, who gains, and the better player.

Both lines of strong play take part, each with the weights for expansions of the policy that was tuned with all three.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from wallsim.analysis.claims.cells import Cell
from wallsim.analysis.claims.plays import CASUAL_POLICY, MIDDLING_POLICY, SECOND_POLICIES, STRONG_POLICIES
from wallsim.rules.ruleset import LETTERS
from wallsim.rules.terms import EXPANSIONS
from wallsim.runs.experiment import Experiment
from wallsim.runs.experiment_file import load_experiment
from wallsim.stats.blocks import Estimate, block_mean
from wallsim.studies.outcomes import POINTS, SPREAD, wins_of
from wallsim.studies.quantities import Key, Value
from wallsim.studies.scope import CASUAL_TABLE, EXPERIENCED_TABLE, THREE_TABLES, Scope, sizes_of
from wallsim.studies.study import Storage

from .effects import ATTACKS, EXPERIMENT, LEADER, PLAYERS, Subset, name_of, play, with_subset

LINES = Path(__file__).with_name("lines")
BLOCKS, BETTER_BLOCKS, QUICK_BLOCKS = 150, 110, 12
PLAYED: tuple[Subset, ...] = ((), *((name,) for name in EXPANSIONS), EXPANSIONS)
OUTCOMES = (POINTS, SPREAD, LEADER, ATTACKS)
BETTER_TABLES = (CASUAL_TABLE, EXPERIENCED_TABLE)
CHANGE_OF = {"group": "group-change", "group-lineup": "group-change-of-lineup",
             "better-player": "change-of-better-player"}  # fmt: skip


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


def planned(scope: Scope) -> Iterator[tuple[str, int, Cell, list[Experiment]]]:
    """What is played, by kind, number of players and table: an experiment, or one for each seat of one among others."""
    tables = tuple(product(sizes_of(scope), THREE_TABLES))
    for players, table in tables:
        yield "groups", players, table, [experiment_of(table, players, line_of(table, players))]
    for players, table in tables:
        if table in BETTER_TABLES:
            better = line_of(EXPERIENCED_TABLE, players)
            yield "better", players, table, one_among(table, players, better, others_of(table))
    for table in THREE_TABLES[1:]:
        line, plain = line_of(table, PLAYERS), plain_line(table, PLAYERS)
        yield "knows", PLAYERS, table, one_among(table, PLAYERS, line, plain)


def identity(scope: Scope) -> dict[str, Any]:
    """Everything that decides the results."""
    experiments: dict[str, dict[str, Experiment]] = {"groups": {}, "better": {}, "knows": {}}
    for kind, players, table, (first, *_) in planned(scope):
        experiments[kind]["/".join((str(players), *table))] = first
    blocks = [blocks_of(scope, BLOCKS), blocks_of(scope, BETTER_BLOCKS)]
    return {**experiments, "subsets": PLAYED, "blocks": blocks}


def measure(scope: Scope, storage: Storage) -> Iterator[tuple[Key, Value]]:
    """Play every table with every subset and number of players.

    Published are what each subset changes against none; at the casual table the wins of each seat, which has the same
    line-up in every game; the wins of one better player among others; and those of one seat that knows all three
    expansions among three of the same line that do not.
    """

    def played(experiment: Experiment, subset: Subset, most: int) -> dict[str, np.ndarray]:
        return play(with_subset(experiment, subset), blocks_of(scope, most), storage.cache, storage.workers)

    def wins(experiments: list[Experiment], subset: Subset) -> Estimate:
        every = [played(each, subset, BETTER_BLOCKS)[wins_of(seat)] for seat, each in enumerate(experiments)]
        return block_mean(np.mean(every, axis=0))

    for kind, players, table, experiments in planned(scope):
        if kind == "knows":
            yield Key("line-with-expansions", "", players, table), wins(experiments, EXPANSIONS)
            continue
        none: dict[Key, Estimate] = {}
        for subset in PLAYED:
            if kind == "better":
                now = {Key("better-player", "", players, table): wins(experiments, subset)}
            else:
                group = played(experiments[0], subset, BLOCKS)
                shown = {Key("group", each, players, table): each for each in OUTCOMES}
                if table == CASUAL_TABLE:
                    shown |= {Key("group-lineup", letter, players, table): wins_of(seat)
                              for seat, letter in enumerate(LETTERS[:players])}  # fmt: skip
                now = {key: block_mean(group[each]) for key, each in shown.items()}
            none = none or now
            for key, each in now.items():
                named = key._replace(item=f"{name_of(subset)} {key.item}".strip())
                if key.quantity != "group":
                    yield named, each
                if subset:  # played on games of their own: blocks share nothing, so any pairs of them are as good
                    yield named._replace(quantity=CHANGE_OF[key.quantity]), each - none[key]
