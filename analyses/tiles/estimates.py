"""What tiles and places in the player order bring: the scenarios of the study `tiles`, and the estimates from them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from wallsim.analysis.claims.cells import Cell
from wallsim.analysis.claims.verdicts import Claim
from wallsim.rules.terms import ROUND_NAMES, TILES
from wallsim.runs.experiment import Experiment
from wallsim.stats.blocks import Estimate, block_mean, block_ratio
from wallsim.studies.changes import Change, by_round, change
from wallsim.studies.figure import Figure
from wallsim.studies.games import Counted, Games
from wallsim.studies.scenarios import BASE, Lines, identity_of, played_by_game, scenarios_played
from wallsim.studies.scope import TWO_TABLES, Blocks, Scope, scope_for
from wallsim.studies.study import Choices, Storage

from ..price.prices import price_of, read_prices
from . import auction
from .auction import Auction

EXPERIMENT = Path(__file__).with_name("experiment.toml")
BLOCKS = Blocks(others=200, quick=168, quick_others=40)
SIZES = (3, 4, 5)  # players
PLAYERS = 4  # of the tables by round
MEAN = "all rounds"
NONE, AS_IT_IS = "no tile", "as it is"
FIRST_LAST = "first place against the last"


def against_none(tile: str) -> str:
    """The outcome of a tile: its victory points against none."""
    return f"{tile.replace('_', ' ')} against none"


CLAIMS = (
    *(Claim(f"The tile {tile.replace('_', ' ')} is better than none.", against_none(tile), 0) for tile in TILES),
    Claim("The first place is better than the last.", FIRST_LAST, 0),
)


class Worth(NamedTuple):
    """The results of a table with a number of players, by tile (or place from 1) and moment.

    `tiles` are changes of `vp` and `win` (in per cent) against none, `places` against the mean of places. `ranked` are
    tiles in VP against the mean of the five. `holders` is what holders had above the mean of their table, and `paid`
    the Thalers that they had paid, both in the mean of the rounds. `sums` are VP against none by tile: the six rounds'
    effects added up, and the effect of holding it in every round.
    """

    tiles: dict[tuple[str, str, str], Change]
    places: dict[tuple[int, str, str], Change]
    ranked: dict[tuple[str, str], Change]
    holders: dict[str, Estimate]
    paid: dict[str, Estimate]
    sums: dict[str, tuple[Estimate, Estimate]]


class Tiles(NamedTuple):
    """The results by number of players: of each table, the outcomes of all cells, and what auctions offer."""

    scope: Scope
    worth: dict[tuple[int, Cell], Worth]
    cells: dict[int, dict[Cell, dict[str, Estimate]]]
    auctions: dict[tuple[int, Cell], Auction]


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


def prices_for(scope: Scope) -> dict[tuple[int, Cell, str], Figure]:
    """The published prices of a Thaler by players, table and moment. InputError if one is missing."""
    prices = read_prices()
    result = {(players, table, MEAN): price_of(prices, players, table) for players in SIZES for table in scope.tables}
    return result | {
        (PLAYERS, table, moment): price_of(prices, PLAYERS, table, moment)
        for table in scope.tables
        for moment in ROUND_NAMES
    }


def scenarios(players: int) -> dict[str, Lines]:
    """The scenarios by name: none, each tile, no tile, and each place."""
    turn = {"seat": "turn", "round": "turn"}
    tiles: dict[str, Lines] = {tile: ({"do": "tile", "to": tile, **turn},) for tile in TILES}
    places: dict[str, Lines] = {
        place_name(place): ({"do": "place", "to": place, **turn},) for place in range(1, players + 1)
    }
    return {AS_IT_IS: BASE, NONE: ({"do": "tile", "to": "none", **turn},), **tiles, **places}


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
        ahead, held, paid = (
            points - points.mean(axis=1, keepdims=True),
            games.in_round("tile"),
            games.in_round("paid_bids"),
        )
        for number, tile in enumerate(TILES):
            has = held == number
            counted |= {
                f"{tile} held": has.sum(axis=1),
                f"{tile} ahead": (ahead * has).sum(axis=1),
                f"{tile} paid": (paid * has).sum(axis=1),
            }
    return counted


def play(scope: Scope, storage: Storage) -> Tiles:
    """Play all scenarios in all cells with 3, 4 and 5 players, and estimate what tiles and places are worth."""
    worth: dict[tuple[int, Cell], Worth] = {}
    cells: dict[int, dict[Cell, dict[str, Estimate]]] = {}
    for players in SIZES:
        cells[players] = {}
        for cell in scope.cells():
            is_table = cell in scope.tables
            wanted = scenarios(players) | (held_always() if is_table else {})
            played = dict(
                scenarios_played(
                    EXPERIMENT, cell, wanted, scope.blocks(cell), count,
                    players=players, seasons=is_table, workers=storage.workers, cache=storage.cache,
                )
            )  # fmt: skip
            cells[players][cell] = outcomes(played, players)
            if is_table:
                worth[players, cell] = worth_of(played, players)
    return Tiles(scope, worth, cells, auction.play(scope, storage))


def compared(players: int) -> dict[str, tuple[str, str]]:
    """The two scenarios that each outcome of CLAIMS compares: the first less the second."""
    tiles = {against_none(tile): (tile, NONE) for tile in TILES}
    return {**tiles, FIRST_LAST: (place_name(1), place_name(players))}


def outcomes(played: Mapping[str, Counted], players: int, names: Collection[str] | None = None) -> dict[str, Estimate]:
    """The outcomes that are claimed, or those with some names: victory points in the mean of the rounds."""
    points = {name: by_round(counted["vp"]) for name, counted in played.items()}
    return {
        outcome: block_mean(points[one] - points[other])
        for outcome, (one, other) in compared(players).items()
        if names is None or outcome in names
    }


def claim_outcomes(
    experiment: Experiment, blocks: int, workers: int | None = None, names: Collection[str] | None = None
) -> dict[str, Estimate]:
    """The outcomes of CLAIMS under any experiment, from blocks of 6 games a seat; the unit of errors is the game.

    With `names` those alone, and no more is played than they need.
    """
    players = experiment.players
    claimed = {
        scenario for name, two in compared(players).items() if names is None or name in names for scenario in two
    }
    wanted = {name: lines for name, lines in scenarios(players).items() if name in claimed}
    return outcomes(played_by_game(experiment, wanted, blocks, count, workers=workers), players, names)


def worth_of(played: Mapping[str, Counted], players: int) -> Worth:
    """The worth of each tile and place in each round, and what the averages of holders would have said."""
    tiles, places = {}, {}
    moments: dict[str, int | None] = {MEAN: None, **{moment: place for place, moment in enumerate(ROUND_NAMES)}}
    names = [place_name(place) for place in range(1, players + 1)]
    for outcome in ("vp", "win"):
        mean = np.mean([played[name][outcome] for name in names], axis=0)
        for moment, rounds in moments.items():
            for tile in TILES:
                tiles[tile, outcome, moment] = change(played[NONE][outcome], played[tile][outcome], rounds)
            for place, name in enumerate(names, start=1):
                places[place, outcome, moment] = change(mean, played[name][outcome], rounds)
    mean = np.mean([played[tile]["vp"] for tile in TILES], axis=0)
    ranked = {
        (tile, moment): change(mean, played[tile]["vp"], rounds) for tile in TILES for moment, rounds in moments.items()
    }
    real = {name: by_round(values) for name, values in played[AS_IT_IS].items()}
    holders = {tile: block_ratio(real[f"{tile} ahead"], real[f"{tile} held"]) for tile in TILES}
    paid = {tile: block_ratio(real[f"{tile} paid"], real[f"{tile} held"]) for tile in TILES}
    return Worth(tiles, places, ranked, holders, paid, {tile: sums_of(played, tile) for tile in TILES})


def sums_of(played: Mapping[str, Counted], tile: str) -> tuple[Estimate, Estimate]:
    """What a tile brings against none: the six rounds' effects added up, and that of holding it in every round."""
    once, ever = (by_round(played[named(tile)]["vp"] - played[named(NONE)]["vp"]) for named in (str, always))
    return block_mean(once * len(ROUND_NAMES)), block_mean(ever)
