"""The game's own lottery of events: games without interventions, and which card came when.

It serves twice. A card that is forced into a season must bring what it brings in the games in which it comes there by
itself, with all that lying open brings (`agreement`). And the share of the variance of a seat's victory points that the
eight cards bring is read from it (`share_of_variance`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from wallsim.analysis.claims.cells import Cell
from wallsim.rules.terms import ROUND_NAMES, SEASON_NAMES
from wallsim.stats.blocks import Estimate, block_ratio
from wallsim.stats.hotelling import JointTest, hotelling_of_two
from wallsim.studies.games import Counted, Games, block_size, in_batches
from wallsim.studies.quantities import Key, Number, Value
from wallsim.studies.scenarios import BASE, experiment_of
from wallsim.studies.scope import Scope
from wallsim.studies.study import Storage

from .cards import CARDS, EVENT_COLUMNS, EXPERIMENT, PLAYERS, POINTS

ROUNDS = tuple(place for place, name in enumerate(SEASON_NAMES) if name in ROUND_NAMES)
WINTERS = tuple(place for place in range(len(SEASON_NAMES)) if place not in ROUNDS)
LOTTERY = 4  # games without interventions, by games of a scenario
ALL_EIGHT, BOTH_WINTERS = "all eight cards", "the cards of both winters"
SHARES = {ALL_EIGHT: range(len(SEASON_NAMES)), BOTH_WINTERS: WINTERS}
SHARE, HEADLINE, TEST = "share-of-variance", "headline", "lottery"
TESTED = {
    "games": "games without interventions of the test",
    "differences": "differences tested: degrees of freedom of the numerator of F",
    "degrees": "degrees of freedom of the denominator of F",
    "F": "F of the test that forced cards bring what the game's own lottery brings",
    "p": "p-value of that test",
}


class Lottery(NamedTuple):
    """Games in the order of their numbers: `cards` int [games, seasons], numbers of cards; `points` [games, seats]."""

    cards: np.ndarray
    points: np.ndarray

    def blocks(self) -> int:
        """The number of whole blocks of games."""
        return len(self.points) // block_size(self.points.shape[1])


def blocks_of(scope: Scope, cell: Cell) -> range:
    """The blocks of games without interventions in a cell, which follow those of the scenarios."""
    return range(scope.blocks(cell), (1 + LOTTERY) * scope.blocks(cell))


def play(scope: Scope, cell: Cell, played: Mapping[str, Counted], storage: Storage) -> dict[Key, Value]:
    """Play games without interventions: what share of the variance cards bring, and whether forced ones bring as much.

    `played` are the scenarios of the cell. The first table alone has the test, if it has enough blocks.
    """
    experiment, blocks = experiment_of(EXPERIMENT, cell, BASE), blocks_of(scope, cell)

    def games(_: object) -> Mapping[str, np.ndarray]:
        arena = experiment.components().arena(experiment.seed)
        parts = in_batches(arena, blocks, _came, workers=storage.workers)
        return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}

    facts = {"experiment": experiment, "blocks": [blocks.start, blocks.stop]}
    lottery = Lottery(**storage.cache.get("lottery", facts, games))
    values: dict[Key, Value] = {}
    for name, seasons in SHARES.items():
        values[Key(SHARE, name, PLAYERS, cell)] = share_of_variance(lottery, seasons) * 100
    if cell in scope.tables:
        values[Key(HEADLINE, ALL_EIGHT, PLAYERS, cell)] = values[Key(SHARE, ALL_EIGHT, PLAYERS, cell)]
    test = agreement(lottery, played, POINTS) if cell == scope.baseline_cell() else None
    if test is not None:
        numbers = (len(lottery.points), *test.degrees, test.f, test.p_value)
        values |= {
            Key(TEST, name, PLAYERS, cell): Number(float(number)) for name, number in zip(TESTED, numbers, strict=True)
        }
    return values


def _came(games: Games) -> dict[str, np.ndarray]:
    cards = np.column_stack([games.game(column) for year in EVENT_COLUMNS for column in year])
    return {"cards": cards.astype(np.int8), "points": games.seats("vp").astype(np.int16)}


def share_of_variance(lottery: Lottery, seasons: Sequence[int] = range(len(SEASON_NAMES))) -> Estimate:
    """The share of the variance of a seat's points that the cards of some seasons bring, by their main effects.

    Least squares of the table's mean on which card came in which season: what a card does to all seats equally. The
    variance of the fitted means, less what noise adds to it in expectation, is divided by the variance of the points
    of all seats. The influence of a block is that of a ratio of means (Taylor series).
    """
    points = lottery.points.astype(np.float64)
    table = points.mean(axis=1)
    effects = _effects(lottery.cards, table, seasons)
    fitted = sum(effects[place][lottery.cards[:, season]] for place, season in enumerate(seasons))
    rest = table - table.mean() - fitted
    free = len(seasons) * (len(CARDS) - 1)
    noise = free / len(table) * float(rest @ rest) / max(1, len(table) - free - 1)
    brought = fitted**2 + 2 * fitted * rest - noise
    spread = ((points - points.mean()) ** 2).mean(axis=1)
    by_block = partial(_block_means, blocks=lottery.blocks())
    return block_ratio(by_block(brought), by_block(spread))


def _effects(cards: np.ndarray, values: np.ndarray, seasons: Sequence[int]) -> np.ndarray:
    """The effects [seasons, cards] that fit the values best, each season's weighted mean being 0."""
    design = np.concatenate([cards[:, [season]] == np.arange(len(CARDS)) for season in seasons], axis=1)
    centred = design - design.mean(axis=0)
    # Of all least squares solutions (a season's cards add up to 1) any has the same fitted values.
    solved = np.linalg.lstsq(centred.T @ centred, centred.T @ (values - values.mean()), rcond=None)[0]
    effects = solved.reshape(len(seasons), len(CARDS))
    weights = design.mean(axis=0).reshape(effects.shape)
    return np.asarray(effects - (weights * effects).sum(axis=1, keepdims=True))


