"""Choosing among whole plans by chance, so that a policy is not always the same and yet does not blunder (B3).

A few plans are made with errors of judgement and then judged without them: a plan that is worth one `temperature` less
than the best is chosen e times less often.

Every option of a plan and every attack that is weighed is judged with an error of its own by the weight `noise`, which
makes a policy with otherwise equal weights play worse. It is drawn from the seat's stream: the sum of four uniform
numbers, which is close to normal and, unlike a logarithm, the same on every machine.
"""

import numpy as np

from wallsim.jit import kernel
from wallsim.policies.weights import BID_NOISE, NOISE, TEMPERATURE
from wallsim.rules.terms import AUCTION, BASE_BOXES, MONEY_CARDS
from wallsim.state.random import SEAT, draw

_TERMS = 4  # numbers of 16 bits in a word of 64
_16, _LOW = np.uint64(16), np.uint64(0xFFFF)
_MEAN = _TERMS * 0xFFFF / 2.0
_SCALE = 1.0 / np.sqrt(_TERMS * (2.0**32 - 1.0) / 12.0)  # the variance of 0 ... 65535 is (65536 ** 2 - 1) / 12


@kernel
def error_of(game, mind, seat):
    """An error in victory points with the standard deviation `noise`; takes a word of the seat's stream."""
    return mind.weight[NOISE] * standard_error(game, seat)


@kernel
def standard_error(game, seat):
    """A number with mean 0 and standard deviation 1; takes a word of the seat's stream."""
    word = draw(game, SEAT + seat)
    total = 0.0
    for _ in range(_TERMS):
        total += np.float64(word & _LOW)
        word >>= _16
    return (total - _MEAN) * _SCALE


@kernel(apart=True)
def add_noise(game, mind, seat, counties, deviation):
    """Judge every county card on every box of the base game's mat with an error of its own (B3).

    A card that would do nothing there is known to do nothing, and sums of money are not misjudged.
    """
    for box in range(BASE_BOXES):
        for card in range(counties):
            error = deviation * standard_error(game, seat)
            if mind.value[card, box] != 0.0:
                mind.value[card, box] += error


@kernel(apart=True)
def misjudge_bids(game, mind, seat, counties):
    """Judge every bid that the seat can pay with an error of its own, of the size `bid_noise` (B4.2).

    All county cards bid alike and have one error.
    """
    error = mind.weight[BID_NOISE] * standard_error(game, seat)
    for card in range(counties):
        mind.value[card, AUCTION] += error
    for value in range(MONEY_CARDS):
        error = mind.weight[BID_NOISE] * standard_error(game, seat)
        if value <= game.thalers[seat]:
            mind.value[counties + value, AUCTION] += error


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
            mind.judged[column, box] = mind.value[column, box]


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
            mind.value[column, box] = mind.judged[column, box]
            mind.error[column, box] = 0.0
    if deviation > 0.0:
        add_noise(game, mind, seat, cards - MONEY_CARDS, deviation)
        for box in range(BASE_BOXES):
            for column in range(cards):
                mind.error[column, box] = mind.value[column, box] - mind.judged[column, box]


@kernel
def errors_of_plan(mind):
    """The sum of the errors of the cards that were chosen."""
    errors = 0.0
    for box in range(BASE_BOXES):
        errors += mind.error[mind.chosen[box], box]
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
