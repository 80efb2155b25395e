"""Takes the treated favor whenever it can, else as the weights say.

The treated seat is the game's number modulo the players, the treated favor 1 + the number div the players, modulo 21.
"""

from typing import Any

from wallsim.policies.balanced.court import choose_favor
from wallsim.rules.terms import FAVORS, SHOWN_FAVORS


def favor(game: Any, rules: Any, mind: Any, seat: int, spaces: int) -> Any:
    """The space of the treated favor, or what the weights choose."""
    if seat == game.number % rules.players:
        for space in range(SHOWN_FAVORS):
            if (spaces >> space) & 1 and game.shown_favor[space] == 1 + game.number // rules.players % FAVORS:
                return space
    return choose_favor(game, rules, mind, seat, spaces)
