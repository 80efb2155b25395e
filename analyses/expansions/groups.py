"""What each expansion does to a group: by number of players and kind of table, who gains, and the better player.

Both lines of strong play take part, each with the weights for expansions of the policy that was tuned with all three.
"""

from __future__ import annotations

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
from wallsim.studies.scope import CASUAL_TABLE, EXPERIENCED_TABLE, Scope, sizes_of
from wallsim.studies.scope import THREE_TABLES as TABLES
from wallsim.studies.study import Storage

from .effects import ATTACKS, EXPERIMENT, LEADER, PLAYERS, Subset, name_of, play, with_subset

LINES = Path(__file__).with_name("lines")
BLOCKS, BETTER_BLOCKS, QUICK_BLOCKS = 150, 110, 12
NONE: Subset = ()
PLAYED: tuple[Subset, ...] = (NONE, *((name,) for name in EXPANSIONS), EXPANSIONS)
OUTCOMES = (POINTS, SPREAD, LEADER, ATTACKS)
BETTER, BETTER_TABLES = "wins of the better player", (CASUAL_TABLE, EXPERIENCED_TABLE)
Values = dict[str, np.ndarray]  # by outcome, float64 [blocks]


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


def groups(scope: Scope, storage: Storage) -> dict[Key, Value]:
    """Play every table with every subset and number of players.

    Published are what each subset changes against none; at the casual table the wins of each seat, which has the same
    line-up in every game; the wins of one better player among others; and those of one seat that knows all three
    expansions among three of the same line that do not.
    """
    values: dict[Key, Value] = {}
    better: dict[Key, Value] = {}
    knows: dict[Key, Value] = {}

    def played(experiment: Experiment, subset: Subset, most: int) -> Values:
        return play(with_subset(experiment, subset), blocks_of(scope, most), storage.cache, storage.workers)

    def wins(experiments: list[Experiment], subset: Subset) -> Estimate:
        every = [played(each, subset, BETTER_BLOCKS)[wins_of(seat)] for seat, each in enumerate(experiments)]
        return block_mean(np.mean(every, axis=0))

    for players in sizes_of(scope):
        for table in TABLES:
            line = line_of(table, players)
            seats = {letter: wins_of(seat) for seat, letter in enumerate(LETTERS[:players]) if table == CASUAL_TABLE}
            before: dict[str, Estimate] = {}
            for subset in PLAYED:
                name, group = name_of(subset), played(experiment_of(table, players, line), subset, BLOCKS)
                now = {each: block_mean(group[each]) for each in (*OUTCOMES, *seats.values())}
                if table in BETTER_TABLES:
                    now[BETTER] = wins(better_tables(table, players), subset)
                    better[Key("better-player", name, players, table)] = now[BETTER]
                before = before or now
                # Each subset is played on games of its own: blocks share nothing, so any pairs of them are as good.
                change = {each: now[each] - before[each] for each in now}
                if subset != NONE:
                    values |= {Key("group-change", f"{name} {each}", players, table): change[each] for each in OUTCOMES}
                    if table in BETTER_TABLES:
                        better[Key("change-of-better-player", name, players, table)] = change[BETTER]
                for letter, each in seats.items():
                    values[Key("group-lineup", f"{name} {letter}", players, table)] = now[each]
                    if subset != NONE:
                        values[Key("group-change-of-lineup", f"{name} {letter}", players, table)] = change[each]
            if table != CASUAL_TABLE and players == PLAYERS:
                plain = one_among(table, players, line, plain_line(table, players))
                knows[Key("line-with-expansions", "", PLAYERS, table)] = wins(plain, EXPANSIONS)
    return values | better | knows
