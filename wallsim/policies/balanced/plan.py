"""The plan of the heuristic policies: each card gets a worth on each box, then one assignment fills all boxes (B3)."""

from wallsim.jit import kernel, lowest_bit
from wallsim.mechanics.combat import legal_targets
from wallsim.policies.balanced.appraisal import (
    building_worth,
    danger,
    expected_grain,
    expected_tax,
    grain_worth,
    survey,
)
from wallsim.policies.balanced.assignment import assign, assign_again
from wallsim.policies.balanced.auction import CARD_BID, appraise_bids, appraise_boxes, appraise_prospects
from wallsim.policies.balanced.chance import (
    add_noise,
    draw_plan,
    errors_of_plan,
    keep_plan,
    keep_worths,
    misjudge,
    misjudge_bids,
)
from wallsim.policies.balanced.mat import fill_mat
from wallsim.policies.balanced.moves import attack_worth, best_attack, best_march, exposure, find_prize, part_attacks
from wallsim.policies.balanced.purse import is_covered, share_purse
from wallsim.policies.balanced.timing import look_at_order
from wallsim.policies.correction.model import correct_worths
from wallsim.policies.odds import win_chance
from wallsim.policies.record import TRIED_PLANS
from wallsim.policies.weights import (
    ARMY,
    ATTACK,
    BID_NOISE,
    FIVE_ARMIES,
    HOME,
    LAST_TAXES,
    LOST_EARLY,
    MARCHING,
    MARKER,
    NOISE,
    ONE_ARMY,
    READY,
    SECOND_ATTACK,
    TEMPERATURE,
)
from wallsim.rules.terms import (
    AUCTION,
    BASE_BOXES,
    BUILDINGS,
    COMBAT_A,
    COMBAT_B,
    DEPLOY1,
    DEPLOY3,
    DEPLOY5,
    FEW_COUNTIES,
    GRAIN,
    MONEY,
    MONEY_CARDS,
    NOWHERE,
    PEASANTS,
    SMALL_LEVIES,
    TAXES,
    WINTER,
)

_NEVER = -1e6
_LATER_TAXES = 0.125  # what each place later in the card order takes from the chance that taxes come in time
_LOSS_AT_MOST, _LEAST_WORTH = 0.9, 0.1  # bounds of the chance that a county is lost before it can build
_LEVIES_LOSS = 0.35  # share of deployed armies that `small_levies` takes, at the printed numbers


@kernel(apart=True, distinct=True)
def choose_plan(game, rules, mind, seat):
    """Fill `mind.plan` with the cards whose worths add up to most, as far as the seat can pay for them."""
    cards = appraise_cards(game, rules, mind, seat)
    if mind.weight[TEMPERATURE] > 0.0:
        _choose_by_chance(game, rules, mind, seat, cards)
        return
    if mind.weight[NOISE] > 0.0:
        add_noise(game, mind, seat, cards - MONEY_CARDS, mind.weight[NOISE])
    fill_boxes(game, rules, mind, seat, cards)


@kernel
def appraise_cards(game, rules, mind, seat):
    """Write the worth of each card on each box to `mind.value`, counties first; returns how many cards there are."""
    take_weights(game, mind)
    survey(game, rules, mind, seat)
    look_at_order(game, mind)
    counties = 0
    land = game.land[seat]
    while land != 0:
        county = lowest_bit(land)
        land &= land - 1
        mind.hand[counties] = county
        _appraise_county(game, rules, mind, seat, county, counties)
        counties += 1
    cards = _appraise_bids(game, rules, mind, seat, counties)
    if mind.correction != 0:
        correct_worths(game, rules, mind, seat, counties)
    if mind.weight[BID_NOISE] > 0.0 and not rules.first_edition:
        misjudge_bids(game, mind, seat, counties)
    return cards


