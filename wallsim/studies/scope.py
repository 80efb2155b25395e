"""The scope of a study: its cells of play, tower and set-up, and the blocks played in each."""

from __future__ import annotations

from collections.abc import Sequence
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
    levels,
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
PRINTED_TABLES = tuple(table._replace(setup=BASELINE_SETUP) for table in THREE_TABLES)  # with line-ups for all
# The settings of all studies: the three tables; every play in both set-ups under the first tower; and the tables under
# the other towers.
SETTINGS = tuple(dict.fromkeys((
    *THREE_TABLES,
    *(Cell(play.name, BASELINE_TOWER, setup) for play in default_plays() for setup in SETUPS),
    *(table._replace(tower=tower) for tower in CALIBRATIONS[1:] for table in THREE_TABLES),
)))  # fmt: skip
PLAYERS, SIZES = 4, (3, 4, 5)  # those of tables where nothing else is said, and all


class Scope(NamedTuple):
    """In which cells a study plays, and how many blocks: in each of its tables, and in each of the other cells.

    `settings` are the cells by SETTINGS; the figures of `tables`, which need not be among them, are shown by round. The
    first is the baseline.
    """

    plays: tuple[Play, ...]
    settings: tuple[Cell, ...]
    baseline: int
    others: int
    quick: bool = False
    tables: tuple[Cell, ...] = (BASELINE,)

    @property
    def towers(self) -> tuple[str, ...]:
        """The towers of the settings."""
        return levels("tower", self.settings)

    @property
    def setups(self) -> tuple[str, ...]:
        """The set-ups of the settings."""
        return tuple(setup for setup in SETUPS if setup in levels("setup", self.settings))

    def cells(self) -> list[Cell]:
        """All settings, the tables first."""
        return [*dict.fromkeys((*self.tables, *self.settings))]

    def baseline_cell(self) -> Cell:
        """The first of the tables: strong play under the default tower."""
        return self.tables[0]

    def blocks(self, cell: Cell) -> int:
        """The number of blocks of a cell."""
        return self.baseline if cell in self.tables else self.others


def three_tables(scope: Scope, most: int, quick: int) -> Scope:
    """The casual table and those of strong play alone, of at most `most` blocks, in a quick look at most `quick`."""
    known = {play.name for play in scope.plays}
    tables = tuple(table for table in THREE_TABLES if table.play in known)
    blocks = min(scope.baseline, quick if scope.quick else most)
    return Scope((), (), blocks, blocks, scope.quick, tables)


def sizes_of(scope: Scope) -> tuple[int, ...]:
    """The numbers of players at the tables: three to five, in a quick look four."""
    return (PLAYERS,) if scope.quick else SIZES


def plays_for(players: int) -> tuple[Play, ...]:
    """The default plays with the strong policies of this number of players."""
    return default_plays(STRONG_POLICIES[players], SECOND_POLICIES[players])


class Blocks(NamedTuple):
    """The blocks of a cell beside the tables; in a quick look those of a table, and of a cell beside them."""

    others: int
    quick: int
    quick_others: int


def in_setup(settings: Sequence[Cell], setup: str) -> tuple[Cell, ...]:
    """Settings in one set-up, for a study that has no other."""
    return tuple(dict.fromkeys(cell._replace(setup=setup) for cell in settings))


def scope_for(
    path: Path, blocks: Blocks, games: int | None, quick: bool, tables: tuple[Cell, ...] = (BASELINE,)
) -> Scope:
    """The cells of a study, SETTINGS, and their blocks.

    A preview in under two minutes has the plays of the tables, beside a single one middling play, and one tower. With
    `games` there are so many of each scenario in the tables, elsewhere at most so many.
    """
    plays, settings = plays_for(PLAYERS), SETTINGS
    if quick:
        shown = {*(table.play for table in tables), *(() if len(tables) > 1 else (MIDDLING,))}
        plays = tuple(play for play in plays if play.name in shown)
        settings = tuple(cell for cell in settings if cell.play in shown and cell.tower == BASELINE_TOWER)
        baseline, others = blocks.quick, blocks.quick_others
    else:
        baseline, others = blocks_of(load_experiment(path).games), blocks.others
    if games is not None:
        baseline, others = blocks_of(games), min(blocks_of(games), others)
    return Scope(plays, settings, baseline, others, quick, tables)
