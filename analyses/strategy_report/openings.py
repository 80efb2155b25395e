"""What the page of openings has: the first plans of each line-up, by number of players and kind of table."""

from __future__ import annotations

from typing import Any, NamedTuple

from wallsim.report.pages.openings import words_of
from wallsim.studies.figure import slug
from wallsim.studies.running import Result

from ..openings.estimates import PLAYERS, SIZES, TABLES, experiment_of
from ..openings.finding import NAMES
from ..openings.tables import Card, LineupPlans, plans_at


class Row(NamedTuple):
    """A card in words, with its part of the ids of its figures."""

    item: str
    cells: list[str]


class Opened(NamedTuple):
    """A line-up at a table: its letter, what its seat makes in words, and the rows of each box by its name."""

    letter: str
    means: str
    boxes: dict[str, list[Row]]


class Kind(NamedTuple):
    """A kind of table with one number of players: its name, policy, the cell as ids have it, and its line-ups."""

    name: str
    policy: str
    cell: str
    lineups: list[Opened]


class Size(NamedTuple):
    """A number of players, whether cards were laid in place of others there, and the kinds of table."""

    players: int
    forced: bool
    kinds: list[Kind]


def sizes(result: Result) -> list[Size]:
    """The tables of the page, those of four players first."""
    order = (PLAYERS, *(players for players in SIZES if players != PLAYERS))
    return [Size(players, players == PLAYERS, [_kind(result, players, table) for table in TABLES]) for players in order]


def _kind(result: Result, players: int, table: Any) -> Kind:
    plans = plans_at(result.figures, players, table)
    policy = str(experiment_of(result.design, players, table).policies[0])
    cell = f"{slug(table.play)}/{slug(table.tower)}"
    return Kind(NAMES[table], policy, cell, [_opened(each, forced=players == PLAYERS) for each in plans])


def _opened(plans: LineupPlans, *, forced: bool) -> Opened:
    boxes = {words_of(box): [_row(card, forced=forced) for card in cards] for box, cards in plans.boxes.items()}
    return Opened(plans.letter, plans.means(), boxes)


def _row(card: Card, *, forced: bool) -> Row:
    share, vp, wins, laid_vp, laid_wins, then = card.cells()
    laid = [laid_vp, laid_wins] if forced else []
    item = slug(card.place.item()).partition("-")[2]
    return Row(item, [card.words, share, vp, wins, *laid, then])
