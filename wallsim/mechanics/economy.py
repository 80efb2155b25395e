"""What a seat receives (B0.6, B0.7), and building, collecting, deploying and recruiting (B5.2 to B5.7, V3).

Kernels of actions return an outcome: DONE or why it was skipped.
"""

from wallsim.jit import kernel
from wallsim.rules.terms import (
    BENEFIT_GRAIN,
    BENEFIT_THALERS,
    BENEFIT_TRAY_ARMIES,
    BOTH,
    DEPLOY1,
    DEPLOY5,
    DONE,
    GRAIN_MAX_3,
    GRAIN_MIN_4,
    MARCH,
    NO_ARMIES,
    NO_MONEY,
    NO_SITE,
    NO_TILE_LEFT,
    RECRUIT,
    SMALL_LEVIES,
    TAX_MAX_5,
    TAX_MIN_6,
    TILE_GRAIN,
    TILE_SIX_ARMIES,
    TILE_THALER,
    TRADING_POST,
    TRADING_POST_CALMS,
)
from wallsim.state import tally
from wallsim.state.game import buildings_in, has_building, leads, own_neighbours, stock


@kernel
def gain_thalers(game, rules, seat, amount):
    """Add Thalers, as far as a limited bank [A2] has them (B0.7); returns the gain."""
    if rules.bank > 0:
        held = 0
        for other in range(rules.players):
            held += game.thalers[other]
        amount = max(0, min(amount, rules.bank - held))
    game.thalers[seat] += amount
    return amount


@kernel
def gain_grain(game, rules, seat, amount):
    """Add grain, up to the end of the food track (B0.6 [A1])."""
    grain = game.grain[seat] + amount
    if rules.food_track_capped and grain > rules.food_track_end:
        game.tally[seat, tally.GRAIN_OVER] += grain - rules.food_track_end
        grain = rules.food_track_end
    game.grain[seat] = grain


@kernel
def take_or_give(game, rules, seat, thalers, grain, points):
    """Add so much to what a seat holds, or take it as far as there is something; returns what was really moved.

    A bank's limit [A2] does not matter; grain ends with the food track (B0.6 [A1]).
    """
    thalers = max(thalers, -game.thalers[seat])
    most = max(0, rules.food_track_end - game.grain[seat]) if rules.food_track_capped else grain
    grain = max(min(grain, most), -game.grain[seat])
    points = max(points, -game.vp[seat])
    game.thalers[seat] += thalers
    game.grain[seat] += grain
    game.vp[seat] += points
    return thalers, grain, points


@kernel
def put_into_tray(game, seat, amount):
    """Move armies from the supply into the tray, as far as it has them; returns how many (E6, L1)."""
    armies = min(amount, game.supply[seat])
    game.supply[seat] -= armies
    game.tray[seat] += armies
    return armies


@kernel
def receive(game, rules, seat, benefit, amount):
    """Give the seat one of the BENEFITS, as favors and Landsknechte do alike (E6, L1).

    Returns what was gained or moved, grain before the end of the food track.
    """
    if benefit == BENEFIT_THALERS:
        return gain_thalers(game, rules, seat, amount)
    if benefit == BENEFIT_TRAY_ARMIES:
        return put_into_tray(game, seat, amount)
    if benefit == BENEFIT_GRAIN:
        gain_grain(game, rules, seat, amount)
    else:
        game.vp[seat] += amount
    return amount


@kernel
def site_outcome(game, rules, county, kind):
    """DONE if a building of `kind` may stand in the county, money aside (B5.3, B0.3)."""
    full = buildings_in(game, county) >= rules.sites[county]
    outcome = NO_TILE_LEFT if stock(game, rules, kind) <= 0 else DONE
    return NO_SITE if has_building(game, county, kind) | full else outcome


@kernel
def build(game, rules, seat, county, kind):
    """Pay for a palace, church or trading post, less with the leader there, and put it up (B5.3, M2)."""
    outcome = site_outcome(game, rules, county, kind)
    if outcome != DONE:
        return outcome
    price = max(0, rules.building_price[kind] - rules.leader_building_discount * leads(game, seat, county))
    if game.thalers[seat] < price:
        return NO_MONEY
    game.thalers[seat] -= price
    game.tally[seat, tally.PAID_BUILDING + kind] += price
    put_up(game, seat, county, kind)
    return DONE


@kernel
def put_up(game, seat, county, kind):
    """Put a building on its site; under `trading_post_calms` a trading post takes a revolt marker away (B5.3)."""
    game.built[kind] |= 1 << county
    if kind == TRADING_POST and game.effect == TRADING_POST_CALMS and game.marker[county] > 0:
        game.marker[county] -= 1
        game.markers_left += 1
        game.tally[seat, tally.MARKERS_REMOVED] += 1


