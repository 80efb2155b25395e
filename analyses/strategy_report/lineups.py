"""What the report says of line-ups: wins of each as printed in every cell, and what makes them fairer."""

from __future__ import annotations

from typing import NamedTuple

from wallsim.analysis.claims.cells import Cell
from wallsim.report.tables.estimates import of_estimate
from wallsim.stats.intervals import Interval
from wallsim.studies.running import Result
from wallsim.studies.scope import CASUAL_TABLE

from ..lineups.families import sure_of_levels
from ..lineups.figures import LEVELS
from ..lineups.finding import LINES, spreads_by_table
from ..lineups.games import letters_of

SIZES = (3, 4, 5)


class Share(NamedTuple):
    """The wins of a line-up in a cell, in per cent: value, interval, and both in words."""

    letter: str
    value: float
    interval: Interval
    text: str


class Row(NamedTuple):
    """A cell of play and tower, and the wins of each line-up in it."""

    cell: Cell
    shares: list[Share]


class Lineups(NamedTuple):
    """The printed line-ups for a number of players: their wins by cell, and a table of what makes them fairer."""

    players: int
    letters: list[str]
    rows: list[Row]
    changes: str

    @property
    def fair(self) -> float:
        """The fair share, in per cent."""
        return 100 / self.players

    @property
    def tables(self) -> list[Row]:
        """The rows of the casual table and of both lines of experienced players, as the study names them."""
        return [row for cell in (CASUAL_TABLE, *LINES) for row in self.rows if row.cell == cell]


def lineups(result: Result) -> list[Lineups]:
    """The line-ups of three, four and five players."""
    figures, design = result.figures, result.design
    sure, found = sure_of_levels(design), []
    for players in SIZES:
        letters, rows = list(letters_of(players)), []
        for cell in design.cells(players):
            shares = []
            for letter in letters:
                figure = figures.of(LEVELS, letter, players=players, cell=cell)
                interval = figure.interval(sure) or (figure.value, figure.value)
                shares.append(Share(letter, figure.value, interval, of_estimate(figure, sure, 1, top=100.0)))
            rows.append(Row(cell, shares))
        found.append(Lineups(players, letters, rows, spreads_by_table(figures, design, players)))
    return found
