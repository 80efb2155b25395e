"""What the auction offers: a tile together with a place, and what it is worth to keep a tile from the leader."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from wallsim.analysis.claims.cells import Cell
from wallsim.rules.terms import ROUND_NAMES, TILES
from wallsim.stats.blocks import Estimate, block_mean, block_ratio
from wallsim.stats.hotelling import JointTest, hotelling
from wallsim.stats.ratios import Ratio
from wallsim.studies.changes import by_round
from wallsim.studies.contrasts import MEAN, TURN
from wallsim.studies.games import Counted, Games
from wallsim.studies.scenarios import Lines, identity_of, scenarios_played
from wallsim.studies.scope import Scope, sizes_of, three_tables
from wallsim.studies.study import Storage

from ..price.study import BID, FOUR
from ..price.study import STUDY as PRICE
from ..price.study import count as count_gifts
from ..price.study import scenarios as with_gifts

EXPERIMENT = Path(__file__).with_name("experiment.toml")
BLOCKS, PRICE_BLOCKS, QUICK_BLOCKS = 250, 500, 24  # of each scenario at each table
LATER = ROUND_NAMES[1:]  # nobody leads before the first round
MEAN_LATER = "later rounds"
MOMENTS, LED_MOMENTS = (MEAN, *ROUND_NAMES), (MEAN_LATER, *LATER)
Offer = tuple[str, int]  # a tile and a place from 1


class Denied(NamedTuple):
    """What a leader with a tile has, against a leader with the mean of the five tiles.

    `leader` and `rival` are changes of wins, in per cent, of the leader and of each of the others; `thalers` is what
    that many wins cost a rival: the changed sign of `rival` divided by the wins that a Thaler brings.
    """

    leader: Estimate
    rival: Estimate
    thalers: Ratio


class Auction(NamedTuple):
    """The results of one table with a number of players.

    `offers` are VP by tile, place and moment, against the mean of all offers; `parts` are those of a tile alone (place
    0) and of a place alone (no tile), and `fitted` the sum of both. `thalers` are the Thalers that break even by
    `fitted`, and `prices` what a Thaler brings, in VP by moment. `together` tests by moment that tile and place add up.
    `denied` is by tile and moment.
    """

    offers: dict[tuple[str, int, str], Estimate]
    parts: dict[tuple[str, int, str], Estimate]
    fitted: dict[tuple[str, int, str], Estimate]
    thalers: dict[tuple[str, int, str], Ratio]
    prices: dict[str, Estimate]
    together: dict[str, JointTest | None]
    denied: dict[tuple[str, str], Denied]


def offers(players: int) -> list[Offer]:
    """Every tile with every place."""
    return list(product(TILES, range(1, players + 1)))


def scenarios(players: int) -> dict[str, Lines]:
    """The scenarios by name: the treated seat has this tile and this place in its round."""
    turn = {"seat": TURN, "round": TURN}
    return {
        f"{tile}, place {place}": ({"do": "tile", "to": tile, **turn}, {"do": "place", "to": place, **turn})
        for tile, place in offers(players)
    }


def gifts() -> dict[str, Lines]:
    """The scenarios by which Thalers are priced: none, and four more in the treated seat's round."""
    return with_gifts((FOUR,), (TURN,))


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


def play(scope: Scope, storage: Storage) -> dict[tuple[int, Cell], Auction]:
    """Play every offer at every table with every number of players, and estimate what offers are worth."""
    result = {}
    for players in sizes_of(scope):
        for table in tables_of(scope).tables:
            played = dict(
                scenarios_played(
                    EXPERIMENT, table, scenarios(players), tables_of(scope).baseline, count,
                    players=players, seasons=True, workers=storage.workers, cache=storage.cache,
                )
            )  # fmt: skip
            priced = dict(
                scenarios_played(
                    PRICE.experiment_file, table, gifts(), tables_of(scope, PRICE_BLOCKS).baseline, count_gifts,
                    players=players, workers=storage.workers, cache=storage.cache,
                )
            )  # fmt: skip
            result[players, table] = auction_of(played, priced, players)
    return result


def auction_of(played: Mapping[str, Counted], priced: Mapping[str, Counted], players: int) -> Auction:
    """The results of a table from the counts of its scenarios, and of those by which Thalers are priced."""
    points = _by_offer(played, "vp", players)
    moments: dict[str, int | None] = {MEAN: None, **{moment: place for place, moment in enumerate(ROUND_NAMES)}}
    every: Auction = Auction({}, {}, {}, {}, {}, {}, {})
    for moment, rounds in moments.items():
        apart = _against_the_mean(points, rounds)
        tiles, places = apart.mean(axis=1), apart.mean(axis=0)
        every.parts.update({(tile, 0, moment): block_mean(tiles[at]) for at, tile in enumerate(TILES)})
        every.parts.update({("", place, moment): block_mean(places[place - 1]) for place in range(1, players + 1)})
        price = every.prices[moment] = _price(priced, "vp", rounds)
        for tile, place in offers(players):
            at = TILES.index(tile), place - 1
            every.offers[tile, place, moment] = block_mean(apart[at])
            fitted = block_mean(tiles[at[0]] + places[at[1]])
            every.fitted[tile, place, moment] = fitted
            every.thalers[tile, place, moment] = _in_thalers(fitted, price)
        rest = apart - tiles[:, None] - places[None, :]
        every.together[moment] = hotelling(rest[:-1, :-1].reshape(-1, rest.shape[2]).T)
    every.denied.update(denied_of(played, priced, players))
    return every


def denied_of(
    played: Mapping[str, Counted], priced: Mapping[str, Counted], players: int
) -> dict[tuple[str, str], Denied]:
    """What each tile brings a leader, and so costs each rival, in the mean of the later rounds and in each."""
    wins = _by_offer(played, "wins led", players).mean(axis=1)
    wins = wins - wins.mean(axis=0)
    led = next(iter(played.values()))["led"]  # the same in every scenario: it was so before the tile
    result = {}
    for moment in LED_MOMENTS:
        rounds = [ROUND_NAMES.index(each) for each in (LATER if moment == MEAN_LATER else (moment,))]
        price = _price(priced, "win", rounds)
        for at, tile in enumerate(TILES):
            leader = block_ratio(by_round(wins[at], rounds), by_round(led, rounds))
            result[tile, moment] = Denied(
                leader, leader * (-1 / (players - 1)), _in_thalers(leader * (1 / (players - 1)), price)
            )
    return result


def _by_offer(played: Mapping[str, Counted], outcome: str, players: int) -> np.ndarray:
    """An outcome, float64 [tiles, places, blocks, rounds]."""
    every = np.stack([played[name][outcome] for name in scenarios(players)])
    return every.reshape(len(TILES), players, *every.shape[1:])


def _against_the_mean(points: np.ndarray, rounds: int | None) -> np.ndarray:
    """Points of every offer less those of the mean offer, float64 [tiles, places, blocks]."""
    shown = points.mean(axis=3) if rounds is None else points[..., rounds]
    return np.asarray(shown - shown.mean(axis=(0, 1)))


def _price(priced: Mapping[str, Counted], outcome: str, rounds: int | Sequence[int] | None) -> Estimate:
    """What one of four more Thalers brings."""
    before, after = (by_round(priced[name][outcome], rounds) for name in gifts())
    return block_mean(after - before) * (1 / BID)


def _in_thalers(worth: Estimate, price: Estimate) -> Ratio:
    """A worth in Thalers; the price comes from games of another seed."""
    return Ratio(worth.value, worth.error, price.value, price.error, min(worth.blocks, price.blocks))
