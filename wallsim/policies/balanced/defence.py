"""The heuristic policies in the first edition: how many armies defend, and "recruit and/or move" (V3, V5)."""

import math

from wallsim.jit import kernel
from wallsim.policies.balanced.appraisal import look_for_foe
from wallsim.policies.balanced.moves import best_march, exposure
from wallsim.policies.odds import look_at_spread, look_into_tower
from wallsim.policies.weights import ARMY, ASIDE
from wallsim.rules.terms import BOTH, DEPLOY1, DEPLOY5, MARCH, NOWHERE, PEASANTS, RECRUIT
from wallsim.state.elementary import erf, whole_power
from wallsim.state.game import leads, peasants_are_loyal

_LEAST_VARIANCE = 1e-3


@kernel
def _chance_above(mean, variance):
    """The chance that a normal difference is at least one half: exact in the tails, where `odds` is not."""
    return 0.5 * (1.0 + erf((mean - 0.5) / math.sqrt(2.0 * max(_LEAST_VARIANCE, variance))))


@kernel
def hold_chance(game, rules, mind, seat, county, attacker, attackers, defenders):
    """The chance that so many armies hold a county: more of them must fall out than of the attackers (B6.8, B6.10).

    Loyal peasants help against a player, but where they alone defend the county it is a tie, unless those who stood
    aside count [A13].
    """
    passing = rules.pass_rate
    mean = mind.out[seat] - mind.out[attacker] + passing * (defenders - attackers)
    variance = mind.spread[seat] + mind.spread[attacker] + passing * (1.0 - passing) * (defenders + attackers)
    loyal = attacker != PEASANTS and peasants_are_loyal(game, rules, county)
    if not loyal:
        return _chance_above(mean, variance)
    chance = _chance_above(mean + mind.out[PEASANTS], variance + mind.spread[PEASANTS])
    if rules.stood_aside_count and defenders < game.army[county]:
        return chance
    nobody = whole_power(1.0 - passing, defenders + game.tray[seat])
    nobody *= whole_power(1.0 - rules.release_rate, game.tower[seat])
    return chance * (1.0 - nobody)


@kernel(apart=True)
def choose_defend(game, rules, mind, seat, county, attacker, attackers):
    """The number of greatest worth: armies that stand aside stay out of the tower, but are lost with the county."""
    look_into_tower(game, rules, mind)
    look_at_spread(game, rules, mind)
    saved = mind.weight[ASIDE] * (1.0 - rules.pass_rate) * mind.weight[ARMY]
    best, chosen = -1.0, game.army[county]
    for defenders in range(1, game.army[county] + 1):
        chance = hold_chance(game, rules, mind, seat, county, attacker, attackers, defenders)
        worth = chance * (mind.worth[county] + saved * (game.army[county] - defenders))
        if worth >= best:
            best, chosen = worth, defenders
    return chosen


@kernel
def _march_pays(game, rules, mind, seat, county, armies):
    """Whether so many armies avert more danger next door than they leave behind; sets `mind.target`."""
    look_into_tower(game, rules, mind)
    look_for_foe(game, rules, mind, seat, county)
    gain = best_march(game, rules, mind, seat, county, armies, False)
    return mind.target != NOWHERE and gain > exposure(game, rules, mind, seat, county, 1)


@kernel(apart=True)
def choose_recruit(game, rules, mind, seat, county, modes):
    """Recruit wherever that is possible; march as well if it pays, and where nothing else can be done."""
    if (modes >> RECRUIT) & 1 == 0:
        return MARCH
    recruits = rules.deploy_armies[DEPLOY1 - DEPLOY5] + rules.leader_deploy_armies * leads(game, seat, county)
    recruits = min(recruits, game.supply[seat])
    marching = game.army[county] + recruits - 1
    if (modes >> BOTH) & 1 and _march_pays(game, rules, mind, seat, county, marching):
        return BOTH
    return RECRUIT


@kernel(apart=True)
def choose_recruits_move(game, rules, mind, seat, county):
    """To the own neighbour in greatest danger: all but one army if that pays, else a single one."""
    marching = game.army[county] - 1
    pays = _march_pays(game, rules, mind, seat, county, marching)
    mind.armies = marching if pays else 1
