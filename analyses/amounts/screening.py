"""A two-level screening design: every number of the game has its lower or its higher value, all at once.

The runs are a Hadamard matrix and the same with all values exchanged (a fold-over: Box, Hunter and Hunter, Statistics
for Experimenters), a design of resolution IV. Each number has its higher value in half of the runs, and so has each
other number in either half. So every main effect rests on all games, and interactions of two numbers do not bias it;
those of three may. It is the mean change over the lower and the higher values of all others, not that at the printed
ones.

Each run has game numbers of its own. Between runs, of which half of the numbers differ, pairing by game saves at most
2 % of the variance of the spread and of wins (a tenth to a fifth of that of points), and would leave few blocks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from math import sqrt
from typing import Any

import numpy as np

from wallsim.analysis.claims.cells import Cell
from wallsim.engine.arena import Arena
from wallsim.experiment.experiment import Experiment
from wallsim.play.parallel import checked_workers, in_parallel
from wallsim.rules.record import pack_rules
from wallsim.rules.terms import TILES
from wallsim.stats.blocks import Measurement
from wallsim.studies import scenarios
from wallsim.studies.games import Count, Counted
from wallsim.studies.outcomes import POINTS, outcomes_of, wins_of
from wallsim.studies.quantities import Key
from wallsim.studies.scope import PLAYERS, Scope
from wallsim.studies.study import Storage

from ..price.study import count as of_treated
from ..tiles.estimates import held_always
from .games import JUDGED, WINS, Turned, experiment_of, in_fours, settings, worths_of

SHOWN = 18  # numbers that are changed alone


def signs_of(numbers: int) -> np.ndarray:
    """The runs of a design for so many numbers, int64 [runs, numbers]: 1 is the higher value, -1 the lower one."""
    from scipy.linalg import hadamard  # its import takes a while

    half = hadamard(1 << (numbers - 1).bit_length(), dtype=np.int64)[:, :numbers]
    return np.vstack([half, -half])


def runs_of(numbers: Sequence[Turned]) -> list[dict[str, int]]:
    """The amounts of each run."""
    return [{each.name: each.high if sign > 0 else each.low for each, sign in zip(numbers, signs, strict=True)}
            for signs in signs_of(len(numbers))]  # fmt: skip


def main_effects(signs: np.ndarray, values: np.ndarray) -> list[Measurement]:
    """The change from the lower to the higher value of each number, from float64 [runs, blocks] of the runs.

    Errors are those between the blocks of a run, so what runs differ by is no part of them.
    """
    error = 2 * sqrt(float(values.var(axis=1, ddof=1).mean()) / values.size)
    changes = 2 * (signs.T @ values.mean(axis=1)) / len(signs)
    return [Measurement(float(change), error, values.size) for change in changes]


def play_runs(
    experiment: Experiment, numbers: Sequence[Turned], blocks: int, workers: int | None,
    lines: Mapping[str, scenarios.Lines], count: Count,
) -> dict[str, Counted]:  # fmt: skip
    """Play blocks of 24 games of each run: by scenario and outcome float64 [runs, blocks of four games]."""
    parts, arenas = experiment.components(), dict(scenarios.arenas_of(experiment, lines))

    def tasks() -> Iterator[tuple[int, np.ndarray]]:
        for place, amounts in enumerate(runs_of(numbers)):
            ruleset = replace(parts.ruleset, amounts=tuple(sorted(amounts.items())))
            yield place, pack_rules(parts.board, ruleset, parts.tower)

    runs = list(in_parallel(partial(_run, arenas, blocks, count), tasks(), checked_workers(workers)))
    return {name: {outcome: np.array([run[name][outcome] for run in runs]) for outcome in first}
            for name, first in runs[0].items()}  # fmt: skip


def _run(
    arenas: Mapping[str, Arena], blocks: int, count: Count, place: int, rules: np.ndarray
) -> dict[str, Counted]:  # fmt: skip
    own = range(place * blocks, (place + 1) * blocks)
    return {name: in_fours(arena.with_rules(rules), own, count, workers=1) for name, arena in arenas.items()}


def play_screened(
    cell: Cell, numbers: Sequence[Turned], blocks: int, storage: Storage, *, tiles: bool = False
) -> Counted:  # fmt: skip
    """The outcomes of whole games, or what tiles bring, float64 [runs, blocks of four games] of a screening design.

    `blocks` of 24 games are divided among the runs, each of which has one at least.
    """
    experiment, runs = experiment_of(cell, numbers[0].base, {}), runs_of(numbers)
    held, each = held_always() if tiles else {"": scenarios.BASE}, max(1, blocks // len(runs))

    def play(_: Any) -> Counted:
        count = of_treated if tiles else outcomes_of
        counted = play_runs(experiment, numbers, each, storage.workers, held, count)
        return worths_of(counted) if tiles else counted[""]

    design = {"experiment": experiment, "runs": runs, "blocks": each, "interventions": held}
    return storage.cache.get("screening", design, play)


def screened(scope: Scope, storage: Storage) -> Iterator[tuple[Key, Measurement]]:
    """The main effects of all numbers: of games in every cell, and of what tiles bring in the baseline cell.

    Points and wins by line-up are those of the first tower.
    """
    home = scope.baseline_cell()
    for cell, numbers in settings(scope):
        games = play_screened(cell, numbers, scope.blocks(cell), storage)
        found = {("screened", what): games[what] for what in JUDGED}
        if cell.tower == home.tower:
            found |= {("screened", POINTS): games[POINTS]}
            found |= {("screened", words): games[wins_of(seat)] for seat, words in enumerate(WINS.values())}
        if cell == home:
            worths = play_screened(cell, numbers, scope.others, storage, tiles=True)
            found |= {("screened-tile", tile): worth for tile, worth in worths.items()}
        for (quantity, what), values in found.items():
            effects = main_effects(signs_of(len(numbers)), values)
            yield from ((Key(quantity, f"{each.name} {what}", PLAYERS, cell), effect)
                        for each, effect in zip(numbers, effects, strict=True))  # fmt: skip


def largest(effects: Mapping[Key, Measurement], scope: Scope) -> list[str]:
    """The numbers that move most: the spread or the leader's wins at a table, or a tile's worth in the baseline cell.

    That is, in standard errors, which are those of all numbers alike.
    """
    moved: dict[str, float] = {}
    for key, each in effects.items():
        name, _, what = key.item.partition(" ")
        if key.cell in scope.tables and what in (*JUDGED, *TILES) and each.error > 0:
            moved[name] = max(moved.get(name, 0.0), abs(each.value) / each.error)
    return sorted(moved, key=moved.__getitem__, reverse=True)[:SHOWN]
