"""The figures of the study `tiles` in the register."""

from __future__ import annotations

from math import nan
from typing import Any

from wallsim.analysis.claims.cells import Cell
from wallsim.rules.terms import ROUND_NAMES, TILES
from wallsim.stats.blocks import Measured
from wallsim.stats.intervals import LEVEL, Confidence
from wallsim.studies.changes import Change
from wallsim.studies.claims import add_claims
from wallsim.studies.figure import Rows
from wallsim.studies.scope import plays_for

from ..price.prices import in_thalers
from .auction_figures import add_auction
from .estimates import CLAIMS, MEAN, PLAYERS, SIZES, Tiles, Worth, prices_for

MOMENTS = (MEAN, *ROUND_NAMES)
RANKED, THALERS, THALERS_MORE = "ranked", "thalers", "thalers-ranked"
GIVEN, HELD, HELD_SHOWN, PAID, BETTER, EVEN = (
    "holder-given",
    "holder-held",
    "held",
    "holder-paid",
    "holder-ranked",
    "holder-thalers",
)
SIGN_GIVEN, SIGN_HELD = "sign-given", "sign-held"
ADDED, ALWAYS, REST = "six-rounds", "every-round", "rest"
TILE_BY_SIZE, PLACE_BY_SIZE, THALERS_BY_SIZE = "tile-by-size", "place-by-size", "thalers-by-size"
UNITS = {"vp": "VP", "win": "% points"}
_WORDS = {"vp": "victory points", "win": "wins"}


def tile_worth(outcome: str) -> str:
    """The quantity of what a tile brings of an outcome against none."""
    return f"tile-{outcome}"


def place_worth(outcome: str) -> str:
    """The quantity of what a place brings of an outcome against the mean of places."""
    return f"place-{outcome}"


def place(number: int) -> str:
    """The item of a place in the order."""
    return f"place {number}"


def sure_of_tiles() -> Confidence:
    """The confidence of the intervals of a table of tiles by moment."""
    return Confidence(LEVEL, len(TILES) * len(MOMENTS))


def sure_of_places() -> Confidence:
    """The confidence of the intervals of a table of places by moment."""
    return Confidence(LEVEL, PLAYERS * len(MOMENTS))


def sure_of_holders() -> Confidence:
    """The confidence of the table of holders."""
    return Confidence(LEVEL, 5 * len(TILES))


def sure_of_signs() -> Confidence:
    """The confidence with which a wrong sign of holders is reported."""
    return Confidence(LEVEL, 2 * len(TILES))


def sure_of_sums() -> Confidence:
    """The confidence of the table of sums."""
    return Confidence(LEVEL, 3 * len(TILES))


def sure_of_sizes() -> Confidence:
    """The confidence of the table by number of players."""
    return Confidence(LEVEL, sum(2 * len(TILES) + players for players in SIZES))


def add_figures(result: Tiles, rows: Rows) -> None:
    """Add every figure: tiles and places by moment, in Thalers, of holders, by players, of auctions, and the claims."""
    for table in result.scope.tables:
        _add_table(result, table, rows)
    add_auction(result.auctions, rows)
    known = {play.name for play in result.scope.plays}
    for players in SIZES:
        plays = [play for play in plays_for(players) if play.name in known]
        add_claims(rows, CLAIMS, result.cells[players], plays, "VP", players=players)


