"""VALUE: a learned value of a standing as a record, and the kernel that plays it.

A linear model and a layer of rectified units answer for each seat: its points at the end, its lead over the best other
seat, and a score whose softmax over the seats is the chance to win (`wallsim.searches.learning`).
"""

import numpy as np

from wallsim.jit import kernel
from wallsim.policies.value.features import (
    BEST_OTHER,
    CONSTANT,
    FEATURES,
    INPUTS,
    MAX_UNITS,
    MOMENTS,
    OF_THE_TABLE,
    OTHERS_MEAN,
    TABLE_FEATURES,
)
from wallsim.policies.value.position import STANDING, look_at_standing
from wallsim.rules.terms import MAX_PLAYERS, WINTER
from wallsim.state.elementary import exp

POINTS, LEAD, WIN = range(3)
OUTPUTS = 3
COLUMNS = MAX_UNITS + OUTPUTS
_FEW_PLAYERS = 3
_AT_ONCE = 8  # inputs whose products are added in one loop
_WHOLE = CONSTANT - CONSTANT % _AT_ONCE

VALUE = np.dtype(
    (
        np.record,
        [
            ("layer", np.float32, (len(MOMENTS), INPUTS, COLUMNS)),  # the units, then the outputs
            ("outward", np.float32, (len(MOMENTS), MAX_UNITS, OUTPUTS)),  # from the units to the outputs
        ],
    ),
    align=True,
)
VALUES = np.dtype((np.record, [("of", VALUE, (MAX_PLAYERS - _FEW_PLAYERS + 1,))]), align=True)  # for 3, 4, 5 players

OUTLOOK = np.dtype(
    (
        np.record,
        [
            ("standing", STANDING),
            ("input", np.float32, (INPUTS,)),
            ("column", np.float32, (COLUMNS,)),
            ("most_of", np.float32, (len(FEATURES),)),
            ("second_of", np.float32, (len(FEATURES),)),
            ("sum_of", np.float32, (len(FEATURES),)),
            ("comparison", np.float64, (3, len(FEATURES))),  # the same three before they are rounded
            ("outlook", np.float64, (MAX_PLAYERS, OUTPUTS)),  # points, lead, and chance to win
        ],
    ),
    align=True,
)


@kernel(apart=True)
def look_ahead(game, rules, values, outlook):
    """Fill `outlook.outlook` at the end of a season, not the last: what the table shows, and what it is worth."""
    look_at_standing(game, rules, outlook.standing)
    moment = game.year * (WINTER + 1) + game.season
    value = values.of[rules.players - _FEW_PLAYERS]
    _compare(rules, outlook)
    best = -np.inf
    for seat in range(rules.players):
        _play_model(rules, value, moment, outlook, seat)
        best = max(best, outlook.outlook[seat, WIN])
    total = 0.0
    for seat in range(rules.players):
        power = exp(outlook.outlook[seat, WIN] - best)
        outlook.outlook[seat, WIN] = power
        total += power
    for seat in range(rules.players):
        outlook.outlook[seat, WIN] /= total


@kernel
def _compare(rules, outlook):
    """The most, second most and sum of every feature over the seats."""
    most, second, total = outlook.comparison[0], outlook.comparison[1], outlook.comparison[2]
    for place in range(len(FEATURES)):
        most[place], second[place], total[place] = -np.inf, -np.inf, 0.0
    for seat in range(rules.players):  # seats outside, so that features fill vector registers
        row = outlook.standing.seat[seat]
        for place in range(len(FEATURES)):
            amount = row[place]
            second[place] = max(second[place], min(most[place], amount))
            most[place] = max(most[place], amount)
            total[place] += amount
    for place in range(len(FEATURES)):
        outlook.most_of[place], outlook.second_of[place] = most[place], second[place]
        outlook.sum_of[place] = total[place]


@kernel
def _play_model(rules, value, moment, outlook, seat):
    """Write points, lead and score of a seat."""
    others = np.float32(1.0 / (rules.players - 1))
    inputs, column = outlook.input, outlook.column
    for place in range(len(FEATURES)):
        own = np.float32(outlook.standing.seat[seat, place])
        most = outlook.most_of[place]
        inputs[place] = own
        inputs[BEST_OTHER + place] = outlook.second_of[place] if own == most else most
        inputs[OTHERS_MEAN + place] = (outlook.sum_of[place] - own) * others
    for place in range(len(TABLE_FEATURES)):
        inputs[OF_THE_TABLE + place] = outlook.standing.table[place]
    layer, outward = value.layer[moment], value.outward[moment]
    _sum_products(column, layer, inputs)
    # The three sums side by side, since each waits for itself at every step.
    points, lead, score = (
        np.float64(column[MAX_UNITS + POINTS]),
        np.float64(column[MAX_UNITS + LEAD]),
        np.float64(column[MAX_UNITS + WIN]),
    )
    for unit in range(MAX_UNITS):
        answer = max(column[unit], np.float32(0.0))
        points += answer * outward[unit, POINTS]
        lead += answer * outward[unit, LEAD]
        score += answer * outward[unit, WIN]
    row = outlook.outlook[seat]
    row[POINTS], row[LEAD], row[WIN] = points, lead, score


@kernel(distinct=True)
def _sum_products(column, layer, inputs):
    """Write the sums of the inputs times the rows of the layer."""
    for number in range(COLUMNS):
        column[number] = layer[CONSTANT, number]
    for first in range(0, _WHOLE, _AT_ONCE):  # several inputs at once, so that sums stay in registers
        a, b, c, d = inputs[first], inputs[first + 1], inputs[first + 2], inputs[first + 3]
        e, f, g, h = inputs[first + 4], inputs[first + 5], inputs[first + 6], inputs[first + 7]
        for number in range(COLUMNS):
            column[number] += (
                (a * layer[first, number] + b * layer[first + 1, number])
                + (c * layer[first + 2, number] + d * layer[first + 3, number])
                + (e * layer[first + 4, number] + f * layer[first + 5, number])
                + (g * layer[first + 6, number] + h * layer[first + 7, number])
            )
    # What is left of them, one after the other. LLVM makes scalars of a loop with fewer products.
    a, b, c, d = _left(inputs, 0), _left(inputs, 1), _left(inputs, 2), _left(inputs, 3)
    e, f, g = _left(inputs, 4), _left(inputs, 5), _left(inputs, 6)
    for number in range(COLUMNS):
        so_far = column[number] + a * layer[_row(0), number] + b * layer[_row(1), number]
        so_far = so_far + c * layer[_row(2), number] + d * layer[_row(3), number]
        so_far = so_far + e * layer[_row(4), number] + f * layer[_row(5), number]
        column[number] = so_far + g * layer[_row(6), number]


@kernel
def _row(place):
    return min(_WHOLE + place, CONSTANT)


@kernel
def _left(inputs, place):
    return inputs[_WHOLE + place] if _WHOLE + place < CONSTANT else np.float32(0.0)
