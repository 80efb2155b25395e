"""Interventions that cannot all be done: the event cards that several of them ask for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wallsim.rules.intervention_step import ABSENT, CANCELLED, Step
from wallsim.rules.intervention_times import overlap, words_of, years_of
from wallsim.rules.terms import EVENT_CARDS, EVENTS_PER_YEAR, YEARS

_UNSEEN = EVENT_CARDS - YEARS * EVENTS_PER_YEAR  # cards that no year shows


def conflicts_of(steps: Sequence[Step]) -> Iterator[tuple[int, str]]:
    """The place of each step that cannot be done beside an earlier one, and why, with the remedy."""
    forced: list[Step] = []
    absent: list[Step] = []
    for place, step in enumerate(steps):
        if step.do != "event" or step.to == CANCELLED or step.rounds == 0:
            continue
        if step.to == ABSENT:
            yield from ((place, text) for text in _absent_errors(step, forced, absent))
            absent.append(step)
        else:
            yield from ((place, text) for text in _forced_errors(step, forced, absent))
            forced.append(step)


def _forced_errors(step: Step, forced: Sequence[Step], absent: Sequence[Step]) -> Iterator[str]:
    when = " or ".join(words_of(step.rounds))
    for other in forced:
        if other.to == step.to:
            yield f"forces {step.to} a second time; a card comes once; remove one of the two"
        elif overlap(step.rounds, other.rounds):
            yield f"forces {step.to} in {when}, where {other.to} may come; a round has one event: choose another round"
    for other in absent:
        if other.card == step.to and years_of(other.rounds) & years_of(step.rounds):
            yield f"forces {step.to} in a year in which it is absent; remove one of the two"


def _absent_errors(step: Step, forced: Sequence[Step], absent: Sequence[Step]) -> Iterator[str]:
    for other in forced:
        if other.to == step.card and years_of(other.rounds) & years_of(step.rounds):
            yield f"makes {step.card} absent in a year in which it is forced; remove one of the two"
    if len({other.card for other in (*absent, step)}) > _UNSEEN:
        yield f"is the card number {_UNSEEN + 1} to be absent; the deck has {_UNSEEN} cards that no year shows"
