"""Moves of the heuristic policies: what attacks and marches are worth, and in which order to meet revolts."""

from wallsim.jit import kernel, lowest_bit
from wallsim.mechanics.combat import legal_targets
from wallsim.policies.balanced.appraisal import danger, look_for_foe, weigh_foe
from wallsim.policies.balanced.targets import look_at_targets
from wallsim.policies.odds import chance_on_page, look_into_tower
from wallsim.policies.weights import (
    ARMY,
    ATTACK,
    HOME,
    MARCHING,
    NEUTRALS,
    RIVALS,
    SECOND_ATTACK,
    TOWER,
)
from wallsim.rules.terms import COMBAT_A, COMBAT_B, COUNTIES, NEUTRAL, NOWHERE
from wallsim.state.game import own_neighbours

_WORST = -1e9


@kernel
def attack_worth(game, rules, mind, seat, target, armies):
    """Expected worth of an attack: the prize, the rival's loss, minus the armies that fall (B6.2, B6.3).

    What does not depend on the armies was noted by `look_at_targets`. A guard that cannot come changes nothing; not to
    look at it would cost more where it often can.
    """
    prize, expected, page = mind.prize[target], mind.defence[target], mind.attack_page[target]
    foes, held = mind.foes_thrown[target], mind.foes_inside[target]
    helpers = mind.helpers[seat]
    thrown = game.tray[seat] + armies + helpers
    chance = chance_on_page(game, rules, page, seat, thrown, foes, held)
    against = chance_on_page(game, rules, page, seat, thrown, foes + mind.event_guards[target], held)
    chance += mind.guard_chance[target] * (against - chance)
    if mind.weight[TOWER] != 0.0:
        owner = game.owner[target]
        return chance * prize - _cubes_lost(game, rules, mind, seat, owner, armies, helpers, expected, chance)
    fallen = min(float(armies), expected + 1.0 - chance)
    return chance * prize - mind.weight[ARMY] * fallen


@kernel
def _cubes_lost(game, rules, mind, seat, owner, armies, helpers, defenders, chance):
    """Worth of the armies that an attack takes from the board, less that of the own cubes it leaves in the tower."""
    thrown = float(armies + helpers)
    passing = rules.pass_rate
    ahead = mind.out[seat] - mind.out[owner] + passing * (thrown - defenders)
    survivors = chance * max(1.0, ahead)
    stay = (1.0 - passing) * (thrown + game.tray[seat]) - rules.release_rate * game.tower[seat]
    return mind.weight[ARMY] * (armies - survivors - mind.weight[TOWER] * stay)


@kernel(apart=True, distinct=True)
def best_attack(game, rules, mind, seat, armies, targets):
    """The best of the mask `targets` for so many armies: sets `mind.target` (or NOWHERE) and returns its worth.

    The targets were looked at (`look_at_targets`).
    """
    best, chosen = _WORST, NOWHERE
    targets &= ~game.land[seat]
    while targets != 0:
        other = lowest_bit(targets)
        targets &= targets - 1
        worth = attack_worth(game, rules, mind, seat, other, armies)
        chosen = other if worth > best else chosen
        best = max(best, worth)
    mind.target = chosen
    return best


@kernel
def find_prize(game, mind, seat, targets):
    """Set `mind.target` to the county of the mask that is worth most beyond the armies there, NOWHERE if it is empty.

    A cheap guess at what armies might one day be used for.
    """
    best, chosen = _WORST, NOWHERE
    targets &= ~game.land[seat]
    while targets != 0:
        other = lowest_bit(targets)
        targets &= targets - 1
        share = mind.weight[NEUTRALS] if game.owner[other] == NEUTRAL else mind.weight[RIVALS]
        worth = share * mind.worth[other] - mind.weight[ARMY] * game.army[other]
        chosen = other if worth > best else chosen
        best = max(best, worth)
    mind.target = chosen


