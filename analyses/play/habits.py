"""Habits: sayings of players, each as a change of how one seat plays, and how to see that it plays so."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

from wallsim.policies.catalogue import read_policy
from wallsim.policies.phased_weights import lay_over
from wallsim.policies.policy import Policy
from wallsim.rules.terms import SEASON_NAMES

_BID_NOTHING = Path(__file__).with_name("bid_nothing.py")
_ROUNDS = tuple(place for place, name in enumerate(SEASON_NAMES) if not name.startswith("winter"))
_YEAR_ONE, _FALLS, _LAST = _ROUNDS[:3], (_ROUNDS[2], _ROUNDS[5]), _ROUNDS[5:]
_BUILT = {"done_palace": 1, "done_church": 1, "done_trading_post": 1}
_ON_NEUTRALS = {"attacks": 1, "attacks_on_players": -1}


class Measure(NamedTuple):
    """What shows a habit: the sum of some columns of `seasons`, with signs, over some seasons; or their mean."""

    words: str
    columns: Mapping[str, int]
    seasons: tuple[int, ...]
    mean: bool = False


@dataclass(frozen=True)
class Habit:
    """A saying, the weights by which a seat follows it, in all rounds and by phase, and what shows that it does.

    `more` says whether the measure rises with the habit. `code` is a Python file that answers some questions instead.
    """

    name: str
    measure: Measure
    more: bool
    weights: Mapping[str, float] = field(default_factory=dict)
    phases: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    code: Path | None = None

    def of(self, policy: Policy) -> Policy:
        """The same policy with this habit."""
        weights, phases = lay_over(policy.weights, policy.phases, self.weights, self.phases)
        changed = replace(policy, name=f"{policy.name} changed", weights=dict(weights), phases=dict(phases))
        if self.code is None:
            return changed
        answers = read_policy(self.code)
        return replace(changed, answers={**policy.answers, **answers.answers}, code=policy.code + answers.code)

    def identity(self) -> dict[str, Any]:
        """All that decides how a seat with this habit plays, and what is counted of it."""
        code = "" if self.code is None else read_policy(self.code).code
        return {"weights": self.weights, "phases": self.phases, "code": code, "measure": self.measure._asdict()}


_SPRING = Measure("buildings in the first spring", _BUILT, _ROUNDS[:1])
_NEUTRAL = Measure("attacks on neutral land", _ON_NEUTRALS, _ROUNDS)
_LEADER = Measure("attacks on the leader", {"attacks_on_leader": 1}, _ROUNDS)
# The weights of each were set by hand, and change what the measure counts in pilots of other games.
HABITS = {
    habit.name: habit
    for habit in (
        Habit("Build in the first spring", _SPRING, True,
              phases={"spring 1": {"thaler": 0.0, "majority": 2.0, "hold": 1.2}}),
        Habit("Build nothing in the first spring", _SPRING, False,
              phases={"spring 1": {"hold": 0.0, "majority": -1.0, "deny": -1.0, "contest": 0.0}}),
        Habit("Take neutral land first", Measure("attacks on neutral land in the first two rounds", _ON_NEUTRALS,
                                                 _ROUNDS[:2]), True,
              phases={name: {"neutral": 4.0, "rival": -0.5} for name in ("spring 1", "summer 1")}),
        Habit("Leave neutral land alone", _NEUTRAL, False, {"neutral": -0.5}),
        Habit("No war in year one", Measure("attacks on players in year one", {"attacks_on_players": 1}, _YEAR_ONE),
              False, phases={"year one": {"rival": -0.5}}),
        Habit("Attack only when it is safe", Measure("attacks on players", {"attacks_on_players": 1}, _ROUNDS), False,
              {"caution": 3.0}),
        Habit("Attack the leader", _LEADER, True, {"standing": 0.2}),
        Habit("Leave the leader alone", _LEADER, False, {"standing": -0.2}),
        Habit("Bid nothing", Measure("Thalers bid", {"paid_bids": 1}, _ROUNDS), False, code=_BID_NOTHING),
        Habit("Act first", Measure("mean place in the player order", {"place": 1}, _ROUNDS, mean=True), False,
              {"place": 2.0}),
        Habit("Keep grain to spare", Measure("grain before winter", {"grain_held": 1}, _FALLS, mean=True), True,
              phases={"falls": {"spare_grain": 2.0}}),
        Habit("Spend all in the last fall", Measure("Thalers after the last fall", {"thalers": 1}, _LAST), False,
              phases={"fall 2": {"thaler": -0.5}}),
    )
}  # fmt: skip
# How the tables play, by round.
ROUNDS = {SEASON_NAMES[place]: (place,) for place in _ROUNDS}
MEASURES = {
    "buildings": _BUILT,
    "attacks on players": {"attacks_on_players": 1},
    "attacks on neutral land": _ON_NEUTRALS,
    "attacks on the leader": {"attacks_on_leader": 1},
    "Thalers from taxes": {"taxes": 1},
    "grain brought in": {"grain": 1},
    "armies deployed": {"armies_deployed": 1},
    "Thalers bid": {"paid_bids": 1},
    "boxes without a county": {"passes": 1},
    "Thalers held": {"thalers": 1},
    "counties held": {"counties": 1},
}