def _add_table(result: Tiles, table: Cell, rows: Rows) -> None:
    """Add the figures of one table."""
    prices = prices_for(result.scope)

    def add(quantity: str, name: str, each: Measured, sure: Confidence, words: str, unit: str, **more: Any) -> None:
        keys = {"players": PLAYERS, "cell": table, "null": 0.0, **more}
        rows.estimate(quantity, name, each, sure, words=words, unit=unit, **keys)

    def change(quantity: str, name: str, each: Change, sure: Confidence, words: str, unit: str, **more: Any) -> None:
        add(quantity, name, each.estimate, sure, words, unit, pairing=each.gain, **more)

    worth = result.worth[PLAYERS, table]
    for outcome, unit in UNITS.items():
        for tile in TILES:
            words = f"{_WORDS[outcome]} that the tile {tile} brings against none"
            for moment in MOMENTS:
                each = worth.tiles[tile, outcome, moment]
                change(tile_worth(outcome), tile, each, sure_of_tiles(), words, unit, moment=moment)
        for number in range(1, PLAYERS + 1):
            words = f"{_WORDS[outcome]} that place {number} in the order brings against the mean of places"
            for moment in MOMENTS:
                each = worth.places[number, outcome, moment]
                change(place_worth(outcome), place(number), each, sure_of_places(), words, unit, moment=moment)
    for tile in TILES:
        for moment in MOMENTS:
            ranked, price = worth.ranked[tile, moment], prices[PLAYERS, table, moment]
            words = f"victory points that the tile {tile} brings against the mean of the five tiles"
            change(RANKED, tile, ranked, sure_of_tiles(), words, "VP", moment=moment)
            words = f"Thalers that break even in a bid for {tile}, against"
            even = in_thalers(worth.tiles[tile, "vp", moment].estimate, price)
            add(THALERS, tile, even, sure_of_tiles(), f"{words} none", "Thalers", moment=moment)
            more = in_thalers(ranked.estimate, price)
            add(THALERS_MORE, tile, more, sure_of_tiles(), f"{words} the mean of tiles", "Thalers", moment=moment)
        _add_holders(add, worth, tile)
        even = in_thalers(worth.ranked[tile, MEAN].estimate, prices[PLAYERS, table, MEAN])
        words = f"Thalers that break even in a bid for {tile}, against the mean of tiles"
        add(EVEN, tile, even, sure_of_holders(), words, "Thalers")
    for players in SIZES:
        by_size = result.worth[players, table]
        for tile in TILES:
            each, words = by_size.tiles[tile, "vp", MEAN], f"victory points that the tile {tile} brings against none"
            change(TILE_BY_SIZE, tile, each, sure_of_sizes(), words, "VP", players=players)
            even = in_thalers(each.estimate, prices[players, table, MEAN])
            words = f"Thalers that break even in a bid for {tile}"
            add(THALERS_BY_SIZE, tile, even, sure_of_sizes(), words, "Thalers", players=players)
        for number in range(1, players + 1):
            words = f"victory points that place {number} in the order brings against the mean of places"
            each = by_size.places[number, "vp", MEAN]
            change(PLACE_BY_SIZE, place(number), each, sure_of_sizes(), words, "VP", players=players)


def _add_holders(add: Any, worth: Worth, tile: str) -> None:
    given, better, held = worth.tiles[tile, "vp", MEAN].estimate, worth.ranked[tile, MEAN].estimate, worth.holders[tile]
    added, ever = worth.sums[tile]
    brings = f"victory points that the tile {tile} brings against"
    for quantity, each, sure, words, unit in (
        (GIVEN, given, sure_of_holders(), f"{brings} none", "VP"),
        (BETTER, better, sure_of_holders(), f"{brings} the mean of tiles", "VP"),
        (HELD, held, sure_of_holders(), f"victory points of holders of {tile} above the mean of their table", "VP"),
        (HELD_SHOWN, held, sure_of_tiles(), f"victory points of holders of {tile} above the mean of their table", "VP"),
        (PAID, worth.paid[tile], sure_of_holders(), f"Thalers that holders of {tile} had paid", "Thalers"),
        (SIGN_GIVEN, given, sure_of_signs(), f"{brings} none", "VP"),
        (SIGN_HELD, held, sure_of_signs(), f"victory points of holders of {tile} above the mean of their table", "VP"),
        (ADDED, added, sure_of_sums(), f"{brings} none, the six rounds' effects added up", "VP"),
        (ALWAYS, ever, sure_of_sums(), f"{brings} none, held in every round", "VP"),
        (REST, ever - added, sure_of_sums(), f"{brings} none, held in every round less the six added up", "VP"),
    ):
        # What was paid is an amount, not an effect: 0 is nothing to hold it against.
        add(quantity, tile, each, sure, words, unit, **({"null": nan} if quantity == PAID else {}))
