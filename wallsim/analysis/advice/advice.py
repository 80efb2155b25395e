"""Advice on a plan against several kinds of play: the plan to make, the next best, and how much worse others are."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from wallsim.analysis.advice.moment import Moment
from wallsim.analysis.advice.plan_text import Change, cleared, differences, kept, read_plan, words_of
from wallsim.analysis.advice.question import Effort, Question, answered, settings_of
from wallsim.analysis.advice.result import Advice
from wallsim.analysis.advice.search import choose_plans, games_of_choosing, planning_policies
from wallsim.analysis.advice.tables import Planner, Tables
from wallsim.analysis.claims.plays import strong_lines
from wallsim.policies.catalogue import load_policy


def advise_on_plan(
    moment: Moment,
    *,
    plan: str | Mapping[str, Any] | None = None,
    plays: Sequence[str] = (),
    policy: str | None = None,
    tower: str | None = None,
    seed: int = 1,
    effort: Effort | None = None,
    watch: Callable[[int, int], None] | None = None,
) -> Advice:
    """Which plan a search prefers at a moment, and how much worse the next ones and `plan` are.

    `watch` is called with the number of games that were played out, and an estimate of all. InputError for a plan that
    the rules do not allow, and unknown plays, policies and towers.
    """
    effort = effort or Effort()
    adviser, model, kinds = settings_of(moment, plays, policy, tower)
    made = None if moment.made is None else cleared(moment.made, moment.ruleset)
    asked = made if plan is None else read_plan(moment, plan)
    lines = [load_policy(name) for name in (*strong_lines(moment.ruleset.players), "balanced")]
    planner = Planner(moment, planning_policies(adviser, lines), model, seed)
    question = Question(
        "plan", moment, (), _PlanWords(moment), asked, "" if asked is None else "made" if plan is None else "yours",
        lambda rivals, played: Tables(planner, rivals, effort.workers, played),
        lambda tables: choose_plans(planner, tables, effort.tables), games_of_choosing(effort.tables),
    )  # fmt: skip
    return answered(question, kinds, adviser.name, tower or moment.tower, seed, effort, watch)


class _PlanWords:
    """How plans of a moment are put in words."""

    def __init__(self, moment: Moment) -> None:
        self._moment = moment

    def words(self, plan: np.ndarray) -> Mapping[str, str]:
        return words_of(self._moment, plan)

    def changes(self, best: np.ndarray, other: np.ndarray) -> tuple[Change, ...]:
        return differences(self._moment, best, other)

    def kept(self, plan: np.ndarray) -> tuple[int, ...]:
        return kept(plan)
