"""Advice on a plan against several kinds of play: the plan to make, the next best, and how much worse others are."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from wallsim.analysis.advice.keys import MOST_TABLES, PRECISION
from wallsim.analysis.advice.moment import Moment
from wallsim.analysis.advice.plan_text import Change, cleared, differences, kept, read_plan, words_of
from wallsim.analysis.advice.search import (
    ALTERNATIVES,
    Chosen,
    Judged,
    behind,
    choose_plans,
    games_of_choosing,
    judge_all,
    mean_of,
    planning_policies,
)
from wallsim.analysis.advice.tables import Planner, Tables
from wallsim.analysis.claims.plays import Play, default_plays, strong_lines
from wallsim.errors import InputError
from wallsim.policies.catalogue import Policy, load_policy
from wallsim.rules.suggestions import did_you_mean
from wallsim.rules.tower import load_tower
from wallsim.stats.intervals import LEVEL, Interval


@dataclass(frozen=True)
class AdvisedPlan:
    """A plan and what came of it.

    `cards` has what lies on each box. `wins` is its share of wins, `behind` how much less that is than the share of the
    best plan, on the same tables, each with its interval. `changes` are the boxes on which it differs from the best.
    """

    cards: Mapping[str, str]
    wins: float
    wins_interval: Interval | None
    behind: float
    behind_interval: Interval | None
    changes: tuple[Change, ...]


@dataclass(frozen=True)
class Answer:
    """Advice against one kind of play.

    `plans` are the best plan and the next ones, in the order of the tables on which they were chosen. `advised` is the
    plan that is best against the first kind of play, `judged` the one that was asked about, None for none. `tables` is
    the number of fresh tables on which all were judged, `tried` that of the plans among which was chosen.
    """

    play: str
    policy: str
    plans: tuple[AdvisedPlan, ...]
    advised: AdvisedPlan
    judged: AdvisedPlan | None
    tables: int
    tried: int

    @property
    def best(self) -> AdvisedPlan:
        """The plan to make."""
        return self.plans[0]

    @property
    def alternatives(self) -> tuple[AdvisedPlan, ...]:
        """The three next best."""
        return self.plans[1:]


@dataclass(frozen=True)
class Advice:
    """The plan that a search prefers at a moment, against each kind of play, the first one's first.

    `judged` says whose plan was judged, `yours` or `made` in the game, empty for none. `in_time` is False if the time
    ran out before all intervals were narrow enough.
    """

    moment: Moment
    policy: str
    tower: str
    seed: int
    precision: float
    level: float
    judged: str
    answers: tuple[Answer, ...]
    in_time: bool

    @property
    def best(self) -> AdvisedPlan:
        """The plan to make against the first kind of play."""
        return self.answers[0].best

    @property
    def alternatives(self) -> tuple[AdvisedPlan, ...]:
        """The three next best against the first kind of play."""
        return self.answers[0].alternatives

    @property
    def agreed(self) -> bool:
        """Whether the same plan is best against every kind of play."""
        return all(not answer.advised.changes for answer in self.answers)


@dataclass(frozen=True)
class Effort:
    """How much is tried: `precision` is half the width of the widest interval that is wanted, as a share of wins.

    At most `tables` dealt tables judge the plans, and so many at most are used in each stage of choosing. No look
    begins after `minutes`, but the first one.
    """

    precision: float = PRECISION / 100
    tables: int = MOST_TABLES
    minutes: float | None = None
    workers: int = 1


def plays_named(names: Sequence[str], players: int) -> tuple[Play, ...]:
    """The kinds of play of these names, all if there are none, the strongest first. InputError for another name."""
    strong, second = strong_lines(players)
    known = {play.name: play for play in reversed(default_plays(strong, second))}
    ordered = [strong_name for strong_name in known if known[strong_name].policy == strong]
    ordered += [name for name in known if name not in ordered]
    for name in names:
        if name not in known:
            raise InputError(f"plays: {name!r} is not one of {', '.join(ordered)}{did_you_mean(name, ordered)}")
    if len(set(names)) < len(names):
        raise InputError(f"plays: {', '.join(names)}: one of them is there twice")
    return tuple(known[name] for name in names or ordered)


def planning_policy(name: str) -> Policy:
    """The policy of a name or file, which must plan by weights. InputError for another one."""
    policy = load_policy(name)
    if policy.kind != "balanced":
        raise InputError(f"policy: {name} is of kind {policy.kind!r}; only policies of kind 'balanced' plan by weights")
    return policy


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
    ends = None if effort.minutes is None else time.monotonic() + 60 * effort.minutes
    players = moment.ruleset.players
    kinds = plays_named(plays, players)
    adviser = planning_policy(policy or strong_lines(players)[0])
    model = load_tower(tower or moment.tower)
    made = None if moment.made is None else cleared(moment.made, moment.ruleset)
    asked = made if plan is None else read_plan(moment, plan)
    lines = [load_policy(name) for name in (*strong_lines(players), "balanced")]
    planner = Planner(moment, planning_policies(adviser, lines), model, seed)
    count = _Count(watch or (lambda done, total: None), games_of_choosing(effort.tables) * len(kinds))
    chosen: list[tuple[Tables, Chosen]] = []
    for play in kinds:
        tables = Tables(planner, load_policy(play.policy), effort.workers, count.played)
        chosen.append((tables, choose_plans(planner, tables, effort.tables)))
    advised = chosen[0][1].plans[0]
    further = [advised] if asked is None else [advised, asked]
    judged = [Judged(tables, found, further) for tables, found in chosen]
    in_time = judge_all(
        judged, effort.precision, effort.tables, lambda: ends is not None and time.monotonic() > ends, count.planned
    )
    answers = [_answer(moment, *each, advised, asked) for each in zip(kinds, judged, strict=True)]
    whose = "" if asked is None else "made" if plan is None else "yours"
    return Advice(
        moment, adviser.name, tower or moment.tower, seed, effort.precision, LEVEL, whose, tuple(answers), in_time
    )


class _Count:
    """Counts games that were played out, beside an estimate of all."""

    def __init__(self, watch: Callable[[int, int], None], choosing: int) -> None:
        self._watch, self._done, self._total = watch, 0, choosing

    def played(self, games: int) -> None:
        """So many more were played."""
        self._done += games
        self._watch(self._done, max(self._done, self._total))

    def planned(self, games: int) -> None:
        """So many come next."""
        self._total = max(self._total, self._done + games)


def _answer(moment: Moment, play: Play, judged: Judged, advised: np.ndarray, asked: np.ndarray | None) -> Answer:
    places = {kept(plan): number for number, plan in enumerate(judged.plans)}
    plans = [_judged(moment, judged, place) for place in range(len(judged.plans))]
    next_best = min(1 + ALTERNATIVES, judged.chosen)
    return Answer(
        play.name, play.policy, tuple(plans[:next_best]), plans[places[kept(advised)]],
        None if asked is None else plans[places[kept(asked)]], len(judged.results), judged.tried,
    )  # fmt: skip


def _judged(moment: Moment, judged: Judged, place: int) -> AdvisedPlan:
    plan = judged.plans[place]
    wins, wins_interval = mean_of(judged.results[:, place], judged.confidence)
    less, less_interval = behind(judged.results, place, judged.confidence)
    changes = differences(moment, judged.plans[0], plan)
    return AdvisedPlan(words_of(moment, plan), wins, wins_interval, less, less_interval, changes)
