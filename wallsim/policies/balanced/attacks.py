"""The choice in combat/movement: where to, and with how many armies (B5.8).

By weights the best target is attacked with the number of armies that promises most. A policy whose attacks were taught
weighs every choice: a small model adds to what the weights say of it (`correction/attack_features.py`).
"""

import numpy as np

from wallsim.jit import count_bits, kernel, lowest_bit
from wallsim.mechanics.winter import points_with_board
from wallsim.policies.balanced.appraisal import danger, look_for_foe, weigh_foe
from wallsim.policies.balanced.chance import error_of
from wallsim.policies.balanced.moves import attack_worth, best_attack, best_march, exposure
from wallsim.policies.balanced.targets import look_at_targets
from wallsim.policies.balanced.timing import danger_left
from wallsim.policies.correction import attack_features as of
from wallsim.policies.correction.model import attacks_are_taught, judge_choices
from wallsim.policies.odds import chance_on_page, cubes_inside, look_into_tower, pass_chance
from wallsim.policies.weights import CAUTION, HOME, NOISE, TOWER
from wallsim.rules.terms import ACTION_CARDS, AUCTION, COMBAT_A, COMBAT_B, NEUTRAL, NOWHERE, PEASANTS
from wallsim.state.game import armies_in, buildings_in


@kernel(apart=True, distinct=True)
def choose_attack(game, rules, mind, seat, county, targets):
    """Attack with as many armies as promise most, if it is enough, else march, else stay (if [A7] allows)."""
    look_into_tower(game, rules, mind)
    look_for_foe(game, rules, mind, seat, county)
    look_at_targets(game, rules, mind, seat, targets)
    if attacks_are_taught(mind):
        _choose_among_all(game, rules, mind, seat, county, targets)
        return
    most = game.army[county] - 1
    worth = best_attack(game, rules, mind, seat, most, targets)
    aim = mind.target
    best, target, armies = mind.weight[CAUTION], NOWHERE, 0
    if aim != NOWHERE:
        home = mind.weight[HOME] * danger_left(game, rules, mind, seat)
        error = error_of(game, mind, seat) if mind.weight[NOISE] > 0.0 else 0.0
        for kept in range(1, most + 1):
            if kept > 1:
                worth = attack_worth(game, rules, mind, seat, aim, most + 1 - kept)
            harm = home * exposure(game, rules, mind, seat, county, kept)
            worth += error - harm
            if worth > best:
                best, target, armies = worth, aim, most + 1 - kept
            if harm <= 0.0 and mind.weight[TOWER] == 0.0:
                break  # nothing to keep armies for
    if target == NOWHERE:
        target, armies = _second_best(game, rules, mind, seat, county, targets)
    mind.target = target
    mind.armies = armies


@kernel
def _second_best(game, rules, mind, seat, county, targets):
    """Without a promising attack: march if it pays, or make the least harmful move if moving is a duty [A7]."""
    most = game.army[county] - 1
    gain = best_march(game, rules, mind, seat, county, most, False)
    if mind.target != NOWHERE and gain > exposure(game, rules, mind, seat, county, 1):
        return mind.target, most
    if rules.combat_must:
        if mind.target == NOWHERE:
            best_attack(game, rules, mind, seat, 1, targets)
        if mind.target != NOWHERE:
            return mind.target, 1
    return NOWHERE, 0


@kernel(apart=True, distinct=True)
def _choose_among_all(game, rules, mind, seat, county, targets):
    """The choice of most worth by weights and model; an error of judgement concerns all moves alike."""
    count = list_choices(game, rules, mind, seat, county, targets)
    judge_choices(game, rules, mind, count)
    error = error_of(game, mind, seat) if mind.weight[NOISE] > 0.0 else 0.0
    best, chosen = -np.inf, 0
    for choice in range(count):
        worth = mind.choice_worth[choice] + (error if mind.choice_armies[choice] > 0 else 0.0)
        chosen = choice if worth > best else chosen
        best = max(best, worth)
    mind.target, mind.armies = mind.choice_county[chosen], mind.choice_armies[chosen]


@kernel(apart=True, distinct=True)
def list_choices(game, rules, mind, seat, county, targets):
    """Note all choices, but at most MAX_CHOICES, with their features; returns how many there are.

    To stay, where [A7] allows it; to march with all armies but one to each own county; and attacks, of the numbers of
    armies MOST_NUMBERS at most, evenly from the most on. What is in reach was looked at, as in `choose_attack`.
    """
    points_with_board(game, rules, mind.board_points)
    _look_at_situation(game, rules, mind, seat)
    most, count = game.army[county] - 1, 0
    if not rules.combat_must:
        _begin_choice(game, mind, county, count, NOWHERE, 0)
        mind.choice_fact[count, of.WORTH] = mind.weight[CAUTION]
        count += 1
    own, others = targets & game.land[seat], targets & ~game.land[seat]
    while own != 0 and count < of.MAX_CHOICES:
        other = lowest_bit(own)
        own &= own - 1
        _begin_choice(game, mind, county, count, other, most)
        _look_at_march(game, rules, mind, seat, county, mind.choice_fact[count], other, most)
        count += 1
    step = 1 + (most - 1) // of.MOST_NUMBERS
    while others != 0:
        other = lowest_bit(others)
        others &= others - 1
        first = count
        for armies in range(most, 0, -step):
            if count == of.MAX_CHOICES:
                break
            _begin_choice(game, mind, county, count, other, armies)
            fact = mind.choice_fact[count]
            if count == first:
                _look_at_target(game, rules, mind, seat, county, fact, other)
            else:
                for place in range(of.SHARED, len(of.CHOICE_FEATURES)):
                    fact[place] = mind.choice_fact[first, place]
            _look_at_attack(game, rules, mind, seat, county, fact, other, armies)
            count += 1
    return count


