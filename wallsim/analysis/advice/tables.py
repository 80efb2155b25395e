"""Dealt tables: choices of a seat, and what comes of each against one kind of play."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from wallsim.analysis.advice.choice_text import effect_of
from wallsim.analysis.advice.decision import ATTACK, CLAIM, PLACE, PLAN, Decision
from wallsim.analysis.advice.plan_text import cleared
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
ERROR = 0.5  # VP: the least standard deviation of the errors with which all seats judge when a choice is tried
_BLOCK = 20  # tables of a task; the tables do not depend on it
_SPREAD = 3.0  # VP: the largest errors of judgement with which plans are made
_THOUSANDTHS = 1000
_KINDS = {PLAN: decisions.PLAN, CLAIM: decisions.CLAIM, PLACE: decisions.PLACE, ATTACK: decisions.ATTACK}
# What random numbers are drawn for, each with a key of its own; MIXING is that of the first stage.
PLANS, CHOOSING, JUDGING, MIXING = range(4)


class Tables:
    """Tables that might be that of a decision, with all that is hidden dealt again.

    `advisers` are at most five policies that plan by weights: they make plans, and the seat plays on as the first one.
    Cubes fall through `tower`. `played` is called with the number of games that were played out since the last call.
    """

    def __init__(
        self, decision: Decision, advisers: Sequence[Policy], tower: TowerModel, seed: int, workers: int = 1,
        played: Callable[[int], None] = lambda games: None,
    ) -> None:  # fmt: skip
        """Prepare rules and player states; within a round the seat notes what it saw while it planned."""
        self.decision, self.rules = decision, pack_rules(decision.board, decision.ruleset, tower)
        self.before = (decision.game if decision.before is None else decision.before)[0]
        self._seed, self._workers, self._played = seed, workers, played
        self._advisers, self._count = pack_players(list(advisers[:MAX_PLAYERS])).copy(), min(len(advisers), MAX_PLAYERS)
        # What the seat tries is played out to the end of the game, against the seats that are there.
        self._advisers["seat"]["search"][..., SEARCH_DEPTH] = TO_GAME
        self._advisers["seat"]["search"][..., SEARCH_RIVALS] = 0
        self.mind = self._advisers["seat"][0, :1].copy()
        if decision.kind != CLAIM:
            self._planned(1, self.mind)  # leaves in it what the seat notes while it plans
        make_errors(self.mind)

    def rivals(self, policy: Policy) -> np.ndarray:
        """The player states of all other seats, which play one policy: a PLAYERS array of one element."""
        minds = pack_players([policy] * int(self.rules[0].players)).copy()
        make_errors(minds["seat"])
        return minds

    def different(self, choices: np.ndarray) -> np.ndarray:
        """The choices without those that equal an earlier one in what matters."""
        first = {effect_of(self.decision, choice): number for number, choice in reversed(list(enumerate(choices)))}
        return choices[sorted(first.values())].copy()

    def plans(self, width: int) -> np.ndarray:
        """Up to `width` plans that differ in what matters, int64 [plans, BOXES], the first adviser's own first."""
        return self._planned(width, np.zeros(1, MIND))

    def _planned(self, width: int, mind: np.ndarray) -> np.ndarray:
        trial, game = np.zeros(1, TRIAL), new_game()
        made = make_plans(
            self.before, game[0], self.rules[0], self._advisers[0], self._count, mind[0], self.decision.seat, trial[0],
            width, _SPREAD, self._key(PLANS),
        )  # fmt: skip
        return self.different(cleared(trial[0].plan[:made], self.decision.ruleset))

    def mixed(self, plans: np.ndarray, wanted: int, purpose: int) -> np.ndarray:
        """The same plans, and further ones in which their cards change places: `wanted` at most."""
        trial, game = np.zeros(1, TRIAL), new_game()
        trial[0].plan[: len(plans)] = plans
        made = mix_plans(
            self.before, game[0], self.rules[0], self.decision.seat, trial[0], len(plans), len(plans),
            min(wanted, MOST_PLANS), self._key(purpose),
        )  # fmt: skip
        return self.different(cleared(trial[0].plan[:made], self.decision.ruleset))

    def results(
        self, choices: np.ndarray, rivals: np.ndarray, purpose: int, first: int, count: int, margin: float = 0.0
    ) -> np.ndarray:
        """What comes of each choice on tables `first` ... `first + count - 1` of a purpose: float64 [tables, choices].

        Shares in the win, and `margin` for each victory point ahead of the best other seat.
        """
        mind = self.mind.copy()
        mind["search"][..., SEARCH_MARGIN] = round(_THOUSANDTHS * margin)
        key, end = self._key(purpose), first + count
        tasks = [(choices, rivals, mind, key, start, min(_BLOCK, end - start)) for start in range(first, end, _BLOCK)]
        parts = []
        for part in in_parallel(self._block, tasks, self._workers):
            self._played(part.size)
            parts.append(part)
        return np.concatenate(parts)

    def _block(
        self, choices: np.ndarray, rivals: np.ndarray, mind: np.ndarray, key: np.uint64, first: int, count: int
    ) -> np.ndarray:
        decision = self.decision
        choices, results = np.ascontiguousarray(choices, np.int64), np.empty((count, len(choices)))
        trial, advice = np.zeros(1, TRIAL), np.zeros(1, ADVICE)
        decisions.try_on_tables(
            self.before, decision.game[0], self.rules[0], rivals[0], mind[0], decision.seat, advice[0], trial[0],
            _KINDS[decision.kind], decision.turn, choices, key, first, results,
        )  # fmt: skip
        return results

    def _key(self, purpose: int) -> np.uint64:
        """The key of what is drawn for a purpose: choices are chosen by one, and judged by another."""
        return np.uint64(np.random.SeedSequence([self._seed, purpose]).generate_state(1, np.uint64)[0])


def make_errors(minds: np.ndarray) -> None:
    """Let minds judge with errors of ERROR VP at least, so that nobody lays the same cards at every table."""
    for field in ("weight", "phase_weight"):
        noise = minds[field][..., NOISE]
        np.maximum(noise, ERROR, out=noise)