def agreement(lottery: Lottery, played: Mapping[str, Counted], outcome: str) -> JointTest | None:
    """Test jointly whether forced cards bring what the cards of the lottery bring, in every round and winter.

    `played` has the scenarios `CARD forced` and `CARD WINTER`; `outcome` is that of the table's mean points. What a
    card brings is the mean with it less the mean of the twelve cards, which the lottery draws with equal chances. The
    lottery's games must not be among those played with interventions. None if there are too few blocks.
    """
    return hotelling_of_two(_by_itself(lottery), _forced(played, outcome))


def _by_itself(lottery: Lottery) -> np.ndarray:
    """By block, season and card but the last: the mean with the card less the mean, as value plus influence."""
    table = lottery.points.mean(axis=1)
    parts = []
    for season in range(len(SEASON_NAMES)):
        for card in range(len(CARDS) - 1):
            here = lottery.cards[:, season] == card
            mean = table[here].mean() if here.any() else 0.0
            parts.append(mean + here * (table - mean) / max(here.mean(), 1 / len(here)) - table)
    return np.column_stack([_block_means(part, lottery.blocks()) for part in parts])


def _forced(played: Mapping[str, Counted], outcome: str) -> np.ndarray:
    parts = []
    for place, name in enumerate(SEASON_NAMES):
        if place in ROUNDS:
            cards = [played[f"{card} forced"][outcome][:, ROUNDS.index(place)] for card in CARDS]
        else:
            cards = [played[f"{card} {name}"][outcome].mean(axis=1) for card in CARDS]
        parts += [card - np.mean(cards, axis=0) for card in cards[:-1]]
    return np.column_stack(parts)


def _block_means(values: np.ndarray, blocks: int) -> np.ndarray:
    return np.asarray(values.reshape(blocks, -1).mean(axis=1))
