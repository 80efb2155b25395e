"""The scope of a study: its cells of play, tower and set-up, and the blocks played in each."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from wallsim.analysis.claims.cells import (
    CALIBRATIONS,
    CASUAL,
    MIDDLING,
    SECOND_POLICIES,
    SETUPS,
    STRONG,
    STRONG_POLICIES,
    Cell,
    Play,
    default_plays,
)
from wallsim.experiment.file import load_experiment
from wallsim.studies.games import blocks_of

BASELINE_TOWER, BASELINE_SETUP = CALIBRATIONS[0], SETUPS[0]
BASELINE = Cell(STRONG, BASELINE_TOWER, BASELINE_SETUP)
# The two tables that exist: experienced players draft their counties, casual ones play the printed line-ups.
EXPERIENCED_TABLE = Cell(STRONG, BASELINE_TOWER, "draft")
CASUAL_TABLE = Cell(CASUAL, BASELINE_TOWER, "lineup")
TWO_TABLES = (EXPERIENCED_TABLE, CASUAL_TABLE)
SECOND_TABLE = EXPERIENCED_TABLE._replace(play=f"second {STRONG}")  # of the second line of strong play
THREE_TABLES = (CASUAL_TABLE, EXPERIENCED_TABLE, SECOND_TABLE)


class Scope(NamedTuple):
    """In which cells a study plays, and how many blocks: in each of its tables, and in each of the other cells.

    `tables` are the cells whose figures are shown by round; the first is the baseline.
    """

    plays: tuple[Play, ...]
    towers: tuple[str, ...]
    setups: tuple[str, ...]
    baseline: int
    others: int
    quick: bool = False
    tables: tuple[Cell, ...] = (BASELINE,)

    def cells(self) -> list[Cell]:
        """All combinations, those of the tables first."""
        every = [Cell(play.name, tower, setup) for play in self.plays for tower in self.towers for setup in self.setups]
        return [*self.tables, *(cell for cell in every if cell not in self.tables)]

    def baseline_cell(self) -> Cell:
        """The first of the tables: strong play under the default tower."""
        return self.tables[0]

    def limited(self, games: int | None) -> Scope:
        """The same with so many games of each scenario in the baseline cell, and elsewhere at most so many."""
        if games is None:
            return self
        blocks = blocks_of(games)
        return self._replace(baseline=blocks, others=min(blocks, self.others))

    def blocks(self, cell: Cell) -> int:
        """The number of blocks of a cell."""
        return self.baseline if cell in self.tables else self.others


def three_tables(scope: Scope, most: int, quick: int) -> Scope:
    """The casual table and that of each line of strong play in a scope, alone.

    Each has at most `most` blocks, in a quick look at most `quick`.
    """
    known = {play.name for play in scope.plays}
    tables = tuple(table for table in THREE_TABLES if table.play in known)
    blocks = min(scope.baseline, quick if scope.quick else most)
    return Scope((), (), (), blocks, blocks, scope.quick, tables)


def sizes_of(scope: Scope) -> tuple[int, ...]:
    """The numbers of players at the tables: three to five, in a quick look four."""
    return (4,) if scope.quick else (3, 4, 5)


def plays_for(players: int) -> tuple[Play, ...]:
    """The default plays with the strong policies of this number of players."""
    return default_plays(STRONG_POLICIES[players], SECOND_POLICIES[players])


class Blocks(NamedTuple):
    """How many blocks a study plays: in the cells beside the baseline; and in a quick look in the baseline, and beside.

    Those of the baseline of the full study follow from the games of its experiment.
    """

    others: int
    quick: int
    quick_others: int


def scope_for(
    path: Path, blocks: Blocks, games: int | None, quick: bool, tables: tuple[Cell, ...] = (BASELINE,)
) -> Scope:
    """The cells of a study and their blocks; `games` of each scenario in its tables, elsewhere at most so many."""
    if quick:
        return quick_scope(blocks.quick, blocks.quick_others, tables).limited(games)
    return full_scope(blocks_of(load_experiment(path).games), blocks.others, tables).limited(games)


def full_scope(baseline: int, others: int, tables: tuple[Cell, ...] = (BASELINE,)) -> Scope:
    """Five plays, three calibrations of the tower, line-ups and draft."""
    return Scope(plays_for(4), CALIBRATIONS, SETUPS, baseline, others, tables=tables)


def quick_scope(baseline: int, others: int, tables: tuple[Cell, ...] = (BASELINE,)) -> Scope:
    """A preview in under two minutes: the play of the tables, beside a single one middling play; one tower."""
    shown = {*(table.play for table in tables), *(() if len(tables) > 1 else (MIDDLING,))}
    plays = tuple(play for play in plays_for(4) if play.name in shown)
    return Scope(plays, (BASELINE_TOWER,), SETUPS, baseline, others, quick=True, tables=tables)
