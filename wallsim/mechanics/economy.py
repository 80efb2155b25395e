"""Building, collecting and deploying (B5.2 to B5.7). Each kernel returns an outcome: DONE or why it was skipped."""

from wallsim.jit import kernel
from wallsim.rules.terms import (
    BUILDING_PRICE,
    DEPLOY1_PRICE,
    DEPLOY3_ARMIES,
    DEPLOY3_LEVIES,
    DEPLOY3_PRICE,
    DEPLOY5,
    DEPLOY5_ARMIES,
    DEPLOY5_LEVIES,
    DEPLOY5_PRICE,
    DONE,
    FOOD_TRACK_END,
    GRAIN_AT_LEAST,
    GRAIN_AT_MOST,
    GRAIN_MAX_3,
    GRAIN_MIN_4,
    NO_ARMIES,
    NO_MONEY,
    NO_SITE,
    NO_TILE_LEFT,
    SMALL_LEVIES,
    TAX_AT_LEAST,
    TAX_AT_MOST,
    TAX_MAX_5,
    TAX_MIN_6,
    TILE_ARMIES,
    TILE_GRAIN,
    TILE_SIX_ARMIES,
    TILE_THALER,
    TRADING_POST,
    TRADING_POST_CALMS,
)
from wallsim.state import tally
from wallsim.state.land import buildings_in, has_building, stock


@kernel
def site_outcome(game, rules, county, kind):
    """DONE if a building of `kind` may stand in the county, money aside (B5.3, B0.3)."""
    if has_building(game, county, kind) or buildings_in(game, county) >= rules.sites[county]:
        return NO_SITE
    if stock(game, kind) == 0:
        return NO_TILE_LEFT
    return DONE


@kernel
def build(game, rules, seat, county, kind):
    """Pay 3, 2 or 1 Thalers and put up a palace, church or trading post (B5.3)."""
    outcome = site_outcome(game, rules, county, kind)
    if outcome != DONE:
        return outcome
    price = BUILDING_PRICE[kind]
    if game.thalers[seat] < price:
        return NO_MONEY
    game.thalers[seat] -= price
    game.tally[seat, tally.PAID_BUILDING + kind] += price
    game.built[kind] |= 1 << county
    if kind == TRADING_POST and game.effect == TRADING_POST_CALMS and game.marker[county] > 0:
        game.marker[county] -= 1
        game.markers_left += 1
        game.tally[seat, tally.MARKERS_REMOVED] += 1
    return DONE


@kernel
def tax_yield(game, rules, seat, county):
    """What taxes bring in this county now: the event first, then the tile (B4.5, B5.4)."""
    amount = rules.tax[county]
    if game.effect == TAX_MAX_5:
        amount = min(amount, TAX_AT_MOST)
    elif game.effect == TAX_MIN_6:
        amount = max(amount, TAX_AT_LEAST)
    return amount + (game.tile[seat] == TILE_THALER)


@kernel
def grain_yield(game, rules, seat, county):
    """What grain collecting brings in this county now: the event first, then the tile (B4.5, B5.4)."""
    amount = rules.grain[county]
    if game.effect == GRAIN_MAX_3:
        amount = min(amount, GRAIN_AT_MOST)
    elif game.effect == GRAIN_MIN_4:
        amount = max(amount, GRAIN_AT_LEAST)
    return amount + (game.tile[seat] == TILE_GRAIN)


@kernel
def collect_taxes(game, rules, seat, county):
    """Add the county's taxes to the seat's Thalers, as far as a limited bank [A2] has them; returns the gain."""
    amount = tax_yield(game, rules, seat, county)
    if rules.bank > 0:
        held = 0
        for other in range(rules.players):
            held += game.thalers[other]
        amount = max(0, min(amount, rules.bank - held))
    game.thalers[seat] += amount
    game.tally[seat, tally.TAXES_GAINED] += amount
    return amount


@kernel
def collect_grain(game, rules, seat, county):
    """Add the county's grain, up to the end of the food track (B0.6 [A1]); returns the gain before the cap."""
    amount = grain_yield(game, rules, seat, county)
    grain = game.grain[seat] + amount
    if rules.food_track_capped and grain > FOOD_TRACK_END:
        game.tally[seat, tally.GRAIN_OVER] += grain - FOOD_TRACK_END
        grain = FOOD_TRACK_END
    game.grain[seat] = grain
    game.tally[seat, tally.GRAIN_GAINED] += amount
    return amount


@kernel
def place_marker(game, seat, county):
    """Put a revolt marker into the county if one is left (B0.4, B5.5)."""
    if game.markers_left > 0:
        game.markers_left -= 1
        game.marker[county] += 1
        game.tally[seat, tally.MARKERS_PLACED] += 1


@kernel
def deploy(game, rules, seat, county, action):
    """Pay 3 for five armies or 2 for three, from the supply into the county (B5.6, B4.4, B4.5)."""
    large = action == DEPLOY5
    price = DEPLOY5_PRICE if large else DEPLOY3_PRICE
    needed = DEPLOY5_ARMIES if large else DEPLOY3_ARMIES
    if game.effect == SMALL_LEVIES:
        needed = DEPLOY5_LEVIES if large else DEPLOY3_LEVIES
    armies = TILE_ARMIES if large and game.tile[seat] == TILE_SIX_ARMIES else needed
    if rules.bonus_must_be_there:
        needed = armies
    if game.thalers[seat] < price:
        return NO_MONEY
    if game.supply[seat] < needed:
        return NO_ARMIES
    armies = min(armies, game.supply[seat])
    game.thalers[seat] -= price
    game.tally[seat, tally.PAID_DEPLOY5 + (action - DEPLOY5)] += price
    _put_armies(game, seat, county, armies)
    return DONE


@kernel
def deploy_one(game, seat, county):
    """Pay 1 Thaler and put one army into the county (B5.7); the move that may follow is `march`."""
    if game.thalers[seat] < DEPLOY1_PRICE:
        return NO_MONEY
    if game.supply[seat] < 1:
        return NO_ARMIES
    game.thalers[seat] -= DEPLOY1_PRICE
    game.tally[seat, tally.PAID_DEPLOY1] += DEPLOY1_PRICE
    _put_armies(game, seat, county, 1)
    return DONE


@kernel
def _put_armies(game, seat, county, armies):
    game.supply[seat] -= armies
    game.army[county] += armies
    game.tally[seat, tally.ARMIES_DEPLOYED] += armies


@kernel
def march(game, origin, destination, armies):
    """Move armies between two own adjacent counties; the caller leaves at least one behind (B5.7, B5.8)."""
    game.army[origin] -= armies
    game.army[destination] += armies
