"""Choosing plans on one set of dealt tables, and judging the chosen ones on another.

Many plans are tried on few tables, fewer on more, as in successive halving (Karnin, Koren and Somekh 2013). The best
ones of these tables look better than they are, so that nothing is reported of them: the plans that are left are judged
on fresh tables, on which nothing is chosen.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from wallsim.analysis.advice.tables import CHOOSING, JUDGING, MIXING, Planner, Tables
from wallsim.stats.intervals import LEVEL, Confidence, Interval

ALTERNATIVES = 3
FIRST_LOOK = 400  # tables before it is asked whether intervals are narrow enough
_MARGIN = 0.01  # wins for each victory point ahead, by which plans are chosen; they are judged by wins alone
_WIDTH = 64  # plans that policies make, before any is mixed


class Stage(NamedTuple):
    """A stage of choosing: how many of the best plans go on, how many there are with those mixed of them, and tables.

    Tables are further ones in each stage.
    """

    best: int
    plans: int
    tables: int


STAGES = (Stage(_WIDTH, 128, 100), Stage(16, 64, 200), Stage(6, 48, 300))
_FINALISTS, _LAST_TABLES = 10, 600  # which are ranked by the last stage's tables and these


_OPTION_STAGES = ((32, 300), (8, 600), (4, 1200))  # how many are tried, and on how many further tables


class Chosen(NamedTuple):
    """The plans of a seat by how well they did while choosing, the best first, and how many were tried."""

    plans: np.ndarray
    tried: int


def games_of_choosing(most: int) -> int:
    """About how many games choosing takes with at most `most` tables a stage."""
    return sum(stage.plans * min(most, stage.tables) for stage in STAGES) + _FINALISTS * min(most, _LAST_TABLES)


def choose_plans(planner: Planner, tables: Tables, most: int) -> Chosen:
    """The plans that do best against one kind of play, on at most `most` tables a stage."""
    plans, first, tried = planner.plans(_WIDTH), 0, 0
    for number, stage in enumerate(STAGES):
        best = plans[: stage.best]
        plans = planner.mixed(best, len(best), stage.plans, MIXING + number)
        tried += len(plans) - (len(best) if number else 0)
        count = min(most, stage.tables)
        results = tables.try_plans(plans, CHOOSING, first, count, _MARGIN)
        first += count
        order = best_first(results)
        plans, results = plans[order], results[:, order]
    plans, results = plans[:_FINALISTS], results[:, :_FINALISTS]
    again = tables.try_plans(plans, CHOOSING, first, min(most, _LAST_TABLES), _MARGIN)
    return Chosen(plans[best_first(np.concatenate([results, again]))], tried)


def games_of_options(count: int, most: int) -> int:
    """About how many games it takes to choose among so many options with at most `most` tables a stage."""
    return sum(min(count, best) * min(most, tables) for best, tables in _OPTION_STAGES)


def choose_options(options: np.ndarray, tables: Tables, most: int) -> Chosen:
    """The given options by how well they do against one kind of play, on at most `most` tables a stage.

    All are tried on the same tables, the better ones on further tables too.
    """
    tried, first = len(options), 0
    results = np.empty((0, tried))
    for best, count in _OPTION_STAGES:
        options, results = options[:best], results[:, :best]
        more = tables.try_plans(options, CHOOSING, first, min(most, count), _MARGIN)
        first += len(more)
        results = np.concatenate([results, more])
        order = best_first(results)
        options, results = options[order], results[:, order]
    return Chosen(options, tried)


def best_first(results: np.ndarray) -> np.ndarray:
    """The places of plans by their means, the best first; equals stay in their order."""
    return np.argsort(-results.mean(axis=0), kind="stable")


class Judged:
    """Some plans against one kind of play, the best of them first, and what came of them on fresh tables."""

    def __init__(self, tables: Tables, chosen: Chosen, further: Sequence[np.ndarray]) -> None:
        """The best one of `chosen` and the next ones, and `further` plans that are not among these."""
        self.plans = tables.different(np.array([*chosen.plans[: 1 + ALTERNATIVES], *further]))
        self.tried, self.chosen = chosen.tried, len(chosen.plans)
        self.results = np.empty((0, len(self.plans)))
        self.confidence = Confidence(LEVEL, len(self.plans))  # of the best one's wins, and of all others against it
        self._tables = tables

    def look(self, count: int) -> None:
        """Judge them on fresh tables until there are `count`."""
        done = len(self.results)
        if count > done:
            more = self._tables.try_plans(self.plans, JUDGING, done, count - done, 0.0)
            self.results = np.concatenate([self.results, more])

    def widest(self) -> float:
        """Half the width of the widest interval of a difference from the best plan; 0 where none has one."""
        if len(self.results) < self.confidence.min_blocks:
            return np.inf
        ends = [behind(self.results, place, self.confidence)[1] for place in range(1, len(self.plans))]
        return max(((each[1] - each[0]) / 2 for each in ends if each is not None), default=0.0)


def mean_of(values: np.ndarray, confidence: Confidence) -> tuple[float, Interval | None]:
    """A mean over dealt tables with Student's t interval; None with too few tables for it, or if all are equal."""
    mean, deviation = float(values.mean()), float(values.std(ddof=1)) if len(values) > 1 else 0.0
    if len(values) < confidence.min_blocks or deviation == 0.0:
        return mean, None
    return mean, confidence.students(mean, deviation / len(values) ** 0.5, len(values))


def behind(results: np.ndarray, place: int, confidence: Confidence) -> tuple[float, Interval | None]:
    """How much less a plan wins than the best one, the first, table by table; exactly 0 for the best one itself."""
    if place == 0:
        return 0.0, (0.0, 0.0)
    return mean_of(results[:, 0] - results[:, place], confidence)


def judge_all(
    judged: Sequence[Judged], precision: float, most: int, is_over: Callable[[], bool],
    planned: Callable[[int], None],
) -> bool:  # fmt: skip
    """Judge plans against each kind of play until every interval is narrow enough; False if time ran out before.

    It is asked at 400 tables, 800 and so on up to `most`. `planned` is told how many games come next.
    """
    count = min(FIRST_LOOK, most)
    open_ = list(judged)
    while open_:
        for each in open_:
            if is_over() and len(each.results) >= each.confidence.min_blocks:
                return False
            planned(len(each.plans) * (count - len(each.results)))
            each.look(count)
        open_ = [each for each in open_ if each.widest() > precision]
        if count == most:
            break
        count = min(2 * count, most)
    return True
