"""Drafts by the default: what each place in the order of picks brings, and what is picked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from wallsim.engine.columns import SOURCES
from wallsim.rules.terms import COUNTIES
from wallsim.runs.experiment import Experiment
from wallsim.stats.blocks import Estimate, block_mean
from wallsim.stats.hotelling import JointTest, hotelling
from wallsim.studies.cache import Cache

from .deals import NOBODY, SHOWN_PLACES, apart, in_parts, points_of, started, wins_of

OPEN_CARDS = 2  # B1.4
_SHOWN = SOURCES.index("shown")


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

    def by_place(self, values: np.ndarray) -> np.ndarray:
        """Values [games, seats], each relative to its seat's mean, by place in the order of picks [games, places]."""
        apart = values - values.mean(axis=0)
        places = (self.first[:, None] + np.arange(values.shape[1])) % values.shape[1]
        return np.asarray(np.take_along_axis(apart, places, axis=1))


def open_cards(experiment: Experiment, games: int, cache: Cache, workers: int | None = None) -> np.ndarray:
    """The two counties that lie open at the first turn of drafts, games from 0 on, int8 [games, 2].

    A deal hands out the same deck from its top, first to seat 0; so any policy's deals of these games show them.
    """
    dealt = experiment.changed(policies=("random",) * experiment.players, setup="deal")
    arena = dealt.components().arena(dealt.seed)

    def part(first: int, count: int) -> np.ndarray:
        place, rows = SHOWN_PLACES["counties"], arena.play(first, count, counties=True).counties
        held = rows[(rows[:, place["seat"]] == 0) & np.isin(rows[:, place["pick"]], (1, 2))]
        return np.asarray(held[:, place["county"]].reshape(count, OPEN_CARDS), np.int8)

    def play(design: Mapping[str, Any]) -> dict[str, np.ndarray]:
        return {"cards": np.concatenate(in_parts(design["games"], part, workers))}

    return cache.get("open cards", {"open_cards": dealt, "games": games}, play)["cards"]


def drafts_of(experiment: Experiment, games: int, cache: Cache, workers: int | None = None) -> Drafts:
    """Play drafts, games from 0 on of an experiment."""
    arena = experiment.components().arena(experiment.seed)

    def part(first: int, count: int) -> tuple[np.ndarray, ...]:
        tables = arena.play(first, count, counties=True)
        place, rows = SHOWN_PLACES["counties"], tables.counties
        begins = rows[rows[:, place["draft_turn"]] == 1]
        picker, opened = np.zeros(count, np.int8), np.full(count, NOBODY, np.int8)
        picker[begins[:, place["game"]]] = begins[:, place["seat"]]
        shown = begins[begins[:, place["source"]] == _SHOWN]
        opened[shown[:, place["game"]]] = shown[:, place["county"]]
        taken = started(rows, count)[0] != NOBODY
        return points_of(tables.seats, arena.seats), wins_of(tables.seats, arena.seats), picker, opened, taken

    def play(design: Mapping[str, Any]) -> dict[str, np.ndarray]:
        columns = zip(*in_parts(design["games"], part, workers), strict=True)
        return dict(zip(Drafts._fields, (np.concatenate(column) for column in columns), strict=True))

    return Drafts(**cache.get("drafts", {"experiment": experiment, "games": games}, play))


def places(result: list[Drafts], what: str) -> list[Estimate]:
    """`points` above the table's mean, or `wins` above the fair share in per cent, by place in the order of picks.

    The mean over several cells that drew the same seats to pick first, such as those of one seed.
    """
    values = np.mean([each.by_place(apart(getattr(each, what))) for each in result], axis=0)
    return [block_mean(each) for each in values.T]


def equal_seats(result: list[Drafts]) -> JointTest | None:
    """Whether all seats end with as many points."""
    return hotelling(np.mean([apart(each.points) for each in result], axis=0)[:, 1:])


def equal_places(result: list[Drafts]) -> JointTest | None:
    """Whether all places in the order of picks end with as many points."""
    return hotelling(np.mean([each.by_place(apart(each.points)) for each in result], axis=0)[:, 1:])


def taken_when_open(result: list[Drafts], cards: np.ndarray) -> np.ndarray:
    """How often the first to pick takes a county that lies open, in per cent, [counties]; nan for one that never does.

    `cards` are the open cards of the games of each of the drafts.
    """
    opened = np.concatenate([each.opened for each in result])
    counts = np.bincount(opened[opened != NOBODY], minlength=COUNTIES)
    shown = len(result) * np.bincount(cards.ravel(), minlength=COUNTIES)
    return np.asarray(np.divide(100.0 * counts, shown, out=np.full(COUNTIES, np.nan), where=shown > 0))


def drafted(result: list[Drafts]) -> np.ndarray:
    """In how many games each county is drafted, in per cent, [counties]."""
    return np.asarray(100 * np.mean([each.taken.mean(axis=0) for each in result], axis=0))
