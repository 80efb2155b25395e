"""Two attacks of one plan on the same county: the second counts for less, or goes elsewhere (B5.8)."""

from wallsim.jit import kernel
from wallsim.mechanics.combat import legal_targets
from wallsim.policies.balanced.moves import best_attack, best_march, exposure
from wallsim.policies.weights import ATTACK, HOME, MARCHING, SECOND_ATTACK
from wallsim.rules.terms import COMBAT_A, COMBAT_B, COUNTIES, NOWHERE


@kernel(apart=True)
def part_attacks(game, rules, mind, seat):
    """Judge anew the weaker of two chosen attacks on one county; returns whether a worth has changed.

    It keeps the share `second_attack` of its worth, or goes for its next best target if that promises more.
    """
    first, second = mind.chosen[COMBAT_A], mind.chosen[COMBAT_B]
    if not (0 <= mind.hand[first] < COUNTIES and 0 <= mind.hand[second] < COUNTIES):
        return False
    if mind.value[COMBAT_A, first] < mind.value[COMBAT_B, second]:
        first, second = second, first
    county, aim = mind.hand[second], mind.aim[mind.hand[second]]
    if aim == NOWHERE or mind.aim[mind.hand[first]] != aim or game.army[county] < 2:
        return False
    worth = mind.value[COMBAT_A, second]
    if worth <= 0.0 or mind.value[COMBAT_A, first] <= 0.0:
        return False
    targets = legal_targets(game, rules, seat, county, COMBAT_A) & ~(1 << aim)
    left = exposure(game, rules, mind, seat, county, 1)
    other = best_attack(game, rules, mind, seat, game.army[county] - 1, targets) - mind.weight[HOME] * left
    march = best_march(game, rules, mind, seat, county, game.army[county] - 1) - left
    kept = max(mind.weight[ATTACK] * other, mind.weight[MARCHING] * march, mind.weight[SECOND_ATTACK] * worth)
    if kept >= worth:
        return False
    for box in range(COMBAT_A, COMBAT_B + 1):
        mind.value[box, second] += kept - worth
    return True
