"""What the report says of line-ups: in every cell the wins of each as printed, and what makes them fairest."""

from __future__ import annotations

from typing import NamedTuple

from wallsim.analysis.claims.cells import Cell
from wallsim.report.html.svg import Dot, dots
from wallsim.rules.board import load_board
from wallsim.stats.intervals import Interval
from wallsim.studies.figure import Figures
from wallsim.studies.grids import estimate
from wallsim.studies.running import Result
from wallsim.studies.scope import CASUAL_TABLE

from ..lineups.finding import LINES, NAMES, nearest, spreads_by_table
from ..lineups.games import PRINTED, VERSIONS, adjustments_of, letters_of

SIZES = (3, 4, 5)
FIRST = (4, CASUAL_TABLE)  # the number of players and the cell that a reader sees at first


class Share(NamedTuple):
    """The wins of a line-up in a cell, in per cent: value, interval, and both in words."""

    letter: str
    value: float
    interval: Interval
    text: str


class Change(NamedTuple):
    """A change of the printed line-ups, or none: its name, what changes, and the spread of wins with it in a cell.

    `fairest` says whether no other is known to have a smaller spread there.
    """

    name: str
    change: str
    spread: str
    fairest: bool


class Row(NamedTuple):
    """A cell of play and tower, the wins of each line-up in it with their picture, and what makes them fairer."""

    cell: Cell
    shares: list[Share]
    picture: str
    changes: list[Change]
    advice: str


class Lineups(NamedTuple):
    """The printed line-ups for a number of players: their wins by cell, and a table of what makes them fairer."""

    players: int
    rows: list[Row]
    changes: str

    @property
    def tables(self) -> list[Row]:
        """The rows of the casual table and of both lines of experienced players, as the study names them."""
        return [row for cell in (CASUAL_TABLE, *LINES) for row in self.rows if row.cell == cell]

    @property
    def plays(self) -> list[str]:
        """The kinds of play, casual first."""
        names = dict.fromkeys(row.cell.play for row in self.rows)
        return sorted(names, key=lambda play: play != CASUAL_TABLE.play)

    @property
    def towers(self) -> list[str]:
        """The towers, that of the casual table first."""
        names = dict.fromkeys(row.cell.tower for row in self.rows)
        return sorted(names, key=lambda tower: tower != CASUAL_TABLE.tower)


def lineups(result: Result) -> list[Lineups]:
    """The line-ups of three, four and five players."""
    figures, design, made = result.figures, result.design, []
    for players in SIZES:
        rows = [row_of(result, players, cell) for cell in design.cells(players)]
        made.append(Lineups(players, rows, spreads_by_table(design, players).text(figures)))
    return made


def row_of(result: Result, players: int, cell: Cell) -> Row:
    """What is known of the printed line-ups in a cell."""
    shares = []
    for letter in letters_of(players):
        figure = result.figures.of("wins-of-all-versions", letter, players=players, cell=cell)
        interval = figure.ends or (figure.value, figure.value)
        shares.append(Share(letter, figure.value, interval, estimate(1, top=100.0)(figure)))
    changes = changes_of(result.figures, players, cell)
    return Row(cell, shares, picture_of(players, cell, shares), changes, advice_of(changes))


def picture_of(players: int, cell: Cell, shares: list[Share]) -> str:
    """Wins of the printed line-ups in a cell, with intervals; it is narrow enough for a telephone."""
    rows = {share.letter: Dot(share.value, *share.interval, share.text) for share in shares}
    title = f"Wins of the printed line-ups of {players} players, {cell.play} play, tower {cell.tower}"
    return dots(rows, 100 / players, title, "%")


def changes_of(figures: Figures, players: int, cell: Cell) -> list[Change]:
    """The printed line-ups and each change of them with the spread of wins in a cell; the fairest first, none last."""
    board, adjustments = load_board(), adjustments_of(players)
    fairest, found = nearest(figures, [cell], players), {}
    for kind in VERSIONS:
        words = adjustments[kind].in_words(board) if kind in adjustments else "nothing"
        spread = figures.of("spread", kind, players=players, cell=cell)
        found[kind] = spread.value, Change(NAMES[kind], words, estimate(1)(spread), kind in fairest)
    order = sorted(found, key=lambda kind: (kind == PRINTED, found[kind][0]))
    return [found[kind][1] for kind in order]


def advice_of(changes: list[Change]) -> str:
    """What to change so that wins are most even, in a sentence or two; `changes` are those of a cell."""
    *tried, printed = changes
    spread = f"As printed, wins spread by {printed.spread} percentage points around the fair share"
    if printed.fairest:
        return f"{spread}. No change that was tried is known to make them more even."
    best, *others = [change for change in tried if change.fairest]
    text = f"{spread}, with {best.name} by {best.spread}: {best.change}."
    names = [change.name for change in others]
    return f"{text} Not known to differ from it: {' and '.join(names)}." if names else text
