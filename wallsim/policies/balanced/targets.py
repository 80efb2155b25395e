"""What an attack on a county would meet and win, however many armies it sends: noted once for all that may attack."""

from wallsim.jit import count_bits, kernel, lowest_bit
from wallsim.policies.odds import cubes_against, page_of
from wallsim.policies.weights import NEUTRALS, RIVALS, TARGET_ARMIES, TARGET_OWN
from wallsim.rules.terms import NEUTRAL, NEUTRAL_GUARD, PALACE, PALACE_GUARD
from wallsim.state.game import has_building, peasants_are_loyal


@kernel
def look_at_targets(game, rules, mind, seat, targets):
    """Note the prize and the defence of each county of a mask that is not the seat's own (B6.2, B6.3).

    Bonus tiles held by its owner count (B4.4); before the auction nobody holds one.
    """
    targets &= ~game.land[seat]
    while targets != 0:
        county = lowest_bit(targets)
        targets &= targets - 1
        _look_at_target(game, rules, mind, seat, county)


@kernel
def _look_at_target(game, rules, mind, seat, county):
    owner = game.owner[county]
    if owner == NEUTRAL:
        defenders, more = rules.neutral_peasants, rules.event_neutral_guard_peasants - rules.neutral_peasants
        guard = mind.effect_chance[NEUTRAL_GUARD]
        share = mind.weight[NEUTRALS]
    else:
        defenders, more = game.army[county] + mind.guards[owner], rules.event_palace_guard_armies
        guard = has_building(game, county, PALACE) * mind.effect_chance[PALACE_GUARD]
        share = mind.weight[RIVALS] * mind.regard[owner]
    foes, held = cubes_against(game, owner, defenders, peasants_are_loyal(game, rules, county))
    mind.prize[county] = mind.worth[county] * share + mind.around[county]
    mind.foes_thrown[county], mind.foes_inside[county] = foes, held
    mind.attack_page[county] = page_of(game.tower[seat], held)
    mind.guard_chance[county], mind.event_guards[county] = guard, more
    mind.defence[county] = defenders + guard * more


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


@kernel(apart=True, distinct=True)
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
