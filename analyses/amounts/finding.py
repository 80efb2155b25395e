"""The finding of the study `amounts`: which number moves the spread of points most, at the casual and other tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean

from wallsim.analysis.claims.cells import Cell
from wallsim.analysis.claims.plays import STRONG
from wallsim.markdown import markdown_table
from wallsim.report.tables.estimates import number, of_estimate
from wallsim.stats.intervals import LEVEL, side_of
from wallsim.studies.figure import Figure, Figures
from wallsim.studies.finding import MOST_ROWS, Finding
from wallsim.studies.outcomes import SPREAD
from wallsim.studies.scope import CASUAL_TABLE, Scope

from ..editions.estimates import EXPANDED, SECOND, plays_of
from ..robustness.answers import differing, not_known
from .claims import CLAIMS
from .estimates import Turned, turned_in
from .figures import BY_CELL, PLAYERS, item, sure_of_cells

_LINES = tuple(play.name for play in plays_of(SECOND) if play.strength == STRONG)
CELLS = (CASUAL_TABLE, *(CASUAL_TABLE._replace(play=play) for play in _LINES))  # all with line-ups
_NAMES = {
    "tile_deploy5_armies": "tile: six armies",
    "majority_tie_deduction": "tie deduction",
    "start_thalers_4_players": "starting Thalers",
    "landsknechte_regions": "Landsknechte regions",
}
_WORDS = (("deploy", "deploy "), ("_", " "), ("thalers", "Thalers"), ("event ", "event: "), ("tile ", "tile: "))


def words_of(name: str) -> str:
    """An amount in words, such as `county points`."""
    words = _NAMES.get(name, name)
    for old, new in () if name in _NAMES else _WORDS:
        words = words.replace(old, new)
    return " ".join(words.split())


def finding_of(figures: Figures, scope: Scope) -> Finding:
    """Which number moves the spread of points most, and how many are known to move it."""
    changes = changes_in(figures, scope)
    most = _most(changes, CELLS)
    values = [changes[most][cell].value for cell in CELLS if cell in changes[most]]
    ends = " to ".join(dict.fromkeys(number(value, 1, "+") for value in (min(values), max(values))))
    return Finding(
        f"The spread of points moves most with {words_of(most)}: {ends} VP from the lower to the higher number",
        _sentence(changes, scope, CELLS[:1], "{} known to move the spread"),
        _sentence(changes, scope, CELLS[1:], "With printed line-ups, {} known to move it in every strong line"),
        not_known(figures, CLAIMS),
        "The numbers that move the spread of points or a tile most: what each does to the spread, and to the worth of "
        "every tile",
        differing(figures, CLAIMS),
    )


def changes_in(figures: Figures, scope: Scope) -> dict[str, dict[Cell, Figure]]:
    """The change of the spread by number and cell, in those of both tables that are played."""
    found = {}
    for each in turned_in(scope):
        by_cell = figures.cells(BY_CELL, item(each.name, SPREAD), players=PLAYERS)
        found[each.name] = {cell: by_cell[cell] for cell in CELLS if cell in by_cell}
    return found


def _most(changes: Mapping[str, Mapping[Cell, Figure]], cells: Sequence[Cell]) -> str:
    """The number that moves the spread most, in the mean of some cells."""

    def size(name: str) -> float:
        here = [abs(changes[name][cell].value) for cell in cells if cell in changes[name]]
        return fmean(here) if here else 0.0

    return max(changes, key=size)


def _sentence(changes: Mapping[str, Mapping[Cell, Figure]], scope: Scope, cells: Sequence[Cell], words: str) -> str:
    """How many numbers are known to move the spread in all of some cells, and which moves it most."""
    moving = 0
    for by_cell in changes.values():
        sides = [_side(by_cell[cell], scope) for cell in cells if cell in by_cell]
        moving += bool(sides) and 0 not in sides and len(set(sides)) == 1
    most = _most(changes, cells)
    values = " and ".join(_as_text(changes[most][cell], scope) for cell in cells if cell in changes[most])
    count = words.format(f"{moving} number{' is' if moving == 1 else 's are'}")
    return f"{count}, most with {words_of(most)}: {values} VP."


def _side(figure: Figure, scope: Scope) -> int:
    return side_of(figure.interval(sure_of_cells(scope)))


def _as_text(figure: Figure | None, scope: Scope) -> str:
    return of_estimate(figure, sure_of_cells(scope), 2, sign="+")


def both_tables(figures: Figures, scope: Scope) -> str:
    """One row for each of the numbers that move the spread most: its change in casual and in strong play."""
    changes = changes_in(figures, scope)
    cells = [cell for cell in CELLS if any(cell in by_cell for by_cell in changes.values())]

    def size(each: Turned) -> float:
        return max((abs(one.value) for one in changes[each.name].values()), default=0.0)

    rows = []
    for each in sorted(turned_in(scope), key=size, reverse=True)[:MOST_ROWS]:
        found = (changes[each.name].get(cell) for cell in cells)
        mark = " *" if each.base == EXPANDED else ""
        values = (_as_text(one, scope) for one in found)
        rows.append((f"{words_of(each.name)}{mark}", f"{each.low} → {each.high}", *values))
    heads = ("number of", "from → to", *(f"{cell.play} play, VP" for cell in cells))
    return (
        f"{markdown_table(heads, rows)}\n\nChange of the spread of points; the numbers that move it most. Printed "
        f"line-ups, tower {CASUAL_TABLE.tower}; {sure_of_cells(scope).n_comparisons:,} simultaneous {LEVEL:.0%} "
        "intervals. * with all expansions, where one line of strong play is tuned."
    )
