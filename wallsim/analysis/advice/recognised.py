"""Advice on what a step of a game decides, whatever it is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wallsim.analysis.advice.advice import advise_on_plan
from wallsim.analysis.advice.choice import Choice
from wallsim.analysis.advice.choice_advice import advise_on_choice
from wallsim.analysis.advice.choice_of_step import choice_of_step, deciding_seat
from wallsim.analysis.advice.moment import Moment, moment_of_game
from wallsim.analysis.advice.result import Advice
from wallsim.analysis.advice.steps import PLAN, step_of
from wallsim.errors import InputError
from wallsim.runs.experiment import Experiment


def decision_of_step(experiment: Experiment, game: int, step: int, seat: int | None) -> Moment | Choice:
    """The moment before a plan, or the choice, of a line of a game's trace; `seat` None for the one that decides.

    InputError for a line that is no such decision, and for a seat that does not decide there.
    """
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
        raise InputError("choice: a plan is made here; allowed is plan, or a step that is no plan")
    return advise_on_plan(decision, plan=plan, **settings)
