"""Dealt tables: plans or other choices of a seat, and what comes of each against one kind of play."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from wallsim.analysis.advice.choice import Choice
from wallsim.analysis.advice.moment import Moment
from wallsim.analysis.advice.plan_text import Change, cleared, differences, kept, words_of
from wallsim.analysis.advice.steps import ATTACK, CLAIM, PLACE
from wallsim.engine import decisions
from wallsim.engine.advising import make_plans, mix_plans
from wallsim.engine.rollout import TRIAL
from wallsim.play.parallel import in_parallel
from wallsim.policies.advice import ADVICE
from wallsim.policies.catalogue import Policy, pack_players
from wallsim.policies.record import MIND, SEARCH_DEPTH, SEARCH_MARGIN, SEARCH_RIVALS
from wallsim.policies.search import TO_GAME
from wallsim.policies.weights import NOISE
from wallsim.rules.record import pack_rules
from wallsim.rules.terms import MAX_PLAYERS
from wallsim.rules.tower import TowerModel
from wallsim.state.game import new_game

MOST_PLANS = TRIAL["plan"].shape[0]  # that a table has room for
ERROR = 0.5  # VP: the least standard deviation of the errors with which all seats judge when a plan is tried
_BLOCK = 20  # tables of a task; the tables do not depend on it
_SPREAD = 3.0  # VP: the largest errors of judgement with which plans are made
_THOUSANDTHS = 1000
_KINDS = {CLAIM: decisions.CLAIM, PLACE: decisions.PLACE, ATTACK: decisions.ATTACK}
# What random numbers are drawn for, each with a key of its own; MIXING is that of the first stage.
PLANS, CHOOSING, JUDGING, MIXING = range(4)


class Planner:
    """A seat at a moment, how it goes on after its plan, and the policies that make plans for it.

    `advisers` are at most five policies that plan by weights; the seat plays on as the first one. `tower` is that
    through which cubes fall when plans are tried.
    """

    kind, turn = decisions.PLAN, 0

    def __init__(self, moment: Moment, advisers: Sequence[Policy], tower: TowerModel, seed: int) -> None:
        """Prepare rules and minds."""
        self.moment, self.rules = moment, pack_rules(moment.board, moment.ruleset, tower)
        self.seat, self.before, self.table = moment.seat, moment.game[0], moment.game[0]
        self._seed, self._count = seed, min(len(advisers), MAX_PLAYERS)
        self._minds = pack_players(list(advisers[:MAX_PLAYERS])).copy()
        _play_to_the_end(self._minds["seat"])
        self.mind = np.zeros(1, MIND)
        self._planned(1, self.mind)  # leaves in it what the seat notes while it plans
        make_errors(self.mind)

    def key(self, purpose: int) -> np.uint64:
        """The key of what is drawn for a purpose: plans are chosen by one, and judged by another."""
        return _key_of(self._seed, purpose)

    def different(self, plans: np.ndarray) -> np.ndarray:
        """The plans without those that equal an earlier one in what matters."""
        return _different(plans, kept)

    def words(self, plan: np.ndarray) -> Mapping[str, str]:
        """What lies on each box, by name."""
        return words_of(self.moment, plan)

    def changes(self, best: np.ndarray, other: np.ndarray) -> tuple[Change, ...]:
        """In what two plans differ."""
        return differences(self.moment, best, other)

    def kept(self, plan: np.ndarray) -> tuple[int, ...]:
        """What of a plan matters."""
        return kept(plan)

    def plans(self, width: int) -> np.ndarray:
        """Up to `width` plans that differ in what matters, int64 [plans, BOXES], the first adviser's own first."""
        return self._planned(width, np.zeros(1, MIND))

    def _planned(self, width: int, mind: np.ndarray) -> np.ndarray:
        moment, trial, game = self.moment, np.zeros(1, TRIAL), new_game()
        made = make_plans(
            moment.game[0], game[0], self.rules[0], self._minds[0], self._count, mind[0], moment.seat, trial[0], width,
            _SPREAD, self.key(PLANS),
        )  # fmt: skip
        return self.different(cleared(trial[0].plan[:made], moment.ruleset))

    def mixed(self, plans: np.ndarray, best: int, wanted: int, purpose: int) -> np.ndarray:
        """The same plans, and further ones in which cards of the `best` first ones change places: `wanted` at most."""
        moment, trial, game = self.moment, np.zeros(1, TRIAL), new_game()
        trial[0].plan[: len(plans)] = plans
        made = mix_plans(
            moment.game[0], game[0], self.rules[0], moment.seat, trial[0], len(plans), best, min(wanted, MOST_PLANS),
            self.key(purpose),
        )  # fmt: skip
        return self.different(cleared(trial[0].plan[:made], moment.ruleset))


