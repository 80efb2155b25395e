"""Never takes the treated favor, else as the weights say; it may take another favor instead, or keep its courtiers.

The treated seat is the game's number modulo the players, the treated favor 1 + the number div the players, modulo 21.
"""

from typing import Any

from wallsim.policies.balanced.court import choose_favor
from wallsim.rules.terms import FAVORS, SHOWN_FAVORS


def favor(game: Any, rules: Any, mind: Any, seat: int, spaces: int) -> Any:
    """What the weights choose, of the other favors alone for the treated seat."""
    left = spaces
    if seat == game.number % rules.players:
        for space in range(SHOWN_FAVORS):
            if game.shown_favor[space] == 1 + game.number // rules.players % FAVORS:
                left = spaces & ~(1 << space)
    return choose_favor(game, rules, mind, seat, left)
