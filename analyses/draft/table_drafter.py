"""Picks by a table of worths: the best of the open cards, or the deck's top where it promises more.

The lines of the table are written anew by `analyses/drafters.py`; as it stands here every card is worth the same.
"""

from typing import Any

import numpy as np

from wallsim.jit import count_bits, kernel, lowest_bit
from wallsim.rules.terms import COUNTIES, NEUTRAL

# The table: VP by county, and for each own neighbour, each border with another seat, and each own county of the region.
WORTH = np.zeros(COUNTIES)
OWN_NEIGHBOUR, OTHER_NEIGHBOUR, SAME_REGION = 0.0, 0.0, 0.0
# End of the table.


@kernel
def worth_of(game: Any, rules: Any, seat: int, county: int, own_share: float, other_share: float) -> float:
    """What a county promises a seat, if open neighbours go with these chances to the seat and to others."""
    around = rules.neighbours[county]
    own = count_bits(around & game.land[seat])
    free = count_bits(around & game.land[NEUTRAL])
    foreign = count_bits(around) - own - free
    region = count_bits(rules.region_counties[rules.region[county]] & game.land[seat])
    worth: float = WORTH[county] + OWN_NEIGHBOUR * (own + own_share * free) + SAME_REGION * region
    worth += OTHER_NEIGHBOUR * (foreign + other_share * free)
    return worth


@kernel
def choice(game: Any, rules: Any, seat: int) -> int:
    """The better open card, 0 or 1, or the deck, 2, where both promise less than the mean of the hidden ones."""
    free, picks = count_bits(game.land[NEUTRAL]), 0
    for other in range(rules.players):
        picks += game.groups[other]
    own_share = (game.groups[seat] - 1) / free
    other_share = (picks - game.groups[seat]) / free
    first = worth_of(game, rules, seat, game.open_card[0], own_share, other_share)
    second = worth_of(game, rules, seat, game.open_card[1], own_share, other_share)
    total, hidden, land = 0.0, 0, game.land[NEUTRAL]
    while land != 0:
        county = lowest_bit(land)
        land &= land - 1
        if county != game.open_card[0] and county != game.open_card[1]:
            total += worth_of(game, rules, seat, county, own_share, other_share)
            hidden += 1
    if max(first, second) < total / max(1, hidden):
        return 2
    return 0 if first >= second else 1


def claim(game: Any, rules: Any, mind: Any, seat: int) -> int:
    """The better open card, or the deck's top."""
    return int(choice(game, rules, seat))


def recycle(game: Any, rules: Any, mind: Any, seat: int) -> int:
    """Put both open cards away where the deck promises more."""
    return 1 if choice(game, rules, seat) == 2 else 0
