"""What the auction offers: a tile together with a place, and what it is worth to keep a tile from the leader."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from wallsim.analysis.claims.cells import Cell
from wallsim.rules.terms import ROUND_NAMES, TILES
from wallsim.stats.blocks import Estimate, block_mean, block_ratio
from wallsim.stats.hotelling import hotelling
from wallsim.studies.changes import by_round
from wallsim.studies.games import Counted, Games
from wallsim.studies.quantities import Key, Number, Value
from wallsim.studies.scenarios import Lines, identity_of, scenarios_played
from wallsim.studies.scope import Scope, sizes_of, three_tables
from wallsim.studies.series import MEAN, TURN
from wallsim.studies.series import MOMENTS as AT
from wallsim.studies.study import Storage

from ..price.prices import in_thalers
from ..price.study import BID, FOUR
from ..price.study import NONE as NOTHING
from ..price.study import STUDY as PRICE
from ..price.study import count as count_gifts
from ..price.study import scenarios as gift_scenarios

EXPERIMENT = Path(__file__).with_name("experiment.toml")
BLOCKS, PRICE_BLOCKS, QUICK_BLOCKS = 250, 500, 24  # of each scenario at each table
LATER = ROUND_NAMES[1:]  # nobody leads before the first round
MEAN_LATER = "later rounds"
MOMENTS, LED_MOMENTS = (MEAN, *ROUND_NAMES), (MEAN_LATER, *LATER)
Offer = tuple[str, int]  # a tile and a place from 1


def offers(players: int) -> list[Offer]:
    """Every tile with every place."""
    return list(product(TILES, range(1, players + 1)))


def offer(tile: str, place: int) -> str:
    """The item of a tile with a place."""
    return f"{tile} place {place}"


def scenarios(players: int) -> dict[str, Lines]:
    """The scenarios by name: the treated seat has this tile and this place in its round."""
    turn = {"seat": TURN, "round": TURN}
    return {
        f"{tile}, place {place}": ({"do": "tile", "to": tile, **turn}, {"do": "place", "to": place, **turn})
        for tile, place in offers(players)
    }


def gifts() -> dict[str, Lines]:
    """The scenarios by which Thalers are priced: none, and four more in the treated seat's round."""
    every = gift_scenarios((FOUR,), (TURN,))
    return {NOTHING: every[NOTHING], FOUR: every[f"{FOUR}, {TURN}"]}


def identity(scope: Scope) -> dict[str, Any]:
    """Everything that decides the results."""
    sizes = sizes_of(scope)
    every = {f"{players} players": scenarios(players) for players in sizes}
    return {
        "offers": identity_of(EXPERIMENT, tables_of(scope), every, sizes),
        "thalers": identity_of(PRICE.experiment_file, tables_of(scope, PRICE_BLOCKS), {"gifts": gifts()}, sizes),
    }


def tables_of(scope: Scope, most: int = BLOCKS) -> Scope:
    """The tables that are played, and their blocks."""
    return three_tables(scope, most, QUICK_BLOCKS)


def count(games: Games) -> Mapping[str, np.ndarray]:
    """The treated seat's points and wins, in per cent; whether it led when its round began, and its wins if it did."""
    points, wins = games.treated(games.seats("vp")), 100 * games.treated(games.seats("win"))
    led = games.treated(games.in_round("led"))
    return {"vp": points, "win": wins, "led": led, "wins led": wins * led}


def play(scope: Scope, storage: Storage) -> dict[Key, Value]:
    """Play every offer at every table with every number of players, and estimate what offers are worth."""
    values: dict[Key, Value] = {}
    offered, priced = tables_of(scope), tables_of(scope, PRICE_BLOCKS)
    how: dict[str, Any] = {"workers": storage.workers, "cache": storage.cache}
    for players, table in product(sizes_of(scope), offered.tables):
        games = dict(scenarios_played(EXPERIMENT, table, scenarios(players), offered.baseline, count,
                                      players=players, seasons=True, **how))  # fmt: skip
        with_gifts = dict(scenarios_played(PRICE.experiment_file, table, gifts(), priced.baseline, count_gifts,
                                           players=players, **how))  # fmt: skip
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
    for moment in MOMENTS:
        key, rounds = partial(Key, players=players, cell=table, moment=moment), AT[moment][1]
        shown = points.mean(axis=3) if rounds is None else points[..., rounds]  # [tiles, places, blocks]
        apart = np.asarray(shown - shown.mean(axis=(0, 1)))
        tiles, places, price = apart.mean(axis=1), apart.mean(axis=0), _price(priced, "vp", rounds)
        yield key("offer-price"), price
        yield from ((key("offer-tile", tile), block_mean(worth)) for tile, worth in zip(TILES, tiles, strict=True))
        yield from ((key("offer-place", f"place {at}"), block_mean(worth)) for at, worth in enumerate(places, start=1))
        for tile, place in offers(players):
            item, at = offer(tile, place), (TILES.index(tile), place - 1)
            if moment == MEAN:
                yield key("offer", item), block_mean(apart[at])
            yield key("offer-thalers", item), in_thalers(block_mean(tiles[at[0]] + places[at[1]]), price)
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
        price = _price(priced, "win", rounds)
        for at, tile in enumerate(TILES):
            leader = block_ratio(by_round(wins[at], rounds), by_round(led, rounds))
            yield Key("leader-wins", tile, players, table, moment), leader
            kept = in_thalers(leader * (1 / (players - 1)), price)
            yield Key("kept-from-leader", tile, players, table, moment), kept


def _by_offer(played: Mapping[str, Counted], outcome: str, players: int) -> np.ndarray:
    """An outcome, float64 [tiles, places, blocks, rounds]."""
    every = np.stack([played[name][outcome] for name in scenarios(players)])
    return every.reshape(len(TILES), players, *every.shape[1:])


def _price(priced: Mapping[str, Counted], outcome: str, rounds: int | Sequence[int] | None) -> Estimate:
    """What one of four more Thalers brings."""
    before, after = (by_round(priced[name][outcome], rounds) for name in gifts())
    return block_mean(after - before) * (1 / BID)
