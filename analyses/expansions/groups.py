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
from wallsim.stats.blocks import Estimate, block_mean
from wallsim.studies.outcomes import POINTS, SPREAD, wins_of
from wallsim.studies.quantities import Key, Value
from wallsim.studies.scope import CASUAL_TABLE, EXPERIENCED_TABLE, THREE_TABLES, Scope, sizes_of
from wallsim.studies.study import Storage

from .effects import ATTACKS, LEADER, PLAYERS, Subset, experiment_of, name_of, play, with_subset

BLOCKS, BETTER_BLOCKS, QUICK_BLOCKS = 150, 110, 12
PLAYED: tuple[Subset, ...] = ((), *((name,) for name in EXPANSIONS), EXPANSIONS)
OUTCOMES = (POINTS, SPREAD, LEADER, ATTACKS)
BETTER_TABLES = (CASUAL_TABLE, EXPERIENCED_TABLE)
GROUPS, BETTER, KNOWS = "groups", "better", "knows"  # a table of its own; one better player; one that knows expansions


def line_of(table: Cell, players: int) -> str:
    """The policy of a table with expansions: the casual one, or the file of a line of strong play."""
    if table == CASUAL_TABLE:
        return CASUAL_POLICY
    return str(Path(__file__).with_name("lines") / f"{plain_line(table, players)}-bigbox.toml")


def plain_line(table: Cell, players: int) -> str:
    """The policy of a line of strong play that knows no expansion."""
    return (STRONG_POLICIES if table == EXPERIENCED_TABLE else SECOND_POLICIES)[players]


def one_among(table: Cell, players: int, one: str, others: str) -> list[Experiment]:
    """The experiments in which one seat, each in turn, plays one policy and all others another."""
    seats = range(players)
    return [experiment_of(table, [one if each == seat else others for each in seats], players) for seat in seats]


def blocks_of(scope: Scope, most: int) -> int:
    """How many blocks are played, at most so many."""
    return min(scope.baseline, QUICK_BLOCKS if scope.quick else most)


def planned(scope: Scope) -> Iterator[tuple[str, int, Cell, list[Experiment]]]:
    """What is played, by kind, number of players and table: an experiment, or one for each seat of one among others."""
    for players, table in product(sizes_of(scope), THREE_TABLES):
        yield GROUPS, players, table, [experiment_of(table, line_of(table, players), players)]
    for players, table in product(sizes_of(scope), BETTER_TABLES):
        others = CASUAL_POLICY if table == CASUAL_TABLE else MIDDLING_POLICY
        yield BETTER, players, table, one_among(table, players, line_of(EXPERIENCED_TABLE, players), others)
    for table in THREE_TABLES[1:]:
        yield KNOWS, PLAYERS, table, one_among(table, PLAYERS, line_of(table, PLAYERS), plain_line(table, PLAYERS))


def identity(scope: Scope) -> dict[str, Any]:
    """Everything that decides the results."""
    experiments: dict[str, dict[str, Experiment]] = {GROUPS: {}, BETTER: {}, KNOWS: {}}
    for kind, players, table, (first, *_) in planned(scope):
        experiments[kind]["/".join((str(players), *table))] = first
    return {**experiments, "subsets": PLAYED, "blocks": [blocks_of(scope, most) for most in (BLOCKS, BETTER_BLOCKS)]}


def measure(scope: Scope, storage: Storage) -> Iterator[tuple[Key, Value]]:
    """Play every table with every subset and number of players.

    Published are what each subset changes against none; at the casual table the wins of each seat, which has the same
    line-up in every game; the wins of one better player among others; and those of one seat that knows all three
    expansions among three of the same line that do not.
    """
    for kind, players, table, experiments in planned(scope):
        blocks = blocks_of(scope, BLOCKS if kind == GROUPS else BETTER_BLOCKS)
        none: dict[str, Estimate] = {}
        for subset in (EXPANSIONS,) if kind == KNOWS else PLAYED:
            played = [play(with_subset(each, subset), blocks, storage) for each in experiments]
            wins = np.mean([played[seat][wins_of(seat)] for seat in range(len(played))], axis=0)
            shown = {  # its quantity and that of its change, by item
                GROUPS: [("", "group-change", each, played[0][each]) for each in OUTCOMES],
                BETTER: [("better-player", "change-of-better-player", "", wins)],
                KNOWS: [("line-with-expansions", "", "", wins)],
            }[kind]
            if (kind, table) == (GROUPS, CASUAL_TABLE):
                shown += [("group-lineup", "group-change-of-lineup", letter, played[0][wins_of(seat)])
                          for seat, letter in enumerate(LETTERS[:players])]  # fmt: skip
            for level, change, item, values in shown:
                now = block_mean(values)
                named = "" if kind == KNOWS else f"{name_of(subset)} {item}".strip()
                if level:
                    yield Key(level, named, players, table), now
                if change and subset:  # played on games of their own: any pairs of blocks are as good
                    yield Key(change, named, players, table), now - none[item]
                none.setdefault(item, now)
