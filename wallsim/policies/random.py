"""The reference policy `random`: every choice uniform among the legal ones. It is not meant to play well."""

import numpy as np

from wallsim.jit import count_bits, kernel, lowest_bit
from wallsim.mechanics.auction import auction_stays_empty
from wallsim.rules.terms import (
    ACTION_CARDS,
    AUCTION,
    BOXES,
    COURT_3,
    FEW_COUNTIES,
    MAX_PLAYERS,
    MONEY,
    MONEY_CARDS,
    NO_CARD,
    TOWER_CARD,
    TOWER_CARDS,
)
from wallsim.state.game import own_neighbours
from wallsim.state.random import SEAT, below, coin

_BOX_MASKS = [[box for box in range(MAX_PLAYERS) if mask >> box & 1] for mask in range(1 << MAX_PLAYERS)]
_NTH_BOX = np.array([boxes + [0] * (MAX_PLAYERS - len(boxes)) for boxes in _BOX_MASKS])  # by mask of boxes, and n


@kernel
def random_member(game, stream, mask):
    """A uniform member of a non-empty bit mask."""
    for _ in range(below(game, stream, count_bits(mask))):
        mask &= mask - 1
    return lowest_bit(mask)


@kernel(distinct=True)
def random_plan(game, rules, mind, seat):
    """One card for the auction, uniform among the legal ones; then cards and the other boxes paired at random."""
    counties = 0
    land = game.land[seat]
    while land != 0:
        mind.hand[counties] = lowest_bit(land)
        land &= land - 1
        counties += 1
    for value in range(MONEY_CARDS):
        mind.hand[counties + value] = MONEY + value
    if rules.court or rules.first_edition or counties <= FEW_COUNTIES:
        _pair_cards_and_boxes(game, rules, mind, seat, counties)
        return
    _bid(game, rules, mind, seat, counties, 0)
    for box in range(rules.boxes - 1):  # the ten actions; a constant would make the compiler unroll the loop tenfold
        mind.plan[box] = _card_for(game, mind, seat, counties + MONEY_CARDS - 1, box)


@kernel(apart=True)
def _pair_cards_and_boxes(game, rules, mind, seat, counties):
    """With the court's boxes, no auction, or too few cards: which boxes stay empty is random as well (B3.2, E3, V1)."""
    cards, boxes, towers = counties + MONEY_CARDS, ACTION_CARDS, 0
    for box in range(ACTION_CARDS):
        mind.box[box] = box
    if rules.court:
        towers = TOWER_CARDS
        for box in range(COURT_3, BOXES):
            mind.box[boxes] = box
            boxes += 1
    if auction_stays_empty(rules, counties):
        mind.plan[AUCTION] = NO_CARD
    elif _bid(game, rules, mind, seat, counties, towers):
        towers -= 1
    else:
        cards -= 1
    for _ in range(towers):
        mind.hand[cards] = TOWER_CARD
        cards += 1
    if cards < boxes:
        for box in range(boxes):
            mind.plan[mind.box[box]] = NO_CARD
        for box in range(cards):
            other = box + below(game, SEAT + seat, boxes - box)
            mind.box[box], mind.box[other] = mind.box[other], mind.box[box]
    for box in range(min(cards, boxes)):
        mind.plan[mind.box[box]] = _card_for(game, mind, seat, cards, box)


@kernel
def _bid(game, rules, mind, seat, counties, towers):
    """Take the auction's card from the counties and money cards in the hand, or a dice-tower card: then True."""
    bids = MONEY_CARDS
    if rules.money_bid_held:
        bids = min(bids, game.thalers[seat] + 1)
    chosen = below(game, SEAT + seat, counties + bids + towers)
    if chosen >= counties + bids:
        mind.plan[AUCTION] = TOWER_CARD
        return True
    mind.plan[AUCTION] = mind.hand[chosen]
    mind.hand[chosen] = mind.hand[counties + MONEY_CARDS - 1]
    return False


@kernel
def _card_for(game, mind, seat, cards, place):
    """A uniform card of those in the hand from `place` on; the card at `place` takes its place."""
    chosen = place + below(game, SEAT + seat, cards - place)
    card = mind.hand[chosen]
    mind.hand[chosen] = mind.hand[place]
    return card


@kernel
def random_place(game, seat, free):
    """A uniform free box of the mask."""
    return _NTH_BOX[free, below(game, SEAT + seat, count_bits(free))]


@kernel
def random_move(game, rules, mind, seat, county):
    """After deploying one army: half the time stay, else a uniform own neighbour and number."""
    mind.armies = 0
    if not coin(game, SEAT + seat):
        random_recruits_move(game, rules, mind, seat, county)


@kernel
def random_recruits_move(game, rules, mind, seat, county):
    """A uniform own neighbour and number of armies, if there is one to go to and one that may go."""
    destinations = own_neighbours(game, rules, seat, county)
    if destinations != 0 and game.army[county] >= 2:
        mind.target = random_member(game, SEAT + seat, destinations)
        mind.armies = 1 + below(game, SEAT + seat, game.army[county] - 1)


@kernel
def random_attack(game, rules, mind, seat, county, targets):
    """Move or attack: a uniform target of the mask, a uniform number of armies; the county has at least two."""
    if targets == rules.neighbours[county]:  # the rule: picking from a list is faster than from a mask
        mind.target = rules.neighbour[county, below(game, SEAT + seat, rules.neighbour_count[county])]
    else:
        mind.target = random_member(game, SEAT + seat, targets)
    mind.armies = 1 + below(game, SEAT + seat, game.army[county] - 1)


@kernel
def random_claim(game, seat):
    """0 or 1 for an open county card, 2 for the top of the deck."""
    return below(game, SEAT + seat, 3)


@kernel
def random_garrison(game, seat):
    """The index of one of the army groups left, each equally likely (groups, not sizes)."""
    return below(game, SEAT + seat, game.groups[seat])


@kernel
def random_defend(game, seat, county):
    """A uniform number of the county's armies, at least one."""
    return 1 + below(game, SEAT + seat, game.army[county])


@kernel
def random_draft_leader(game, seat):
    """True with the chance that makes each claimed county equally likely to get the leader; one is still to come."""
    return below(game, SEAT + seat, game.groups[seat] + 1) == 0
