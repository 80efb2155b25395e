"""What places and tiles are worth to a plan, and what to bid for them (B4)."""

from wallsim.jit import kernel, lowest_bit
from wallsim.policies.balanced.appraisal import grain_worth, look_at_events
from wallsim.policies.weights import COUNTY_BID, PLACE, RIVALS_BID, TILE
from wallsim.rules.terms import (
    COMBAT_A,
    COMBAT_B,
    COUNTIES,
    DEPLOY5,
    GRAIN,
    MAX_PLAYERS,
    SMALL_LEVIES,
    TAXES,
    TILE_ATTACK,
    TILE_DEFENCE,
    TILE_GRAIN,
    TILE_SIX_ARMIES,
    TILE_THALER,
    TILES,
)

CARD_BID = 5  # bids: money 0 to 4, then a county card
_OUTBID = (0.95, 0.62, 0.4, 0.2, 0.05, 0.8)  # chance that one eager rival's bid beats a bid of 0..4, county
_ONE_MORE = 0.35  # share of its worth that the last Thaler of many has
_FAR = 1e9  # VP, above the worth of any box
_DEFENDER, _DEFENDER_AT_MOST = 0.25, 1.0  # share of the danger that the defence tile averts, and VP at most


@kernel
def appraise_prospects(mind, counties):
    """While planning: note what one more attacker, one more army deployed and one more yield are likely to bring.

    Two attacks are expected of the counties in hand that promise most, and five armies where they do most.
    """
    first, second, levy, best = 0.0, 0.0, 0.0, 0.0
    for column in range(counties):
        county = mind.hand[column]
        helped = mind.helped[county] if mind.value[column, COMBAT_A] > 0.0 else 0.0
        second = max(second, min(first, helped))
        first = max(first, helped)
        better = mind.value[column, DEPLOY5] > best
        levy = mind.levy[county] if better else levy
        best = mind.value[column, DEPLOY5] if better else best
    mind.helper_worth = first + second
    mind.levy_worth = levy
    mind.pays_taxes, mind.reaps = 1.0, 1.0


@kernel
def _has_county(game, seat, action):
    """Whether a county card lies on the seat's box of an action."""
    return 0 <= game.card[seat, action] < COUNTIES


@kernel
def _look_at_own_cards(game, mind, seat):
    """With the cards on the mat: note the same of the actions that were planned."""
    mind.helper_worth = 0.0
    for action in range(COMBAT_A, COMBAT_B + 1):
        if _has_county(game, seat, action):
            mind.helper_worth += mind.helped[game.card[seat, action]]
    mind.levy_worth = mind.levy[game.card[seat, DEPLOY5]] if _has_county(game, seat, DEPLOY5) else 0.0
    mind.pays_taxes = 1.0 if _has_county(game, seat, TAXES) else 0.0
    mind.reaps = 1.0 if _has_county(game, seat, GRAIN) else 0.0


@kernel
def _armies_more(rules, mind):
    """The armies that the tile adds to deploy 5, over the events that may come (B4.4, B4.5)."""
    more = max(0, rules.tile_deploy5_armies - rules.deploy_armies[0])
    of_levies = max(0, rules.tile_deploy5_armies - rules.levy_armies[0])
    return more + mind.effect_chance[SMALL_LEVIES] * (of_levies - more)


@kernel
def appraise_boxes(game, rules, mind, seat):
    """Fill `mind.box_worth` with the worth of each box: its place in the order and its tile."""
    land = game.land[seat]
    threatened = 0.0
    while land != 0:
        threatened += mind.danger[lowest_bit(land)]
        land &= land - 1
    # Every tile lies on a box. In the order of the tiles no branch depends on how they were shuffled.
    brings = mind.tile_worth
    brings[TILE_THALER] = mind.pays_taxes * _ONE_MORE * mind.thaler * rules.tile_taxes_thalers
    brings[TILE_GRAIN] = mind.reaps * grain_worth(mind, float(rules.tile_grain_grain))
    brings[TILE_SIX_ARMIES] = _armies_more(rules, mind) * mind.levy_worth
    brings[TILE_ATTACK] = mind.helper_worth * rules.tile_attack_armies
    averted = min(_DEFENDER * threatened, _DEFENDER_AT_MOST)
    brings[TILE_DEFENCE] = mind.weight[TILE] * averted * rules.tile_defence_armies
    for box in range(MAX_PLAYERS):
        tile = game.tile_on_box[box]
        known = (mind.unaware >> tile) & 1 == 0
        earlier = 0 if (mind.unaware >> len(TILES)) & 1 else MAX_PLAYERS - 1 - box
        mind.box_worth[box] = mind.weight[PLACE] * earlier + (brings[tile] if known else 0.0)


@kernel
def _best_and_left(rules, mind):
    """The worth of the best box, and of that which is left if all rivals choose alike before."""
    best, least, second, third = -_FAR, _FAR, _FAR, _FAR
    for box in range(MAX_PLAYERS):
        worth = mind.box_worth[box]
        best = max(best, worth)
        third = min(third, max(second, worth))
        second = min(second, max(least, worth))
        least = min(least, worth)
    if rules.players == MAX_PLAYERS:
        return best, least
    return best, second if rules.players == MAX_PLAYERS - 1 else third


@kernel
def appraise_bids(rules, mind):
    """Write the worth of bids 0..4 and of a county card: that of the box it is likely to win, money aside."""
    best, last = _best_and_left(rules, mind)
    for bid in range(CARD_BID + 1):
        behind = min(1.0, _OUTBID[bid] * mind.weight[RIVALS_BID])
        mind.bid_worth[bid] = best + (last - best) * behind
    mind.bid_worth[CARD_BID] += mind.weight[COUNTY_BID]


@kernel(apart=True, distinct=True)
def choose_place(game, rules, mind, seat, free):
    """The free box of greatest worth to what was planned, now that the event is known."""
    look_at_events(game, rules, mind, seat)
    _look_at_own_cards(game, mind, seat)
    appraise_boxes(game, rules, mind, seat)
    best, chosen = -1e9, 0
    for box in range(MAX_PLAYERS):
        if (free >> box) & 1 and mind.box_worth[box] > best:
            best, chosen = mind.box_worth[box], box
    return chosen
