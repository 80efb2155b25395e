"""How much to bid at most: the table of bids, and the first screen of the page of the study `tiles`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from math import floor, isfinite

from wallsim.analysis.claims.cells import Cell
from wallsim.report.tables.estimates import NOTHING
from wallsim.report.tables.traced import marked
from wallsim.rules.terms import ROUND_NAMES, TILES
from wallsim.stats.intervals import side_of
from wallsim.studies.figure import Figure, Figures
from wallsim.studies.grids import Grid, lines
from wallsim.studies.scope import CASUAL_TABLE, EXPERIENCED_TABLE, SECOND_TABLE, Scope
from wallsim.studies.sentences import in_a_sentence

from ..robustness.answers import left_open
from .estimates import CLAIMS, MEAN_LATER, NAMES, PLAYERS, offers, places_of, tables_of

LARGEST_BID = 4  # Thalers
BIDS = "bid at most with the last place, casual / experienced"  # the head of the table of bids, with its place
_LINES = (EXPERIENCED_TABLE, SECOND_TABLE)
_ORDER = {"1": "first", "2": "second"}  # the rounds of both years in words, which are no figures
_PLACES = dict(zip(places_of(PLAYERS), ("first", "second", "third", "last"), strict=True))
Best = tuple[str, str, str]  # a tile, a place and a round


def bid_of(figures: Figures, even: Figure) -> int | None:
    """The whole Thalers of a bid that breaks even at those of a figure, at most the largest.

    None where it is not known: the price of a Thaler is not above 0.
    """
    price = figures.of("offer-price", players=even.players, cell=even.cell, moment=even.moment).value
    return min(LARGEST_BID, max(0, floor(even.value))) if price > 0 and isfinite(even.value) else None


def bid_words(figures: Figures, even: Figure) -> str:
    """The same as a text."""
    bid = bid_of(figures, even)
    return NOTHING if bid is None else marked(str(bid), even.value)


def first(figures: Figures, scope: Scope) -> Grid:
    """How much to bid at most for each tile with the last place, at the tables of four.

    At the experienced table it is the bid that pays in each line of strong play. The only bids that are advised: the
    first page of the study and the sheet to print have them.
    """
    casual, *strong = tables_of(scope).tables

    def both(even: Figure) -> str:
        by_cell = {each.cell: each for each in figures.headed(even.id.partition("/")[0]) if each.moment == even.moment}
        least = min((by_cell[table] for table in strong), key=lambda each: each.value)
        return f"{bid_words(figures, even)} / {bid_words(figures, least)}"

    rows, columns = lines("item", TILES, NAMES.__getitem__), lines("moment", ROUND_NAMES, item=places_of(PLAYERS)[-1])
    return Grid(BIDS, rows, columns, {"quantity": "offer-thalers", "players": PLAYERS, "cell": casual}, both, (
        "Thalers at which a bid for the tile with the last of four places breaks even against the mean of what the "
        f"auction offers, rounded down; {LARGEST_BID} is the largest bid. Experienced: the bid that pays in both "
        f"lines. {tables_of(scope).baseline:,} blocks of each table; intervals, other places, and three and five "
        "players are with all tables."))  # fmt: skip


def bids(figures: Figures, scope: Scope) -> dict[str, list[str]]:
    """The bids of that table by tile and round."""
    grid = first(figures, scope)
    found: dict[str, list[str]] = {str(row.head): [] for row in grid.rows}
    for (row, _), even in grid.figures_of(figures).items():
        found[str(grid.rows[row].head)].append(grid.show(even))
    return found


def sentences(figures: Figures) -> dict[str, str]:
    """For which offer to bid most, and what it is worth to keep a tile from the leader."""
    return {"title": title_of(figures), "casual": _sentence(figures, (CASUAL_TABLE,)),
            "experienced": _sentence(figures, _LINES), **left_open(figures, tuple(CLAIMS))}  # fmt: skip


def title_of(figures: Figures) -> str:
    """The finding in a sentence: the best offer at casual and at experienced tables."""
    casual, experienced = (best_offer(figures, tables) for tables in ((CASUAL_TABLE,), _LINES))
    if casual is None or experienced is None:
        best, who = (experienced, "experienced") if casual is None else (casual, "casual")
        return f"A bid pays at {who} tables alone: {in_words(best)}" if best else "No tile is worth a bid"
    if casual == experienced:
        return f"Bid most for {in_words(casual)}"
    return f"Bid most for {in_words(casual)} at casual tables, for {in_words(experienced)} at experienced ones"


def in_words(best: Best, form: str = "{} with the {} place in the {} {}") -> str:
    """An offer as a sentence has it."""
    season, year = best[2].split()
    return form.format(NAMES[best[0]], _PLACES[best[1]], _ORDER[year], season)


def best_offer(figures: Figures, tables: Sequence[Cell]) -> Best | None:
    """The offer whose bid breaks even at most Thalers in the mean of tables; None if none is worth a Thaler at all."""
    worth = {}
    for best in ((*each, moment) for each in offers(PLAYERS) for moment in ROUND_NAMES):
        each = _offered(figures, tables, best)
        if all(bid_of(figures, even) for even in each):
            worth[best] = sum(min(LARGEST_BID, even.value) for even in each)
    return max(worth, key=worth.__getitem__) if worth else None


def _offered(figures: Figures, tables: Sequence[Cell], best: Best) -> list[Figure]:
    # The Thalers at which a bid breaks even at some tables.
    tile, place, moment = best
    of = partial(figures.of, "offer-thalers", f"{tile} {place}", players=PLAYERS, moment=moment)
    return [of(cell=table) for table in tables]


def _sentence(figures: Figures, tables: Sequence[Cell]) -> str:
    # What to bid most for, and which tile it is worth most to keep from the leader, at the table where it is.
    best, then = best_offer(figures, tables), "no tile is known to matter more to the leader"
    tiles = {figures.of("kept-from-leader", tile, players=PLAYERS, cell=table, moment=MEAN_LATER): tile
             for tile in TILES for table in tables}  # fmt: skip
    if kept := [figure for figure in tiles if side_of(figure.ends) > 0]:
        figure = max(kept, key=lambda each: each.value)
        more = f"{'up to ' if len(tables) > 1 else ''}{in_a_sentence(figure)}"
        same = best is not None and best[0] == tiles[figure]
        then = f"{more} more against leaders" if same else f"{NAMES[tiles[figure]]} adds {more} against leaders"
    if best is None:
        return f"No offer is worth a bid of a Thaler in any round; {then}."
    texts = " or ".join(dict.fromkeys(bid_words(figures, even) for even in _offered(figures, tables, best)))
    unit = f" Thaler{'' if texts == '1' else 's'}" if len(tables) == 1 else ""
    return f"Bid at most {texts}{unit} for {in_words(best, '{}, {} place, {} {}')}; {then}."
