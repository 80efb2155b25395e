"""Who plays in the report: the policies of each kind of play, and how far they are known to be beaten."""

from __future__ import annotations

from typing import NamedTuple

from wallsim.analysis.claims.plays import default_plays
from wallsim.policies.catalogue import load_policy
from wallsim.policies.exploitability import WAYS, Exploited, load_ways
from wallsim.report.tables.estimates import half_width, share

from ..robustness.figures import PLAYERS


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
        result.append(Player(play.name, play.policy, load_policy(play.policy).description, _beaten(best)))
    return result


def _beaten(best: Exploited | None) -> str:
    if best is None:
        return "not measured"
    return f"{share(best.share, 0)}{half_width(best.interval, 0, 100)} %: {WAYS[best.way]}"
