"""The heuristic policies and the Landsknechte: the benefit to take (L1), and what such benefits are worth (E6)."""

from wallsim.jit import kernel, lowest_bit
from wallsim.policies.balanced.appraisal import grain_worth, look_at_events
from wallsim.policies.weights import ARMY, TRAY
from wallsim.rules.terms import BENEFIT_GRAIN, BENEFIT_THALERS, BENEFIT_TRAY_ARMIES


@kernel(apart=True)
def choose_benefit(game, rules, mind, seat, offered):
    """The benefit of the mask that is worth most now."""
    look_at_events(game, rules, mind, seat)
    best, chosen = -1.0, 0
    while offered != 0:
        benefit = lowest_bit(offered)
        offered &= offered - 1
        worth = benefit_worth(game, rules, mind, seat, benefit, rules.benefit[game.banner[seat], benefit])
        if worth > best:
            best, chosen = worth, benefit
    return chosen


@kernel
def benefit_worth(game, rules, mind, seat, benefit, amount):
    """Worth of so much of one of the BENEFITS, as far as supply and food track have room for it."""
    if benefit == BENEFIT_THALERS:
        return mind.thaler * amount
    if benefit == BENEFIT_TRAY_ARMIES:
        return mind.weight[TRAY] * mind.weight[ARMY] * min(amount, game.supply[seat])
    if benefit == BENEFIT_GRAIN:
        room = rules.food_track_end - game.grain[seat] if rules.food_track_capped else amount
        return grain_worth(mind, float(min(amount, room)))
    return float(amount)
