"""Advice on a plan or another choice: which one a search prefers, and how much worse others are."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, TypeVar, cast

from rich.console import Console

from wallsim.analysis.advice.advice import Watch, advise_on, check_options, unwatched
from wallsim.analysis.advice.answer import Advice
from wallsim.analysis.advice.decision import Decision
from wallsim.analysis.advice.from_game import decision_of_season, decision_of_step
from wallsim.analysis.advice.from_position import decision_of_state
from wallsim.analysis.advice.options import AdviceOptions
from wallsim.api.inputs import known_options, loaded_experiment, take_options
from wallsim.api.text import Printable
from wallsim.errors import InputError
from wallsim.experiment.experiment import Experiment
from wallsim.folder.results import Run
from wallsim.report.tables.advice import print_advice
from wallsim.rules.board import load_board
from wallsim.trace.state import State

Position = Experiment | Run | State | str | Path
_Options = ParamSpec("_Options")
_First = TypeVar("_First")
_Result = TypeVar("_Result")


@dataclass(frozen=True)
class ShownAdvice(Printable, Advice):
    """Advice that `print` shows as `wallsim advise` does."""

    def _print(self, console: Console) -> None:
        print_advice(console, self)


def with_options_of(
    model: Callable[_Options, object],
) -> Callable[[Callable[Concatenate[_First, ...], _Result]], Callable[Concatenate[_First, _Options], _Result]]:
    """Give a function the keyword parameters of a class in place of its `**options`: signature, types and texts."""

    def of(
        function: Callable[Concatenate[_First, ...], _Result],
    ) -> Callable[Concatenate[_First, _Options], _Result]:
        texts = (inspect.getdoc(model) or "").partition("Parameters\n----------\n")[2]
        return cast("Callable[Concatenate[_First, _Options], _Result]", take_options(function, model, f"{texts}\n"))

    return of


@with_options_of(AdviceOptions)
def advise(position: Position, **options: Any) -> Advice:
    """Choose a plan, or another choice, for a seat by search, and judge it, the next best and your own.

    They are judged against several kinds of play. Plans are chosen on some dealt tables and judged on others, so that
    no result is better by having been chosen. On a dealt table all that the seat cannot know is dealt at random, and
    the others plan by the policy of the kind of play.

    Parameters
    ----------
    position
        A game to be played again: an experiment or its TOML file, a run or its folder. Or a `State` of the table, after
        which the seat plans.
    **options
        Those of `AdviceOptions`.

    Returns
    -------
    Advice
        `kind` is `plan`, `claim`, `place` or `attack`. `best` and `alternatives` are the plan or choice to make and the
        three next best against the first kind of play. Each has `cards` by box, or what is chosen; `wins`, and
        `behind`, how much less it wins than the best (from 0 to 1), with their intervals; and `changes`, in what it
        differs from the best. `answers` has the same for each kind of play.

    Raises
    ------
    InputError
        If there is no such game, season, step, seat, play, policy or tower, nobody decides at the step, or the rules do
        not allow the plan or choice.

    Examples
    --------
    >>> import wallsim
    >>> advice = advise(Experiment(players=3), season="fall 1", seat=2, tables=30)  # doctest: +SKIP
    >>> advice.best.cards["palace"], advice.alternatives[0].changes  # doctest: +SKIP
    """
    return ShownAdvice(**vars(advice_on(position, AdviceOptions(**known_options(AdviceOptions, options)))))


def advice_on(
    position: Position, options: AdviceOptions, *, source: str = "the position", watch: Watch = unwatched
) -> Advice:
    """The same with progress: `watch` is called with the games that were played out, and an estimate of all.

    `source` is what the advice calls a `State`.
    """
    options.check_numbers()
    return advise_on(_decision(position, options, source), options, watch)


def _decision(position: Position, options: AdviceOptions, source: str) -> Decision:
    season = options.season
    if isinstance(position, State):
        given = {"game": options.game != 0, "season": season is not None, "step": options.step is not None}
        for name in (name for name, is_given in given.items() if is_given):
            raise InputError(f"{name}: cannot be combined with a position, which is of one season")
        check_options(position.ruleset(), load_board(), options)
        return decision_of_state(position, options, source)
    for name, cards in (("actions", options.actions), ("tiles", options.tiles)):
        if cards:
            raise InputError(f"{name}: a game says itself what lies open; allowed only with a position")
    if options.step is not None and season is not None:
        raise InputError("step: cannot be combined with a season; give one of them")
    experiment = loaded_experiment("position", position, trust_code=options.trust_code)
    check_options(experiment.ruleset(), experiment.components().board, options)
    if options.step is None:
        seat = 0 if options.seat is None else options.seat
        return decision_of_season(experiment, options.game, season or "spring 1", seat)
    return decision_of_step(experiment, options.game, options.step, options.seat)
