"""Leaves no statue in the treated round, and in all others as the weights say, which is always.

The treated seat is the game's number modulo the players, the treated round the number div the players, modulo six.
"""

from typing import Any

from wallsim.rules.terms import ROUNDS, WINTER


def statue(game: Any, rules: Any, mind: Any, seat: int, county: int) -> int:
    """1 to leave a statue: always, but for the treated seat in its round."""
    treated = seat == game.number % rules.players
    return 0 if treated and WINTER * game.year + game.season == game.number // rules.players % ROUNDS else 1
