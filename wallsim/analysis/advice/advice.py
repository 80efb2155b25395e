"""Advice on a decision against several kinds of play: the best choice, and how much worse others are."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

import numpy as np

from wallsim.analysis.advice import choice_text, plan_text
from wallsim.analysis.advice.answer import Advice, AdvisedPlan, Answer
from wallsim.analysis.advice.decision import PLAN, Decision
from wallsim.analysis.advice.options import AdviceOptions
from wallsim.analysis.advice.tables import Tables
from wallsim.analysis.advice.trials import ALTERNATIVES, Trials, games_of_choosing, judge_all
from wallsim.analysis.claims.cells import Play, default_plays, strong_lines
from wallsim.errors import InputError
from wallsim.play.parallel import checked_workers
from wallsim.policies.catalogue import Policy, load_policy
from wallsim.rules.board import Board
from wallsim.rules.ruleset import Ruleset
from wallsim.rules.suggestions import did_you_mean
from wallsim.rules.tower import DEFAULT_TOWER, load_tower
from wallsim.stats.intervals import LEVEL

Watch = Callable[[int, int], None]
_NO_CHOICE = "choice: a plan is made here; allowed is plan, or a step that is no plan"


def unwatched(done: int, total: int) -> None:
    """Nobody watches."""


def advise_on(decision: Decision, options: AdviceOptions, watch: Watch = unwatched) -> Advice:
    """Which choice a search prefers at a decision, and how much worse the next ones and the one asked about are.

    Of the options `plan` or `choice` is asked about, by default what was chosen in the game. `watch` is called with the
    number of games that were played out, and an estimate of all. InputError for a choice that the rules do not allow, a
    plan where another choice is made and the other way round, and unknown plays, policies and towers.
    """
    asked, whose = _asked(decision, options)
    players, tower = decision.ruleset.players, options.tower or decision.tower
    plays = plays_named(options.plays, players)
    adviser = _planning_policy(options.policy, players)
    others = [load_policy(name) for name in (*strong_lines(players), "balanced")]
    advisers = [adviser, *(other for other in others if other.name != adviser.name)]
    count = _Count(watch, games_of_choosing(decision, options.tables) * len(plays))
    tables = Tables(
        decision, advisers, load_tower(tower), options.seed, checked_workers(options.workers), count.played
    )  # fmt: skip
    ends = None if options.minutes is None else time.monotonic() + 60 * options.minutes
    trials = [Trials(tables, load_policy(play.policy)) for play in plays]
    for each in trials:
        each.choose(options.tables)
    advised = trials[0].ranked[0]
    further = [advised] if asked is None else [advised, asked]
    for each in trials:
        each.judge(np.array([*each.ranked[: 1 + ALTERNATIVES], *further]))
    precision = options.precision / 100
    in_time = judge_all(
        trials, precision, options.tables, lambda: ends is not None and time.monotonic() > ends, count.planned
    )
    answers = tuple(_answer(decision, *each, advised, asked) for each in zip(plays, trials, strict=True))
    return Advice(decision, adviser.name, tower, options.seed, precision, LEVEL, whose, answers, in_time)


def check_options(ruleset: Ruleset, board: Board, options: AdviceOptions) -> None:
    """InputError for what can be wrong at any table, before a game is played again and anything is compiled."""
    checked_workers(options.workers)
    plays_named(options.plays, ruleset.players)
    _planning_policy(options.policy, ruleset.players)
    load_tower(options.tower or DEFAULT_TOWER)
    if options.plan is not None:
        plan_text.check_words(board, ruleset, options.plan)
    if options.choice is not None:
        if options.step is None:
            raise InputError(_NO_CHOICE)
        choice_text.check_words(board, options.choice)


def _asked(decision: Decision, options: AdviceOptions) -> tuple[np.ndarray | None, str]:
    """The choice that is asked about, None for none, and whose it is."""
    if decision.kind != PLAN and options.plan is not None:
        raise InputError(f"plan: the step is of kind {decision.kind!r}, at which nobody plans; allowed is choice")
    if decision.kind == PLAN and options.choice is not None:
        raise InputError(_NO_CHOICE)
    text = options.plan if decision.kind == PLAN else options.choice
    if text is not None:
        return choice_text.read_choice(decision, text), "yours"
    return decision.made, "" if decision.made is None else "made"


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


def _planning_policy(name: str | None, players: int) -> Policy:
    """The policy of a name or file, by default the strongest. InputError for one that does not plan by weights."""
    policy = load_policy(name or strong_lines(players)[0])
    if policy.kind != "balanced":
        raise InputError(f"policy: {name} is of kind {policy.kind!r}; only policies of kind 'balanced' plan by weights")
    return policy


class _Count:
    """Counts games that were played out, beside an estimate of all."""

    def __init__(self, watch: Watch, choosing: int) -> None:
        self._watch, self._done, self._total = watch, 0, choosing

    def played(self, games: int) -> None:
        """So many more were played."""
        self._done += games
        self._watch(self._done, max(self._done, self._total))

    def planned(self, games: int) -> None:
        """So many come next."""
        self._total = max(self._total, self._done + games)


def _answer(decision: Decision, play: Play, trials: Trials, advised: np.ndarray, asked: np.ndarray | None) -> Answer:
    plans = [_advised_plan(decision, trials, place) for place in range(len(trials.choices))]
    by_effect = dict(zip((choice_text.effect_of(decision, choice) for choice in trials.choices), plans, strict=True))

    def plan_of(choice: np.ndarray) -> AdvisedPlan:
        return by_effect[choice_text.effect_of(decision, choice)]

    next_best = min(1 + ALTERNATIVES, len(trials.ranked))
    return Answer(
        play.name, play.policy, len(trials.results), trials.tried, tuple(plans[:next_best]), plan_of(advised),
        None if asked is None else plan_of(asked),
    )  # fmt: skip


def _advised_plan(decision: Decision, trials: Trials, place: int) -> AdvisedPlan:
    choice = trials.choices[place]
    changes = choice_text.changes(decision, trials.choices[0], choice)
    return AdvisedPlan(choice_text.words_of(decision, choice), *trials.wins(place), *trials.behind(place), changes)
