"""Which neighbours make a line-up: its borders on the map, and what other borders would bring it.

Who sits left or right of a line-up is no neighbour of it on the map, and the study tests that it does not matter. What
is counted here are borders between counties: of a line-up's own, with the other line-ups, and with counties that are
nobody's at the start. What they bring is estimated from all exchanges of two counties between two line-ups.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from wallsim.engine.arena import Arena
from wallsim.engine.columns import columns_of
from wallsim.rules.board import Board
from wallsim.rules.ruleset import Ruleset
from wallsim.runs.experiment import Experiment
from wallsim.runs.parallel import in_parallel
from wallsim.stats.blocks import Estimate, block_mean
from wallsim.studies.cache import Cache

from .adjustments import COUNTIES, counties_of, exchanges
from .games import Arenas, letters_of, ways_of
from .race import Course

FREE = "nobody's"
OWN, OTHERS, FREE_BORDERS = "borders between own counties", "borders with other line-ups", "borders with nobody's"
PAIRS = "pairs of own counties in one region"
FEATURES = (OWN, OTHERS, FREE_BORDERS, PAIRS, "Thalers printed", "grain printed", "building sites")
ITEMS = {name: name for name in FEATURES} | {FREE_BORDERS: "borders with free counties"}  # without an apostrophe
_VP = next(place for place, column in enumerate(columns_of("seats")) if column.name == "vp")


class Land(NamedTuple):
    """What a line-up has on the map: its FEATURES, and its borders with each other line-up by letter."""

    features: tuple[int, ...]
    borders: dict[str, int]


def lands(board: Board, players: int, lineups: Mapping[str, Sequence[str]] | None = None) -> dict[str, Land]:
    """The land of each line-up, by default of the printed ones; `lineups` are names of counties by letter."""
    each = counties_of(board, players) if lineups is None else lineups
    numbers = {letter: [board.counties.index(name) for name in names] for letter, names in each.items()}
    taken = {county for counties in numbers.values() for county in counties}
    free = [c for c in range(len(board.counties)) if c not in taken and board.min_players[c] <= players]
    result = {}
    for letter, counties in numbers.items():
        borders = {other: _borders(board, counties, theirs) for other, theirs in numbers.items() if other != letter}
        own = _borders(board, counties, counties) // 2  # each is seen from both sides
        pairs = sum(int(board.region[one] == board.region[other]) for one, other in combinations(counties, 2))
        printed = [int(each[counties].sum()) for each in (board.tax, board.grain, board.sites)]
        features = (own, sum(borders.values()), _borders(board, counties, free), pairs, *printed)
        result[letter] = Land(features, borders)
    return result


def worth_of_land(
    experiments: Mapping[str, Experiment], games: int, cache: Cache, workers: int
) -> dict[str, dict[str, Estimate]]:
    """What one more of each feature brings a line-up in victory points, by the name of an experiment.

    Every exchange of two counties is played on the same numbers, `games` in each arrangement, and the points of the two
    line-ups above their table's mean are regressed on what their counties have, with a level of its own for each
    line-up. A block is a number: the coefficients are linear in its points.
    """
    first = next(iter(experiments.values()))
    course = Course.of([first], workers)
    board, size = course.cells[0].board, first.players
    every = exchanges(board, size, COUNTIES)
    changes = [adjustment.changes(board) for adjustment in every]
    design, rows = _design(board, size, [change["lineup"] for change in changes])
    project = np.linalg.pinv(design)[: len(FEATURES)]
    setups = [course.setup(change) for change in changes]
    result = {}
    for name, experiment in experiments.items():

        def play(design: Mapping[str, Any], experiment: Experiment = experiment) -> dict[str, np.ndarray]:
            points = _played(experiment, setups, design["games"], workers)
            each = np.array([points[exchange][:, place] for exchange, place in rows])
            return {"worth": each.T @ project.T}

        facts = {"experiment": experiment, "exchanges": [adjustment.exchange for adjustment in every], "games": games}
        worth = cache.get("exchanges of counties", facts, play)["worth"]
        result[name] = {feature: block_mean(worth[:, at]) for at, feature in enumerate(FEATURES)}
    return result


def _design(
    board: Board, size: int, edits: Sequence[Mapping[str, Mapping[str, int]]]
) -> tuple[np.ndarray, list[tuple[int, int]]]:
    # A row for each line-up of each exchange: its features, and a column of ones for each line-up.
    printed, letters = counties_of(board, size), letters_of(size)
    design, rows = [], []
    for exchange, edit in enumerate(edits):
        land = lands(board, size, {**printed, **{letter: tuple(names) for letter, names in edit.items()}})
        for letter in edit:
            design.append([*land[letter].features, *(float(letter == other) for other in letters)])
            rows.append((exchange, letters.index(letter)))
    return np.array(design, float), rows


def _played(experiment: Experiment, setups: Sequence[Ruleset], games: int, workers: int) -> list[np.ndarray]:
    # Points above the table's mean of each set-up, [numbers, line-ups]; each arrangement has numbers of its own.
    parts = experiment.components()
    play = partial(_points_of_all, parts.arena(experiment.seed), parts.board, games)
    return list(in_parallel(play, [(setup,) for setup in setups], workers))


def _points_of_all(base: Arena, board: Board, games: int, setup: Ruleset) -> np.ndarray:
    tables = Arenas(base, board, setup)
    return np.concatenate([_points(table, at * games, games, at) for at, table in enumerate(tables)])


def _points(arena: Arena, first: int, count: int, way: int) -> np.ndarray:
    vp = arena.play(first, count).seats[:, _VP].reshape(count, arena.seats).astype(np.float64)
    seats = [ways_of(arena.seats)[way].index(letter) for letter in letters_of(arena.seats)]
    return np.asarray((vp - vp.mean(axis=1, keepdims=True))[:, seats])


def _borders(board: Board, mine: Sequence[int], theirs: Sequence[int]) -> int:
    return sum(int(board.neighbours[one]) >> other & 1 for one in mine for other in theirs)
