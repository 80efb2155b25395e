"""Errors of judgement: the weight `noise` makes a policy with otherwise equal weights play worse.

Every option of a plan and every attack that is weighed is judged with an error of its own, drawn from the seat's
stream: the sum of four uniform numbers, which is close to normal and, unlike a logarithm, the same on every machine.
"""

import numpy as np

from wallsim.jit import kernel
from wallsim.policies.weights import BID_NOISE, NOISE
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
            if mind.value[box, card] != 0.0:
                mind.value[box, card] += error


@kernel(apart=True)
def misjudge_bids(game, mind, seat, counties):
    """Judge every bid that the seat can pay with an error of its own, of the size `bid_noise` (B4.2).

    All county cards bid alike and have one error.
    """
    error = mind.weight[BID_NOISE] * standard_error(game, seat)
    for card in range(counties):
        mind.value[AUCTION, card] += error
    for value in range(MONEY_CARDS):
        error = mind.weight[BID_NOISE] * standard_error(game, seat)
        if value <= game.thalers[seat]:
            mind.value[AUCTION, counties + value] += error
