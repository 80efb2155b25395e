"""CORRECTION: what search has taught about the worth of cards, as a record, and the kernel that applies it.

For each round a layer of rectified units and a linear model see the features of a card and of the table, and say how
much more or less than by the weights the card is worth on each box of the mat, in victory points. The assignment that
follows stays exact.
"""

import numpy as np

from wallsim.jit import kernel, record_at
from wallsim.policies.correction.features import (
    CONSTANT,
    COUNTY_FEATURES,
    INPUTS,
    MAX_UNITS,
    MOMENTS,
    OF_THE_TABLE,
    OUTPUTS,
    TABLE_FEATURES,
)
from wallsim.policies.correction.observation import look_at_county, look_at_money, look_at_table
from wallsim.rules.terms import (
    AUCTION,
    COMBAT_A,
    COMBAT_B,
    MAX_PLAYERS,
    MIN_PLAYERS,
    MONEY_CARDS,
    WINTER,
)

WIDTH = MAX_UNITS + OUTPUTS  # the units, then the outputs

CORRECTION = np.dtype(
    (
        np.record,
        [
            ("layer", np.float32, (len(MOMENTS), INPUTS, WIDTH)),
            ("outward", np.float32, (len(MOMENTS), MAX_UNITS, OUTPUTS)),  # from the units to the outputs
        ],
    ),
    align=True,
)
CORRECTIONS = np.dtype(  # for 3, 4 and 5 players
    (np.record, [("of", CORRECTION, (MAX_PLAYERS - MIN_PLAYERS + 1,))]), align=True
)
_corrections_at = record_at(CORRECTIONS)


@kernel(apart=True)
def correct_worths(game, rules, mind, seat, counties):
    """Add to `mind.value` what the correction at `mind.correction` says of each card on each box.

    Cards that can do nothing on a box keep their worth of 0 there.
    """
    correction = _corrections_at(mind.correction).of[rules.players - MIN_PLAYERS]
    moment = game.year * WINTER + game.season
    layer, outward = correction.layer[moment], correction.outward[moment]
    look_at_table(game, rules, mind, seat, counties)
    _add_inputs(mind.table_sum, layer, mind.table_fact, OF_THE_TABLE, len(TABLE_FEATURES), CONSTANT)
    for column in range(counties):
        look_at_county(game, rules, mind, seat, column)
        _play_model(mind, layer, outward, column)
        for box in range(AUCTION):
            attacks = COMBAT_A <= box <= COMBAT_B and game.army[mind.hand[column]] > 1
            if attacks or mind.value[box, column] != 0.0:
                mind.value[box, column] += mind.card_sum[MAX_UNITS + box]
        if not rules.first_edition:
            mind.value[AUCTION, column] += mind.card_sum[MAX_UNITS + AUCTION]
    for value in range(MONEY_CARDS):
        column = counties + value
        look_at_money(mind, column, value)
        if not rules.first_edition:
            _play_model(mind, layer, outward, column)
            mind.value[AUCTION, column] += mind.card_sum[MAX_UNITS + AUCTION]


@kernel
def _play_model(mind, layer, outward, column):
    """Fill the outputs in `mind.card_sum` for the card of a column."""
    total = mind.card_sum
    for number in range(WIDTH):
        total[number] = mind.table_sum[number]
    _add_products(total, layer, mind.fact[column], 0, len(COUNTY_FEATURES))
    for unit in range(MAX_UNITS):
        active = max(total[unit], np.float32(0.0))
        for output in range(OUTPUTS):
            total[MAX_UNITS + output] += active * outward[unit, output]


@kernel
def _add_inputs(total, layer, facts, first, count, constant):
    for number in range(WIDTH):
        total[number] = layer[constant, number]
    _add_products(total, layer, facts, first, count)


@kernel
def _add_products(total, layer, facts, first, count):
    """Add facts times the rows of the layer from `first` on; four at once, so that sums stay in registers."""
    whole = count - count % 4
    for place in range(0, whole, 4):
        a, b, c, d = facts[place], facts[place + 1], facts[place + 2], facts[place + 3]
        row = first + place
        for number in range(WIDTH):
            total[number] += (a * layer[row, number] + b * layer[row + 1, number]) + (
                c * layer[row + 2, number] + d * layer[row + 3, number]
            )
    for place in range(whole, count):
        for number in range(WIDTH):
            total[number] += facts[place] * layer[first + place, number]
