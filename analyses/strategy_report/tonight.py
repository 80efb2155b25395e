"""What a group takes to its table: one side of paper."""

from __future__ import annotations

from typing import NamedTuple

from wallsim.report.tables.estimates import NOTHING, number
from wallsim.rules.board import load_board
from wallsim.rules.terms import ROUND_NAMES, TILES
from wallsim.studies.running import Result
from wallsim.studies.scope import CASUAL_TABLE, EXPERIENCED_TABLE

from ..lineups.estimates import adjustments_of
from ..lineups.finding import NAMES, nearest
from ..play.estimates import TABLES
from ..play.finding import points_of, shown
from ..play.habits import HABITS
from ..tiles.finding import LARGEST_BID, bid_at_most, name_of
from .lineups import SIZES

__all__ = ["LARGEST_BID", "Bid", "Fairer", "Saying", "bids", "fairer", "sayings"]


class Bid(NamedTuple):
    """A bonus tile, and how many Thalers to bid for it at most in each round, casual and experienced table."""

    tile: str
    most: list[str]


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
    result = []
    for name in HABITS:
        cells = []
        for table in TABLES:
            text = number(points_of(play.figures, name, table).value, 1, "+")
            cells.append(text if shown(play.figures, name, table) else f"({text})")
        result.append(Saying(name, cells))
    return result


def bids(tiles: Result) -> list[Bid]:
    """The bids by tile."""
    result = []
    for tile in TILES:
        cells = []
        for moment in ROUND_NAMES:
            each = (bid_at_most(tiles.figures, table, tile, moment) for table in (CASUAL_TABLE, EXPERIENCED_TABLE))
            cells.append(" / ".join(NOTHING if bid is None else str(bid) for bid in each))
        result.append(Bid(name_of(tile), cells))
    return result


def fairer(lineups: Result) -> list[Fairer]:
    """The change with the least spread of wins at the casual table, for three, four and five players."""
    board, result = load_board(), []
    for players in SIZES:
        kind = nearest(lineups.figures, lineups.design, [CASUAL_TABLE], players)[0]
        adjustments = adjustments_of(players)
        change = adjustments[kind].in_words(board) if kind in adjustments else ""
        result.append(Fairer(players, NAMES[kind], change))
    return result
