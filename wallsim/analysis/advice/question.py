"""Asking which plan or other choice is best, chosen on some dealt tables and judged on others; and the answer."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from wallsim.analysis.advice.choice import Choice
from wallsim.analysis.advice.keys import MOST_TABLES, PRECISION
from wallsim.analysis.advice.moment import Moment
from wallsim.analysis.advice.plan_text import Change
from wallsim.analysis.advice.search import ALTERNATIVES, Chosen, Judged, behind, judge_all, mean_of
from wallsim.analysis.advice.tables import Chooser, Planner, Tables
from wallsim.analysis.claims.cells import Play, default_plays, strong_lines
from wallsim.errors import InputError
from wallsim.policies.catalogue import Policy, load_policy
from wallsim.rules.other_settings import other_settings_of
from wallsim.rules.suggestions import did_you_mean
from wallsim.rules.tower import TowerModel, load_tower
from wallsim.stats.intervals import LEVEL, Interval


@dataclass(frozen=True)
class AdvisedPlan:
    """A plan, or another choice, and what came of it.

    `cards` has what lies on each box, or what is chosen. `wins` is its share of wins, `behind` how much less that is
    than the share of the best plan, on the same tables, each with its interval. `changes` are the boxes on which it
    differs from the best.
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
    ran out before all intervals were narrow enough. `kind` is that of the decision: a `plan`, or a `claim`, a `place`
    or an `attack`, whose table `facts` describes in sentences.
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
    kind: str = "plan"
    facts: tuple[str, ...] = ()

    @property
    def settings(self) -> list[str]:
        """What is not the default in the game or in the search: board, tower, edition, rules and others."""
        return other_settings_of(self.moment.ruleset, self.moment.board, load_tower(self.tower))

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


@dataclass(frozen=True)
class Question:
    """What is asked: the kind of decision, its table and words, and how choices are made and tried.

    `asked` is the row that is judged, None for none, and `whose` says whose it is. `games` is about how many are played
    to choose against one kind of play.
    """

    kind: str
    moment: Moment
    facts: tuple[str, ...]
    wording: Planner | Choice
    asked: np.ndarray | None
    whose: str
    seat: Planner | Chooser
    choose: Callable[[Tables], Chosen]
    games: int


def settings_of(
    moment: Moment, plays: Sequence[str], policy: str | None, tower: str | None
) -> tuple[Policy, TowerModel, tuple[Play, ...]]:
    """The policy by which the seat goes on, the tower, and the kinds of play; InputError for unknown ones."""
    return checked_settings(moment.ruleset.players, plays, policy, tower or moment.tower)


def checked_settings(
    players: int, plays: Sequence[str], policy: str | None, tower: str
) -> tuple[Policy, TowerModel, tuple[Play, ...]]:
    """The same of a number of players, before there is a moment."""
    kinds = plays_named(plays, players)
    return planning_policy(policy or strong_lines(players)[0]), load_tower(tower), kinds


def answered(
    question: Question, kinds: Sequence[Play], adviser: str, tower: str, seed: int, effort: Effort,
    watch: Callable[[int, int], None] | None,
) -> Advice:  # fmt: skip
    """The answer to a question against each kind of play; `adviser` and `tower` are names."""
    ends = None if effort.minutes is None else time.monotonic() + 60 * effort.minutes
    count = _Count(watch or (lambda done, total: None), question.games * len(kinds))
    chosen: list[tuple[Tables, Chosen]] = []
    for play in kinds:
        tables = Tables(question.seat, load_policy(play.policy), effort.workers, count.played)
        chosen.append((tables, question.choose(tables)))
    advised = chosen[0][1].plans[0]
    further = [advised] if question.asked is None else [advised, question.asked]
    judged = [Judged(tables, found, further) for tables, found in chosen]
    in_time = judge_all(
        judged, effort.precision, effort.tables, lambda: ends is not None and time.monotonic() > ends, count.planned
    )
    answers = [_answer(question, *each, advised) for each in zip(kinds, judged, strict=True)]
    return Advice(
        question.moment, adviser, tower, seed, effort.precision, LEVEL, question.whose, tuple(answers), in_time,
        question.kind, question.facts,
    )  # fmt: skip


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


def _answer(question: Question, play: Play, judged: Judged, advised: np.ndarray) -> Answer:
    places = {question.wording.kept(plan): number for number, plan in enumerate(judged.plans)}
    plans = [_judged(question.wording, judged, place) for place in range(len(judged.plans))]
    next_best = min(1 + ALTERNATIVES, judged.chosen)
    asked = question.asked
    return Answer(
        play.name, play.policy, tuple(plans[:next_best]), plans[places[question.wording.kept(advised)]],
        None if asked is None else plans[places[question.wording.kept(asked)]], len(judged.results), judged.tried,
    )  # fmt: skip


def _judged(wording: Planner | Choice, judged: Judged, place: int) -> AdvisedPlan:
    plan = judged.plans[place]
    wins, wins_interval = mean_of(judged.results[:, place], judged.confidence)
    less, less_interval = behind(judged.results, place, judged.confidence)
    changes = wording.changes(judged.plans[0], plan)
    return AdvisedPlan(wording.words(plan), wins, wins_interval, less, less_interval, changes)
