"""What a group takes to its table: one side of paper."""

from __future__ import annotations

from typing import NamedTuple

from wallsim.analysis.claims.cells import Cell
from wallsim.report.tables.estimates import number
from wallsim.rules.board import load_board
from wallsim.rules.event_words import event_words
from wallsim.studies.running import Result
from wallsim.studies.scope import CASUAL_TABLE

from ..draft.picture import rules_of
from ..events.cards import HUNGRIEST
from ..events.page import worst_card
from ..lineups.adjustments import PRINTED
from ..lineups.estimates import adjustments_of
from ..lineups.finding import NAMES, nearest
from ..play.changes import TABLES
from ..play.habits import HABITS
from ..play.study import bracketed, points_of
from .counties import PLAYS
from .lineups import SIZES


class Fairer(NamedTuple):
    """What makes printed line-ups fairest at the casual table, for a number of players."""

    players: int
    name: str
    change: str


class Saying(NamedTuple):
    """A saying of players, and what it brings one seat that follows it: VP at the casual and the experienced tables."""

    name: str
    brings: list[str]


def sayings(play: Result) -> list[Saying]:
    """What every saying brings at each table of four; in brackets where it hardly changes what players do."""
    return [
        Saying(name, [bracketed(play.figures, name, table, _brings(play, name, table)) for table in TABLES])
        for name in HABITS
    ]


def _brings(play: Result, name: str, table: Cell) -> str:
    return number(points_of(play.figures, name, table).value, 1, "+")


def worst_cards(events: Result) -> tuple[str, str]:
    """The names of the card that costs most in its round at the casual table, and of that which takes most grain."""
    return event_words(worst_card(events.figures, CASUAL_TABLE)), event_words(HUNGRIEST)


def rules_by_table(draft: Result) -> list[tuple[str, list[float]]]:
    """What to add to a county's worth in the draft, in VP: in words, and for each kind of play of the counties."""
    each = [rules_of(draft.figures, draft.design, (play,)) for play in PLAYS]
    return [(words, [rules[place][1] for rules in each]) for place, (words, _) in enumerate(each[0])]


def fairer(lineups: Result) -> list[Fairer]:
    """The change with the least spread of wins at the casual table, for three, four and five players."""
    board, result = load_board(), []
    for players in SIZES:
        best = nearest(lineups.figures, [CASUAL_TABLE], players)
        kind = PRINTED if PRINTED in best else best[0]  # where no change is known to be fairer, none is advised
        adjustments = adjustments_of(players)
        change = adjustments[kind].in_words(board) if kind in adjustments else ""
        result.append(Fairer(players, NAMES[kind], change))
    return result
