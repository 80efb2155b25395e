"""The tables of habits while an event card lies open."""

from __future__ import annotations

from wallsim.analysis.claims.cells import Cell
from wallsim.markdown import markdown_table
from wallsim.report.tables.estimates import of_estimate
from wallsim.stats.intervals import LEVEL, side_of
from wallsim.studies.figure import Figure, Figures
from wallsim.studies.scope import Scope
from wallsim.studies.table_captions import SHORT_NAMES

from ..play.changes import POINTS, SHOWN, WINS
from . import open_cards
from .open_cards import MORE, OPEN, OTHERWISE, PLAYERS, ROUNDS, SIZE, WHEN
from .open_figures import pair, sure_of_habits, while_open
from .round_habits import HABITS, effect_words

_HEADS = {POINTS: "VP", WINS: "wins, % points", SHOWN: "what shows the habit"}
_WHEN = {OPEN: "open", OTHERWISE: "otherwise", MORE: "open less otherwise"}


def open_tables(figures: Figures, scope: Scope) -> list[str]:
    """What each habit changes while its card lies open and otherwise: in words, points, wins, and what shows it."""
    return [open_words(figures, scope), *(pair_table(figures, scope, outcome) for outcome in _HEADS)]


def open_words(figures: Figures, scope: Scope) -> str:
    """Which habits are known to bring points while the card lies open alone, and which cost another amount then."""
    parts = []
    for table in open_cards.tables_of(scope).tables:
        pays: list[str] = []
        less: list[str] = []
        more: list[str] = []
        for effect, habit in open_cards.pairs_of(scope):
            sides = {when: _side(figures, table, effect, habit, when) for when in WHEN}
            words = f"“{habit}” under {effect_words(effect)}"
            if sides[OPEN] > 0 and sides[MORE] > 0:
                pays.append(words)
            elif sides[MORE] != 0:
                (less if sides[MORE] > 0 else more).append(words)
        name = SHORT_NAMES[table]
        parts.append(
            f"{name[0].upper()}{name[1:]}: known to bring points while the card lies open and fewer otherwise: "
            f"{', '.join(pays) or 'none'}."
        )
        for kind, each in (("Better while the card lies open than otherwise", less), ("Worse then", more)):
            if each:
                parts.append(f"{kind}: {', '.join(each)}.")
    return f"Habits of one round. {' '.join(parts)}"


def pair_table(figures: Figures, scope: Scope, outcome: str) -> str:
    """One row per card and habit: the change of an outcome at each table, while the card lies open and otherwise."""
    tables, sure = open_cards.tables_of(scope), sure_of_habits()
    whens = (OPEN, OTHERWISE) if outcome == SHOWN else WHEN
    rows = []
    for effect, habit in open_cards.pairs_of(scope):
        each = (_figure(figures, table, effect, habit, outcome, when) for table in tables.tables for when in whens)
        words = f": {HABITS[habit].measure}" if outcome == SHOWN else ""
        rows.append((effect_words(effect), f"{habit}{words}", *(of_estimate(one, sure, 2, sign="+") for one in each)))
    columns = (f"{SHORT_NAMES[table]}, {_WHEN[when]}" for table in tables.tables for when in whens)
    heads = ("card", f"habit of one seat of {PLAYERS} in one round: {_HEADS[outcome]}", *columns)
    sets = tables.baseline
    few = f" {sure.too_few(sets, 'sets')}" if sets < sure.min_blocks else ""
    return (
        f"{markdown_table(heads, rows)}\n\nIn rounds in which the card lies open while players plan, and in rounds in "
        f"which it does not; rounds of the year are weighted alike in both. {sets:,} sets of {ROUNDS} blocks of {SIZE} "
        f"games, each game once a seat; the ± are half-widths of {sure.n_comparisons} simultaneous {LEVEL:.0%} "
        f"intervals.{few}"
    )


def _side(figures: Figures, table: Cell, effect: str, habit: str, when: str) -> int:
    return side_of(_figure(figures, table, effect, habit, POINTS, when).interval(sure_of_habits()))


def _figure(figures: Figures, table: Cell, effect: str, habit: str, outcome: str, when: str) -> Figure:
    return figures.of(while_open(outcome), pair(effect, habit, when), players=PLAYERS, cell=table)
