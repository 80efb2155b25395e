"""The options of a study that name the policies of the two lines of strong play."""

from __future__ import annotations

from typing import NamedTuple

from wallsim.analysis.claims.cells import SECOND_POLICY, STRONG_POLICY, Play, checked_plays, default_plays
from wallsim.policies.catalogue import load_policy
from wallsim.studies.study import Choices, Option

STRONG = Option("strong", STRONG_POLICY, "the policy of strong play")
SECOND = Option("second", SECOND_POLICY, "strong play found independently of the first line")


class Plays(NamedTuple):
    """What is played: the number of blocks, None for the study's own, and the plays from weak to strong."""

    blocks: int | None
    plays: tuple[Play, ...]


def design(choices: Choices) -> Plays:
    """What is chosen. InputError for an unknown policy, and for one that occurs twice."""
    plays = checked_plays(default_plays(choices.option(STRONG), choices.option(SECOND)))
    for play in plays:
        load_policy(play.policy)
    return Plays(choices.games, plays)
