"""Habits of one round, and the event cards with which they are asked for: what to do while a card lies open."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from wallsim.policies.catalogue import read_policy
from wallsim.policies.policy import Policy
from wallsim.policies.weights import STATUE, WEIGHTS
from wallsim.rules.event_words import event_words
from wallsim.rules.terms import ROUND_NAMES

from ..play.habits import Habit, Measure
from .cards import CARDS

_CODE = Path(__file__).with_name("another_county.py")
_SWITCH = WEIGHTS[STATUE].name  # it says in which round a habit of the code holds


class RoundHabit(NamedTuple):
    """What a seat does in one round: its weights there, and which columns of `seasons`, with signs, show that it does.

    `more` says whether the measure rises with the habit. `code` says whether the weights are for the policy's code.
    """

    measure: str
    columns: Mapping[str, int]
    more: bool
    weights: Mapping[str, float]
    code: bool = False

    def of(self, policy: Policy, place: int) -> Policy:
        """The same policy with this habit in one round, by its place from 0 to 5."""
        always = {_SWITCH: 0.0} if self.code else {}
        phases = {ROUND_NAMES[place]: dict(self.weights)}
        shown = Measure(self.measure, self.columns, ())
        return Habit("", shown, self.more, always, phases, _CODE if self.code else None).of(policy)

    def identity(self) -> dict[str, Any]:
        """All that decides how a seat with this habit plays, and what is counted of it."""
        code = read_policy(_CODE).code if self.code else ""
        return {"columns": self.columns, "weights": self.weights, "code": code}


_ON_NEUTRALS = {"attacks": 1, "attacks_on_players": -1}
# The weights were set by hand; those of the last three are for the code.
HABITS = {
    "Attack no player": RoundHabit("attacks on players", {"attacks_on_players": 1}, False, {"rival": -0.5}),
    "Leave neutral land alone": RoundHabit("attacks on neutral land", _ON_NEUTRALS, False, {"neutral": -0.5}),
    "Deploy no five armies": RoundHabit("armies deployed", {"armies_deployed": 1}, False, {"five_armies": 0.0}),
    "Tax a county of at most 5": RoundHabit("Thalers from taxes", {"taxes": 1}, False, {_SWITCH: 0.5}, code=True),
    "Gather grain in a county of at most 3": RoundHabit("grain", {"grain": 1}, False, {_SWITCH: 1.0}, code=True),
    "Build a church": RoundHabit("churches built", {"done_church": 1}, True, {_SWITCH: 1.5}, code=True),
}
# What a player would ask: an effect of a card, by the start of its cards' names, and a habit.
PAIRS = (
    ("church_peace", "Attack no player"),
    ("church_peace", "Build a church"),
    ("palace_guard", "Attack no player"),
    ("neutral_guard", "Leave neutral land alone"),
    ("tax_max", "Tax a county of at most 5"),
    ("tax_min", "Tax a county of at most 5"),
    ("grain_max", "Gather grain in a county of at most 3"),
    ("small_levies", "Deploy no five armies"),
)


def cards_of(effect: str) -> list[int]:
    """The numbers of the cards with an effect."""
    return [number for number, card in enumerate(CARDS) if card.startswith(effect)]


def effect_words(effect: str) -> str:
    """An effect in the words of its card; of several cards, without the number in which they differ."""
    first, *others = cards_of(effect)
    return event_words(CARDS[first].rstrip("_0123456789") if others else CARDS[first])
