"""The game's own lottery of events: games without interventions, and which card came when.

It serves twice. A card that is forced into a season must bring what it brings in the games in which it comes there by
itself, with all that lying open brings (`agreement`). And the share of the variance of a seat's victory points that the
eight cards bring is read from it (`share_of_variance`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from wallsim.analysis.claims.cells import Cell
from wallsim.rules.terms import ROUND_NAMES, SEASON_NAMES
from wallsim.stats.blocks import Estimate, block_ratio
from wallsim.stats.hotelling import JointTest, hotelling_of_two
from wallsim.studies.games import Counted, Games, block_size, in_batches
from wallsim.studies.quantities import Key, Number, Value
from wallsim.studies.scenarios import experiment_of, scenarios_played
from wallsim.studies.scope import Scope
from wallsim.studies.study import Storage

from .cards import CARDS, EVENT_COLUMNS, EXPERIMENT, IN_FORCE, KEPT, PLAYERS, POINTS, WINTERS, count

LOTTERY = 4  # games without interventions, by games of a scenario
ALL_EIGHT, BOTH_WINTERS = "all eight cards", "the cards of both winters"
SHARES = {ALL_EIGHT: range(len(SEASON_NAMES)), BOTH_WINTERS: tuple(WINTERS.values())}
TESTED = {
    "games": "games without interventions of the test",
    "differences": "differences tested: degrees of freedom of the numerator of F",
    "degrees": "degrees of freedom of the denominator of F",
    "F": "F of the test that forced cards bring what the game's own lottery brings",
    "p": "p-value of that test",
}


def blocks_of(scope: Scope, cell: Cell) -> range:
    """The blocks of games without interventions in a cell, which follow those of the scenarios."""
    return range(scope.blocks(cell), (1 + LOTTERY) * scope.blocks(cell))


def play(scope: Scope, storage: Storage) -> Iterator[tuple[Key, Value]]:
    """Play games without interventions: what share of the variance cards bring, and whether forced ones bring as much.

    The first table alone has the test, if it has enough blocks.
    """
    for cell in scope.cells():
        blocks = blocks_of(scope, cell)
        design = {"experiment": experiment_of(EXPERIMENT, cell), "blocks": [blocks.start, blocks.stop]}
        drawn = storage.cache.get("lottery", design, partial(games_drawn, workers=storage.workers))
        for name, seasons in SHARES.items():
            share = share_of_variance(**drawn, seasons=seasons) * 100
            yield Key("share-of-variance", name, PLAYERS, cell), share
            if cell in scope.tables and name == ALL_EIGHT:
                yield Key("headline", name, PLAYERS, cell), share
        if cell == scope.baseline_cell():
            forced = dict(scenarios_played(EXPERIMENT, cell, IN_FORCE | KEPT, scope.baseline, count, seasons=True,
                                           workers=storage.workers, cache=storage.cache))  # fmt: skip
            test = agreement(**drawn, played=forced)
            if test is not None:
                numbers = (len(drawn["points"]), *test.degrees, test.f, test.p_value)
                yield from ((Key("lottery", name, PLAYERS, cell), Number(float(number)))
                            for name, number in zip(TESTED, numbers, strict=True))  # fmt: skip


def games_drawn(design: Mapping[str, Any], workers: int | None) -> dict[str, np.ndarray]:
    """Some blocks of an experiment: the numbers of the cards by game and season, and the points by game and seat."""
    arena = design["experiment"].components().arena(design["experiment"].seed)
    parts = in_batches(arena, range(*design["blocks"]), _came, workers=workers)
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def _came(games: Games) -> dict[str, np.ndarray]:
    cards = np.column_stack([games.game(column) for year in EVENT_COLUMNS for column in year])
    return {"cards": cards.astype(np.int8), "points": games.seats("vp").astype(np.int16)}


def share_of_variance(cards: np.ndarray, points: np.ndarray, seasons: Sequence[int] = SHARES[ALL_EIGHT]) -> Estimate:
    """The share of the variance of a seat's points that the cards of some seasons bring, by their main effects.

    Least squares of the table's mean on which card came in which season: what a card does to all seats equally. The
    variance of the fitted means, less what noise adds to it in expectation, is divided by the variance of the points
    of all seats. The influence of a block is that of a ratio of means (Taylor series).
    """
    points = points.astype(np.float64)
    table = points.mean(axis=1) - points.mean()
    design = np.concatenate([cards[:, [season]] == np.arange(len(CARDS)) for season in seasons], axis=1)
    design = design - design.mean(axis=0)
    # Of all least squares solutions (a season's cards add up to 1) any has the same fitted values.
    fitted = design @ np.linalg.lstsq(design.T @ design, design.T @ table, rcond=None)[0]
    rest, free = table - fitted, len(seasons) * (len(CARDS) - 1)
    noise = free / len(table) * float(rest @ rest) / max(1, len(table) - free - 1)
    brought = fitted**2 + 2 * fitted * rest - noise
    return block_ratio(_by_block(brought), _by_block(((points - points.mean()) ** 2).mean(axis=1)))


def agreement(cards: np.ndarray, points: np.ndarray, played: Mapping[str, Counted]) -> JointTest | None:
    """Test jointly whether forced cards bring what the cards of the lottery bring, in every round and winter.

    `played` has the scenarios `CARD forced` and `CARD WINTER`. What a card brings is the mean with it less the mean of
    the twelve cards, which the lottery draws with equal chances. The lottery's games must not be among those played
    with interventions. None if there are too few blocks.
    """
    table, drawn, forced = points.mean(axis=1), [], []
    for season, name in enumerate(SEASON_NAMES):
        if name in WINTERS:
            mine = [played[f"{card} {name}"][POINTS].mean(axis=1) for card in CARDS]
        else:
            mine = [played[f"{card} forced"][POINTS][:, ROUND_NAMES.index(name)] for card in CARDS]
        forced += [each - np.mean(mine, axis=0) for each in mine[:-1]]
        for card in range(len(CARDS) - 1):  # as value plus influence
            here = cards[:, season] == card
            mean = table[here].mean() if here.any() else 0.0
            drawn.append(_by_block(mean + here * (table - mean) / max(here.mean(), 1 / len(here)) - table))
    return hotelling_of_two(np.column_stack(drawn), np.column_stack(forced))


def _by_block(values: np.ndarray) -> np.ndarray:
    return np.asarray(values.reshape(-1, block_size(PLAYERS)).mean(axis=1))