@kernel(apart=True, distinct=True)
def _choose_by_chance(game, rules, mind, seat, cards):
    """Fill `mind.plan` with one of some good plans, drawn by their worths."""
    keep_worths(mind, cards)
    plans = 0
    for number in range(TRIED_PLANS):
        misjudge(game, mind, seat, cards, number)
        worth = fill_boxes(game, rules, mind, seat, cards)
        plans = keep_plan(rules, mind, plans, worth - errors_of_plan(mind))
    mind.plan[:] = mind.tried[draw_plan(game, mind, seat, plans)]


@kernel
def fill_boxes(game, rules, mind, seat, cards):
    """Fill `mind.plan` by the worths in `mind.value` and return its worth; what cannot be paid for is judged anew."""
    if rules.expansions or rules.first_edition or cards <= FEW_COUNTIES + MONEY_CARDS:
        return fill_mat(game, rules, mind, seat, cards)
    assign(mind, BASE_BOXES, cards)
    if mind.weight[SECOND_ATTACK] < 1.0:
        assign_again(mind, BASE_BOXES, cards, part_attacks(game, rules, mind, seat))
    if not is_covered(game, rules, mind, seat):
        assign_again(mind, BASE_BOXES, cards, share_purse(game, rules, mind, seat, cards - MONEY_CARDS, cards))
    worth = 0.0
    for box in range(BASE_BOXES):
        mind.plan[box] = mind.hand[mind.chosen[box]]
        worth += mind.value[mind.chosen[box], box]
    return worth


@kernel
def _appraise_bids(game, rules, mind, seat, counties):
    """Write the worths of all cards in the auction and of money cards elsewhere; returns how many cards there are."""
    if not rules.first_edition:
        appraise_prospects(mind, counties)
        appraise_boxes(game, rules, mind, seat)
        appraise_bids(rules, mind)
    for column in range(counties):
        mind.value[column, AUCTION] = mind.bid_worth[CARD_BID]
    for value in range(MONEY_CARDS):
        column = counties + value
        mind.hand[column] = MONEY + value
        for box in range(AUCTION):
            mind.value[column, box] = 0.0
        if value <= game.thalers[seat]:
            mind.value[column, AUCTION] = mind.bid_worth[value] - mind.thaler * value
        else:
            mind.value[column, AUCTION] = _NEVER if rules.money_bid_held else mind.bid_worth[0]  # [A4]
    return counties + MONEY_CARDS


@kernel
def take_weights(game, mind):
    """Take the weights of the round in play."""
    mind.weight[:] = mind.phase_weight[game.year * WINTER + game.season]


@kernel
def _appraise_county(game, rules, mind, seat, county, column):
    """Write the worth of one county's card on each action box and in the auction to `mind.value[column, :]`."""
    last_round = mind.rounds == 1.0
    three = rules.deploy_armies[DEPLOY3 - DEPLOY5]
    lost = 1.0 - min(_LOSS_AT_MOST, mind.danger[county] / max(_LEAST_WORTH, mind.worth[county]))
    early = mind.weight[LOST_EARLY] * (1.0 - lost)
    for kind in range(len(BUILDINGS)):
        price = rules.building_price[kind]
        worth = lost * building_worth(game, rules, mind, seat, county, kind, price)
        mind.value[column, kind] = worth * _in_time(mind, early, kind)
    risk = _collecting_risk(game, rules, mind, seat, county)
    tax = mind.thaler * expected_tax(rules, mind, county)
    if last_round:
        tax *= mind.weight[LAST_TAXES] * (1.0 - mind.when[TAXES] * _LATER_TAXES)
    mind.value[column, TAXES] = tax * _in_time(mind, early, TAXES) - risk
    grain = grain_worth(mind, expected_grain(rules, mind, county))
    mind.value[column, GRAIN] = grain * _in_time(mind, early, GRAIN) - risk

    armies = game.army[county]
    targets = legal_targets(game, rules, seat, county, COMBAT_A)
    attack, reinforced, at_home, march = 0.0, 0.0, 0.0, 0.0
    if armies > 1:
        left = exposure(game, rules, mind, seat, county, 1)
        march = max(0.0, best_march(game, rules, mind, seat, county, armies - 1, True) - left)
        attack = max(0.0, best_attack(game, rules, mind, seat, armies - 1, targets))
        at_home = max(0.0, attack - mind.weight[HOME] * left)
    else:
        find_prize(game, mind, seat, targets)
    mind.aim[county] = mind.target
    if mind.target != NOWHERE:
        reinforced = max(0.0, attack_worth(game, rules, mind, seat, mind.target, armies - 1 + three))
    mind.helped[county] = mind.weight[ATTACK] * max(0.0, reinforced - attack) / three
    averted = mind.danger[county] - danger(game, rules, mind, seat, county, armies + three)
    later = three * mind.weight[ARMY]
    if not last_round:  # a county that deploys cannot attack in the same round
        later += mind.weight[READY] * mind.weight[ATTACK] * max(0.0, reinforced - attack)
    marching = mind.weight[MARCHING] * march
    _appraise_deploying(game, rules, mind, seat, county, column, later, averted, marching)
    combat = max(mind.weight[ATTACK] * at_home, marching)
    if rules.combat_must and combat <= 0.0 and armies > 1:
        combat = _duty_worth(game, rules, mind, seat, county, targets)
    mind.value[column, COMBAT_A] = combat * mind.earlier[0]
    mind.value[column, COMBAT_B] = combat * mind.earlier[1]


