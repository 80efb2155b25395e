"""Seat 0 turns its last Thaler into one victory point, and nobody keeps it from doing so.

It owns two counties of one region. In the first spring it builds a trading post in the first of them, the only one that
anybody but it could ever build, and in the last fall, if it can pay for it, one in the second. That second post scores
its own point, while the majority of the region's trading posts is seat 0's already (B7.4). Its other counties and money
go to palaces, churches and armies at random; it attacks nobody and collects nothing, so it causes no revolts. The
others choose at random, but build no trading posts and do not attack seat 0.

That is exact where seats need not attack (the switch `combat` is `may`), and seat 0 has grain in winter.
"""

from wallsim.jit import count_bits, kernel, lowest_bit
from wallsim.policies.random import random_attack, random_member, random_move, random_place, random_plan
from wallsim.rules.terms import (
    AUCTION,
    CHURCH,
    COMBAT_A,
    COMBAT_B,
    DEPLOY1,
    DEPLOY3,
    DEPLOY5,
    GRAIN,
    MONEY,
    MONEY_CARDS,
    PALACE,
    REGIONS,
    TAXES,
    TRADING_POST,
)
from wallsim.state.random import SEAT

MERCHANT = 0
_RANDOM_BOXES = (PALACE, CHURCH, DEPLOY5, DEPLOY3, COMBAT_A, COMBAT_B)
_PASSES = (TRADING_POST, TAXES, GRAIN, DEPLOY1)
_LAST_YEAR, _FALL = 1, 2


@kernel
def neighbours_in_trade(game, rules):
    """The mask of two of the merchant's counties in the first region where it has two."""
    for region in range(REGIONS):
        counties = game.land[MERCHANT] & rules.region_counties[region]
        if count_bits(counties) > 1:
            first = counties & -counties
            rest = counties ^ first
            return first | (rest & -rest)
    return 0


@kernel
def plan_of_merchant(game, rules, mind):
    """All eight counties or six of them lie on boxes, and money on the others, nothing of it as a bid."""
    pair = neighbours_in_trade(game, rules)
    counties = game.land[MERCHANT] & ~pair
    for box in _RANDOM_BOXES:
        county = random_member(game, SEAT + MERCHANT, counties)
        counties ^= 1 << county
        mind.plan[box] = county
    mind.plan[AUCTION] = MONEY
    value = 1
    for box in _PASSES:
        mind.plan[box] = MONEY + value
        value += 1
    if game.year == 0 and game.season == 0:
        mind.plan[TRADING_POST] = lowest_bit(pair)
    elif game.year == _LAST_YEAR and game.season == _FALL:
        mind.plan[TRADING_POST] = lowest_bit(pair & (pair - 1))


@kernel
def leave_trade_alone(rules, mind):
    """A money card takes the place of a county card on the box of trading posts."""
    if mind.plan[TRADING_POST] >= MONEY or mind.plan[TRADING_POST] < 0:
        return
    for value in range(MONEY_CARDS):
        used = False
        for box in range(rules.boxes):
            used |= mind.plan[box] == MONEY + value
        if not used:
            mind.plan[TRADING_POST] = MONEY + value
            return
    for box in range(AUCTION):
        if mind.plan[box] >= MONEY:
            mind.plan[TRADING_POST], mind.plan[box] = mind.plan[box], mind.plan[TRADING_POST]
            return


def plan(game, rules, mind, seat):
    """The merchant's plan, or one at random without trading posts."""
    if seat == MERCHANT:
        plan_of_merchant(game, rules, mind)
    else:
        random_plan(game, rules, mind, seat)
        leave_trade_alone(rules, mind)


def place(game, rules, mind, seat, free):
    """Any place."""
    return random_place(game, seat, free)


def move(game, rules, mind, seat, county):
    """Any move."""
    random_move(game, rules, mind, seat, county)


def attack(game, rules, mind, seat, county, targets):
    """Any move or attack but on the merchant, who stays."""
    allowed = targets & ~game.land[MERCHANT]
    if seat != MERCHANT and allowed != 0:
        random_attack(game, rules, mind, seat, county, allowed)
