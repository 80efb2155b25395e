"""What lies around the target of an attack, as far as the weights say that it matters."""

from wallsim.jit import count_bits, kernel, lowest_bit
from wallsim.policies.weights import TARGET_ARMIES, TARGET_OWN
from wallsim.rules.terms import NEUTRAL


@kernel
def look_around_targets(game, rules, mind, seat, near):
    """Note in `mind.around` what the neighbours of each county of `near` add to an attack on it.

    Own counties beside it, and the armies with which third seats could take it back; nothing for an own county, which
    may be lost before the next note.
    """
    mind.around[:] = 0.0
    if mind.weight[TARGET_OWN] == 0.0 and mind.weight[TARGET_ARMIES] == 0.0:
        return
    near &= ~game.land[seat]
    while near != 0:
        county = lowest_bit(near)
        near &= near - 1
        mind.around[county] = _worth_around(game, rules, mind, seat, county)


@kernel(apart=True)
def _worth_around(game, rules, mind, seat, county):
    owner, armies = game.owner[county], 0
    others = rules.neighbours[county] & ~(game.land[seat] | game.land[NEUTRAL])
    if owner != NEUTRAL:
        others &= ~game.land[owner]
    while others != 0:
        armies += game.army[lowest_bit(others)] - 1
        others &= others - 1
    own = count_bits(rules.neighbours[county] & game.land[seat])
    return mind.weight[TARGET_OWN] * (own - 1) + mind.weight[TARGET_ARMIES] * armies