@kernel
def _in_time(mind, early, action):
    """The share of an action's worth that is left if the county may be lost before its card comes."""
    return max(0.0, 1.0 - early * mind.late[action])


@kernel
def _appraise_deploying(game, rules, mind, seat, county, column, later, averted, marching):
    """Write the worth of deploying to `mind.value`: three armies are worth `later`, and avert so much danger.

    Other numbers of armies are worth in proportion what the weights say of the printed ones.
    """
    armies, prices, supply = rules.deploy_armies, rules.deploy_price, game.supply[seat]
    five = mind.weight[FIVE_ARMIES] * rules.deploy_scale[0]
    one = mind.weight[ONE_ARMY] * rules.deploy_scale[1]
    worth = _levied(rules, mind, 0) * five * (later + mind.exposed[DEPLOY5] * averted)
    mind.value[column, DEPLOY5] = worth - prices[0] * mind.thaler if supply >= armies[0] else 0.0
    mind.levy[county] = worth / armies[0]
    worth = _levied(rules, mind, 1) * (later + mind.exposed[DEPLOY3] * averted)
    mind.value[column, DEPLOY3] = worth - prices[1] * mind.thaler if supply >= armies[1] else 0.0
    worth = one * (later + mind.exposed[DEPLOY1] * averted) + marching
    mind.value[column, DEPLOY1] = worth - prices[2] * mind.thaler if supply >= armies[2] else 0.0


@kernel
def _levied(rules, mind, place):
    """The share of the armies of deploy 5 or 3 that comes, over the events that may come (B4.5)."""
    return 1.0 - _LEVIES_LOSS * rules.levy_loss[place] * mind.effect_chance[SMALL_LEVIES]


@kernel
def _duty_worth(game, rules, mind, seat, county, targets):
    """What the duty to move costs: one army goes to an own neighbour or, without one, attacks (B5.8 [A7])."""
    averted = best_march(game, rules, mind, seat, county, 1, True)
    if mind.target == NOWHERE:
        averted = best_attack(game, rules, mind, seat, 1, targets)
        if mind.target == NOWHERE:
            return 0.0  # nowhere to go
    return min(0.0, averted - exposure(game, rules, mind, seat, county, game.army[county] - 1))


@kernel
def _collecting_risk(game, rules, mind, seat, county):
    """What collecting costs: the marker that is placed, and the revolt that markers bring at once (B5.5)."""
    left = float(WINTER - game.season)
    cost = mind.weight[MARKER] * left
    markers = game.marker[county]
    if markers > 0:
        peasants = rules.revolt_peasants * (markers + rules.own_marker_revolts)  # [A16]
        held = win_chance(game, rules, seat, game.army[county], PEASANTS, peasants, False)
        cost = held * cost + (1.0 - held) * mind.worth[county] + mind.weight[ARMY] * peasants
    return cost
