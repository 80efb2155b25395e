"""The figures of what the auction offers, and of tiles kept from the leader, in the register."""

from __future__ import annotations

from typing import Any

from wallsim.analysis.claims.cells import Cell
from wallsim.rules.terms import TILES
from wallsim.stats.intervals import LEVEL, Confidence
from wallsim.studies.contrasts import MEAN
from wallsim.studies.figure import Rows

from .auction import LED_MOMENTS, MOMENTS, Auction, offers

OFFER, OFFER_THALERS, ADDS_UP = "offer", "offer-thalers", "offer-adds-up"
TILE_ALONE, PLACE_ALONE, OFFER_PRICE = "offer-tile", "offer-place", "offer-price"
LEADER_WINS, KEPT = "leader-wins", "kept-from-leader"


def offer(tile: str, place: int) -> str:
    """The item of a tile with a place."""
    return f"{tile} place {place}"


def place_alone(place: int) -> str:
    """The item of a place with whichever tile."""
    return f"place {place}"


def sure_of_offers(players: int) -> Confidence:
    """The confidence of the table of offers by round, at one table."""
    return Confidence(LEVEL, len(TILES) * players * len(MOMENTS))


def sure_of_means(players: int) -> Confidence:
    """The confidence of the table of offers in the mean of the rounds."""
    return Confidence(LEVEL, len(TILES) * players)


def sure_of_parts(players: int) -> Confidence:
    """The confidence of the table of tiles alone and places alone by round."""
    return Confidence(LEVEL, (len(TILES) + players) * len(MOMENTS))


def sure_of_prices() -> Confidence:
    """The confidence of the prices of a Thaler by which one table's offers become Thalers."""
    return Confidence(LEVEL, len(MOMENTS))


def sure_of_led() -> Confidence:
    """The confidence of the tables of tiles kept from the leader."""
    return Confidence(LEVEL, len(TILES) * len(LED_MOMENTS))


def add_auction(result: dict[tuple[int, Cell], Auction], rows: Rows) -> None:
    """Add every figure of the auctions of all tables."""
    for (players, table), auction in result.items():
        _add_offers(auction, players, table, rows)
        for (tile, moment), denied in auction.denied.items():
            words = f"wins of a leader with the tile {tile}, less those of one with the mean of the five tiles"
            rows.estimate(
                LEADER_WINS, tile, denied.leader, sure_of_led(), words=words, unit="% points", players=players,
                cell=table, moment=moment, null=0.0,
            )  # fmt: skip
            words = f"Thalers that bring a rival as many wins as {tile} kept from the leader"
            rows.estimate(
                KEPT, tile, denied.thalers, sure_of_led(), words=words, unit="Thalers", players=players, cell=table,
                moment=moment, null=0.0,
            )  # fmt: skip


def _add_offers(auction: Auction, players: int, table: Cell, rows: Rows) -> None:
    where: dict[str, Any] = {"players": players, "cell": table}
    for tile, place in offers(players):
        words = f"victory points that {tile} with place {place} brings against the mean offer"
        rows.estimate(
            OFFER, offer(tile, place), auction.offers[tile, place, MEAN], sure_of_means(players), words=words,
            unit="VP", moment=MEAN, null=0.0, **where,
        )  # fmt: skip
        for moment in MOMENTS:
            words = f"Thalers that break even in a bid for {tile} with place {place}, against the mean offer"
            rows.estimate(
                OFFER_THALERS, offer(tile, place), auction.thalers[tile, place, moment], sure_of_offers(players),
                words=words, unit="Thalers", moment=moment, null=0.0, **where,
            )  # fmt: skip
    for (tile, place, moment), part in auction.parts.items():
        quantity, name = (PLACE_ALONE, place_alone(place)) if place else (TILE_ALONE, tile)
        rows.estimate(
            quantity, name, part, sure_of_parts(players), words=f"victory points that {name} brings in the auction, "
            f"against the mean of {'places' if place else 'tiles'}", unit="VP", moment=moment, null=0.0, **where,
        )  # fmt: skip
    for moment, price in auction.prices.items():
        rows.estimate(
            OFFER_PRICE, "", price, sure_of_prices(), words="victory points that one of four more Thalers brings",
            unit="VP per Thaler", moment=moment, null=0.0, **where,
        )  # fmt: skip
    for moment, test in auction.together.items():
        if test is not None:
            rows.number(
                ADDS_UP, "", test.p_value, words="p-value of the test that what a tile and a place bring adds up",
                unit="probability", moment=moment, n=test.blocks, n_unit="blocks", **where,
            )  # fmt: skip
