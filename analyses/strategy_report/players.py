"""Who plays in the report: the policies of each kind of play, and how far they are known to be beaten."""

from __future__ import annotations

from typing import NamedTuple

from wallsim.analysis.claims.plays import default_plays
from wallsim.policies.catalogue import load_policy
from wallsim.policies.exploitability import WAYS, Exploited, load_ways
from wallsim.report.tables.estimates import half_width, share
from wallsim.report.tables.traced import Traced
from wallsim.studies.figure import figure_id

from ..robustness.sources import PLAYERS

EXPLOITED = "exploitability"  # begins the ids of best responses, and is the name of their file of data


class Player(NamedTuple):
    """A kind of play, its policy, what the policy is, and what the best response found wins and is."""

    play: str
    policy: str
    description: str
    beaten: str


def players() -> list[Player]:
    """The kinds of play from weak to strong, with four players."""
    known = load_ways()
    result = []
    for play in default_plays():
        best = max(known.get((play.policy, PLAYERS), {}).values(), default=None, key=lambda each: each.share)
        description = load_policy(play.policy).description
        result.append(Player(play.name, play.policy, description, _beaten(play.policy, best)))
    return result


def response_id(policy: str, way: str) -> str:
    """The id of what the best response of a way wins against a policy, whose row is in EXPLOITED."""
    return figure_id(EXPLOITED, way, policy, players=PLAYERS)


def _beaten(policy: str, best: Exploited | None) -> str:
    if best is None:
        return "not measured"
    ids = (response_id(policy, best.way),)
    wins, *ends = (Traced(value, ids, "%") for value in (best.share, best.low, best.high))
    return f"{share(wins, 0)}{half_width((ends[0], ends[1]), 0, 100)} %: {WAYS[best.way]}"