@kernel
def tax_yield(game, rules, seat, county):
    """What taxes bring in this county now: event, then tile, then leader (B4.5, B5.4, M2)."""
    amount = rules.tax[county]
    if game.effect == TAX_MAX_5:
        amount = min(amount, rules.event_tax_max_thalers)
    elif game.effect == TAX_MIN_6:
        amount = max(amount, rules.event_tax_min_thalers)
    amount += rules.tile_taxes_thalers * (game.tile[seat] == TILE_THALER)
    return amount + rules.leader_taxes_thalers * leads(game, seat, county)


@kernel
def grain_yield(game, rules, seat, county):
    """What grain collecting brings in this county now: event, then tile, then leader (B4.5, B5.4, M2)."""
    amount = rules.grain[county]
    if game.effect == GRAIN_MAX_3:
        amount = min(amount, rules.event_grain_max_grain)
    elif game.effect == GRAIN_MIN_4:
        amount = max(amount, rules.event_grain_min_grain)
    amount += rules.tile_grain_grain * (game.tile[seat] == TILE_GRAIN)
    return amount + rules.leader_grain_grain * leads(game, seat, county)


@kernel
def collect_taxes(game, rules, seat, county):
    """Add the county's taxes to the seat's Thalers, as far as a limited bank [A2] has them; returns the gain."""
    amount = gain_thalers(game, rules, seat, tax_yield(game, rules, seat, county))
    game.tally[seat, tally.TAXES_GAINED] += amount
    return amount


@kernel
def collect_grain(game, rules, seat, county):
    """Add the county's grain, up to the end of the food track (B0.6 [A1]); returns the gain before the cap."""
    amount = grain_yield(game, rules, seat, county)
    gain_grain(game, rules, seat, amount)
    game.tally[seat, tally.GRAIN_GAINED] += amount
    return amount


@kernel
def place_marker(game, seat, county):
    """Put a revolt marker into the county if one is left and no kept favor parries it (B0.4, B5.5, E6)."""
    if game.markers_left == 0:
        return
    if game.parry[seat] > 0:
        game.parry[seat] -= 1
        game.tally[seat, tally.FAVOR_PARRIED] += 1
    else:
        game.markers_left -= 1
        game.marker[county] += 1
        game.tally[seat, tally.MARKERS_PLACED] += 1


@kernel
def deploy(game, rules, seat, county, action):
    """Pay for the armies of deploy 5 or 3, more with the leader there, from the supply (B5.6, B4.4, B4.5, M2)."""
    place = action - DEPLOY5
    price = rules.deploy_price[place]
    needed = rules.levy_armies[place] if game.effect == SMALL_LEVIES else rules.deploy_armies[place]
    armies = needed
    if action == DEPLOY5 and game.tile[seat] == TILE_SIX_ARMIES:
        armies = max(armies, rules.tile_deploy5_armies)
    armies += rules.leader_deploy_armies * leads(game, seat, county)
    if rules.bonus_must_be_there:
        needed = armies
    if game.thalers[seat] < price:
        return NO_MONEY
    if game.supply[seat] < needed:
        return NO_ARMIES
    armies = min(armies, game.supply[seat])
    game.thalers[seat] -= price
    game.tally[seat, tally.PAID_DEPLOY5 + place] += price
    _put_armies(game, seat, county, armies)
    return DONE


@kernel
def deploy_one(game, rules, seat, county):
    """Pay for deploy 1 and put its army, more with the leader there, into the county (B5.7, M2); `march` may follow."""
    needed = rules.deploy_armies[DEPLOY1 - DEPLOY5]
    armies = needed + rules.leader_deploy_armies * leads(game, seat, county)
    if game.thalers[seat] < rules.deploy_price[DEPLOY1 - DEPLOY5]:
        return NO_MONEY
    if game.supply[seat] < (armies if rules.bonus_must_be_there else needed):
        return NO_ARMIES
    pay_deploy_one(game, rules, seat)
    _put_armies(game, seat, county, min(armies, game.supply[seat]))
    return DONE


@kernel
def pay_deploy_one(game, rules, seat):
    """Pay for deploy 1 (B5.7), which in the first edition may buy a move alone (V3)."""
    price = rules.deploy_price[DEPLOY1 - DEPLOY5]
    game.thalers[seat] -= price
    game.tally[seat, tally.PAID_DEPLOY1] += price


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


@kernel
def recruiting_modes(game, rules, seat, county):
    """What "recruit and/or move" can do here, money aside: the mask of modes RECRUIT, MARCH and BOTH (V3).

    A single army may march only if recruits join it, since one must stay.
    """
    needed = rules.deploy_armies[DEPLOY1 - DEPLOY5]
    if rules.bonus_must_be_there:  # [A6]
        needed += rules.leader_deploy_armies * leads(game, seat, county)
    recruits = game.supply[seat] >= needed
    neighbours = own_neighbours(game, rules, seat, county) != 0
    modes = recruits << RECRUIT
    modes |= (neighbours and game.army[county] > 1) << MARCH
    modes |= (neighbours and recruits) << BOTH
    return modes
