"""Picks at random: each of the two open cards and the deck's top is as likely; armies as the base places them."""

from typing import Any

from wallsim.state.random import SEAT, below


def claim(game: Any, rules: Any, mind: Any, seat: int) -> int:
    """One of the two open cards, or the deck's top."""
    return below(game, SEAT + seat, 3)  # type: ignore[no-any-return]


def recycle(game: Any, rules: Any, mind: Any, seat: int) -> int:
    """Leave the open cards where they lie."""
    return 0
