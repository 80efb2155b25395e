"""Bids no Thalers: the money card 0 takes the place of a higher one in the auction; all else as the weights say."""

from typing import Any

from wallsim.rules.terms import AUCTION, MONEY, MONEY_CARDS


def plan(game: Any, rules: Any, mind: Any, seat: int) -> None:
    """The plan of the weights; a bid of Thalers changes places with the card 0, wherever that lies."""
    bid = mind.plan[AUCTION]
    if bid <= MONEY or bid >= MONEY + MONEY_CARDS:
        return
    for box in range(rules.boxes):
        if mind.plan[box] == MONEY:
            mind.plan[box] = bid
    mind.plan[AUCTION] = MONEY