class Chooser:
    """A seat before a choice that is no plan, the rules and tower, and the player state by which it goes on."""

    def __init__(self, choice: Choice, adviser: Policy, tower: TowerModel, seed: int) -> None:
        """Prepare rules and player state; within a round the seat notes what it saw while it planned."""
        self._choice, self._seed, moment = choice, seed, choice.moment
        self.kind, self.turn, self.seat = _KINDS[choice.kind], choice.turn, moment.seat
        self.before, self.table = choice.before[0], moment.game[0]
        if choice.kind == CLAIM:
            self.rules = pack_rules(moment.board, moment.ruleset, tower)
            self.mind = pack_players([adviser] * moment.ruleset.players)["seat"][0, :1].copy()
            _play_to_the_end(self.mind)
            make_errors(self.mind)
        else:
            planner = Planner(replace(moment, game=choice.before), [adviser], tower, seed)
            self.rules, self.mind = planner.rules, planner.mind

    def key(self, purpose: int) -> np.uint64:
        """The key of what is drawn for a purpose."""
        return _key_of(self._seed, purpose)

    def different(self, options: np.ndarray) -> np.ndarray:
        """The options without those that equal an earlier one."""
        return _different(options, self._choice.kept)


class Tables:
    """Tables that might be the real one, at which all other seats play one policy."""

    def __init__(
        self, seat: Planner | Chooser, rivals: Policy, workers: int, played: Callable[[int], None]
    ) -> None:  # fmt: skip
        """`played` is called with the number of games that were played out since the last call."""
        self._seat, self._workers, self._played = seat, workers, played
        self._rivals = pack_players([rivals] * int(seat.rules[0].players)).copy()
        make_errors(self._rivals["seat"])
        self.different = seat.different

    def try_plans(self, plans: np.ndarray, purpose: int, first: int, count: int, margin: float) -> np.ndarray:
        """What comes of each plan on tables `first` ... `first + count - 1` of a purpose: float64 [tables, plans].

        Shares in the win, and `margin` for each victory point ahead of the best other seat.
        """
        mind = self._seat.mind.copy()
        mind["search"][..., SEARCH_MARGIN] = round(_THOUSANDTHS * margin)
        key, end = self._seat.key(purpose), first + count
        tasks = [(plans, mind, key, start, min(_BLOCK, end - start)) for start in range(first, end, _BLOCK)]
        parts = []
        for part in in_parallel(self._block, tasks, self._workers):
            self._played(part.size)
            parts.append(part)
        return np.concatenate(parts)

    def _block(self, plans: np.ndarray, mind: np.ndarray, key: np.uint64, first: int, count: int) -> np.ndarray:
        seat = self._seat
        plans, results = np.ascontiguousarray(plans, np.int64), np.empty((count, len(plans)))
        trial, advice = np.zeros(1, TRIAL), np.zeros(1, ADVICE)
        decisions.try_on_tables(
            seat.before, seat.table, seat.rules[0], self._rivals[0], mind[0], seat.seat, advice[0], trial[0], seat.kind,
            seat.turn, plans, key, first, results,
        )  # fmt: skip
        return results


def _key_of(seed: int, purpose: int) -> np.uint64:
    """The key of what is drawn for a purpose by a seed."""
    return np.uint64(np.random.SeedSequence([seed, purpose]).generate_state(1, np.uint64)[0])


def make_errors(minds: np.ndarray) -> None:
    """Let minds judge with errors of ERROR VP at least, so that nobody lays the same cards at every table."""
    for field in ("weight", "phase_weight"):
        noise = minds[field][..., NOISE]
        np.maximum(noise, ERROR, out=noise)


def _play_to_the_end(minds: np.ndarray) -> None:
    """Let what minds try be played out to the end of the game, against the seats that are there."""
    minds["search"][..., SEARCH_DEPTH] = TO_GAME
    minds["search"][..., SEARCH_RIVALS] = 0


def _different(plans: np.ndarray, kept: Callable[[np.ndarray], tuple[int, ...]]) -> np.ndarray:
    first = {kept(plan): number for number, plan in reversed(list(enumerate(plans)))}
    return plans[sorted(first.values())].copy()
