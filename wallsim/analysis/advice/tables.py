"""Dealt tables: plans of a seat, made by policies, and what comes of each against one kind of play."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from wallsim.analysis.advice.moment import Moment
from wallsim.analysis.advice.plan_text import cleared, kept
from wallsim.engine.advising import make_plans, mix_plans
from wallsim.engine.decisions import PLAN, try_on_tables
from wallsim.engine.rollout import TRIAL
from wallsim.policies.advice import ADVICE
from wallsim.policies.catalogue import Policy, pack_players
from wallsim.policies.record import MIND, SEARCH_DEPTH, SEARCH_MARGIN, SEARCH_RIVALS
from wallsim.policies.search import TO_GAME
from wallsim.policies.weights import NOISE
from wallsim.rules.record import pack_rules
from wallsim.rules.terms import MAX_PLAYERS
from wallsim.rules.tower import TowerModel
from wallsim.runs.parallel import in_parallel
from wallsim.state.game import new_game

MOST_PLANS = TRIAL["plan"].shape[0]  # that a table has room for
ERROR = 0.5  # VP: the least standard deviation of the errors with which all seats judge when a plan is tried
_BLOCK = 20  # tables of a task; the tables do not depend on it
_SPREAD = 3.0  # VP: the largest errors of judgement with which plans are made
_THOUSANDTHS = 1000


class Planner:
    """A seat at a moment, how it goes on after its plan, and the policies that make plans for it.

    `advisers` are at most five policies that plan by weights; the seat plays on as the first one. `tower` is that
    through which cubes fall when plans are tried.
    """

    def __init__(self, moment: Moment, advisers: Sequence[Policy], tower: TowerModel, seed: int) -> None:
        """Prepare rules and minds."""
        self.moment, self.rules = moment, pack_rules(moment.board, moment.ruleset, tower)
        self._seed, self._count = seed, min(len(advisers), MAX_PLAYERS)
        self._minds = pack_players(list(advisers[:MAX_PLAYERS])).copy()
        play_to_the_end(self._minds["seat"])
        self.mind = np.zeros(1, MIND)
        self._planned(1, self.mind)  # leaves in it what the seat notes while it plans
        make_errors(self.mind)

    def key(self, purpose: int) -> np.uint64:
        """The key of what is drawn for a purpose: plans are chosen by one, and judged by another."""
        return key_of(self._seed, purpose)

    def plans(self, width: int) -> np.ndarray:
        """Up to `width` plans that differ in what matters, int64 [plans, BOXES], the first adviser's own first."""
        return self._planned(width, np.zeros(1, MIND))

    def _planned(self, width: int, mind: np.ndarray) -> np.ndarray:
        moment, trial, game = self.moment, np.zeros(1, TRIAL), new_game()
        made = make_plans(
            moment.game[0], game[0], self.rules[0], self._minds[0], self._count, mind[0], moment.seat, trial[0], width,
            _SPREAD, self.key(PLANS),
        )  # fmt: skip
        return different(cleared(trial[0].plan[:made], moment.ruleset))

    def mixed(self, plans: np.ndarray, best: int, wanted: int, purpose: int) -> np.ndarray:
        """The same plans, and further ones in which cards of the `best` first ones change places: `wanted` at most."""
        moment, trial, game = self.moment, np.zeros(1, TRIAL), new_game()
        trial[0].plan[: len(plans)] = plans
        made = mix_plans(
            moment.game[0], game[0], self.rules[0], moment.seat, trial[0], len(plans), best, min(wanted, MOST_PLANS),
            self.key(purpose),
        )  # fmt: skip
        return different(cleared(trial[0].plan[:made], moment.ruleset))


# What random numbers are drawn for, each with a key of its own.
# MIXING is that of the first stage.
PLANS, CHOOSING, JUDGING, MIXING = range(4)


class Tables:
    """Tables that might be the real one, at which all other seats play one policy."""

    def __init__(self, planner: Planner, rivals: Policy, workers: int, played: Callable[[int], None]) -> None:
        """`played` is called with the number of games that were played out since the last call."""
        self._planner, self._workers, self._played = planner, workers, played
        self._rivals = pack_players([rivals] * int(planner.rules[0].players)).copy()
        make_errors(self._rivals["seat"])

    def try_plans(self, plans: np.ndarray, purpose: int, first: int, count: int, margin: float) -> np.ndarray:
        """What comes of each plan on tables `first` ... `first + count - 1` of a purpose: float64 [tables, plans].

        Shares in the win, and `margin` for each victory point ahead of the best other seat.
        """
        mind = self._planner.mind.copy()
        mind["search"][..., SEARCH_MARGIN] = round(_THOUSANDTHS * margin)
        key = self._planner.key(purpose)
        tasks = [(plans, mind, key, start, min(_BLOCK, first + count - start)) for start in
                 range(first, first + count, _BLOCK)]  # fmt: skip
        parts = []
        for part in in_parallel(self._block, tasks, self._workers):
            self._played(part.size)
            parts.append(part)
        return np.concatenate(parts)

    def different(self, plans: np.ndarray) -> np.ndarray:
        """The plans without those that equal an earlier one in what matters."""
        return different(plans)

    def _block(self, plans: np.ndarray, mind: np.ndarray, key: np.uint64, first: int, count: int) -> np.ndarray:
        planner = self._planner
        plans, results = np.ascontiguousarray(plans, np.int64), np.empty((count, len(plans)))
        trial, advice = np.zeros(1, TRIAL), np.zeros(1, ADVICE)
        table = planner.moment.game[0]
        try_on_tables(
            table, table, planner.rules[0], self._rivals[0], mind[0], planner.moment.seat, advice[0], trial[0], PLAN, 0,
            plans, key, first, results,
        )  # fmt: skip
        return results


def key_of(seed: int, purpose: int) -> np.uint64:
    """The key of what is drawn for a purpose by a seed."""
    return np.uint64(np.random.SeedSequence([seed, purpose]).generate_state(1, np.uint64)[0])


def make_errors(minds: np.ndarray) -> None:
    """Let minds judge with errors of ERROR VP at least, so that nobody lays the same cards at every table."""
    for field in ("weight", "phase_weight"):
        noise = minds[field][..., NOISE]
        np.maximum(noise, ERROR, out=noise)


def play_to_the_end(minds: np.ndarray) -> None:
    """Let what minds try be played out to the end of the game, against the seats that are there."""
    minds["search"][..., SEARCH_DEPTH] = TO_GAME
    minds["search"][..., SEARCH_RIVALS] = 0


def different(plans: np.ndarray) -> np.ndarray:
    """The plans without those that equal an earlier one in what matters."""
    first = {kept(plan): number for number, plan in reversed(list(enumerate(plans)))}
    return plans[sorted(first.values())].copy()
