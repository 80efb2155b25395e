"""What a group takes to its table: one side of paper."""

from __future__ import annotations

from typing import NamedTuple

from wallsim.report.tables.estimates import NOTHING
from wallsim.rules.board import load_board
from wallsim.rules.terms import ROUND_NAMES, TILES
from wallsim.studies.running import Result
from wallsim.studies.scope import CASUAL_TABLE, EXPERIENCED_TABLE

from ..lineups.estimates import adjustments_of
from ..lineups.finding import NAMES, nearest
from ..tiles.finding import LARGEST_BID, bid_at_most, name_of
from .lineups import SIZES

__all__ = ["LARGEST_BID", "Bid", "Fairer", "bids", "fairer"]


class Bid(NamedTuple):
    """A bonus tile, and how many Thalers to bid for it at most in each round, casual and experienced table."""

    tile: str
    most: list[str]


class Fairer(NamedTuple):
    """What makes printed line-ups fairest at the casual table, for a number of players."""

    players: int
    name: str
    change: str


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
