"""Two attacks of one plan on the same county: the second counts for less, or goes elsewhere (B5.8)."""

from wallsim.jit import kernel
from wallsim.mechanics.combat import legal_targets
from wallsim.policies.balanced.moves import attack_worth, best_attack, best_march, exposure
from wallsim.policies.balanced.targets import look_at_targets
from wallsim.policies.balanced.timing import earlier
from wallsim.policies.weights import ATTACK, HOME, MARCHING, SECOND_ATTACK
from wallsim.rules.terms import COMBAT_A, COMBAT_B, COUNTIES, NOWHERE


@kernel(apart=True)
def part_attacks(game, rules, mind, seat):
    """Judge anew the weaker of two chosen attacks on one county; returns whether a worth has changed.

    It keeps the share `second_attack` of its worth, or goes for its next best target or marches if that promises more.
    Only the difference is taken off, so that what a correction or an error has added stays.
    """
    first, second = mind.chosen[COMBAT_A], mind.chosen[COMBAT_B]
    if not (0 <= mind.hand[first] < COUNTIES and 0 <= mind.hand[second] < COUNTIES):
        return False
    if mind.value[COMBAT_A, first] < mind.value[COMBAT_B, second]:
        first, second = second, first
    county, aim = mind.hand[second], mind.aim[mind.hand[second]]
    if aim == NOWHERE or mind.aim[mind.hand[first]] != aim or min(game.army[county], game.army[mind.hand[first]]) < 2:
        return False
    targets = legal_targets(game, rules, seat, county, COMBAT_A)
    look_at_targets(game, rules, mind, seat, targets)
    armies = game.army[county] - 1
    left = exposure(game, rules, mind, seat, county, 1)
    home = mind.weight[HOME] * left
    attack = mind.weight[ATTACK] * max(0.0, attack_worth(game, rules, mind, seat, aim, armies) - home)
    march = mind.weight[MARCHING] * max(0.0, best_march(game, rules, mind, seat, county, armies) - left)
    if attack <= march:
        return False  # this card marches
    others = targets & ~(1 << aim)
    other = mind.weight[ATTACK] * max(0.0, best_attack(game, rules, mind, seat, armies, others) - home)
    kept = max(mind.weight[SECOND_ATTACK] * attack, other, march)
    if kept >= attack:
        return False
    for box in range(COMBAT_A, COMBAT_B + 1):
        mind.value[box, second] -= (attack - kept) * earlier(mind, box)
    return True
