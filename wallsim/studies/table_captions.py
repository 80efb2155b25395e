"""What stands above and under the tables of studies of effects: how much was played, level, baseline, pairing."""

from __future__ import annotations

from collections.abc import Iterable
from math import isnan

from wallsim.analysis.claims.cells import Cell, plays_in_words
from wallsim.experiment.experiment import Experiment
from wallsim.report.tables.estimates import number
from wallsim.rules.other_settings import SETUP_WORDS
from wallsim.stats.intervals import LEVEL, Confidence
from wallsim.studies.figure import Figure, Figures
from wallsim.studies.finding import BOTS, bots_of
from wallsim.studies.games import block_size
from wallsim.studies.scope import THREE_TABLES, Scope

# By the bots of the tables that exist; in short for heads of many columns.
LINE_NAMES = {table: bots_of(table.play) for table in THREE_TABLES}
SHORT_NAMES = {table: BOTS[table.play] for table in THREE_TABLES}


def table_name(table: Cell) -> str:
    """How a table is called: by its bots, and by its set-up if that is not the one of these bots."""
    return LINE_NAMES.get(table, f"{bots_of(table.play)}, {SETUP_WORDS[table.setup]}")


def _where(scope: Scope) -> str:
    each = [f"{bots_of(table.play)} ({SETUP_WORDS[table.setup]}, tower {table.tower})" for table in scope.tables]
    return f"between {' and between '.join(each)}"


QUICK = "A quick look, in few cells and games: no claim is judged as the study does. "


def scope_words(figures: Figures, scope: Scope, experiment: Experiment, count: int, what: str = "scenarios") -> str:
    """What was played: blocks, scenarios, cells, seed, engine version."""
    cells, size = scope.cells(), block_size(experiment.players)
    others = f", {scope.others:,} in the {len(cells) - len(scope.tables)} other cells"
    others = others if len(cells) > len(scope.tables) else ""
    first, *more = scope.towers
    tables = f"; at the three tables also {' and '.join(more)}" if more else ""
    return (
        f"{QUICK * scope.quick}{scope.baseline * size:,} games of each of {count} {what} {_where(scope)}: "
        f"{scope.baseline:,} blocks of {size}{others}; {experiment.players} players, games from 0 on of seed "
        f"{experiment.seed}, engine version {figures.engine}. Plays: {plays_in_words(scope.plays)}; set-ups: "
        f"{', '.join(scope.setups)}; tower: {first}{tables}."
    )


def few(confidence: Confidence, blocks: int, units: str = "blocks") -> str:
    """A sentence that follows others where there are too few blocks, or other units of errors, for the intervals."""
    return f" {confidence.too_few(blocks, units)}" if blocks < confidence.min_blocks else ""


def under(scope: Scope, confidence: Confidence, changes: Iterable[Figure]) -> str:
    """The line under a table of the baseline cell: blocks, level, baseline, and what pairing saved of the variance."""
    gains = [each.pairing for each in changes if not isnan(each.pairing)]
    least, most = (number(100 * end(gains, default=0.0), 0) for end in (min, max))
    paired = f" Pairing saves {least} to {most} % of the variance." if gains else ""
    where = "of each table" if len(scope.tables) > 1 else "of the baseline cell"
    return (
        f"{scope.baseline:,} blocks {where}; the ± are half-widths of {confidence.n_comparisons:,} simultaneous "
        f"{LEVEL:.0%} intervals.{paired}{few(confidence, scope.baseline)}"
    )


def limits(confidence: Confidence, blocks: int, cells: int) -> str:
    """The line under a table of claims."""
    return (
        f"Judged in {cells} cells of at least {blocks:,} blocks by {confidence.n_comparisons:,} simultaneous "
        f"{LEVEL:.0%} intervals.{few(confidence, blocks)}"
    )
