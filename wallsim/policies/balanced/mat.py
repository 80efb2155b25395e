"""Filling the mat in special cases: leader's bonuses, court boxes, an auction that stays empty.

The planner has written the worths of county and money cards; here they are corrected, dice-tower cards are added, and
the boxes are filled once for every set of court boxes that may be worth its courtiers (B3.2, E3, M2, V1).

A petition is a set of the boxes 3, 2 and 1 on which a county or a dice-tower card is to lie, as a mask of box numbers
counted from the box 3: courtiers are weighed against the armies and cubes they cost (E3, E4).
"""

from wallsim.jit import count_bits, kernel, lowest_bit
from wallsim.mechanics.auction import auction_stays_empty
from wallsim.mechanics.court import courtiers_of
from wallsim.policies.balanced.appraisal import building_worth, expected_grain, grain_worth
from wallsim.policies.balanced.assignment import assign, assign_again
from wallsim.policies.balanced.favors import appraise_favors, expect_audience
from wallsim.policies.balanced.moves import exposure, part_attacks
from wallsim.policies.balanced.purse import is_covered, share_purse
from wallsim.policies.weights import ARMY, CREDIT, LAST_TAXES, SECOND_ATTACK, TRAY
from wallsim.rules.terms import (
    AUCTION,
    BUILDINGS,
    COURT_3,
    COURTIERS,
    DEPLOY1,
    DEPLOY5,
    GRAIN,
    MONEY_CARDS,
    NO_CARD,
    SHOWN_FAVORS,
    TAXES,
    TOWER_CARD,
    TOWER_CARDS,
)

COURT_BOXES = SHOWN_FAVORS
_COURT = ((1 << COURT_BOXES) - 1) << COURT_3  # as a mask of the mat
PETITIONS = 1 << COURT_BOXES
COURT_SET = 1e3  # added to a card that fulfils a petition: above any sum of worths
_GONE = 0.3  # share of an army's worth that is lost when it goes to the supply
_NEVER = -1e6
_OUT_OF_REACH = 1e6


@kernel
def appraise_petitions(game, rules, mind, seat, counties):
    """Note what coming to the audience is worth by courtiers, and what a county's armies cost on each court box."""
    appraise_favors(game, rules, mind, seat)
    for courtiers in range(COURTIERS + 1):
        mind.audience_worth[courtiers] = expect_audience(game, rules, mind, seat, courtiers)
    for index in range(COURT_BOXES):
        amount = courtiers_of(COURT_3 + index)
        for column in range(counties):
            county = mind.hand[column]
            kept = game.army[county] - amount
            cost = _OUT_OF_REACH
            if kept >= 1:
                cost = _GONE * amount * mind.weight[ARMY] + exposure(game, rules, mind, seat, county, kept)
            mind.petition_cost[index, column] = cost


@kernel
def _courtiers_sent(petition):
    """The courtiers of all boxes of a petition, 0 to 6."""
    sent = 0
    for index in range(COURT_BOXES):
        sent += courtiers_of(COURT_3 + index) * ((petition >> index) & 1)
    return sent


@kernel
def gain_of(game, mind, seat, petition):
    """What the courtiers of a petition add to the worth of the audience."""
    hall = game.hall[seat]
    return mind.audience_worth[min(COURTIERS, hall + _courtiers_sent(petition))] - mind.audience_worth[hall]


@kernel
def _boxes_by_tower(game, seat, petition):
    """The boxes of a petition on which dice-tower cards may lie: the tray has cubes for all of them (E4)."""
    chosen, most = 0, 0
    for boxes in range(PETITIONS):
        cubes = _courtiers_sent(boxes)
        if boxes & ~petition == 0 and most < cubes <= game.tray[seat]:
            chosen, most = boxes, cubes
    return chosen


@kernel
def _cube_cost(mind):
    return mind.weight[TRAY] * mind.weight[ARMY]


@kernel
def is_hopeless(game, mind, seat, petition, counties, lead):
    """Whether a petition cannot make a plan better than the best so far, which leads the plan without any by `lead`."""
    if game.hall[seat] + _courtiers_sent(petition) > COURTIERS:
        return True
    by_tower = _boxes_by_tower(game, seat, petition)
    least = 0.0
    for index in range(COURT_BOXES):
        if (petition >> index) & 1:
            cheapest = _OUT_OF_REACH
            if (by_tower >> index) & 1:
                cheapest = _cube_cost(mind) * courtiers_of(COURT_3 + index)
            for column in range(counties):
                cheapest = min(cheapest, mind.petition_cost[index, column])
            least += cheapest
    return gain_of(game, mind, seat, petition) - least <= lead


@kernel
def price_court_boxes(game, mind, seat, petition, counties, cards, columns, no_bid):
    """Write the worths of all cards on the court boxes: what fulfils the petition counts as much as `COURT_SET`.

    On a box of no petition a county whose armies would go all the same costs them; others pass there (E3).
    """
    by_tower = _boxes_by_tower(game, seat, petition)
    for index in range(COURT_BOXES):
        box = COURT_3 + index
        chosen, tower = (petition >> index) & 1, (by_tower >> index) & 1
        amount = courtiers_of(box)
        for column in range(counties):
            cost = mind.petition_cost[index, column]
            able = cost < _OUT_OF_REACH
            mind.value[column, box] = (COURT_SET * chosen - cost) if able else 0.0
        for column in range(counties, counties + MONEY_CARDS):
            mind.value[column, box] = 0.0
        for column in range(counties + MONEY_CARDS, cards):
            passes = game.tray[seat] < amount and not chosen
            mind.value[column, box] = 0.0 if passes else _NEVER
            if tower:
                mind.value[column, box] = COURT_SET - amount * _cube_cost(mind)
        for column in range(cards, columns):
            mind.value[column, box] = 0.0
        if no_bid:
            mind.value[cards, box] = _NEVER  # the column of the auction that stays empty


