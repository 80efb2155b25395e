"""What tiles and places in the player order bring, alone and together: the scenarios of the study `tiles`.

The auction offers a tile together with a place, and it may be worth something to keep a tile from the leader.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from wallsim.analysis.claims.cells import Cell
from wallsim.analysis.claims.verdicts import Claim
from wallsim.rules.terms import ROUND_NAMES, TILES
from wallsim.stats.blocks import Estimate, block_mean, block_ratio
from wallsim.stats.screening import hotelling
from wallsim.studies.contrasts import MEAN, MOMENTS, TURN, Contrast
from wallsim.studies.games import Counted, Games
from wallsim.studies.outcomes import by_round, change
from wallsim.studies.quantities import Key, Number, Value
from wallsim.studies.scenarios import BASE, Lines, experiment_of, identity_of, scenarios_played
from wallsim.studies.scope import PLAYERS, SIZES, TWO_TABLES, Scope, sizes_of, three_tables
from wallsim.studies.study import Storage

from ..price import study as price
from ..price.study import in_thalers, price_of, read_prices

EXPERIMENT = Path(__file__).with_name("experiment.toml")
BLOCKS, PRICE_BLOCKS, QUICK_BLOCKS = 192, 250, 24  # of each scenario of the auction at each table
NONE, AS_IT_IS = "no tile", "as it is"
ROUNDS = (MEAN, *ROUND_NAMES)
LATER = ROUND_NAMES[1:]  # nobody leads before the first round
MEAN_LATER = "later rounds"
LED_MOMENTS = (MEAN_LATER, *LATER)
TILES_BRING = {what: {tile: Contrast({tile: 1, NONE: -1}, what) for tile in TILES} for what in ("vp", "win")}
NAMES = {tile: tile.replace("_", " ") for tile in TILES}
CLAIMS = {
    **{Claim(f"The tile {NAMES[tile]} is better than none.", f"{NAMES[tile]} against none", 0): each
       for tile, each in TILES_BRING["vp"].items()},
    Claim("The first place is better than the last.", "first place against the last", 0):
        Contrast({"place 1": 1, "place {players}": -1}, "vp"),
}  # fmt: skip
_IN_TURN = {"seat": TURN, "round": TURN}


def decides(scope: Scope, games: dict[str, Any]) -> dict[str, Any]:
    """What decides the results beside the games of the scenarios: the published prices of a Thaler, and the auction.

    InputError if a price that is needed is not published.
    """
    asked = [(players, MEAN) for players in SIZES] + [(PLAYERS, each) for each in ROUND_NAMES]
    prices = [price_of(read_prices(), players, table, moment)
              for table, (players, moment) in product(scope.tables, asked)]  # fmt: skip
    sizes = sizes_of(scope)
    every = {f"{players} players": offer_scenarios(players) for players in sizes}
    return {"games": games, "prices": {each.id: [each.value, each.error, each.n] for each in prices}, "auction": {
        "offers": identity_of(EXPERIMENT, tables_of(scope), every, sizes),
        "thalers": identity_of(price.STUDY.experiment_file, tables_of(scope, PRICE_BLOCKS), {"gifts": gifts()}, sizes),
    }}  # fmt: skip


def scenarios(players: int) -> dict[str, Lines]:
    """The scenarios by name: each tile, no tile, and each place; with four players those of holders, too."""
    given: dict[str, tuple[str, Any]] = {NONE: ("tile", "none"), **{tile: ("tile", tile) for tile in TILES}}
    given |= {place: ("place", at) for at, place in enumerate(places_of(players), start=1)}
    of_holders = {AS_IT_IS: BASE} | held_always() if players == PLAYERS else {}
    return of_holders | {name: ({"do": what, "to": to, **_IN_TURN},) for name, (what, to) in given.items()}


def held_always() -> dict[str, Lines]:
    """The scenarios in which the treated seat has each tile, or none, in every round."""
    held = {"do": "tile", "seat": TURN, "round": "every"}
    return {always(tile): ({**held, "to": "none" if tile == NONE else tile},) for tile in (NONE, *TILES)}


def always(tile: str) -> str:
    """The name of the scenario in which the treated seat has a tile, or `NONE`, in every round."""
    return f"{tile} in every round"


def places_of(players: int) -> list[str]:
    """The names of the scenarios in which the treated seat gets a place."""
    return [f"place {place}" for place in range(1, players + 1)]


def offers(players: int) -> list[tuple[str, str]]:
    """What the auction offers: every tile with every place."""
    return list(product(TILES, places_of(players)))


def offer_scenarios(players: int) -> dict[str, Lines]:
    """The scenarios of the auction by name: the treated seat has this tile and this place in its round."""
    return {
        f"{tile}, {place}": ({"do": "tile", "to": tile, **_IN_TURN}, {"do": "place", "to": int(place[-1]), **_IN_TURN})
        for tile, place in offers(players)
    }


def gifts() -> dict[str, Lines]:
    """The scenarios by which Thalers are priced: none, and four more in the treated seat's round."""
    every = price.scenarios((price.FOUR,), (TURN,))
    return {price.NONE: every[price.NONE], price.FOUR: every[f"{price.FOUR}, {TURN}"]}