@kernel
def _begin_choice(game, mind, county, choice, other, armies):
    mind.choice_county[choice], mind.choice_armies[choice] = other, armies
    fact = mind.choice_fact[choice]
    for place in range(len(of.CHOICE_FEATURES)):
        fact[place] = 0.0
    fact[of.SENT], fact[of.KEPT] = armies, game.army[county] - armies
    fact[of.ORIGIN_WORTH], fact[of.ORIGIN_DANGER] = mind.worth[county], mind.danger[county]
    fact[of.ORIGIN_FOES], fact[of.ORIGIN_BUILDINGS] = mind.foe_armies[county], buildings_in(game, county)


@kernel
def _look_at_march(game, rules, mind, seat, county, fact, other, armies):
    weigh_foe(game, rules, mind, seat, other)
    averted = mind.danger[other] - danger(game, rules, mind, seat, other, game.army[other] + armies)
    harm = exposure(game, rules, mind, seat, county, game.army[county] - armies)
    fact[of.WORTH], fact[of.MARCHES], fact[of.HARM] = averted - harm, 1.0, harm
    fact[of.TARGET_WORTH], fact[of.TARGET_PRIZE] = mind.worth[other], averted
    fact[of.TARGET_ARMIES], fact[of.TARGET_BUILDINGS] = game.army[other], buildings_in(game, other)
    _look_beside(game, rules, seat, county, fact, other)


@kernel
def _look_at_target(game, rules, mind, seat, county, fact, other):
    owner = game.owner[other]
    fact[of.TARGET_WORTH], fact[of.TARGET_PRIZE] = mind.worth[other], mind.prize[other]
    fact[of.TARGET_ARMIES], fact[of.TARGET_DEFENCE] = game.army[other], mind.defence[other]
    fact[of.TARGET_BUILDINGS] = buildings_in(game, other)
    fact[of.TARGET_SITES] = rules.sites[other] - buildings_in(game, other)
    fact[of.TARGET_MARKERS], fact[of.TARGET_TAX] = game.marker[other], rules.tax[other]
    if owner != NEUTRAL:
        fact[of.TARGET_LEAD] = mind.board_points[owner] - mind.board_points[seat]
        played = game.card[owner, AUCTION] == other
        for place in range(min(ACTION_CARDS, game.actions_done + 1)):
            played |= game.card[owner, game.action_order[place]] == other
        fact[of.TARGET_PLAYED] = played
    _look_beside(game, rules, seat, county, fact, other)


@kernel
def _look_at_attack(game, rules, mind, seat, county, fact, other, armies):
    foes, held = mind.foes_thrown[other], mind.foes_inside[other]
    thrown = game.tray[seat] + armies + mind.helpers[seat]
    chance = chance_on_page(game, rules, mind.attack_page[other], seat, thrown, foes, held)
    harm = exposure(game, rules, mind, seat, county, game.army[county] - armies)
    worth = attack_worth(game, rules, mind, seat, other, armies)
    is_rivals = game.owner[other] != NEUTRAL
    fact[of.WORTH] = worth - mind.weight[HOME] * mind.situation[of.LEFT] * harm
    fact[of.ON_RIVAL], fact[of.ON_NEUTRAL] = is_rivals, not is_rivals
    fact[of.CHANCE], fact[of.HARM] = chance, harm
    fact[of.FALLEN] = min(float(armies), mind.defence[other] + 1.0 - chance)


@kernel
def _look_beside(game, rules, seat, county, fact, other):
    """The neighbours of a county to go to: own ones, and armies that could come there, whose they are."""
    owner, around = game.owner[other], rules.neighbours[other] & ~(1 << county)
    own, help_, revenge, third = 1, 0, 0, 0
    while around != 0:
        near = lowest_bit(around)
        around &= around - 1
        holder, free = game.owner[near], max(0, game.army[near] - 1)
        own += holder == seat
        help_ += free if holder == seat else 0
        revenge += free if holder == owner and holder != seat else 0
        third += free if holder != owner and holder != seat else 0
    fact[of.OWN_BESIDE], fact[of.HELP], fact[of.REVENGE], fact[of.THIRD] = own, help_, revenge, third
    fact[of.BEYOND] = count_bits(rules.neighbours[other] & ~game.land[seat])


@kernel
def _look_at_situation(game, rules, mind, seat):
    fact, inside = mind.situation, cubes_inside(game)
    best, total, to_come = -np.inf, 0.0, 0
    for other in range(rules.players):
        if other != seat:
            best = max(best, mind.board_points[other])
            total += mind.board_points[other]
    for place in range(game.actions_done + 1, len(game.action_order)):
        to_come += COMBAT_A <= game.action_order[place] <= COMBAT_B
    fact[of.LEFT], fact[of.TO_COME] = danger_left(game, rules, mind, seat), to_come
    fact[of.DONE], fact[of.SUPPLY], fact[of.THALERS] = game.actions_done, game.supply[seat], game.thalers[seat]
    fact[of.COUNTIES_HELD] = count_bits(game.land[seat])
    fact[of.ARMIES_HELD] = armies_in(game, game.land[seat])
    fact[of.LEAD] = mind.board_points[seat] - best
    fact[of.MEAN_LEAD] = mind.board_points[seat] - total / (rules.players - 1)
    fact[of.PASSING], fact[of.RELEASE] = pass_chance(rules, inside), rules.release_rate
    fact[of.OWN_INSIDE], fact[of.OWN_TRAY] = game.tower[seat], game.tray[seat]
    fact[of.PEASANTS_NEAR] = game.tower[PEASANTS] + game.tray[PEASANTS]
    fact[of.INSIDE], fact[of.HELPERS] = inside, mind.helpers[seat]
