"""Policies of one's own are tried in two games, before anything is written: do they compile, obey, and forget?"""

from __future__ import annotations

from collections.abc import Iterable

from wallsim.engine.arena import Arena
from wallsim.policies.catalogue import Policy
from wallsim.runs.errors import InputError


def try_two_games(arena: Arena, policies: Iterable[Policy]) -> None:
    """Play two games, the second also alone; InputError if it is then another game.

    `policies` are those that sit at a checked arena. WrongAnswerError if one of them answers wrongly.
    """
    both, second = arena.play(0, 2), arena.play(1, 1)
    if (both.seats[arena.seats :] != second.seats).any() or (both.games[1:] != second.games).any():
        own = ", ".join(dict.fromkeys(policy.name for policy in policies if policy.answers))
        raise InputError(
            f"{own}: game 1 alone is not as it was after game 0; allowed is to answer by what lies on the table and by "
            "notes of the same round, not to remember an earlier game"
        )