_WORST = -1e18


@kernel(apart=True, distinct=True)
def fill_mat(game, rules, mind, seat, cards):
    """Fill `mind.plan` with the best cards and return their worth.

    The columns up to `cards` hold counties and money with their worths.
    """
    counties = cards - MONEY_CARDS
    if rules.leaders and game.leader[seat] != 0:
        _add_leaders_bonus(game, rules, mind, seat, counties)
    if rules.court:
        cards = _add_tower_cards(mind, cards)
        appraise_petitions(game, rules, mind, seat, counties)
    boxes = rules.boxes
    columns = cards
    no_bid = auction_stays_empty(rules, counties)
    if no_bid:
        columns = _close_auction(mind, boxes, cards)
    for column in range(cards, max(columns, boxes)):
        mind.hand[column] = NO_CARD
    for column in range(columns, boxes):  # boxes that must stay empty
        for box in range(boxes):
            mind.value[column, box] = 0.0
        if no_bid:
            mind.value[column, AUCTION] = _NEVER
    columns = max(columns, boxes)

    best, plain, chosen, covered = _WORST, _WORST, 0, True
    for petition in range(PETITIONS if rules.court else 1):
        if rules.court:
            if petition != 0 and is_hopeless(game, mind, seat, petition, counties, best - plain):
                continue
            price_court_boxes(game, mind, seat, petition, counties, cards, columns, no_bid)
        if petition == 0:
            assign(mind, boxes, columns)
        else:
            assign_again(mind, boxes, columns, _COURT)
        worth = _worth_of_plan(game, rules, mind, seat, petition)
        plain = worth if petition == 0 else plain
        if worth > best:
            best, chosen, covered = worth, petition, is_covered(game, rules, mind, seat)
            _put_down(rules, mind)
    if mind.weight[SECOND_ATTACK] < 1.0:
        if rules.court:
            price_court_boxes(game, mind, seat, chosen, counties, cards, columns, no_bid)
            assign_again(mind, boxes, columns, _COURT)
        changed = part_attacks(game, rules, mind, seat)
        if changed != 0:
            assign_again(mind, boxes, columns, changed)
            _put_down(rules, mind)
            best, covered = _worth_of_plan(game, rules, mind, seat, chosen), is_covered(game, rules, mind, seat)
    if not covered:
        if rules.court:
            price_court_boxes(game, mind, seat, chosen, counties, cards, columns, no_bid)
            assign_again(mind, boxes, columns, _COURT)
        assign_again(mind, boxes, columns, share_purse(game, rules, mind, seat, counties, columns))
        _put_down(rules, mind)
        best = _worth_of_plan(game, rules, mind, seat, chosen)
    return best


@kernel
def _worth_of_plan(game, rules, mind, seat, petition):
    worth = gain_of(game, mind, seat, petition) if rules.court else 0.0
    for box in range(rules.boxes):
        worth += mind.value[mind.chosen[box], box]
    return worth - COURT_SET * count_bits(petition)


@kernel
def _put_down(rules, mind):
    for box in range(rules.boxes):
        mind.plan[box] = mind.hand[mind.chosen[box]]


@kernel
def _add_leaders_bonus(game, rules, mind, seat, counties):
    """Correct the worths of the leader's county: cheaper buildings, more grain, Thalers and armies (M2)."""
    county = lowest_bit(game.leader[seat])
    column = counties
    for other in range(counties):
        column = other if mind.hand[other] == county else column
    lost = 1.0
    for kind in range(len(BUILDINGS)):
        price = rules.building_price[kind]
        reduced = max(0, price - rules.leader_building_discount)
        plain = building_worth(game, rules, mind, seat, county, kind, price)
        if plain != 0.0:
            lost = mind.value[column, kind] / plain
            mind.value[column, kind] = lost * building_worth(game, rules, mind, seat, county, kind, reduced)
            if reduced <= game.thalers[seat] < price:  # only here it can be paid for, unless taxes come first
                mind.value[column, kind] *= 2.0 - mind.weight[CREDIT]
    taxes = mind.thaler * (mind.weight[LAST_TAXES] if mind.rounds == 1.0 else 1.0)
    mind.value[column, TAXES] += taxes * rules.leader_taxes_thalers
    grain = expected_grain(rules, mind, county)
    mind.value[column, GRAIN] += grain_worth(mind, grain + rules.leader_grain_grain) - grain_worth(mind, grain)
    for action in range(DEPLOY5, DEPLOY1 + 1):
        mind.value[column, action] += mind.weight[ARMY] * rules.leader_deploy_armies


@kernel
def _add_tower_cards(mind, cards):
    """Give the three dice-tower cards columns: they pass on actions and bid nothing (E3)."""
    for _ in range(TOWER_CARDS):
        mind.hand[cards] = TOWER_CARD
        for box in range(AUCTION):
            mind.value[cards, box] = 0.0
        mind.value[cards, AUCTION] = mind.bid_worth[0]
        cards += 1
    return cards


@kernel
def _close_auction(mind, boxes, cards):
    """Keep every card off the auction by a column that nothing else may take; returns the columns."""
    for box in range(boxes):
        mind.value[cards, box] = _NEVER
    for column in range(cards):
        mind.value[column, AUCTION] = _NEVER
    mind.value[cards, AUCTION] = 0.0
    return cards + 1
