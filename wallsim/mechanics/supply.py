"""What a seat receives: Thalers from the bank, grain on the food track, armies into the tray, points (B0.6, B0.7)."""

from wallsim.jit import kernel
from wallsim.rules.terms import BENEFIT_GRAIN, BENEFIT_THALERS, BENEFIT_TRAY_ARMIES
from wallsim.state import tally


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
