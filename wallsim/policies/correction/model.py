"""CORRECTION: what search has taught about the worth of cards, as a record, and the kernel that applies it.

For each round a layer of rectified units and a linear model see the features of a card and of the table, and say how
much more or less than by the weights the card is worth on each box of the mat, in victory points. The assignment that
follows stays exact.

The features are what a planning seat sees of its counties and of the table. They are read from what the planner has
just noted and written to `mind.value`, and written to `mind.fact` and `mind.table_fact`.
"""

import numpy as np

from wallsim.jit import count_bits, kernel, lowest_bit, record_at
from wallsim.mechanics.winter import points_with_board
from wallsim.policies.correction import features as of
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
from wallsim.policies.odds import win_chance
from wallsim.rules.terms import (
    ACTION_CARDS,
    AUCTION,
    CHURCH,
    COMBAT_A,
    COMBAT_B,
    DEPLOY1,
    DEPLOY3,
    DEPLOY5,
    EFFECTS,
    GRAIN,
    MAX_PLAYERS,
    MIN_PLAYERS,
    MONEY_CARDS,
    NEUTRAL,
    NOWHERE,
    PALACE,
    PEASANTS,
    SHOWN_ACTIONS,
    TAXES,
    TRADING_POST,
    WINTER,
)
from wallsim.state.game import buildings_in, has_building, peasants_are_loyal

_MORE = 3  # armies of a deployment before the attack
_FIRST_EFFECT = 1


@kernel(apart=True)
def look_at_table(game, rules, mind, seat, counties):
    """Fill `mind.table_fact`; the points of all seats, as the board stands, stay in `mind.board_points`."""
    fact, rivals = mind.table_fact, rules.players - 1
    points_with_board(game, rules, mind.board_points)
    best, total, thalers, armies, owned = -np.inf, 0.0, 0, 0, 0
    for other in range(rules.players):
        if other == seat:
            continue
        best = max(best, mind.board_points[other])
        total += mind.board_points[other]
        thalers = max(thalers, game.thalers[other])
        owned += count_bits(game.land[other])
        land = game.land[other]
        while land != 0:
            armies += game.army[lowest_bit(land)]
            land &= land - 1
    sites, markers, own, attacks, threatened = 0, 0, 0, 0, 0.0
    for column in range(counties):
        county = mind.hand[column]
        sites += rules.sites[county] - buildings_in(game, county)
        markers += game.marker[county]
        own += game.army[county]
        attacks += game.army[county] > 1 and mind.aim[county] != NOWHERE
        threatened += mind.danger[county]
    loss = 0.0
    for index in range(game.shown_events):
        loss += rules.event_loss[game.shown_event[index]]
    fact[of.THALERS], fact[of.GRAIN_HELD], fact[of.GRAIN_GAP] = game.thalers[seat], game.grain[seat], mind.grain_gap
    fact[of.COUNTIES_HELD], fact[of.ARMIES_HELD], fact[of.SUPPLY] = counties, own, game.supply[seat]
    fact[of.IN_TOWER] = game.tower[seat] + game.tray[seat]
    fact[of.PEASANTS_INSIDE] = game.tower[PEASANTS] + game.tray[PEASANTS]
    fact[of.NEUTRAL_COUNTIES] = count_bits(game.land[NEUTRAL])
    fact[of.FREE_SITES], fact[of.OWN_MARKERS], fact[of.OPEN_ATTACKS] = sites, markers, attacks
    fact[of.THREATENED] = threatened
    fact[of.LEAD] = mind.board_points[seat] - best
    fact[of.MEAN_LEAD] = mind.board_points[seat] - total / rivals
    fact[of.RIVALS_THALERS] = thalers
    fact[of.RIVALS_ARMIES_MEAN], fact[of.RIVALS_COUNTIES] = armies / rivals, owned / rivals
    fact[of.LOSS] = loss / max(1, game.shown_events)
    fact[of.WORTH_THALER] = mind.thaler
    _look_at_display(game, rules, mind)


@kernel
def _look_at_display(game, rules, mind):
    """The order of the cards, the events, the tiles, and what the weights say of bids."""
    fact = mind.table_fact
    for action in range(ACTION_CARDS):
        fact[of.FIRST_ORDER + action] = SHOWN_ACTIONS - mind.when[action]
    for effect in range(_FIRST_EFFECT, len(EFFECTS)):
        fact[of.FIRST_EFFECT + effect - _FIRST_EFFECT] = mind.effect_chance[effect]
    if rules.first_edition:
        return  # neither tiles nor bids
    for box in range(MAX_PLAYERS):
        fact[of.FIRST_TILE + game.tile_on_box[box]] = box
    for bid in range(MONEY_CARDS + 1):
        fact[of.FIRST_BID + bid] = mind.bid_worth[bid]


