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
from wallsim.policies.correction import attack_features as attacks
from wallsim.policies.correction import features as of
from wallsim.policies.correction.features import (
    CONSTANT,
    INPUTS,
    MAX_UNITS,
    MOMENTS,
    OF_THE_TABLE,
    OUTPUTS,
    TABLE_FEATURES,
)
from wallsim.policies.odds import cubes_inside, pass_chance, win_chance
from wallsim.rules.terms import (
    ACTION_CARDS,
    AUCTION,
    CHURCH,
    COLOURS,
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
from wallsim.state.game import armies_in, buildings_in, has_building, peasants_are_loyal

_MORE = 3  # armies of a deployment before the attack
_FIRST_EFFECT = 1


@kernel(apart=True, distinct=True)
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
        armies += armies_in(game, game.land[other])
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
    _look_at_tower(game, rules, fact)
    _look_at_display(game, rules, mind)


@kernel
def _look_at_tower(game, rules, fact):
    inside, tray = cubes_inside(game), 0
    for colour in range(COLOURS):
        tray += game.tray[colour]
    fact[of.PASSING], fact[of.RELEASE] = pass_chance(rules, inside), rules.release_rate
    fact[of.INSIDE], fact[of.IN_TRAY] = inside, tray


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


@kernel(distinct=True)
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
    fact[of.WORTH_PALACE], fact[of.WORTH_CHURCH] = value[column, PALACE], value[column, CHURCH]
    fact[of.WORTH_POST] = value[column, TRADING_POST]
    fact[of.WORTH_GRAIN], fact[of.WORTH_TAXES] = value[column, GRAIN], value[column, TAXES]
    fact[of.WORTH_DEPLOY5], fact[of.WORTH_DEPLOY3] = value[column, DEPLOY5], value[column, DEPLOY3]
    fact[of.WORTH_DEPLOY1], fact[of.WORTH_COMBAT] = value[column, DEPLOY1], value[column, COMBAT_A]
    fact[of.WORTH], fact[of.DANGER] = mind.worth[county], mind.danger[county]
    fact[of.FOE_ARMIES], fact[of.FOES] = mind.foe_armies[county], mind.foes[county]
    around, own, neutral = rules.neighbours[county], game.land[seat], game.land[NEUTRAL]
    fact[of.OWN_BESIDE], fact[of.NEUTRAL_BESIDE] = count_bits(around & own), count_bits(around & neutral)
    fact[of.RIVALS_BESIDE] = count_bits(around & ~(own | neutral))
    own_armies, rivals_armies, need = _free_armies(game, mind, seat, around & ~neutral)
    fact[of.OWN_ARMIES], fact[of.RIVALS_ARMIES], fact[of.NEED_BESIDE] = own_armies, rivals_armies, need
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
    others = game.land[NEUTRAL] | (game.land[owner] if owner != NEUTRAL else 0) | (1 << county)
    fact[of.AIM_HELP], fact[of.AIM_FOES], _ = _free_armies(game, mind, seat, rules.neighbours[aim] & ~others)


@kernel
def _free_armies(game, mind, seat, counties):
    """The armies of a mask of counties that could leave them, all but one of each: own ones, and those of rivals.

    And the greatest danger to an own county among them.
    """
    own_armies, rivals_armies, need = 0, 0, 0.0
    while counties != 0:
        county = lowest_bit(counties)
        counties &= counties - 1
        is_own = (game.land[seat] >> county) & 1
        free = max(0, game.army[county] - 1)
        own_armies += free * is_own
        rivals_armies += free * (1 - is_own)
        need = max(need, mind.danger[county] * is_own)
    return own_armies, rivals_armies, need


WIDTH = MAX_UNITS + OUTPUTS  # the units, then the outputs
_AT_ONCE = 4  # products of a sum
_COLUMNS_AT_ONCE = 3  # cards whose sums are made together, so that a row of the layer is read once for all of them
_BEFORE_MONEY = -(-of.FIRST_MONEY // _AT_ONCE) * _AT_ONCE  # features of counties, and of money to a whole sum

ATTACKS = np.dtype(
    (
        np.record,
        [
            ("layer", np.float32, (len(MOMENTS), attacks.INPUTS, attacks.WIDTH)),  # the units, then the output
            ("outward", np.float32, (len(MOMENTS), attacks.WIDTH, 1)),
        ],
    ),
    align=True,
)
CORRECTION = np.dtype(
    (
        np.record,
        [
            ("layer", np.float32, (len(MOMENTS), INPUTS, WIDTH)),
            ("outward", np.float32, (len(MOMENTS), MAX_UNITS, OUTPUTS)),  # from the units to the outputs
            ("attacks", ATTACKS),
        ],
    ),
    align=True,
)
CORRECTIONS = np.dtype(  # for 3, 4 and 5 players; `attacks`: 1 if those were taught, too
    (np.record, [("of", CORRECTION, (MAX_PLAYERS - MIN_PLAYERS + 1,)), ("attacks", np.int64)]), align=True
)
_corrections_at = record_at(CORRECTIONS)


@kernel(apart=True, distinct=True)
def correct_worths(game, rules, mind, seat, counties):
    """Add to `mind.value` what the correction at `mind.correction` says of each card on each box.

    Cards that can do nothing on a box keep their worth of 0 there, and those of money on every box but the auction.
    """
    correction = _corrections_at(mind.correction).of[rules.players - MIN_PLAYERS]
    moment = game.year * WINTER + game.season
    layer, outward, sums = correction.layer[moment], correction.outward[moment], mind.card_sum
    look_at_table(game, rules, mind, seat, counties)
    for column in range(counties):
        look_at_county(game, rules, mind, seat, column)
    _sum_products(mind.table_sum, layer[CONSTANT], layer[OF_THE_TABLE:], mind.table_fact, len(TABLE_FEATURES))
    for column in range(0, counties, _COLUMNS_AT_ONCE):  # the last sums may be of no county; nobody reads them
        first, second, third = sums[column], sums[column + 1], sums[column + 2]
        for number in range(WIDTH):
            first[number] = second[number] = third[number] = mind.table_sum[number]
        _add_products_of_three(first, second, third, layer, mind.fact[column:], WIDTH, _BEFORE_MONEY)
    cards = counties if rules.first_edition else counties + MONEY_CARDS
    for column in range(counties, cards):  # of the features of a sum of money only one is not 0, but 1
        for number in range(WIDTH):
            sums[column, number] = mind.table_sum[number] + layer[of.FIRST_MONEY + column - counties, number]
    for column in range(cards):
        _add_units(sums[column, MAX_UNITS:], sums[column, :MAX_UNITS], outward)
    for column in range(counties):
        attacks = game.army[mind.hand[column]] > 1
        for box in range(AUCTION):
            worth = mind.value[column, box]
            acts = (worth != 0.0) | (attacks & (COMBAT_A <= box <= COMBAT_B))
            mind.value[column, box] = worth + sums[column, MAX_UNITS + box] if acts else worth
    if not rules.first_edition:
        for column in range(cards):
            mind.value[column, AUCTION] += sums[column, MAX_UNITS + AUCTION]


@kernel(distinct=True)
def _sum_products(total, start, layer, facts, count):
    """Write `start` and the first facts times the rows of the layer; the rows of a sum are added four at once."""
    whole = count - count % _AT_ONCE
    for number in range(WIDTH):
        total[number] = start[number]
    for place in range(0, whole, _AT_ONCE):
        a, b, c, d = facts[place], facts[place + 1], facts[place + 2], facts[place + 3]
        for number in range(WIDTH):
            total[number] += (a * layer[place, number] + b * layer[place + 1, number]) + (
                c * layer[place + 2, number] + d * layer[place + 3, number]
            )
    for place in range(whole, count):
        for number in range(WIDTH):
            total[number] += facts[place] * layer[place, number]


@kernel(distinct=True)
def _add_products_of_three(first, second, third, layer, facts, width, count):
    """Add the same to three sums, for three rows of facts; `count` is a multiple of four. The order is the same."""
    for place in range(0, count, _AT_ONCE):
        a, b, c, d = facts[0, place], facts[0, place + 1], facts[0, place + 2], facts[0, place + 3]
        e, f, g, h = facts[1, place], facts[1, place + 1], facts[1, place + 2], facts[1, place + 3]
        i, j, k, m = facts[2, place], facts[2, place + 1], facts[2, place + 2], facts[2, place + 3]
        for number in range(width):
            p, q = layer[place, number], layer[place + 1, number]
            r, s = layer[place + 2, number], layer[place + 3, number]
            first[number] += (a * p + b * q) + (c * r + d * s)
            second[number] += (e * p + f * q) + (g * r + h * s)
            third[number] += (i * p + j * q) + (k * r + m * s)


@kernel(distinct=True)
def _add_units(outputs, units, outward):
    """Add what each active unit says. LLVM makes scalars of a loop over the outputs with fewer than eight units."""
    for unit in range(0, MAX_UNITS, 8):
        a, b, c, d = _four_active(units, unit)
        e, f, g, h = _four_active(units, unit + 4)
        for output in range(OUTPUTS):
            so_far = outputs[output] + a * outward[unit, output] + b * outward[unit + 1, output]
            so_far = so_far + c * outward[unit + 2, output] + d * outward[unit + 3, output]
            so_far = so_far + e * outward[unit + 4, output] + f * outward[unit + 5, output]
            outputs[output] = so_far + g * outward[unit + 6, output] + h * outward[unit + 7, output]


@kernel
def _four_active(units, first):
    least = np.float32(0.0)
    return (
        max(units[first], least), max(units[first + 1], least), max(units[first + 2], least),
        max(units[first + 3], least),
    )  # fmt: skip


_SHARED_ROWS = attacks.OF_THE_SITUATION - attacks.SHARED


@kernel
def attacks_are_taught(mind):
    """Whether the mind has a correction of attacks."""
    return mind.correction != 0 and _corrections_at(mind.correction).attacks != 0


@kernel(apart=True, distinct=True)
def judge_choices(game, rules, mind, count):
    """Write to `mind.choice_worth` what weights and model together say of the first choices in `mind.choice_fact`.

    Choices of one county follow each other, so that the sum of what they share is made once for all of them.
    """
    correction = _corrections_at(mind.correction).of[rules.players - MIN_PLAYERS].attacks
    moment = game.year * WINTER + game.season
    layer, outward = correction.layer[moment], correction.outward[moment]
    start, sums = mind.situation_sum, mind.choice_sum
    _sum_rows(start, layer[attacks.CONSTANT], layer[attacks.OF_THE_SITUATION :], mind.situation, attacks.SITUATION)
    for choice in range(count):
        if choice == 0 or mind.choice_county[choice] != mind.choice_county[choice - 1]:
            facts = mind.choice_fact[choice, attacks.SHARED :]
            _sum_rows(sums[choice], start, layer[attacks.SHARED :], facts, _SHARED_ROWS)
        else:
            for number in range(attacks.WIDTH):
                sums[choice, number] = sums[choice - 1, number]
    for choice in range(0, count, _COLUMNS_AT_ONCE):  # the last sums may be of no choice; nobody reads them
        first, second, third = sums[choice], sums[choice + 1], sums[choice + 2]
        _add_products_of_three(first, second, third, layer, mind.choice_fact[choice:], attacks.WIDTH, attacks.SHARED)
    for choice in range(count):
        total = sums[choice]
        worth = np.float64(mind.choice_fact[choice, attacks.WORTH]) + total[attacks.MAX_UNITS]
        for unit in range(0, attacks.WIDTH, _AT_ONCE):  # the last is the output, which is 0 in `outward`
            a, b, c, d = _four_active(total, unit)
            worth += (a * outward[unit, 0] + b * outward[unit + 1, 0]) + (
                c * outward[unit + 2, 0] + d * outward[unit + 3, 0]
            )
        mind.choice_worth[choice] = worth


@kernel(distinct=True)
def _sum_rows(total, start, layer, facts, count):
    """Write `start` and the first facts times the rows of the layer, of a correction of attacks.

    Eight rows are added at once: LLVM would unroll a loop over 16 sums of fewer, and make scalars of them.
    """
    for number in range(attacks.WIDTH):
        total[number] = start[number]
    for place in range(0, count, 8):  # `count` is a multiple of that
        a, b, c, d = facts[place], facts[place + 1], facts[place + 2], facts[place + 3]
        e, f, g, h = facts[place + 4], facts[place + 5], facts[place + 6], facts[place + 7]
        rows = layer[place:]
        for number in range(attacks.WIDTH):
            so_far = (a * rows[0, number] + b * rows[1, number]) + (c * rows[2, number] + d * rows[3, number])
            more = (e * rows[4, number] + f * rows[5, number]) + (g * rows[6, number] + h * rows[7, number])
            total[number] += so_far + more
