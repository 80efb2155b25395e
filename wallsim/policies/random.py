"""The reference policy `random`: every choice uniform among the legal ones. It is not meant to play well."""

import numpy as np

from wallsim.jit import count_bits, kernel, lowest_bit
from wallsim.mechanics.combat import legal_targets
from wallsim.rules.terms import ACTION_CARDS, AUCTION, MAX_PLAYERS, MONEY, MONEY_CARDS, NO_CARD
from wallsim.state.random import SEAT, below, coin

_BOX_MASKS = [[box for box in range(MAX_PLAYERS) if mask >> box & 1] for mask in range(1 << MAX_PLAYERS)]
_NTH_BOX = np.array([boxes + [0] * (MAX_PLAYERS - len(boxes)) for boxes in _BOX_MASKS])  # by mask of boxes, and n


@kernel
def random_member(game, stream, mask):
    """A uniform member of a non-empty bit mask."""
    for _ in range(below(game, stream, count_bits(mask))):
        mask &= mask - 1
    return lowest_bit(mask)


@kernel
def random_plan(game, rules, mind, seat):
    """One card for the auction, uniform among the legal ones; then cards and action boxes paired at random."""
    stream = SEAT + seat
    cards = 0
    land = game.land[seat]
    while land != 0:
        mind.hand[cards] = lowest_bit(land)
        land &= land - 1
        cards += 1
    bids = MONEY_CARDS
    if rules.money_bid_held:
        bids = min(bids, game.thalers[seat] + 1)
    for value in range(MONEY_CARDS):
        mind.hand[cards + value] = MONEY + value
    chosen = below(game, stream, cards + bids)
    cards += MONEY_CARDS - 1
    mind.plan[AUCTION] = mind.hand[chosen]
    mind.hand[chosen] = mind.hand[cards]

    for box in range(ACTION_CARDS):
        mind.box[box] = box
    if cards < ACTION_CARDS:  # which boxes stay empty is chance as well
        for box in range(ACTION_CARDS):
            mind.plan[box] = NO_CARD
        for box in range(cards):
            other = box + below(game, stream, ACTION_CARDS - box)
            mind.box[box], mind.box[other] = mind.box[other], mind.box[box]
    for box in range(min(cards, ACTION_CARDS)):
        chosen = box + below(game, stream, cards - box)
        card = mind.hand[chosen]
        mind.hand[chosen] = mind.hand[box]
        mind.plan[mind.box[box]] = card


@kernel
def random_box(game, seat, free):
    """A uniform free box of the mask."""
    return _NTH_BOX[free, below(game, SEAT + seat, count_bits(free))]


@kernel
def random_march(game, rules, mind, seat, county):
    """After deploying one army: half the time stay, else a uniform own neighbour and number."""
    mind.armies = 0
    if coin(game, SEAT + seat):
        return
    destinations = rules.neighbours[county] & game.land[seat]
    if destinations != 0 and game.army[county] >= 2:
        mind.target = random_member(game, SEAT + seat, destinations)
        mind.armies = 1 + below(game, SEAT + seat, game.army[county] - 1)


@kernel
def random_strike(game, rules, mind, seat, county):
    """Always move or attack if it can: a uniform legal target, a uniform number of armies."""
    mind.armies = 0
    if game.army[county] < 2:
        return
    targets = legal_targets(game, rules, seat, county)
    if targets == rules.neighbours[county]:  # the rule: picking from a list is faster than from a mask
        mind.target = rules.neighbour[county, below(game, SEAT + seat, rules.neighbour_count[county])]
        mind.armies = 1 + below(game, SEAT + seat, game.army[county] - 1)
    elif targets != 0:
        mind.target = random_member(game, SEAT + seat, targets)
        mind.armies = 1 + below(game, SEAT + seat, game.army[county] - 1)


@kernel
def random_county_card(game, seat):
    """0 or 1 for an open county card, 2 for the top of the deck."""
    return below(game, SEAT + seat, 3)


@kernel
def random_group(game, seat):
    """The index of one of the army groups left, each equally likely (groups, not sizes)."""
    return below(game, SEAT + seat, game.groups[seat])
