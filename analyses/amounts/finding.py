"""The finding of the study `amounts`: which number moves the spread of points most, at the casual and other tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from wallsim.analysis.claims.cells import Cell
from wallsim.analysis.claims.plays import STRONG
from wallsim.report.tables.estimates import number
from wallsim.stats.intervals import LEVEL, side_of
from wallsim.studies.figure import Figure, Figures
from wallsim.studies.finding import MOST_ROWS, Finding
from wallsim.studies.grids import Grid, Line, estimate, lines
from wallsim.studies.outcomes import SPREAD
from wallsim.studies.scope import CASUAL_TABLE, Scope
from wallsim.studies.sentences import in_a_sentence

from ..editions.estimates import EXPANDED, SECOND, plays_of
from ..robustness.answers import left_open
from .estimates import CLAIMS, PLAYERS, turned_in

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
    every, casual, strong = (changes_in(figures, scope, cells) for cells in (CELLS, CELLS[:1], CELLS[1:]))
    most = _most(every)
    values = [each.value for each in every[most]]
    ends = " to ".join(dict.fromkeys(number(value, 1, "+") for value in (min(values), max(values))))
    return Finding(
        f"The spread of points moves most with {words_of(most)}: {ends} VP from the lower to the higher number",
        _sentence(casual, "{} known to move the spread"),
        _sentence(strong, "With printed line-ups, {} known to move it in every strong line"),
        picture="The numbers that move the spread of points or a tile most: what each does to the spread, and to the "
        "worth of every tile",
        **left_open(figures, CLAIMS),
    )


def changes_in(figures: Figures, scope: Scope, cells: Sequence[Cell] = CELLS) -> dict[str, list[Figure]]:
    """The changes of the spread by number, in those of some cells that are played."""
    by_name = {each.name: figures.cells("by-cell", f"{each.name} {SPREAD}", players=PLAYERS)
               for each in turned_in(scope)}  # fmt: skip
    return {name: [found[cell] for cell in cells if cell in found] for name, found in by_name.items()}


def _most(changes: Mapping[str, Sequence[Figure]]) -> str:
    """The number that moves the spread most, in the mean of the cells."""
    sizes = {name: [abs(each.value) for each in found] for name, found in changes.items()}
    return max(sizes, key=lambda name: sum(sizes[name]) / max(1, len(sizes[name])))


def _sentence(changes: Mapping[str, Sequence[Figure]], words: str) -> str:
    """How many numbers are known to move the spread in all of the cells, and which moves it most."""
    sides = [{side_of(each.ends) for each in found} for found in changes.values()]
    moving, most = sum(side in ({1}, {-1}) for side in sides), _most(changes)
    values = " and ".join(in_a_sentence(each, "+ 2") for each in changes[most])
    count = words.format(f"{moving} number{' is' if moving == 1 else 's are'}")
    return f"{count}, most with {words_of(most)}: {values} VP."


def both_tables(figures: Figures, scope: Scope) -> Grid:
    """One row for each of the numbers that move the spread most: its change in casual and in strong play."""
    changes = changes_in(figures, scope)
    played = {each.cell for found in changes.values() for each in found}
    cells = [cell for cell in CELLS if cell in played]
    shown = sorted(
        turned_in(scope),
        reverse=True,
        key=lambda each: max((abs(one.value) for one in changes[each.name]), default=0.0),
    )[:MOST_ROWS]
    rows = [Line(f"{words_of(each.name)}{' *' if each.base == EXPANDED else ''}", {"item": f"{each.name} {SPREAD}"})
            for each in shown]  # fmt: skip
    steps = Line("from → to", texts=[f"{each.low} → {each.high}" for each in shown])
    return Grid(
        "number of", rows, (steps, *lines("cell", cells, lambda cell: f"{cell.play} play, VP")),
        {"quantity": "by-cell", "players": PLAYERS}, estimate(2, "+"), lambda used:
        f"Change of the spread of points; the numbers that move it most. Printed line-ups, tower {CASUAL_TABLE.tower}; "
        f"{used[0].family:,} simultaneous {LEVEL:.0%} intervals. * with all expansions, where one line of strong play "
        "is tuned.",
    )  # fmt: skip