@kernel
def look_at_county(game, rules, mind, seat, column):
    """Fill the row `column` of `mind.fact` with the features of the county whose card lies there."""
    fact, county = mind.fact[column], mind.hand[column]
    fact[of.TAX], fact[of.GRAIN_YIELD] = rules.tax[county], rules.grain[county]
    fact[of.SITES] = rules.sites[county] - buildings_in(game, county)
    fact[of.HAS_PALACE] = has_building(game, county, PALACE)
    fact[of.HAS_CHURCH] = has_building(game, county, CHURCH)
    fact[of.HAS_POST] = has_building(game, county, TRADING_POST)
    armies = game.army[county]
    fact[of.ARMIES], fact[of.ALONE], fact[of.MARKERS] = armies, armies == 1, game.marker[county]
    value = mind.value
    fact[of.WORTH_PALACE], fact[of.WORTH_CHURCH] = value[PALACE, column], value[CHURCH, column]
    fact[of.WORTH_POST] = value[TRADING_POST, column]
    fact[of.WORTH_GRAIN], fact[of.WORTH_TAXES] = value[GRAIN, column], value[TAXES, column]
    fact[of.WORTH_DEPLOY5], fact[of.WORTH_DEPLOY3] = value[DEPLOY5, column], value[DEPLOY3, column]
    fact[of.WORTH_DEPLOY1], fact[of.WORTH_COMBAT] = value[DEPLOY1, column], value[COMBAT_A, column]
    fact[of.WORTH], fact[of.DANGER] = mind.worth[county], mind.danger[county]
    fact[of.FOE_ARMIES], fact[of.FOES] = mind.foe_armies[county], mind.foes[county]
    around = rules.neighbours[county]
    fact[of.OWN_BESIDE] = count_bits(around & game.land[seat])
    fact[of.NEUTRAL_BESIDE] = count_bits(around & game.land[NEUTRAL])
    fact[of.RIVALS_BESIDE] = count_bits(around) - fact[of.OWN_BESIDE] - fact[of.NEUTRAL_BESIDE]
    fact[of.OWN_ARMIES] = _free_armies(game, around & game.land[seat])
    fact[of.RIVALS_ARMIES] = _free_armies(game, around & ~(game.land[seat] | game.land[NEUTRAL]))
    need, land = 0.0, around & game.land[seat]
    while land != 0:
        need = max(need, mind.danger[lowest_bit(land)])
        land &= land - 1
    fact[of.NEED_BESIDE] = need
    for place in range(of.AIM_RIVALS, of.FIRST_MONEY + MONEY_CARDS):
        fact[place] = 0.0
    if mind.aim[county] != NOWHERE:
        _look_at_aim(game, rules, mind, seat, county, mind.aim[county], fact)


@kernel
def _look_at_aim(game, rules, mind, seat, county, aim, fact):
    owner, armies = game.owner[aim], game.army[county] - 1
    defenders = game.army[aim] if owner != NEUTRAL else rules.neutral_peasants
    loyal = peasants_are_loyal(game, rules, aim)
    fact[of.AIM_RIVALS], fact[of.AIM_NEUTRAL] = owner != NEUTRAL, owner == NEUTRAL
    fact[of.AIM_WORTH], fact[of.AIM_ARMIES] = mind.worth[aim], game.army[aim]
    fact[of.AIM_CHANCE] = win_chance(game, rules, seat, armies, owner, defenders, loyal) if armies > 0 else 0.0
    fact[of.AIM_CHANCE_MORE] = win_chance(game, rules, seat, armies + _MORE, owner, defenders, loyal)
    fact[of.AIM_BUILDINGS] = buildings_in(game, aim)
    if owner != NEUTRAL:
        fact[of.AIM_LEAD] = mind.board_points[owner] - mind.board_points[seat]
    around = rules.neighbours[aim]
    fact[of.AIM_HELP] = _free_armies(game, around & game.land[seat] & ~(1 << county))
    third = around & ~(game.land[seat] | game.land[NEUTRAL] | game.land[owner])
    fact[of.AIM_FOES] = _free_armies(game, third)


@kernel
def _free_armies(game, counties):
    """The armies of a mask of counties that could leave them: all but one of each."""
    armies = 0
    while counties != 0:
        armies += max(0, game.army[lowest_bit(counties)] - 1)
        counties &= counties - 1
    return armies


@kernel
def look_at_money(mind, column, value):
    """Fill the row `column` of `mind.fact` for the card of so many Thalers."""
    fact = mind.fact[column]
    for place in range(of.FIRST_MONEY + MONEY_CARDS):
        fact[place] = 0.0
    fact[of.FIRST_MONEY + value] = 1.0


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
