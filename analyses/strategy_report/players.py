"""Who plays in the report: the policies of each kind of play, and how far they are known to be beaten."""

from __future__ import annotations

from typing import NamedTuple

from wallsim.analysis.claims.plays import default_plays
from wallsim.policies.catalogue import load_policy
from wallsim.policies.exploitability import load_ways

PLAYERS = 4


class Player(NamedTuple):
    """A kind of play, its policy, what the policy is, and the largest share of wins, in per cent, against it."""

    play: str
    policy: str
    description: str
    beaten: str


def players() -> list[Player]:
    """The kinds of play from weak to strong, with four players."""
    known = load_ways()
    result = []
    for play in default_plays():
        ways = known.get((play.policy, PLAYERS), {})
        most = max((each.share for each in ways.values()), default=None)
        beaten = "not measured" if most is None else f"{100 * most:.0f} % (25 % is fair)"
        result.append(Player(play.name, play.policy, load_policy(play.policy).description, beaten))
    return result
