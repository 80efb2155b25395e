"""What the page of openings has: the first plans of each line-up, by number of players and kind of table."""

from __future__ import annotations

from typing import NamedTuple

from wallsim.analysis.claims.cells import Cell
from wallsim.report.pages.openings import words_of
from wallsim.rules.ruleset import LETTERS
from wallsim.studies.figure import slug
from wallsim.studies.running import Result

from ..openings.study import NAMES, PLAYERS, SIZES, TABLES, Card, cards_at, experiment_of, lineup_means


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


def _kind(result: Result, players: int, table: Cell) -> Kind:
    policy = str(experiment_of(result.design, players, table).policies[0])
    lineups = {letter: _opened(result, letter, players, table) for letter in LETTERS[:players]}
    for card in cards_at(result.figures, players, table):
        lineups[card.lineup].boxes.setdefault(words_of(card.box), []).append(_row(card, forced=players == PLAYERS))
    return Kind(NAMES[table], policy, f"{slug(table.play)}/{slug(table.tower)}", list(lineups.values()))


def _opened(result: Result, letter: str, players: int, table: Cell) -> Opened:
    vp, wins = lineup_means(result.figures, letter, players, table)
    return Opened(letter, f"{vp} VP, {wins} % points of wins", {})


def _row(card: Card, *, forced: bool) -> Row:
    *shown, then = card.cells()
    return Row(card.item.partition("-")[2], [*(shown if forced else shown[:4]), then])
