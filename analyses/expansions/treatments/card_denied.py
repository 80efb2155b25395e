"""Lets the treated Landsknechte card bring nothing, else takes what the weights choose.

The treated seat is the game's number modulo the players, the treated card 2 + the number div the players, modulo three:
the first card is blank, and nobody turns more than three a year. Denied is what card 2 or 3 brings by the answer
"victory points", which no player may give, since these cards have none; card 4 brings one point by it.
"""

from typing import Any

from wallsim.policies.balanced.landsknechte import choose_benefit
from wallsim.rules.terms import BENEFIT_POINTS, LANDSKNECHT_CARDS


def benefit(game: Any, rules: Any, mind: Any, seat: int, offered: int) -> Any:
    """Victory points of the treated card, for the others what the weights choose."""
    treated = seat == game.number % rules.players
    if treated and game.banner[seat] == 1 + game.number // rules.players % (LANDSKNECHT_CARDS - 1):
        return BENEFIT_POINTS
    return choose_benefit(game, rules, mind, seat, offered)
