"""Victory points counted from the states of a trace, with the amounts of its ruleset (B7.4, M5; chapter N)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from wallsim.rules.ruleset import Ruleset
from wallsim.rules.terms import BUILDINGS
from wallsim.trace.match import Match

State = Mapping[str, Any]


def county_points(ruleset: Ruleset, state: State, seat: int) -> int:
    """Of the counties of a seat."""
    return ruleset.amount("county_points") * len(_own(state, seat))


def building_points(ruleset: Ruleset, state: State, seat: int) -> int:
    """Of the buildings of a seat, whose kinds may count differently."""
    built = Counter(kind for county in _own(state, seat) for kind in county["buildings"])
    return sum(ruleset.amount(f"{kind}_points") * built[kind] for kind in BUILDINGS)


def majority_points(match: Match, state: State) -> dict[tuple[str, str, int], int]:
    """Of each region, kind and leading seat."""
    board, ruleset = match.board, match.ruleset
    have: Counter[tuple[str, str, int]] = Counter()
    for name, county in state["counties"].items():
        region = board.regions[board.region[board.counties.index(name)]]
        have.update((region, kind, county["owner"]) for kind in county["buildings"])
    result = {}
    for region, kind in {key[:2] for key in have}:
        most = max(have[region, kind, seat] for seat in range(match.players))
        leading = [seat for seat in range(match.players) if have[region, kind, seat] == most]
        deducted = ruleset.amount("majority_tie_deduction") if len(leading) > 1 else 0
        share = max(0, ruleset.amount(f"{kind}_majority_points") - deducted)
        result.update({(region, kind, seat): share for seat in leading})
    return result


def points_with_board(match: Match, state: State) -> list[int]:
    """The points of every seat, and those that the board of a state would bring in a winter (B7.4)."""
    points = [
        vp + county_points(match.ruleset, state, seat) + building_points(match.ruleset, state, seat)
        for seat, vp in enumerate(state["vp"])
    ]
    for (_, _, seat), share in majority_points(match, state).items():
        points[seat] += share
    return points


def final_order(ruleset: Ruleset, points: Sequence[int], thalers: Sequence[int]) -> list[tuple[int, int]]:
    """What orders the seats at the end: points, then Thalers, unless a tie is shared at once [A9]."""
    return [(vp, 0 if ruleset.final_tie == "shared" else left) for vp, left in zip(points, thalers, strict=True)]


def _own(state: State, seat: int) -> list[Mapping[str, Any]]:
    return [county for county in state["counties"].values() if county["owner"] == seat]
