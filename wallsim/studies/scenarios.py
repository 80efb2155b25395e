"""Effects of interventions: scenarios on the same games, in every play, tower and set-up.

A scenario is a list of interventions with seat "turn" and round "turn", so that a block treats every pair of seat and
round once. All scenarios of a cell play the same numbers, from 0 on, of the same seed, and differ in nothing but the
interventions. One mean per block and round is stored.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from wallsim.analysis.claims.cells import Cell, Play
from wallsim.engine.arena import Arena
from wallsim.errors import InputError
from wallsim.experiment.experiment import Experiment
from wallsim.experiment.file import load_experiment
from wallsim.rules.interventions import parse_interventions
from wallsim.rules.script import pack_script, table_of
from wallsim.studies.games import Count, Counted, in_batches, play_arena
from wallsim.studies.scope import BASELINE, PLAYERS, Scope, plays_for
from wallsim.studies.study import Storage

Lines = tuple[Mapping[str, Any], ...]
BASE: Lines = ()


def experiment_of(
    path: Path, cell: Cell, players: int = PLAYERS, plays: Sequence[Play] = (), **changes: Any
) -> Experiment:
    """The experiment of a file as it is played in a cell, without interventions; by the usual plays if none are given.

    `changes` are other keys of the file. InputError if it cannot be.
    """
    policy = next(play.policy for play in plays or plays_for(players) if play.name == cell.play)
    where: dict[str, Any] = {"players": players, "policies": policy, "tower": cell.tower, "setup": cell.setup}
    return load_experiment(path, {**where, "lineups": [], "interventions": [], **changes})


def scenarios_played(
    experiment: Experiment, scenarios: Mapping[str, Lines], blocks: int, count: Count, storage: Storage, *,
    seasons: bool = False, counted: str = "scenario",
) -> Iterator[tuple[str, Counted]]:  # fmt: skip
    """Play one scenario after the other on the same games of an experiment, but for those that are stored.

    `counted` names what is counted; another count of the same scenarios has another name. The rules and the policies
    are prepared once, since that takes longer than some hundred games. InputError for interventions that cannot be.
    """
    played = experiment.hash(with_games=True)  # once, since it takes longer than some hundred games
    for name, arena in arenas_of(experiment, scenarios):
        design = {"experiment": played, "interventions": scenarios[name], "blocks": blocks, "seasons": seasons}

        def play(_: object, arena: Arena = arena) -> Counted:
            return play_arena(arena, blocks, count, seasons, storage.workers)

        yield name, storage.cache.get(counted, design, play)


def arenas_of(experiment: Experiment, scenarios: Mapping[str, Lines]) -> Iterator[tuple[str, Arena]]:
    """The arena of each scenario of an experiment, by its name; the experiment's own interventions are not used."""
    parts = experiment.components()
    arena, table = parts.arena(experiment.seed), table_of(parts.board, parts.ruleset)
    for name, lines in scenarios.items():
        steps, errors = parse_interventions(lines, table)
        if errors:
            raise InputError([f"{name}: {key}: {text}" for key, _, text in errors])
        yield name, arena.with_script(pack_script(steps, parts.board, parts.ruleset.letters()))


def played_by_game(
    experiment: Experiment, scenarios: Mapping[str, Lines], blocks: int, count: Count, *, seasons: bool = False
) -> dict[str, Counted]:
    """Play scenarios on the same games of any experiment, in one thread; nothing is stored.

    Each outcome is float64 [games, 1], so the unit of errors is the game, where blocks would be too few. Games treat
    all pairs of seat and round equally often, so the means are those of blocks; the errors contain what rounds and
    seats differ by, and are rather large.
    """
    result = {}
    for name, arena in arenas_of(experiment, scenarios):
        parts = in_batches(arena, range(blocks), count, seasons, workers=1)
        result[name] = {key: np.concatenate([part[key] for part in parts])[:, None] for key in parts[0]}
    return result


def identity_of(
    path: Path, scope: Scope, scenarios: Mapping[str, Mapping[str, Lines]], sizes: Sequence[int]
) -> dict[str, Any]:
    """Everything that decides the results of a study of scenarios, as data.

    That is the experiment of every cell with each number of players, the interventions, and the numbers of blocks;
    `scenarios` are all that are played, by a name of their set.
    """
    cells = {"/".join((str(size), *cell)): experiment_of(path, cell, size) for size in sizes for cell in scope.cells()}
    lines = {
        name: {scenario: [dict(line) for line in steps] for scenario, steps in each.items()}
        for name, each in scenarios.items()
    }
    tables = {} if scope.tables == (BASELINE,) else {"tables": ["/".join(table) for table in scope.tables]}
    return {"cells": cells, "scenarios": lines, "blocks": [scope.baseline, scope.others], **tables}
