"""Advice on what a step of a game decides, whatever it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from wallsim.analysis.advice.advice import advise_on_plan
from wallsim.analysis.advice.choice import Choice
from wallsim.analysis.advice.choice import check_words as check_choice_words
from wallsim.analysis.advice.choice_advice import advise_on_choice
from wallsim.analysis.advice.choice_of_step import choice_of_step, deciding_seat
from wallsim.analysis.advice.moment import Moment, check_seat, moment_of_game
from wallsim.analysis.advice.plan_text import check_words as check_plan_words
from wallsim.analysis.advice.question import checked_settings
from wallsim.analysis.advice.result import Advice
from wallsim.analysis.advice.steps import PLAN, step_of
from wallsim.errors import InputError
from wallsim.rules.board import Board
from wallsim.rules.ruleset import Ruleset
from wallsim.rules.tower import DEFAULT_TOWER
from wallsim.runs.experiment import Experiment

_NO_CHOICE = "choice: a plan is made here; allowed is plan, or a step that is no plan"


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
