"""The first screen of the page of the study `tiles`: how much to bid at most for which tile, at both tables."""

from __future__ import annotations

from collections.abc import Sequence
from math import floor, isfinite

from wallsim.analysis.claims.cells import Cell
from wallsim.markdown import markdown_table
from wallsim.report.tables.estimates import NOTHING, of_estimate
from wallsim.report.tables.traced import marked
from wallsim.rules.terms import ROUND_NAMES, TILES
from wallsim.studies.figure import Figures
from wallsim.studies.finding import Finding
from wallsim.studies.scope import CASUAL_TABLE, EXPERIENCED_TABLE, Scope

from ..robustness.answers import not_known
from .estimates import CLAIMS, PLAYERS
from .figures import RANKED, THALERS_MORE, sure_of_tiles

LARGEST_BID = 4  # Thalers
_ORDER = {"1": "first", "2": "second"}  # the rounds of both years in words, which are no figures
_MOST_NAMED = 2  # tiles that a sentence lists
Best = tuple[str, str]  # a tile and a round


def finding_of(figures: Figures) -> Finding:
    """For which tile and round to bid most, and for which tiles never to bid."""
    return Finding(
        title_of(figures),
        _sentence(figures, CASUAL_TABLE),
        _sentence(figures, EXPERIENCED_TABLE),
        not_known(figures, CLAIMS),
        "Victory points that each tile brings against none in each round; beside it each tile as it was given and as "
        "seats held it, against the mean",
    )


def title_of(figures: Figures) -> str:
    """The finding in a sentence: the best bid at both tables, and the tiles that are worth none at either."""
    casual, experienced = (best_bid(figures, table) for table in (CASUAL_TABLE, EXPERIENCED_TABLE))
    if casual is None or experienced is None:
        best, who = (experienced, "experienced") if casual is None else (casual, "casual")
        return f"A bid pays at the {who} table alone: {_best_in_words(best)}" if best else "No tile is worth a bid"
    never = [tile for tile in never_bid(figures, CASUAL_TABLE) if tile in never_bid(figures, EXPERIENCED_TABLE)]
    ending = f"; never for {_either(never)}" if never else ""
    if casual == experienced:
        return f"Bid most for {_best_in_words(casual)}{ending}"
    return (
        f"Bid most for {_best_in_words(casual)} at casual tables, for {_best_in_words(experienced)} at experienced "
        f"ones{ending}"
    )


def _sentence(figures: Figures, table: Cell) -> str:
    best = best_bid(figures, table)
    if best is None:
        return "No tile is worth a bid of a Thaler in any round."
    points = figures.of(RANKED, best[0], players=PLAYERS, cell=table, moment=best[1])
    bid, never = bid_at_most(figures, table, *best), never_bid(figures, table)
    most = bid_in_words(figures, table, *best)
    if len(never) == len(TILES) - 1:
        ending = ", nothing for any other tile"
    elif len(never) > _MOST_NAMED:
        ending = ", nothing for most others"
    else:
        ending = f", nothing for {_either(never)}" if never else ""
    gains = of_estimate(points, sure_of_tiles(), 2, sign="+")
    return f"Bid at most {most} Thaler{'' if bid == 1 else 's'} for {_best_in_words(best)} ({gains} VP){ending}."


def bid_at_most(figures: Figures, table: Cell, tile: str, moment: str) -> int | None:
    """The whole Thalers that break even against the mean of tiles, at most the largest bid; None if not known.

    It is not known where the price of a Thaler is not above 0.
    """
    even, points = (
        figures.of(each, tile, players=PLAYERS, cell=table, moment=moment) for each in (THALERS_MORE, RANKED)
    )
    if not isfinite(even.value) or even.value * points.value < 0:
        return None
    return min(LARGEST_BID, max(0, floor(even.value)))


def bid_in_words(figures: Figures, table: Cell, tile: str, moment: str) -> str:
    """The bid of `bid_at_most` in digits, which a traced figure marks; a dash if it is not known."""
    bid = bid_at_most(figures, table, tile, moment)
    even = figures.of(THALERS_MORE, tile, players=PLAYERS, cell=table, moment=moment)
    return NOTHING if bid is None else marked(str(bid), even.value)


def best_bid(figures: Figures, table: Cell) -> Best | None:
    """The tile and round whose bid breaks even at most Thalers; None if none is worth a Thaler."""
    worth = {
        (tile, moment): figures.of(THALERS_MORE, tile, players=PLAYERS, cell=table, moment=moment).value
        for tile in TILES
        for moment in ROUND_NAMES
        if bid_at_most(figures, table, tile, moment)
    }
    return max(worth, key=worth.__getitem__) if worth else None


def never_bid(figures: Figures, table: Cell) -> list[str]:
    """The tiles that are not worth a Thaler in any round."""
    return [tile for tile in TILES if all(bid_at_most(figures, table, tile, moment) == 0 for moment in ROUND_NAMES)]


def bid_table(figures: Figures, scope: Scope) -> str:
    """One row per tile: how much to bid at most in each round, casual and experienced table."""
    rows = []
    for tile in TILES:
        rows.append((name_of(tile), *bids_of(figures, tile)))
    table = markdown_table(("bid at most, casual / experienced", *ROUND_NAMES), rows)
    return (
        f"{table}\n\nThalers at which a bid breaks even against the mean of the five tiles, rounded down to whole "
        f"Thalers; {LARGEST_BID} is the largest bid. At 0 do not bid. {scope.baseline:,} blocks of each table; the "
        "intervals are with all tables."
    )


def bids_of(figures: Figures, tile: str) -> list[str]:
    """How much to bid at most for a tile in each round, casual / experienced table."""
    cells = []
    for moment in ROUND_NAMES:
        cells.append(
            " / ".join(bid_in_words(figures, table, tile, moment) for table in (CASUAL_TABLE, EXPERIENCED_TABLE))
        )
    return cells


def name_of(tile: str) -> str:
    """A tile in words."""
    return tile.replace("_", " ")


def _best_in_words(best: Best) -> str:
    season, year = best[1].split()
    return f"{name_of(best[0])} in the {_ORDER[year]} {season}"


def _either(tiles: Sequence[str]) -> str:
    *head, last = map(name_of, tiles)
    return f"{', '.join(head)} or {last}" if head else last
