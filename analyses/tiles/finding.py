"""The first screen of the page of the study `tiles`: how much to bid at most for a tile with a place, at each table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from wallsim.analysis.claims.cells import Cell
from wallsim.report.tables.estimates import of_estimate
from wallsim.report.tables.traced import marked
from wallsim.rules.terms import ROUND_NAMES, TILES
from wallsim.stats.intervals import side_of
from wallsim.studies.figure import Figure, Figures
from wallsim.studies.finding import Finding
from wallsim.studies.scope import CASUAL_TABLE, EXPERIENCED_TABLE, SECOND_TABLE, Scope

from ..robustness.answers import differing, not_known
from .auction import MEAN_LATER, offers, tables_of
from .auction_figures import KEPT, sure_of_led
from .auction_page import LARGEST_BID, bid_of, offer_bids, offered
from .estimates import CLAIMS, PLAYERS

_LINES = (EXPERIENCED_TABLE, SECOND_TABLE)
_ORDER = {"1": "first", "2": "second"}  # the rounds of both years in words, which are no figures
_PLACES = ("first", "second", "third", "last")


class Best(NamedTuple):
    """A tile, a place and a round."""

    tile: str
    place: int
    moment: str

    def in_words(self) -> str:
        """As a sentence has it."""
        season, year = self.moment.split()
        return f"{name_of(self.tile)} with the {_PLACES[self.place - 1]} place in the {_ORDER[year]} {season}"

    def briefly(self) -> str:
        """The same in fewer words."""
        season, year = self.moment.split()
        return f"{name_of(self.tile)}, {_PLACES[self.place - 1]} place, {_ORDER[year]} {season}"


def finding_of(figures: Figures) -> Finding:
    """For which offer to bid most, and what it is worth to keep a tile from the leader."""
    return Finding(
        title_of(figures),
        _sentence(figures, (CASUAL_TABLE,)),
        _sentence(figures, _LINES),
        not_known(figures, CLAIMS),
        "Victory points that each tile brings against none in each round; beside it each tile as it was given and as "
        "seats held it, against the mean",
        differing(figures, CLAIMS),
    )


def title_of(figures: Figures) -> str:
    """The finding in a sentence: the best offer at casual and at experienced tables."""
    casual, experienced = (best_offer(figures, tables) for tables in ((CASUAL_TABLE,), _LINES))
    if casual is None or experienced is None:
        best, who = (experienced, "experienced") if casual is None else (casual, "casual")
        return f"A bid pays at {who} tables alone: {best.in_words()}" if best else "No tile is worth a bid"
    if casual == experienced:
        return f"Bid most for {casual.in_words()}"
    return f"Bid most for {casual.in_words()} at casual tables, for {experienced.in_words()} at experienced ones"


def best_offer(figures: Figures, tables: Sequence[Cell]) -> Best | None:
    """The offer whose bid breaks even at most Thalers in the mean of tables; None if none is worth a Thaler at all."""
    worth = {}
    for tile, place in offers(PLAYERS):
        for moment in ROUND_NAMES:
            if all(bid_of(figures, PLAYERS, table, tile, place, moment) for table in tables):
                each = [offered(figures, PLAYERS, table, tile, place, moment).value for table in tables]
                worth[Best(tile, place, moment)] = sum(min(LARGEST_BID, value) for value in each)
    return max(worth, key=worth.__getitem__) if worth else None


def _sentence(figures: Figures, tables: Sequence[Cell]) -> str:
    best = best_offer(figures, tables)
    kept = _kept_words(figures, tables, best)
    if best is None:
        return f"No offer is worth a bid of a Thaler in any round; {kept}."
    texts = [_bid_text(figures, table, best) for table in tables]
    most = " or ".join(dict.fromkeys(texts))
    unit = f" Thaler{'' if most == '1' else 's'}" if len(tables) == 1 else ""
    return f"Bid at most {most}{unit} for {best.briefly()}; {kept}."


def _bid_text(figures: Figures, table: Cell, best: Best) -> str:
    return marked(str(bid_of(figures, PLAYERS, table, *best)), offered(figures, PLAYERS, table, *best).value)


def _kept_words(figures: Figures, tables: Sequence[Cell], best: Best | None) -> str:
    """Which tile it is worth most to keep from the leader, at the table where it is worth most."""
    sure = sure_of_led()
    kept = {(tile, table): _kept(figures, table, tile) for tile in TILES for table in tables}
    known = {key: figure for key, figure in kept.items() if side_of(figure.interval(sure)) > 0}
    if not known:
        return "no tile is known to matter more to the leader"
    tile, table = max(known, key=lambda key: known[key].value)
    most = "up to " if len(tables) > 1 else ""
    worth = f"{most}{of_estimate(known[tile, table], sure, 1)}"
    same = best is not None and best.tile == tile
    return f"{worth} more against leaders" if same else f"{name_of(tile)} adds {worth} against leaders"


def _kept(figures: Figures, table: Cell, tile: str) -> Figure:
    return figures.of(KEPT, tile, players=PLAYERS, cell=table, moment=MEAN_LATER)


def bid_table(figures: Figures, scope: Scope) -> str:
    """How much to bid at most for each tile with the last place, at the tables of four."""
    return (
        f"{offer_bids(figures, scope)}\n\nThalers at which a bid for the tile with the last of four places breaks even "
        f"against the mean of what the auction offers, rounded down; {LARGEST_BID} is the largest bid. Experienced: "
        f"the bid that pays in both lines. {tables_of(scope).baseline:,} blocks of each table; intervals, other "
        "places, and three and five players are with all tables."
    )


def name_of(tile: str) -> str:
    """A tile in words."""
    return tile.replace("_", " ")
