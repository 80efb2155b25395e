"""Trying choices against one kind of play: the best are chosen on some dealt tables, and judged on others.

Many choices are tried on few tables, fewer on more, as in successive halving (Karnin, Koren and Somekh 2013). The best
ones of these tables look better than they are, so that nothing is reported of them: the choices that are left are
judged on fresh tables, on which nothing is chosen.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from wallsim.analysis.advice.decision import PLAN, Decision
from wallsim.analysis.advice.tables import CHOOSING, JUDGING, MIXING, Tables
from wallsim.policies.catalogue import Policy
from wallsim.stats.intervals import LEVEL, Confidence, Interval

ALTERNATIVES = 3
FIRST_LOOK = 400  # tables before it is asked whether intervals are narrow enough
_MARGIN = 0.01  # wins for each victory point ahead, by which choices are made; they are judged by wins alone
_WIDTH = 64  # plans that policies make, before any is mixed


class Stage(NamedTuple):
    """A stage of choosing: how many of the best go on, how many there are with plans mixed of them, and tables.

    Tables are further ones in each stage. Where nothing is mixed, those of the last stage count as well.
    """

    best: int
    size: int
    tables: int


PLAN_STAGES = (Stage(_WIDTH, 128, 100), Stage(16, 64, 200), Stage(6, 48, 300), Stage(10, 10, 600))
STAGES = (Stage(32, 32, 300), Stage(8, 8, 600), Stage(4, 4, 1200))  # of claims, places and attacks


def _stages(decision: Decision) -> Sequence[Stage]:
    return PLAN_STAGES if decision.kind == PLAN else STAGES


def games_of_choosing(decision: Decision, most: int) -> int:
    """About how many games choosing takes with at most `most` tables a stage."""
    known = len(decision.choices) or max(stage.size for stage in PLAN_STAGES)
    return sum(min(known, stage.size) * min(most, stage.tables) for stage in _stages(decision))


class Trials:
    """What comes of choices against one kind of play.

    `ranked` are the choices of `choose`, the best first, of `tried` ones. `choices` are those that are judged, and
    `results` what came of them on fresh tables, float64 [tables, choices].
    """

    def __init__(self, tables: Tables, rivals: Policy) -> None:
        """All other seats play the policy `rivals`; nothing is tried yet."""
        self._tables, self._rivals = tables, tables.rivals(rivals)
        self.ranked = self.choices = tables.decision.choices
        self.tried, self.results, self.confidence = 0, np.empty((0, len(self.choices))), Confidence()

    def choose(self, most: int) -> None:
        """Find the choices that do best, on at most `most` tables a stage."""
        tables, decision, first = self._tables, self._tables.decision, 0
        choices = tables.plans(_WIDTH) if decision.kind == PLAN else decision.choices
        results = np.empty((0, len(choices)))
        self.tried = 0
        for number, stage in enumerate(_stages(decision)):
            choices, results = choices[: stage.best], results[:, : stage.best]
            known = len(choices) if number else 0
            if stage.size > stage.best:
                choices = tables.mixed(choices, stage.size, MIXING + number)
                results = np.empty((0, len(choices)))
            self.tried += len(choices) - known
            more = tables.results(choices, self._rivals, CHOOSING, first, min(most, stage.tables), _MARGIN)
            first, results = first + len(more), np.concatenate([results, more])
            order = best_first(results)
            choices, results = choices[order], results[:, order]
        self.ranked = choices

    def judge(self, choices: np.ndarray) -> None:
        """Begin to judge choices, the best first, without those that equal an earlier one."""
        self.choices = self._tables.different(choices)
        self.results = np.empty((0, len(self.choices)))
        self.confidence = Confidence(LEVEL, len(self.choices))  # of the best one's wins, and of all others against it

    def look(self, count: int) -> None:
        """Judge them on fresh tables until there are `count`."""
        done = len(self.results)
        if count > done:
            more = self._tables.results(self.choices, self._rivals, JUDGING, done, count - done)
            self.results = np.concatenate([self.results, more])

    def wins(self, place: int) -> tuple[float, Interval | None]:
        """How often a choice wins, with its interval."""
        return _mean_of(self.results[:, place], self.confidence)

    def behind(self, place: int) -> tuple[float, Interval | None]:
        """How much less a choice wins than the best one, the first, with its interval."""
        return behind(self.results, place, self.confidence)

    def widest(self) -> float:
        """Half the width of the widest interval of a difference from the best choice; 0 where none has one."""
        if len(self.results) < self.confidence.min_blocks:
            return np.inf
        ends = [self.behind(place)[1] for place in range(1, len(self.choices))]
        return max(((each[1] - each[0]) / 2 for each in ends if each is not None), default=0.0)


def best_first(results: np.ndarray) -> np.ndarray:
    """The places of choices by their means, the best first; equals stay in their order."""
    return np.argsort(-results.mean(axis=0), kind="stable")


def behind(results: np.ndarray, place: int, confidence: Confidence) -> tuple[float, Interval | None]:
    """How much less a choice wins than the first, table by table; exactly 0 for the first one itself."""
    if place == 0:
        return 0.0, (0.0, 0.0)
    return _mean_of(results[:, 0] - results[:, place], confidence)


def _mean_of(values: np.ndarray, confidence: Confidence) -> tuple[float, Interval | None]:
    """A mean over dealt tables with Student's t interval; None with too few tables for it, or if all are equal."""
    mean, deviation = float(values.mean()), float(values.std(ddof=1)) if len(values) > 1 else 0.0
    return mean, confidence.around(mean, deviation / max(1, len(values)) ** 0.5, len(values))


def judge_all(
    trials: Sequence[Trials], precision: float, most: int, is_over: Callable[[], bool],
    planned: Callable[[int], None],
) -> bool:  # fmt: skip
    """Judge choices against each kind of play until every interval is narrow enough; False if time ran out before.

    It is asked at 400 tables, 800 and so on up to `most`. `planned` is told how many games come next.
    """
    count = min(FIRST_LOOK, most)
    open_ = list(trials)
    while open_:
        for each in open_:
            if is_over() and len(each.results) >= each.confidence.min_blocks:
                return False
            planned(len(each.choices) * (count - len(each.results)))
            each.look(count)
        open_ = [each for each in open_ if each.widest() > precision]
        if count == most:
            break
        count = min(2 * count, most)
    return True
