"""What tiles and places in the player order bring: the scenarios of the study `tiles`, and the estimates from them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from wallsim.analysis.claims.cells import Cell
from wallsim.analysis.claims.verdicts import Claim
from wallsim.rules.terms import ROUND_NAMES, TILES
from wallsim.runs.experiment import Experiment
from wallsim.stats.blocks import Estimate, block_mean, block_ratio
from wallsim.studies.changes import by_round, change
from wallsim.studies.figure import Figure
from wallsim.studies.games import Counted, Games
from wallsim.studies.quantities import Key, Value
from wallsim.studies.scenarios import BASE, Lines, identity_of, played_by_game, scenarios_played
from wallsim.studies.scope import TWO_TABLES, Blocks, Scope, scope_for
from wallsim.studies.series import MEAN, MOMENTS
from wallsim.studies.study import Choices, Storage

from ..price.prices import in_thalers, price_of, read_prices
from . import auction

EXPERIMENT = Path(__file__).with_name("experiment.toml")
BLOCKS = Blocks(others=200, quick=168, quick_others=40)
SIZES = (3, 4, 5)  # players
PLAYERS = 4  # of the tables by round
NONE, AS_IT_IS = "no tile", "as it is"
FIRST_LAST = "first place against the last"
Prices = Mapping[tuple[int, Cell, str], Figure]  # by players, table and moment


AGAINST_NONE = {tile: f"{tile.replace('_', ' ')} against none" for tile in TILES}  # the outcomes of CLAIMS of tiles
CLAIMS = (
    *(Claim(f"The tile {tile.replace('_', ' ')} is better than none.", AGAINST_NONE[tile], 0) for tile in TILES),
    Claim("The first place is better than the last.", FIRST_LAST, 0),
)


class Tiles(NamedTuple):
    """The values by key, and the outcomes of the claims by number of players and cell."""

    scope: Scope
    values: dict[Key, Value]
    claims: dict[int, dict[Cell, dict[str, Estimate]]]


def design(choices: Choices) -> Scope:
    """The cells, and their blocks; a number of games is that of each scenario at each table.

    InputError if a price of a Thaler that is needed is not published.
    """
    scope = scope_for(EXPERIMENT, BLOCKS, choices.games, choices.quick, TWO_TABLES)
    prices_for(scope)
    return scope


def identity(scope: Scope) -> dict[str, Any]:
    """Everything that decides the results, the prices too."""
    every = {f"{players} players": scenarios(players) | held_always() for players in SIZES}
    prices = {price.id: [price.value, price.error, price.n] for price in prices_for(scope).values()}
    return {"games": identity_of(EXPERIMENT, scope, every, SIZES), "prices": prices, "auction": auction.identity(scope)}


def prices_for(scope: Scope) -> Prices:
    """The published prices of a Thaler. InputError if one is missing."""
    prices, asked = read_prices(), [(players, MEAN) for players in SIZES] + [(PLAYERS, each) for each in ROUND_NAMES]
    return {(players, table, moment): price_of(prices, players, table, moment)
            for table in scope.tables for players, moment in asked}  # fmt: skip


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


def play(scope: Scope, storage: Storage) -> Tiles:
    """Play all scenarios in all cells with 3, 4 and 5 players, and estimate what tiles and places are worth."""
    values: dict[Key, Value] = {}
    claims: dict[int, dict[Cell, dict[str, Estimate]]] = {players: {} for players in SIZES}
    prices = prices_for(scope)
    for players, cell in product(SIZES, scope.cells()):
        is_table = cell in scope.tables
        wanted = scenarios(players) | (held_always() if is_table else {})
        played = dict(
            scenarios_played(
                EXPERIMENT, cell, wanted, scope.blocks(cell), count,
                players=players, seasons=is_table, workers=storage.workers, cache=storage.cache,
            )
        )  # fmt: skip
        claims[players][cell] = outcomes(played, players)
        if is_table:
            values |= worth_of(played, players, cell, prices)
            values |= of_holders(played, cell, prices) if players == PLAYERS else {}
    return Tiles(scope, values | auction.play(scope, storage), claims)


def compared(players: int) -> dict[str, tuple[str, str]]:
    """The two scenarios that each outcome of CLAIMS compares: the first less the second."""
    tiles = {outcome: (tile, NONE) for tile, outcome in AGAINST_NONE.items()}
    return {**tiles, FIRST_LAST: (place_name(1), place_name(players))}


def outcomes(played: Mapping[str, Counted], players: int) -> dict[str, Estimate]:
    """The outcomes that are claimed, of scenarios that were played: victory points in the mean of the rounds."""
    return {
        outcome: change(played[other]["vp"], played[one]["vp"]).estimate
        for outcome, (one, other) in compared(players).items()
        if one in played and other in played
    }


def claim_outcomes(
    experiment: Experiment, blocks: int, workers: int | None = None, names: Collection[str] | None = None
) -> dict[str, Estimate]:
    """The outcomes of CLAIMS under any experiment, by game; with `names` those alone, played as they need."""
    players = experiment.players
    claimed = {each for name, two in compared(players).items() if names is None or name in names for each in two}
    wanted = {name: lines for name, lines in scenarios(players).items() if name in claimed}
    return outcomes(played_by_game(experiment, wanted, blocks, count, workers=workers), players)


def worth_of(played: Mapping[str, Counted], players: int, table: Cell, prices: Prices) -> dict[Key, Value]:
    """What tiles and places bring at a table, in points, wins and Thalers; with 4 players in every round, too."""
    places = [place_name(place) for place in range(1, players + 1)]
    none, values = played[NONE], dict[Key, Value]()
    # Of each quantity: its items, the outcome, what they are compared with, and the same in Thalers.
    compared = {"tile-by-size": (TILES, "vp", none["vp"], "thalers-by-size"),
                "place-by-size": (places, "vp", _mean(played, places, "vp"), "")}  # fmt: skip
    if players == PLAYERS:
        compared |= {
            "tile-vp": (TILES, "vp", none["vp"], "thalers"), "tile-win": (TILES, "win", none["win"], ""),
            "place-vp": (places, "vp", _mean(played, places, "vp"), ""),
            "place-win": (places, "win", _mean(played, places, "win"), ""),
            "ranked": (TILES, "vp", _mean(played, TILES, "vp"), "thalers-ranked"),
        }  # fmt: skip
    for quantity, (items, outcome, against, thalers) in compared.items():
        for moment in ("",) if quantity.endswith("by-size") else (MEAN, *ROUND_NAMES):
            for item in items:
                each = change(against, played[item][outcome], MOMENTS[moment or MEAN][1])
                values[Key(quantity, item, players, table, moment)] = each
                if thalers:
                    worth = in_thalers(each.estimate, prices[players, table, moment or MEAN])
                    values[Key(thalers, item, players, table, moment)] = worth
    return values


def of_holders(played: Mapping[str, Counted], table: Cell, prices: Prices) -> dict[Key, Value]:
    """Each tile as it is given, as it is held and paid for in play, and as it is held in every round."""
    values: dict[Key, Value] = {}
    real = {name: by_round(counted) for name, counted in played[AS_IT_IS].items()}
    for tile in TILES:
        given, better = (change(against, played[tile]["vp"]).estimate
                         for against in (played[NONE]["vp"], _mean(played, TILES, "vp")))  # fmt: skip
        held, paid = (block_ratio(real[f"{tile} {what}"], real[f"{tile} held"]) for what in ("ahead", "paid"))
        added, ever = sums_of(played, tile)
        each: dict[str, Value] = {
            "holder-given": given, "holder-ranked": better, "holder-held": held, "holder-paid": paid,
            "holder-thalers": in_thalers(better, prices[PLAYERS, table, MEAN]), "held": held,
            "sign-given": given, "sign-held": held, "six-rounds": added, "every-round": ever, "rest": ever - added,
        }  # fmt: skip
        values |= {Key(quantity, tile, PLAYERS, table): value for quantity, value in each.items()}
    return values


def _mean(played: Mapping[str, Counted], names: Sequence[str], outcome: str) -> np.ndarray:
    return np.asarray(np.mean([played[name][outcome] for name in names], axis=0))


def sums_of(played: Mapping[str, Counted], tile: str) -> tuple[Estimate, Estimate]:
    """What a tile brings against none: the six rounds' effects added up, and that of holding it in every round."""
    once, ever = (by_round(played[named(tile)]["vp"] - played[named(NONE)]["vp"]) for named in (str, always))
    return block_mean(once * len(ROUND_NAMES)), block_mean(ever)
