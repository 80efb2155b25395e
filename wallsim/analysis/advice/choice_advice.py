"""Advice on a decision that is no plan: a claim in the draft, a place in the player order, or an attack."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from wallsim.analysis.advice.choice import Choice
from wallsim.analysis.advice.choice_tables import ChoiceTables, Chooser
from wallsim.analysis.advice.question import Effort, Question, answered, settings_of
from wallsim.analysis.advice.result import Advice
from wallsim.analysis.advice.search import choose_options, games_of_options


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
        lambda rivals, played: ChoiceTables(chooser, rivals, effort.workers, played),
        lambda tables: choose_options(choice.options, tables, effort.tables),
        games_of_options(len(choice.options), effort.tables),
    )  # fmt: skip
    return answered(question, kinds, adviser.name, tower or moment.tower, seed, effort, watch)
