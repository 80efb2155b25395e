"""Advice on a plan or another choice against several kinds of play: the best one, and how much worse others are."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from wallsim.analysis.advice.choice import Choice, choice_of_step, deciding_seat
from wallsim.analysis.advice.choice import check_words as check_choice_words
from wallsim.analysis.advice.moment import Moment, check_seat, moment_of_game
from wallsim.analysis.advice.plan_text import check_words as check_plan_words
from wallsim.analysis.advice.plan_text import cleared, read_plan
from wallsim.analysis.advice.question import Advice, Effort, Question, answered, checked_settings, settings_of
from wallsim.analysis.advice.search import choose_options, choose_plans, games_of_choosing, games_of_options
from wallsim.analysis.advice.steps import PLAN, step_of
from wallsim.analysis.advice.tables import Chooser, Planner
from wallsim.analysis.claims.cells import strong_lines
from wallsim.errors import InputError
from wallsim.experiment.experiment import Experiment
from wallsim.policies.catalogue import load_policy
from wallsim.rules.board import Board
from wallsim.rules.ruleset import Ruleset
from wallsim.rules.tower import DEFAULT_TOWER

_NO_CHOICE = "choice: a plan is made here; allowed is plan, or a step that is no plan"


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
    others = [load_policy(name) for name in (*strong_lines(moment.ruleset.players), "balanced")]
    advisers = [adviser, *(other for other in others if other.name != adviser.name)]
    planner = Planner(moment, advisers, model, seed)
    question = Question(
        "plan", moment, (), planner, asked, "" if asked is None else "made" if plan is None else "yours",
        planner, lambda tables: choose_plans(planner, tables, effort.tables), games_of_choosing(effort.tables),
    )  # fmt: skip
    return answered(question, kinds, adviser.name, tower or moment.tower, seed, effort, watch)


def advise_on_choice(
    choice: Choice,
    *,
    asked: str | Mapping[str, Any] | None = None,
    plays: Sequence[str] = (),
    policy: str | None = None,
    tower: str | None = None,
    seed: int = 1,
    effort: Effort | None = None,
    watch: Callable[[int, int], None] | None = None,
) -> Advice:
    """Which claim, place or attack does best on dealt tables, and how much worse the next ones and `asked` are.

    All that may be chosen is tried. `asked` is by default what was chosen in the game. `watch` and errors are those of
    `advise_on_plan`.
    """
    effort, moment = effort or Effort(), choice.moment
    adviser, model, kinds = settings_of(moment, plays, policy, tower)
    row = choice.made if asked is None else choice.read(asked)
    chooser = Chooser(choice, adviser, model, seed)
    question = Question(
        choice.kind, moment, choice.facts, choice, row, "made" if asked is None else "yours",
        chooser, lambda tables: choose_options(choice.options, tables, effort.tables),
        games_of_options(len(choice.options), effort.tables),
    )  # fmt: skip
    return answered(question, kinds, adviser.name, tower or moment.tower, seed, effort, watch)


def check_asked(
    ruleset: Ruleset, board: Board, step: int | None, *, plan: str | Mapping[str, Any] | None,
    choice: str | Mapping[str, Any] | None, plays: Sequence[str], policy: str | None, tower: str | None,
) -> None:  # fmt: skip
    """InputError for what can be wrong whatever the table is, before a game is played again and anything is compiled.

    `step` is the line of a game's trace, None for a plan; the others are settings of `advise_on`.
    """
    checked_settings(ruleset.players, plays, policy, tower or DEFAULT_TOWER)
    if plan is not None:
        check_plan_words(board, ruleset, plan)
    if choice is not None:
        if step is None:
            raise InputError(_NO_CHOICE)
        check_choice_words(board, choice)


def decision_of_step(experiment: Experiment, game: int, step: int, seat: int | None) -> Moment | Choice:
    """The moment before a plan, or the choice, of a line of a game's trace; `seat` None for the one that decides.

    InputError for a line that is no such decision, and for a seat that does not decide there.
    """
    if seat is not None:
        check_seat(seat, experiment.players)
    found = step_of(experiment, game, step)
    if found.kind != PLAN:
        return choice_of_step(experiment, game, found, seat)
    return moment_of_game(experiment, game, found.season, deciding_seat(experiment, found, seat))


def advise_on(
    decision: Moment | Choice,
    *,
    plan: str | Mapping[str, Any] | None,
    choice: str | Mapping[str, Any] | None,
    **settings: Any,
) -> Advice:
    """Advice on a plan or another choice; `settings` are those of `advise_on_plan`.

    InputError for a plan where another choice is made, and the other way round.
    """
    if isinstance(decision, Choice):
        if plan is not None:
            raise InputError(f"plan: the step is of kind {decision.kind!r}, at which nobody plans; allowed is choice")
        return advise_on_choice(decision, asked=choice, **settings)
    if choice is not None:
        raise InputError(_NO_CHOICE)
    return advise_on_plan(decision, plan=plan, **settings)
