"""What is played: games with counties dealt at random, with regressors made of the start, and drafts by the default."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from wallsim.engine.arena import Arena, Tables
from wallsim.engine.columns import SOURCES, columns_of
from wallsim.rules.record import pack_rules
from wallsim.rules.terms import COUNTIES
from wallsim.runs.experiment import Experiment
from wallsim.runs.parallel import in_parallel
from wallsim.runs.workers import checked_workers
from wallsim.stats.blocks import Estimate, block_mean
from wallsim.studies.study import Storage

Keep = Callable[[Tables, int], Mapping[str, np.ndarray]]  # of a part of games and their number, by name
_SEAT, ROW = ({column.name: place for place, column in enumerate(columns_of(table))} for table in ("seats", "counties"))
_SHOWN = SOURCES.index("shown")
_BATCH = 1_000  # games; they limit the memory of a worker
NOBODY = -1
OWN_PAIR, BORDER = "pair of own neighbours", "border with another seat"
NEIGHBOURS = (OWN_PAIR, BORDER, "own pair of a region")


def played(arena: Arena, games: int, keep: Keep, workers: int | None, counties: bool = True) -> dict[str, np.ndarray]:
    """What `keep` returns by name of each part of the games from 0 on and their number, one part after the other."""

    def part(first: int, count: int) -> Mapping[str, np.ndarray]:
        return keep(arena.play(first, count, counties=counties), count)

    parts = [(first, min(_BATCH, games - first)) for first in range(0, games, _BATCH)]
    found = list(in_parallel(part, parts, checked_workers(workers)))
    return {name: np.concatenate([each[name] for each in found]) for name in found[0]}


def stored(
    storage: Storage, counted: str, facts: Mapping[str, Any], experiment: Experiment, keep: Keep, counties: bool = True
) -> dict[str, np.ndarray]:
    """The same of an experiment, from the cache or played; `facts` decide it, and have the number of `games`."""
    arena = experiment.components().arena(experiment.seed)
    return storage.cache.get(
        counted, facts, lambda facts: played(arena, facts["games"], keep, storage.workers, counties)
    )


def points_of(tables: Tables, players: int) -> np.ndarray:
    """Victory points by game and seat, float64 [games, seats]."""
    return tables.seats[:, _SEAT["vp"]].reshape(-1, players).astype(np.float64)


def wins_of(tables: Tables, players: int) -> np.ndarray:
    """Shares in the win by game and seat, in per cent, float64 [games, seats]."""
    winners = tables.seats[:, _SEAT["win"]].reshape(-1, players).astype(np.float64)
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


def deals_of(experiment: Experiment, games: int, storage: Storage) -> Deals:
    """The counties and armies dealt in games from 0 on of an experiment.

    They follow from its seed alone, so the policy `random`, which thinks least, plays in place of its own.
    """
    dealt = experiment.changed(policies=("random",) * experiment.players, setup="deal", lineups=())
    facts = {"deals": dealt, "games": games}
    return Deals(**stored(storage, "deals", facts, dealt, lambda tables, count: started(tables, count)._asdict()))


def started(tables: Tables, games: int) -> Deals:
    """Owner and armies of every county at the start of games."""
    rows = tables.counties
    owner, armies = np.full((games, COUNTIES), NOBODY, np.int8), np.zeros((games, COUNTIES), np.int8)
    held = rows[rows[:, ROW["pick"]] > 0]
    where = held[:, ROW["game"]], held[:, ROW["county"]]
    owner[where], armies[where] = held[:, ROW["seat"]], held[:, ROW["armies_dealt"]]
    return Deals(owner, armies)


def played_points(experiment: Experiment, games: int, storage: Storage) -> np.ndarray:
    """Victory points of games from 0 on of an experiment, float64 [games, seats]."""

    def keep(tables: Tables, _: int) -> dict[str, np.ndarray]:
        return {"points": points_of(tables, experiment.players).astype(np.int16)}

    facts = {"experiment": experiment, "games": games}
    return stored(storage, "points", facts, experiment, keep, counties=False)["points"].astype(np.float64)


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
        pairs, of_region = (around * own).sum(axis=1) / 2, ((own @ ground.regions) * own).sum(axis=1) / 2
        counts = np.stack([pairs, (around * (dealt - own)).sum(axis=1), of_region])
        result[:, seat, 2 * count :] = (counts - ground.expected @ own.T).T
    return result


class Drafts(NamedTuple):
    """Drafted games: points and wins in per cent, float64 [games, seats], and who picked what.

    `first` is the seat that picked first and `opened` the open county it took, NOBODY if it took the deck's top, both
    [games]; `taken` says whether each county was drafted, bool [games, counties].
    """

    points: np.ndarray
    wins: np.ndarray
    first: np.ndarray
    opened: np.ndarray
    taken: np.ndarray

    def by_place(self, what: str) -> np.ndarray:
        """`points` above the table's mean, or `wins` above the fair share, by place in the order of picks.

        Each relative to its seat's mean, float64 [games, places].
        """
        values = apart(getattr(self, what))
        places = (self.first[:, None] + np.arange(values.shape[1])) % values.shape[1]
        return np.asarray(np.take_along_axis(values - values.mean(axis=0), places, axis=1))

    @property
    def first_less_last(self) -> Estimate:
        """The points of the first to pick less those of the last."""
        points = self.by_place("points")
        return block_mean(points[:, 0]) - block_mean(points[:, -1])


def open_cards(experiment: Experiment, games: int, storage: Storage) -> np.ndarray:
    """The two counties that lie open at the first turn of drafts, games from 0 on, int8 [games, 2].

    A deal hands out the same deck from its top, first to seat 0; so any policy's deals of these games show them.
    """
    dealt = experiment.changed(policies=("random",) * experiment.players, setup="deal")

    def keep(tables: Tables, count: int) -> dict[str, np.ndarray]:
        rows = tables.counties
        held = rows[(rows[:, ROW["seat"]] == 0) & np.isin(rows[:, ROW["pick"]], (1, 2))]
        return {"cards": np.asarray(held[:, ROW["county"]].reshape(count, 2), np.int8)}

    return stored(storage, "open cards", {"open_cards": dealt, "games": games}, dealt, keep)["cards"]


def drafts_of(experiment: Experiment, games: int, storage: Storage) -> Drafts:
    """Play drafts, games from 0 on of an experiment."""
    players = experiment.players

    def keep(tables: Tables, count: int) -> dict[str, np.ndarray]:
        begins = tables.counties[tables.counties[:, ROW["draft_turn"]] == 1]
        picker, opened = np.zeros(count, np.int8), np.full(count, NOBODY, np.int8)
        picker[begins[:, ROW["game"]]] = begins[:, ROW["seat"]]
        shown = begins[begins[:, ROW["source"]] == _SHOWN]
        opened[shown[:, ROW["game"]]] = shown[:, ROW["county"]]
        taken = started(tables, count).owner != NOBODY
        return Drafts(points_of(tables, players), wins_of(tables, players), picker, opened, taken)._asdict()

    return Drafts(**stored(storage, "drafts", {"experiment": experiment, "games": games}, experiment, keep))


def taken_when_open(drafts: Sequence[Drafts], cards: np.ndarray) -> np.ndarray:
    """How often the first to pick takes a county that lies open, in per cent, [counties]; nan for one that never does.

    `cards` are the open cards of the games of each of the drafts.
    """
    opened = np.concatenate([each.opened for each in drafts])
    counts = np.bincount(opened[opened != NOBODY], minlength=COUNTIES)
    shown = len(drafts) * np.bincount(cards.ravel(), minlength=COUNTIES)
    return np.asarray(np.divide(100.0 * counts, shown, out=np.full(COUNTIES, np.nan), where=shown > 0))


def drafted(drafts: Sequence[Drafts]) -> np.ndarray:
    """In how many games each county is drafted, in per cent, [counties]."""
    return np.asarray(100 * np.mean([each.taken.mean(axis=0) for each in drafts], axis=0))
