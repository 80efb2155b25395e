"""Choosing among whole plans by chance, so that a policy is not always the same and yet does not blunder (B3).

A few plans are made with errors of judgement and then judged without them: a plan that is worth one `temperature` less
than the best is chosen e times less often.
"""

import numpy as np

from wallsim.jit import kernel
from wallsim.policies.balanced.noise import add_noise
from wallsim.policies.weights import NOISE, TEMPERATURE
from wallsim.rules.terms import BASE_BOXES, MONEY_CARDS
from wallsim.state.random import SEAT, draw

_HALVINGS = 10  # exp(-x) as a power of 2 ** 10: unlike the library's, the same on every machine
_11, _TO_UNIT = np.uint64(11), 2.0**-53


@kernel
def _chance_of(loss, temperature):
    """The weight of a plan that is worth so much less than the best: exp(-loss / temperature), nearly."""
    power = 1.0 / (1.0 + loss / (temperature * (1 << _HALVINGS)))
    for _ in range(_HALVINGS):
        power *= power
    return power


@kernel
def keep_worths(mind, cards):
    """Keep the worths of all cards, to which errors will be added."""
    for box in range(BASE_BOXES):
        for column in range(cards):
            mind.judged[box, column] = mind.value[box, column]


@kernel
def misjudge(game, mind, seat, cards, number):
    """Restore the worths and add errors: those of `noise` and, from the second plan on, some of the temperature's size.

    They are kept in `mind.error`, so that a plan can be judged without them.
    """
    deviation = mind.weight[NOISE]
    if number > 0:
        deviation += mind.weight[TEMPERATURE]
    for box in range(BASE_BOXES):
        for column in range(cards):
            mind.value[box, column] = mind.judged[box, column]
            mind.error[box, column] = 0.0
    if deviation > 0.0:
        add_noise(game, mind, seat, cards - MONEY_CARDS, deviation)
        for box in range(BASE_BOXES):
            for column in range(cards):
                mind.error[box, column] = mind.value[box, column] - mind.judged[box, column]


@kernel
def errors_of_plan(mind):
    """The sum of the errors of the cards that were chosen."""
    errors = 0.0
    for box in range(BASE_BOXES):
        errors += mind.error[box, mind.chosen[box]]
    return errors


@kernel
def is_listed(rules, plans, count, plan):
    """Whether a plan is one of the first `count` rows of `plans`."""
    for other in range(count):
        same = True
        for box in range(rules.boxes):
            same &= plans[other, box] == plan[box]
        if same:
            return True
    return False


@kernel
def keep_plan(rules, mind, plans, worth):
    """Keep `mind.plan` as number `plans` of those to choose among, if it is not there; returns how many there are."""
    if is_listed(rules, mind.tried, plans, mind.plan):
        return plans
    for box in range(rules.boxes):
        mind.tried[plans, box] = mind.plan[box]
    mind.tried_worth[plans] = worth
    return plans + 1


@kernel
def draw_plan(game, mind, seat, plans):
    """The number of one of the first `plans` plans of `mind.tried`, drawn by their worths."""
    best, total = mind.tried_worth[0], 0.0
    for number in range(plans):
        best = max(best, mind.tried_worth[number])
    for number in range(plans):
        mind.tried_worth[number] = _chance_of(best - mind.tried_worth[number], mind.weight[TEMPERATURE])
        total += mind.tried_worth[number]
    left = total * (np.float64(draw(game, SEAT + seat) >> _11) * _TO_UNIT)
    for number in range(plans):
        left -= mind.tried_worth[number]
        if left < 0.0:
            return number
    return plans - 1
