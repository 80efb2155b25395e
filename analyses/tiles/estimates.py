"""What tiles and places in the player order bring: the scenarios of the study `tiles`, and the estimates from them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np

from wallsim.analysis.claims.cells import Cell
from wallsim.analysis.claims.verdicts import Claim
from wallsim.rules.terms import ROUND_NAMES, TILES
from wallsim.stats.blocks import Estimate, block_mean, block_ratio
from wallsim.studies.changes import by_round, change
from wallsim.studies.contrasts import MEAN, Contrast
from wallsim.studies.games import Counted, Games
from wallsim.studies.quantities import Key, Value
from wallsim.studies.scenarios import BASE, Lines
from wallsim.studies.scope import TWO_TABLES, Scope
from wallsim.studies.series import MOMENTS

from ..price.prices import in_thalers, price_of, read_prices
from . import auction

SIZES = (3, 4, 5)  # players
PLAYERS = 4  # of the tables by round
NONE, AS_IT_IS = "no tile", "as it is"
TILES_BRING = {what: {tile: Contrast({tile: 1, NONE: -1}, what) for tile in TILES} for what in ("vp", "win")}
NAMES = {tile: tile.replace("_", " ") for tile in TILES}
CLAIMS = {
    **{Claim(f"The tile {NAMES[tile]} is better than none.", f"{NAMES[tile]} against none", 0): each
       for tile, each in TILES_BRING["vp"].items()},
    Claim("The first place is better than the last.", "first place against the last", 0):
        Contrast({"place 1": 1, "place {players}": -1}, "vp"),
}  # fmt: skip


def decides(scope: Scope, games: dict[str, Any]) -> dict[str, Any]:
    """What decides the results beside the games of the scenarios: the published prices of a Thaler, and the auction.

    InputError if a price that is needed is not published.
    """
    asked = [(players, MEAN) for players in SIZES] + [(PLAYERS, each) for each in ROUND_NAMES]
    prices = [price_of(read_prices(), players, table, moment)
              for table, (players, moment) in product(scope.tables, asked)]  # fmt: skip
    used = {price.id: [price.value, price.error, price.n] for price in prices}
    return {"games": games, "prices": used, "auction": auction.identity(scope)}


def scenarios(players: int) -> dict[str, Lines]:
    """The scenarios by name: none, each tile, no tile, and each place."""
    places = {place_name(place): ("place", place) for place in range(1, players + 1)}
    given = {NONE: ("tile", "none"), **{tile: ("tile", tile) for tile in TILES}, **places}
    return {AS_IT_IS: BASE} | {
        name: ({"do": what, "to": to, "seat": "turn", "round": "turn"},) for name, (what, to) in given.items()
    }


def held_always() -> dict[str, Lines]:
    """The scenarios of the tables alone: the seat has each tile, or none, in every round."""
    held = {"do": "tile", "seat": "turn", "round": "every"}
    return {always(tile): ({**held, "to": "none" if tile == NONE else tile},) for tile in (NONE, *TILES)}


def always(tile: str) -> str:
    """The name of the scenario in which the treated seat has a tile, or `NONE`, in every round."""
    return f"{tile} in every round"


def place_name(place: int) -> str:
    """The name of the scenario in which the treated seat gets a place."""
    return f"place {place}"


def count(games: Games) -> Mapping[str, np.ndarray]:
    """The treated seat's victory points and wins, in per cent; and of all seats in its round who held what."""
    points = games.seats("vp")
    counted = {"vp": games.treated(points), "win": 100 * games.treated(games.seats("win"))}
    if len(games.tables.seasons):
        ahead = points - points.mean(axis=1, keepdims=True)
        held, paid = games.in_round("tile"), games.in_round("paid_bids")
        for number, tile in enumerate(TILES):
            for name, values in (("held", np.ones_like(ahead)), ("ahead", ahead), ("paid", paid)):
                counted[f"{tile} {name}"] = (values * (held == number)).sum(axis=1)
    return counted


def measure(played: Mapping[str, Counted], players: int, table: Cell) -> Iterator[tuple[Key, Value]]:
    """What places and tiles bring against their means, in Thalers, too; with 4 players in every round, and of holders.

    At the tables alone.
    """
    if table not in TWO_TABLES:
        return
    places = [place_name(place) for place in range(1, players + 1)]
    # Each quantity: its items, the outcome, in the mean of which scenarios they are compared with, and if in Thalers.
    compared: list[tuple[str, Sequence[str], str, Sequence[str], bool]] = [
        ("place-by-size", places, "vp", places, False), ("thalers-by-size", TILES, "vp", (NONE,), True),
    ]  # fmt: skip
    if players == PLAYERS:
        compared += [
            ("place-vp", places, "vp", places, False), ("place-win", places, "win", places, False),
            ("ranked", TILES, "vp", TILES, False), ("thalers", TILES, "vp", (NONE,), True),
            ("thalers-ranked", TILES, "vp", TILES, True),
        ]  # fmt: skip
        yield from of_holders(played, table)
    prices = read_prices()
    for quantity, items, outcome, against, priced in compared:
        mean = _mean(played, against, outcome)
        for moment, item in product(("",) if quantity.endswith("by-size") else (MEAN, *ROUND_NAMES), items):
            each = change(mean, played[item][outcome], MOMENTS[moment or MEAN][1])
            price = price_of(prices, players, table, moment or MEAN)
            yield Key(quantity, item, players, table, moment), in_thalers(each.estimate, price) if priced else each


def of_holders(played: Mapping[str, Counted], table: Cell) -> Iterator[tuple[Key, Value]]:
    """Each tile as it is given, as it is held and paid for in play, and as it is held in every round."""
    real = {name: by_round(counted) for name, counted in played[AS_IT_IS].items()}
    price = price_of(read_prices(), PLAYERS, table)
    for tile in TILES:
        given, better = (change(_mean(played, against, "vp"), played[tile]["vp"]).estimate
                         for against in ((NONE,), TILES))  # fmt: skip
        held, paid = (block_ratio(real[f"{tile} {what}"], real[f"{tile} held"]) for what in ("ahead", "paid"))
        added, ever = sums_of(played, tile)
        values: dict[str, Value] = {
            "holder-given": given, "holder-ranked": better, "holder-held": held, "holder-paid": paid,
            "holder-thalers": in_thalers(better, price), "held": held, "sign-given": given, "sign-held": held,
            "six-rounds": added, "every-round": ever, "rest": ever - added,
        }  # fmt: skip
        yield from ((Key(quantity, tile, PLAYERS, table), value) for quantity, value in values.items())


def _mean(played: Mapping[str, Counted], names: Sequence[str], outcome: str) -> np.ndarray:
    return np.asarray(np.mean([played[name][outcome] for name in names], axis=0))


def sums_of(played: Mapping[str, Counted], tile: str) -> tuple[Estimate, Estimate]:
    """What a tile brings against none: the six rounds' effects added up, and that of holding it in every round."""
    once, ever = (by_round(played[named(tile)]["vp"] - played[named(NONE)]["vp"]) for named in (str, always))
    return block_mean(once * len(ROUND_NAMES)), block_mean(ever)
