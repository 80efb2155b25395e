"""A habit of one round: a county that fits takes the box of taxes, of grain or of the church; all else as planned.

`statue` says by its value which habit holds in a round, 0 for none. No game without leaders reads that weight, so it
changes nothing else.
"""

from typing import Any

from wallsim.jit import kernel, lowest_bit
from wallsim.mechanics.economy import site_outcome
from wallsim.policies.weights import STATUE
from wallsim.rules.terms import BOXES, CHURCH, DONE, GRAIN, MONEY, NOWHERE, TAXES

_TAXES, _GRAIN, _CHURCH = 1, 2, 3  # the habits, by twice the weight
_MOST_TAXES, _MOST_GRAIN = 5, 3  # what a county that fits yields at most, in print
_ILLEGAL = -1e5  # worths below are of cards that may not lie there


def plan(game: Any, rules: Any, mind: Any, seat: int) -> None:
    """The plan of the weights; a county that fits changes places with the card on the box, where worths lose least."""
    habit = int(2.0 * mind.weight[STATUE])
    if habit == _TAXES:
        take_box(game, rules, mind, seat, TAXES, habit)
    elif habit == _GRAIN:
        take_box(game, rules, mind, seat, GRAIN, habit)
    elif habit == _CHURCH and game.thalers[seat] >= rules.building_price[CHURCH]:
        take_box(game, rules, mind, seat, CHURCH, habit)


@kernel
def fits(game: Any, rules: Any, county: int, habit: int) -> bool:
    """Whether the habit wants this county on its box."""
    if habit == _TAXES:
        return bool(rules.tax[county] <= _MOST_TAXES)
    if habit == _GRAIN:
        return bool(rules.grain[county] <= _MOST_GRAIN)
    return bool(site_outcome(game, rules, county, CHURCH) == DONE)


@kernel
def take_box(game: Any, rules: Any, mind: Any, seat: int, box: int, habit: int) -> None:
    """Exchange the card on a box with that of the county that fits best by the worths; none where one lies there."""
    old = mind.plan[box]
    if 0 <= old < MONEY and fits(game, rules, old, habit):
        return
    best, place, most = NOWHERE, NOWHERE, _ILLEGAL
    land = game.land[seat]
    while land != 0:
        county = lowest_bit(land)
        land &= land - 1
        if fits(game, rules, county, habit):
            other = box_of(rules, mind, county)
            worth = worth_on(mind, box, county)
            if other != NOWHERE:
                worth += worth_on(mind, other, old) - worth_on(mind, other, county)
            if worth > most:
                best, place, most = county, other, worth
    if best != NOWHERE:
        if place != NOWHERE:
            mind.plan[place] = old
        mind.plan[box] = best


@kernel
def box_of(rules: Any, mind: Any, card: int) -> int:
    """The box on which a card lies in the plan; NOWHERE for a card in the hand."""
    for box in range(min(rules.boxes, BOXES)):
        if mind.plan[box] == card:
            return box
    return NOWHERE


@kernel
def worth_on(mind: Any, box: int, card: int) -> float:
    """The worth of a card on a box, by the notes of the plan; 0 for none."""
    for column in range(len(mind.hand)):
        if mind.hand[column] == card:
            return float(mind.value[column, box])
    return 0.0
