"""Counties dealt at random: who held what at the start, how the games ended, and the regressors made of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

import numpy as np

from wallsim.engine.columns import columns_of
from wallsim.rules.record import pack_rules
from wallsim.rules.terms import COUNTIES
from wallsim.runs.experiment import Experiment
from wallsim.runs.parallel import in_parallel
from wallsim.runs.workers import checked_workers
from wallsim.studies.cache import Cache

Kind = TypeVar("Kind")
SHOWN_PLACES = {
    table: {column.name: place for place, column in enumerate(columns_of(table))} for table in ("seats", "counties")
}
_BATCH = 1_000  # games; they limit the memory of a worker
NOBODY = -1
OWN_PAIR, BORDER = "pair of own neighbours", "border with another seat"
NEIGHBOURS = (OWN_PAIR, BORDER, "own pair of a region")


def in_parts(games: int, play: Callable[[int, int], Kind], workers: int | None = None) -> list[Kind]:
    """What `play` returns for each part of so many games, by its first game and their number, in order."""
    parts = [(first, min(_BATCH, games - first)) for first in range(0, games, _BATCH)]
    return list(in_parallel(play, parts, checked_workers(workers)))


def points_of(seats: np.ndarray, players: int) -> np.ndarray:
    """Victory points by game and seat, float64 [games, seats], of the rows of `seats`."""
    return seats[:, SHOWN_PLACES["seats"]["vp"]].reshape(-1, players).astype(np.float64)


def wins_of(seats: np.ndarray, players: int) -> np.ndarray:
    """Shares in the win by game and seat, in per cent, float64 [games, seats]."""
    winners = seats[:, SHOWN_PLACES["seats"]["win"]].reshape(-1, players).astype(np.float64)
    return np.divide(100.0, winners, out=np.zeros_like(winners), where=winners > 0)


def apart(values: np.ndarray) -> np.ndarray:
    """Values less the mean of their row: what each seat of a game has above its table, float64 [games, seats]."""
    return np.asarray(values - values.mean(axis=1, keepdims=True))


class Ground:
    """What a table plays on: the counties in play, which of them border, and which lie in one region.

    `counties` are the numbers of those in play; `borders` and `regions` are float64 [in play, in play], 1 where two
    different counties border or share a region; `names` are those of the counties.
    """

    def __init__(self, experiment: Experiment) -> None:
        """The ground of an experiment's board, number of players and counties out of play."""
        parts = experiment.components()
        rules = pack_rules(parts.board, parts.ruleset, parts.tower)[0]
        self.board, self.players = parts.board, int(rules.players)
        self.counties = np.array([place for place in range(COUNTIES) if int(rules.in_play) >> place & 1])
        self.names = [parts.board.counties[place] for place in self.counties]
        self.groups = int(rules.groups)
        self.mean_group = float(rules.group[: self.groups].mean())
        masks = [int(rules.neighbours[place]) for place in self.counties]
        self.borders = np.array([[mask >> int(place) & 1 for place in self.counties] for mask in masks], np.float64)
        region = parts.board.region[self.counties]
        self.regions = (region[:, None] == region) - np.eye(len(region))

    @cached_property
    def expected(self) -> np.ndarray:
        """How many of NEIGHBOURS a county brings in a deal beyond what any other brings, float64 [3, in play].

        This is the part of each of these counts that is linear in who holds which county.
        """
        others = len(self.counties) - 2
        own = (self.groups - 1) / others
        foreign = self.groups * (self.players - 2) / others
        borders, regions = self.borders.sum(axis=1), self.regions.sum(axis=1)
        return np.array([borders * own, borders * foreign, regions * own])


class Deals(NamedTuple):
    """The start of games: the seat that holds each county, NOBODY if none, and its armies; int8 [games, counties]."""

    owner: np.ndarray
    armies: np.ndarray


def deals_of(experiment: Experiment, games: int, cache: Cache, workers: int | None = None) -> Deals:
    """The counties and armies dealt in games from 0 on of an experiment.

    They follow from its seed alone, so the policy `random`, which thinks least, plays in place of its own.
    """
    players = experiment.players
    dealt = experiment.changed(policies=("random",) * players, setup="deal", lineups=())
    arena = dealt.components().arena(dealt.seed)

    def part(first: int, count: int) -> tuple[np.ndarray, np.ndarray]:
        return started(arena.play(first, count, counties=True).counties, count)

    def play(design: Mapping[str, Any]) -> dict[str, np.ndarray]:
        owner, armies = zip(*in_parts(design["games"], part, workers), strict=True)
        return {"owner": np.concatenate(owner), "armies": np.concatenate(armies)}

    result = cache.get("deals", {"deals": dealt, "games": games}, play)
    return Deals(result["owner"], result["armies"])


def started(rows: np.ndarray, games: int) -> tuple[np.ndarray, np.ndarray]:
    """Owner and armies of every county at the start, each int8 [games, counties], from rows of `counties`."""
    place = SHOWN_PLACES["counties"]
    owner, armies = np.full((games, COUNTIES), NOBODY, np.int8), np.zeros((games, COUNTIES), np.int8)
    held = rows[rows[:, place["pick"]] > 0]
    where = held[:, place["game"]], held[:, place["county"]]
    owner[where], armies[where] = held[:, place["seat"]], held[:, place["armies_dealt"]]
    return owner, armies


def played_points(experiment: Experiment, games: int, cache: Cache, workers: int | None = None) -> np.ndarray:
    """Victory points of games from 0 on of an experiment, float64 [games, seats]."""
    arena = experiment.components().arena(experiment.seed)

    def part(first: int, count: int) -> np.ndarray:
        return points_of(arena.play(first, count).seats, arena.seats)

    def play(design: Mapping[str, Any]) -> dict[str, np.ndarray]:
        parts = in_parts(design["games"], part, workers)
        return {"points": np.concatenate(parts).astype(np.int16)}

    result = cache.get("points", {"experiment": experiment, "games": games}, play)
    return result["points"].astype(np.float64)


def regressors(deals: Deals, ground: Ground) -> np.ndarray:
    """What a seat holds at the start, float64 [games, seats, 2 × in play + 3].

    Whether it holds each county in play; how many armies more than the mean group stand there; and the counts of
    NEIGHBOURS beyond those that these counties bring on average. So the coefficient of a county is its worth with
    neighbours as a deal brings them.
    """
    owner, armies = deals.owner[:, ground.counties], deals.armies[:, ground.counties]
    games, count = owner.shape
    result = np.empty((games, ground.players, 2 * count + len(NEIGHBOURS)))
    dealt = (owner != NOBODY).astype(np.float64)
    for seat in range(ground.players):
        own = (owner == seat).astype(np.float64)
        result[:, seat, :count] = own
        result[:, seat, count : 2 * count] = own * (armies - ground.mean_group)
        around = own @ ground.borders
        counts = np.stack(
            [
                (around * own).sum(axis=1) / 2,
                (around * (dealt - own)).sum(axis=1),
                ((own @ ground.regions) * own).sum(axis=1) / 2,
            ]
        )
        result[:, seat, 2 * count :] = (counts - ground.expected @ own.T).T
    return result
