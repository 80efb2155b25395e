"""The first screen of the study `play`: which habits cost or bring points at every table."""

from __future__ import annotations

from collections.abc import Sequence

from wallsim.analysis.claims.cells import Cell
from wallsim.report.tables.estimates import in_words
from wallsim.stats.intervals import side_of
from wallsim.studies.figure import Figure, Figures
from wallsim.studies.finding import Finding
from wallsim.studies.scope import CASUAL_TABLE, EXPERIENCED_TABLE, SECOND_TABLE
from wallsim.studies.table_captions import table_name

from .changes import POINTS, SHOWN
from .estimates import Design
from .habits import HABITS
from .tables import PLAYERS, TABLES
from .tuned import COSTLY

LEAST = 0.1  # of a measure: a habit that moves it by less was there already, or could not be had
LINES = (EXPERIENCED_TABLE, SECOND_TABLE)
NAMES = {table: table_name(table) for table in TABLES} | {
    EXPERIENCED_TABLE: "experienced table, first line",
    SECOND_TABLE: "experienced table, second line",
}


def finding_of(figures: Figures, design: Design) -> Finding | None:
    """What changed habits bring at each table; None in a quick look."""
    if design.quick:
        return None
    cost, gain = (agreed(figures, sign) for sign in (-1, 1))
    return Finding(
        title_of(cost, gain),
        _sentence(figures, [CASUAL_TABLE]),
        _sentence(figures, LINES),
        "What a saying brings where all follow it.",
        "Change of a seat's victory points by each habit, at each table, with intervals",
    )


def title_of(cost: Sequence[str], gain: Sequence[str]) -> str:
    """Which sayings are known to cost or to bring points at every table, in a sentence."""
    if cost:
        words = f"{_listed(cost[:2])} cost{'' if len(cost) > 1 else 's'} points at every table"
        more = len(cost) - 2
        others = f", as do{'es' if more == 1 else ''} {more} more saying{'s' if more > 1 else ''}"
        return words + (others if more > 0 else "")
    if gain:
        return f"{_listed(gain[:1])} brings points at every table"
    return "No saying is known to cost or to bring points at every table"


def agreed(figures: Figures, sign: int) -> list[str]:
    """The habits that are known to move points to one side at every table, by those that take effect there.

    The one that moves them most in the mean of the tables comes first.
    """
    found = known(figures, TABLES)[sign]
    return sorted(found, key=lambda name: -sign * found[name])


def known(figures: Figures, tables: Sequence[Cell]) -> dict[int, dict[str, float]]:
    """The habits that are known to cost (-1) or to bring points (1) at all of some tables: their mean change there.

    Only habits that take effect at all of them.
    """
    found: dict[int, dict[str, float]] = {-1: {}, 1: {}}
    for name in HABITS:
        each = [points_of(figures, name, table) for table in tables]
        sides = {side_of(figure.ends) for figure in each}
        if len(sides) == 1 and sides != {0} and all(shown(figures, name, table) for table in tables):
            found[sides.pop()][name] = sum(figure.value for figure in each) / len(each)
    return found


def points_of(figures: Figures, name: str, table: Cell, players: int = PLAYERS) -> Figure:
    """The change of points by a habit."""
    return figures.of("habit", f"{name} {POINTS}", players=players, cell=table)


def shown(figures: Figures, name: str, table: Cell, players: int = PLAYERS, quantity: str = "habit") -> bool:
    """Whether a seat with the habit, or `tuned` for it, moves its measure to the side that it should, by `LEAST`."""
    value = figures.of(quantity, f"{name} {SHOWN}", players=players, cell=table).value
    return (value if HABITS[name].more else -value) >= LEAST


def bracketed(
    figures: Figures, name: str, table: Cell, text: str, players: int = PLAYERS, quantity: str = "habit"
) -> str:
    """A text about a habit at a table, in brackets where the habit hardly changes what players do."""
    return text if shown(figures, name, table, players, quantity) else f"({text})"


def _sentence(figures: Figures, tables: Sequence[Cell]) -> str:
    """The habits that cost and bring most, of those that are known to at all of these tables."""
    found = known(figures, tables)
    parts = []
    for sign, verb in ((-1, "costs most"), (1, "brings most")):
        if found[sign]:
            name = max(found[sign], key=lambda each: sign * found[sign][each])
            values = " and ".join(_text(points_of(figures, name, table)) for table in tables)
            tuned = "" if found[1] else _tuned(figures, name, tables)  # the box has room for six numbers
            parts.append(f"“{name}” {verb} ({values} VP{tuned})")
    lines = " in both lines" if len(tables) > 1 else ""
    first = "Of those that cost both lines, " if lines and found[-1] else ""  # others may cost more in one of them
    if not parts:
        return f"No saying is known to cost or to bring points{lines}."
    ending = "" if found[1] or "tuned" in parts[0] else f"; none is known to bring points{lines}"
    return f"{first}{', '.join(parts)}{ending}."


def _tuned(figures: Figures, name: str, tables: Sequence[Cell]) -> str:
    """What a habit brings seats that are tuned for it, where several tables have such seats; else nothing."""
    if len(tables) < 2 or not all(name in COSTLY[table] for table in tables):
        return ""
    each = (figures.of("tuned", f"{name} {POINTS}", players=PLAYERS, cell=table) for table in tables)
    values = " and ".join(_text(figure) for figure in each)
    return f"; {values} tuned for it"


def _listed(names: Sequence[str]) -> str:
    return " and ".join(f"“{name}”" for name in names)


def _text(figure: Figure) -> str:
    return in_words(figure.value, figure.ends, 1, "+")
