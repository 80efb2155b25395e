"""Set-ups of the line-ups side by side on the same games, and races among many of them.

A course is a number of cells in which every set-up is played. All set-ups of a stage play the same numbers, and every
stage plays numbers that no stage before it played.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from wallsim.engine.arena import Arena
from wallsim.rules.board import Board
from wallsim.rules.ruleset import Ruleset
from wallsim.runs.components import Components
from wallsim.runs.experiment import Experiment
from wallsim.runs.parallel import in_parallel
from wallsim.runs.setup_keys import TOP_LEVEL_RULES, ruleset_of
from wallsim.runs.workers import checked_workers
from wallsim.studies.games import Games, block_size

from .adjustments import unevenness
from .games import Arenas, Played, batch, joined

Changes = dict[str, Any]  # the keys of an experiment that edit its set-up


@dataclass(frozen=True)
class Course:
    """The cells in which set-ups are played: experiments that differ in policies and tower only."""

    cells: tuple[Components, ...]
    seed: int
    players: int
    workers: int

    @classmethod
    def of(cls, experiments: Sequence[Experiment], workers: int | None = None) -> Course:
        """The course of some experiments of one seed and number of players."""
        cells = tuple(each.components() for each in experiments)
        return cls(cells, experiments[0].seed, experiments[0].players, checked_workers(workers))

    def setup(self, changes: Changes) -> Ruleset:
        """The printed set-up with some changes."""
        plain = self.cells[0].ruleset
        edited = ruleset_of({name: getattr(plain, name) for name in TOP_LEVEL_RULES} | {"rules": {}} | changes)
        return replace(plain, thalers=edited.thalers, lineup_edits=edited.lineup_edits)

    def played(self, setups: Sequence[Ruleset], blocks: range) -> list[list[Played]]:
        """The games of every set-up in every cell: `blocks` of 6 numbers a player."""
        bases = [(cell.arena(self.seed), cell.board) for cell in self.cells]
        size, step = block_size(self.players), len(self.cells)
        play = partial(_played, bases, blocks.start * size, len(blocks) * size)
        result = list(in_parallel(play, [(setup, cell) for setup in setups for cell in range(step)], self.workers))
        return [result[at : at + step] for at in range(0, len(result), step)]

    def shares(self, setups: Sequence[Ruleset], blocks: range) -> np.ndarray:
        """The shares of wins in per cent, float64 [set-ups, cells, line-ups]."""
        return np.array([
            [100 * cell.wins().mean(axis=(0, 1)) for cell in cells] for cells in self.played(setups, blocks)
        ])  # fmt: skip


def _played(bases: Sequence[tuple[Arena, Board]], first: int, count: int, setup: Ruleset, cell: int) -> Played:
    base, board = bases[cell]
    tables = Arenas(base, board, setup)
    return joined([batch(tables, Games(first, base.seats, tables[0].play(first, count)))], setup)


class Stages(NamedTuple):
    """How a race is run: blocks of the first stage, how many times more in each that follows, and how many stay."""

    blocks: int
    growth: int
    kept: float  # the part of the set-ups that goes on to the next stage


def race(
    course: Course, setups: Sequence[Ruleset], stages: Stages, first: int, report: Callable[[str], None]
) -> tuple[int, np.ndarray, int]:
    """Successive halving: which set-up is most even over the course.

    Returns its place, its shares over all numbers that it played, and the block after the last one played. A set-up is
    judged by all of its games; `first` is the block to begin with.
    """
    left = list(range(len(setups)))
    totals = np.zeros((len(setups), len(course.cells), course.players))
    blocks, done, played = stages.blocks, first, 0
    while True:
        here = range(done, done + blocks)
        totals[left] += course.shares([setups[each] for each in left], here) * blocks
        done, played = here.stop, played + blocks
        left.sort(key=lambda each: unevenness(totals[each] / played))
        best = totals[left[0]] / played
        report(f"  {len(left)} set-ups, {blocks} blocks: unevenness {unevenness(best):.1f}")
        if len(left) == 1:
            return left[0], best, done
        left = left[: max(1, int(len(left) * stages.kept))]
        blocks *= stages.growth
