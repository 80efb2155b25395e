"""The scope of a study: its cells of play, tower and set-up, and the blocks played in each."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from wallsim.analysis.claims.cells import CALIBRATIONS, SETUPS, Cell
from wallsim.analysis.claims.plays import RIVAL_POLICIES, STRONG, STRONG_POLICIES, Play, default_plays
from wallsim.runs.experiment_file import load_experiment
from wallsim.studies.games import blocks_of

BASELINE_TOWER, BASELINE_SETUP = CALIBRATIONS[0], SETUPS[0]


class Scope(NamedTuple):
    """In which cells a study plays, and how many blocks: in the baseline cell, and in each of the others."""

    plays: tuple[Play, ...]
    towers: tuple[str, ...]
    setups: tuple[str, ...]
    baseline: int
    others: int
    quick: bool = False

    def cells(self) -> list[Cell]:
        """All combinations, that of the baseline first."""
        baseline = self.baseline_cell()
        every = [Cell(play.name, tower, setup) for play in self.plays for tower in self.towers for setup in self.setups]
        return [baseline, *(cell for cell in every if cell != baseline)]

    def baseline_cell(self) -> Cell:
        """Strong play with line-ups under the default tower."""
        return Cell(STRONG, BASELINE_TOWER, BASELINE_SETUP)

    def limited(self, games: int | None) -> Scope:
        """The same with so many games of each scenario in the baseline cell, and elsewhere at most so many."""
        if games is None:
            return self
        blocks = blocks_of(games)
        return self._replace(baseline=blocks, others=min(blocks, self.others))

    def blocks(self, cell: Cell) -> int:
        """The number of blocks of a cell."""
        return self.baseline if cell == self.baseline_cell() else self.others


def plays_for(players: int) -> tuple[Play, ...]:
    """The default plays with the strong policies of this number of players."""
    return default_plays(STRONG_POLICIES[players], RIVAL_POLICIES[players])


class Blocks(NamedTuple):
    """How many blocks a study plays: in the cells beside the baseline; and in a quick look in the baseline, and beside.

    Those of the baseline of the full study follow from the games of its experiment.
    """

    others: int
    quick: int
    quick_others: int


def scope_for(path: Path, blocks: Blocks, games: int | None, quick: bool) -> Scope:
    """The cells of a study and their blocks; `games` of each scenario in the baseline, elsewhere at most so many."""
    if quick:
        return quick_scope(blocks.quick, blocks.quick_others).limited(games)
    return full_scope(blocks_of(load_experiment(path).games), blocks.others).limited(games)


def full_scope(baseline: int, others: int) -> Scope:
    """Five plays, three calibrations of the tower, line-ups and draft."""
    return Scope(plays_for(4), CALIBRATIONS, SETUPS, baseline, others)


def quick_scope(baseline: int, others: int) -> Scope:
    """A preview in under two minutes: middling and strong play, one tower, line-ups and draft."""
    plays = tuple(play for play in plays_for(4) if play.name in ("middling", STRONG))
    return Scope(plays, (BASELINE_TOWER,), SETUPS, baseline, others, quick=True)
