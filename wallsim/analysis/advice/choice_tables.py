"""Dealt tables for choices that are no plans: what comes of each against one kind of play."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from wallsim.analysis.advice.choice import Choice
from wallsim.analysis.advice.steps import ATTACK, CLAIM, PLACE
from wallsim.analysis.advice.tables import Planner, key_of, make_errors, play_to_the_end
from wallsim.engine import decisions
from wallsim.engine.rollout import TRIAL
from wallsim.policies.advice import ADVICE
from wallsim.policies.catalogue import Policy, pack_players
from wallsim.policies.record import SEARCH_MARGIN
from wallsim.rules.record import pack_rules
from wallsim.rules.tower import TowerModel
from wallsim.runs.parallel import in_parallel

_BLOCK = 20  # tables of a task; the tables do not depend on it
_THOUSANDTHS = 1000
_KINDS = {CLAIM: decisions.CLAIM, PLACE: decisions.PLACE, ATTACK: decisions.ATTACK}


class Chooser:
    """A seat before a choice, the rules and tower, and the mind by which it goes on."""

    def __init__(self, choice: Choice, adviser: Policy, tower: TowerModel, seed: int) -> None:
        """Prepare rules and mind; within a round the seat notes what it saw while it planned."""
        self.choice, self.seed = choice, seed
        moment = choice.moment
        if choice.kind == CLAIM:
            self.rules = pack_rules(moment.board, moment.ruleset, tower)
            self.mind = pack_players([adviser] * moment.ruleset.players)["seat"][0, :1].copy()
            play_to_the_end(self.mind)
            make_errors(self.mind)
        else:
            planner = Planner(replace(moment, game=choice.before), [adviser], tower, seed)
            self.rules, self.mind = planner.rules, planner.mind


class ChoiceTables:
    """Tables that might be the real one, at which all other seats play one policy."""

    def __init__(self, chooser: Chooser, rivals: Policy, workers: int, played: Callable[[int], None]) -> None:
        """`played` is called with the number of games that were played out since the last call."""
        self._chooser, self._workers, self._played = chooser, workers, played
        self._rivals = pack_players([rivals] * int(chooser.rules[0].players)).copy()
        make_errors(self._rivals["seat"])

    def different(self, plans: np.ndarray) -> np.ndarray:
        """The options without those that equal an earlier one."""
        first = {tuple(plan.tolist()): number for number, plan in reversed(list(enumerate(plans)))}
        return plans[sorted(first.values())].copy()

    def try_plans(self, plans: np.ndarray, purpose: int, first: int, count: int, margin: float) -> np.ndarray:
        """What comes of each option on tables `first` ... `first + count - 1` of a purpose: float64 [tables, options].

        Shares in the win, and `margin` for each victory point ahead of the best other seat.
        """
        mind = self._chooser.mind.copy()
        mind["search"][..., SEARCH_MARGIN] = round(_THOUSANDTHS * margin)
        key, end = key_of(self._chooser.seed, purpose), first + count
        tasks = [(plans, mind, key, start, min(_BLOCK, end - start)) for start in range(first, end, _BLOCK)]
        parts = []
        for part in in_parallel(self._block, tasks, self._workers):
            self._played(part.size)
            parts.append(part)
        return np.concatenate(parts)

    def _block(self, plans: np.ndarray, mind: np.ndarray, key: np.uint64, first: int, count: int) -> np.ndarray:
        chooser, choice = self._chooser, self._chooser.choice
        plans, results = np.ascontiguousarray(plans, np.int64), np.empty((count, len(plans)))
        trial, advice = np.zeros(1, TRIAL), np.zeros(1, ADVICE)
        now, rules, seat = choice.moment.game[0], chooser.rules[0], choice.moment.seat
        decisions.try_on_tables(
            choice.before[0], now, rules, self._rivals[0], mind[0], seat, advice[0], trial[0], _KINDS[choice.kind],
            choice.turn, plans, key, first, results,
        )  # fmt: skip
        return results