@kernel
def best_march(game, rules, mind, seat, origin, armies, planning):
    """The own neighbour in greatest danger: sets `mind.target` (or NOWHERE), returns what `armies` more avert there.

    While planning its danger has just been noted.
    """
    worst, chosen = _WORST, NOWHERE
    around = own_neighbours(game, rules, seat, origin)
    while around != 0:
        other = lowest_bit(around)
        around &= around - 1
        chosen = other if mind.danger[other] > worst else chosen
        worst = max(worst, mind.danger[other])
    mind.target = chosen
    if chosen == NOWHERE:
        return _WORST
    if not planning:
        weigh_foe(game, rules, mind, seat, chosen)
    return worst - danger(game, rules, mind, seat, chosen, game.army[chosen] + armies)


@kernel
def exposure(game, rules, mind, seat, county, kept):
    """The danger added to a county if only so many armies stay, over all dangers to come."""
    return danger(game, rules, mind, seat, county, kept) - mind.danger[county]


@kernel(apart=True, distinct=True)
def choose_move(game, rules, mind, seat, county):
    """March off all but one army if that averts more danger there than it causes here."""
    armies = game.army[county] - 1
    if armies < 1:
        return
    look_into_tower(game, rules, mind)
    look_for_foe(game, rules, mind, seat, county)
    gain = best_march(game, rules, mind, seat, county, armies, False)
    if mind.target != NOWHERE and gain > exposure(game, rules, mind, seat, county, 1):
        mind.armies = armies


@kernel(apart=True)
def choose_order_revolts(game, mind, count):
    """Fight for the county of least worth first: its armies that stay in the tower may fall out in a later battle."""
    for last in range(1, count):
        county = game.revolting[last]
        place = last
        while place > 0 and mind.worth[game.revolting[place - 1]] > mind.worth[county]:
            game.revolting[place] = game.revolting[place - 1]
            place -= 1
        game.revolting[place] = county


@kernel(apart=True, distinct=True)
def part_attacks(game, rules, mind, seat):
    """Judge anew the weaker of two chosen attacks on one county; returns the boxes where a worth has changed, a mask.

    It keeps the share `second_attack` of its worth, or goes for its next best target or marches if that promises more.
    Only the difference is taken off, so that what a correction or an error has added stays.
    """
    first, second = mind.chosen[COMBAT_A], mind.chosen[COMBAT_B]
    if not (0 <= mind.hand[first] < COUNTIES and 0 <= mind.hand[second] < COUNTIES):
        return 0
    if mind.value[first, COMBAT_A] < mind.value[second, COMBAT_B]:
        first, second = second, first
    county, aim = mind.hand[second], mind.aim[mind.hand[second]]
    if aim == NOWHERE or mind.aim[mind.hand[first]] != aim or min(game.army[county], game.army[mind.hand[first]]) < 2:
        return 0
    targets = legal_targets(game, rules, seat, county, COMBAT_A)
    look_at_targets(game, rules, mind, seat, targets)
    armies = game.army[county] - 1
    left = exposure(game, rules, mind, seat, county, 1)
    home = mind.weight[HOME] * left
    attack = mind.weight[ATTACK] * max(0.0, attack_worth(game, rules, mind, seat, aim, armies) - home)
    march = mind.weight[MARCHING] * max(0.0, best_march(game, rules, mind, seat, county, armies, True) - left)
    if attack <= march:
        return 0  # this card marches
    others = targets & ~(1 << aim)
    other = mind.weight[ATTACK] * max(0.0, best_attack(game, rules, mind, seat, armies, others) - home)
    kept = max(mind.weight[SECOND_ATTACK] * attack, other, march)
    if kept >= attack:
        return 0
    for box in range(COMBAT_A, COMBAT_B + 1):
        mind.value[second, box] -= (attack - kept) * mind.earlier[box - COMBAT_A]
    return (1 << COMBAT_A) | (1 << COMBAT_B)