def tables_of(scope: Scope, most: int = BLOCKS) -> Scope:
    """The tables at which the auction is played, and their blocks."""
    return three_tables(scope, most, QUICK_BLOCKS)


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


def count_offers(games: Games) -> Mapping[str, np.ndarray]:
    """The treated seat's points and wins, in per cent; whether it led when its round began, and its wins if it did."""
    counted = price.count(games)
    led = games.treated(games.in_round("led"))
    return {**counted, "led": led, "wins led": counted["win"] * led}


def measure(played: Mapping[str, Counted], players: int, table: Cell) -> Iterator[tuple[Key, Value]]:
    """What places and tiles bring against their means, in Thalers, too; with 4 players in every round, and of holders.

    At the tables alone.
    """
    if table not in TWO_TABLES:
        return
    places, prices = places_of(players), read_prices()
    # Each quantity: its items, the outcome, in the mean of which scenarios they are compared with, and if in Thalers.
    compared: list[tuple[str, Sequence[str], str, Sequence[str], bool]] = [
        ("place-by-size", places, "vp", places, False), ("thalers-by-size", TILES, "vp", (NONE,), True),
        ("place-vp", places, "vp", places, False), ("place-win", places, "win", places, False),
        ("ranked", TILES, "vp", TILES, False), ("thalers", TILES, "vp", (NONE,), True),
        ("thalers-ranked", TILES, "vp", TILES, True),
    ]  # fmt: skip
    if players == PLAYERS:
        yield from of_holders(played, table)
    for quantity, items, outcome, against, priced in compared if players == PLAYERS else compared[:2]:
        mean = _mean(played, against, outcome)
        for moment, item in product(("",) if quantity.endswith("by-size") else ROUNDS, items):
            each = change(mean, played[item][outcome], MOMENTS[moment or MEAN][1])
            thaler = price_of(prices, players, table, moment or MEAN)
            yield Key(quantity, item, players, table, moment), in_thalers(each.estimate, thaler) if priced else each


def of_holders(played: Mapping[str, Counted], table: Cell) -> Iterator[tuple[Key, Value]]:
    """Each tile as it is given, as it is held and paid for in play, and as it is held in every round."""
    real = {name: by_round(counted) for name, counted in played[AS_IT_IS].items()}
    for tile in TILES:
        given, better = (change(_mean(played, against, "vp"), played[tile]["vp"]).estimate
                         for against in ((NONE,), TILES))  # fmt: skip
        held, paid = (block_ratio(real[f"{tile} {what}"], real[f"{tile} held"]) for what in ("ahead", "paid"))
        ever, added = change(played[always(NONE)]["vp"], played[always(tile)]["vp"]).estimate, given * len(ROUND_NAMES)
        values: dict[str, Value] = {
            "holder-given": given, "holder-ranked": better, "holder-held": held, "holder-paid": paid,
            "holder-thalers": in_thalers(better, price_of(read_prices(), PLAYERS, table)), "held": held,
            "sign-given": given, "sign-held": held, "six-rounds": added, "every-round": ever, "rest": ever - added,
        }  # fmt: skip
        yield from ((Key(quantity, tile, PLAYERS, table), value) for quantity, value in values.items())


def _mean(played: Mapping[str, Counted], names: Sequence[str], outcome: str) -> np.ndarray:
    return np.asarray(np.mean([played[name][outcome] for name in names], axis=0))


