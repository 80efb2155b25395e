"""What places and tiles are worth, and what to bid for them (B4)."""

from wallsim.jit import kernel, lowest_bit
from wallsim.policies.balanced.appraisal import grain_worth, look_at_events
from wallsim.policies.weights import ARMY, PLACE, RIVALS_BID, TILE
from wallsim.rules.terms import (
    MAX_PLAYERS,
    TILE_ATTACK,
    TILE_DEFENCE,
    TILE_GRAIN,
    TILE_SIX_ARMIES,
    TILE_THALER,
)

COUNTY_BID = 5  # bids: money 0 to 4, then a county card
_OUTBID = (0.95, 0.62, 0.4, 0.2, 0.05, 0.8)  # chance that one eager rival's bid beats a bid of 0..4, county

_SIXTH_ARMY, _ATTACKER = 0.1, 0.3  # VP of these tiles beyond the army they bring
_DEFENDER, _DEFENDER_AT_MOST = 0.25, 1.0  # share of the danger that the defence tile averts, and VP at most


@kernel
def appraise_boxes(game, mind, seat):
    """Fill `mind.box_worth` with the worth of each box: its place in the order and its tile."""
    land = game.land[seat]
    threatened = 0.0
    while land != 0:
        threatened += mind.danger[lowest_bit(land)]
        land &= land - 1
    for box in range(MAX_PLAYERS):
        tile = game.tile_on_box[box]
        brings = 0.0
        if tile == TILE_THALER:
            brings = mind.thaler
        elif tile == TILE_GRAIN:
            brings = grain_worth(mind, 1.0)
        elif tile == TILE_SIX_ARMIES:
            brings = mind.weight[ARMY] + _SIXTH_ARMY
        elif tile == TILE_ATTACK:
            brings = mind.weight[ARMY] + _ATTACKER
        elif tile == TILE_DEFENCE:
            brings = min(_DEFENDER * threatened, _DEFENDER_AT_MOST)
        mind.box_worth[box] = mind.weight[PLACE] * (MAX_PLAYERS - 1 - box) + mind.weight[TILE] * brings


@kernel
def _rank_worth(mind, rank):
    """The worth of the box of this rank, 0 the best: what is left if so many rivals choose alike before."""
    rank_worth = 0.0
    for box in range(MAX_PLAYERS):
        worth = mind.box_worth[box]
        better = 0
        for other in range(MAX_PLAYERS):
            better += mind.box_worth[other] > worth or (mind.box_worth[other] == worth and other < box)
        rank_worth = worth if better == rank else rank_worth
    return rank_worth


@kernel
def appraise_bids(rules, mind):
    """Write the worth of bids 0..4 and of a county card: that of the box it is likely to win, money aside."""
    best = _rank_worth(mind, 0)
    last = _rank_worth(mind, rules.players - 1)
    for bid in range(COUNTY_BID + 1):
        behind = min(1.0, _OUTBID[bid] * mind.weight[RIVALS_BID])
        mind.bid_worth[bid] = best + (last - best) * behind


@kernel(apart=True)
def choose_place(game, rules, mind, seat, free):
    """The free box of greatest worth, now that the event is known."""
    look_at_events(game, rules, mind, seat)
    appraise_boxes(game, mind, seat)
    best, chosen = -1e9, 0
    for box in range(MAX_PLAYERS):
        if (free >> box) & 1 and mind.box_worth[box] > best:
            best, chosen = mind.box_worth[box], box
    return chosen