def play_auction(scope: Scope, storage: Storage) -> dict[Key, Value]:
    """Play every offer at every table with every number of players, and estimate what offers are worth."""
    values: dict[Key, Value] = {}
    for players, table in product(sizes_of(scope), tables_of(scope).tables):
        auction, market = (experiment_of(file, table, players)
                           for file in (EXPERIMENT, price.STUDY.experiment_file))  # fmt: skip
        games = dict(scenarios_played(auction, offer_scenarios(players), tables_of(scope).baseline, count_offers,
                                      storage, seasons=True))  # fmt: skip
        blocks = tables_of(scope, PRICE_BLOCKS).baseline
        with_gifts = dict(scenarios_played(market, gifts(), blocks, price.count, storage))
        values |= offers_of(games, with_gifts, players, table)
        values |= denied_of(games, with_gifts, players, table)
    return values


def offers_of(
    played: Mapping[str, Counted], priced: Mapping[str, Counted], players: int, table: Cell
) -> Iterator[tuple[Key, Value]]:
    """What offers are worth at a table, and their tiles and places alone, against the mean of all offers, by round.

    The Thalers of an offer are those of the sum of its tile and its place; whether these add up is tested jointly.
    """
    points = _by_offer(played, "vp", players)
    for moment in ROUNDS:
        key, rounds = partial(Key, players=players, cell=table, moment=moment), MOMENTS[moment][1]
        shown = points.mean(axis=3) if rounds is None else points[..., rounds]  # [tiles, places, blocks]
        apart = np.asarray(shown - shown.mean(axis=(0, 1)))
        tiles, places, thaler = apart.mean(axis=1), apart.mean(axis=0), _price(priced, "vp", rounds)
        yield from ((key("offer-tile", tile), block_mean(worth)) for tile, worth in zip(TILES, tiles, strict=True))
        named = places_of(players)
        yield from ((key("offer-place", place), block_mean(worth)) for place, worth in zip(named, places, strict=True))
        for (number, tile), (at, place) in product(enumerate(TILES), enumerate(named)):
            if moment == MEAN:
                yield key("offer", f"{tile} {place}"), block_mean(apart[number, at])
            yield key("offer-thalers", f"{tile} {place}"), in_thalers(block_mean(tiles[number] + places[at]), thaler)
        rest = apart - tiles[:, None] - places[None, :]
        test = hotelling(rest[:-1, :-1].reshape(-1, rest.shape[2]).T)
        if test is not None:
            yield key("offer-adds-up"), Number(test.p_value, n=test.blocks)


def denied_of(
    played: Mapping[str, Counted], priced: Mapping[str, Counted], players: int, table: Cell
) -> Iterator[tuple[Key, Value]]:
    """What each tile brings a leader, and so costs each rival, in the mean of the later rounds and in each.

    The wins are those of a leader against one with the mean of the five tiles; a rival loses its share of them.
    """
    wins = _by_offer(played, "wins led", players).mean(axis=1)
    wins = wins - wins.mean(axis=0)
    led = next(iter(played.values()))["led"]  # the same in every scenario: it was so before the tile
    for moment in LED_MOMENTS:
        rounds = [ROUND_NAMES.index(each) for each in (LATER if moment == MEAN_LATER else (moment,))]
        thaler = _price(priced, "win", rounds)
        for tile, won in zip(TILES, wins, strict=True):
            leader = block_ratio(by_round(won, rounds), by_round(led, rounds))
            yield Key("leader-wins", tile, players, table, moment), leader
            kept = in_thalers(leader * (1 / (players - 1)), thaler)
            yield Key("kept-from-leader", tile, players, table, moment), kept


def _by_offer(played: Mapping[str, Counted], outcome: str, players: int) -> np.ndarray:
    # float64 [tiles, places, blocks, rounds]
    every = np.stack([played[name][outcome] for name in offer_scenarios(players)])
    return every.reshape(len(TILES), players, *every.shape[1:])


def _price(priced: Mapping[str, Counted], outcome: str, rounds: int | Sequence[int] | None) -> Estimate:
    # What one of four more Thalers brings.
    before, after = (by_round(priced[name][outcome], rounds) for name in gifts())
    return block_mean(after - before) * (1 / price.BID)
