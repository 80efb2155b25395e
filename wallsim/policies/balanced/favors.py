"""What the favors shown are worth to a seat, and what it can expect of an audience (E2, E5, E6)."""

from wallsim.jit import kernel, lowest_bit
from wallsim.mechanics.court import favor_counties
from wallsim.policies.balanced.appraisal import CALM as MARKER_REMOVED
from wallsim.policies.balanced.appraisal import (
    danger,
    expected_grain,
    expected_tax,
    grain_worth,
    look_for_foe,
    value_counties,
    weigh_foe,
)
from wallsim.policies.balanced.landsknechte import benefit_worth
from wallsim.policies.balanced.moves import best_attack
from wallsim.policies.balanced.prizes import region_prize
from wallsim.policies.balanced.targets import look_at_targets
from wallsim.policies.odds import win_chance
from wallsim.policies.weights import ARMY, ATTACK, COURTIER, FAVOR, MARKER
from wallsim.rules.terms import (
    BUILDINGS,
    CALM,
    CANCEL_EVENT,
    CHURCH,
    CHURCH_PEACE,
    COMBAT_A,
    COMBAT_B,
    COUNTIES,
    DEPLOY3,
    DEPLOY5,
    FAVOR_BENEFIT,
    FREE_BUILDING,
    GRAIN,
    NO_ATTACK,
    NO_BENEFIT,
    NOWHERE,
    PEASANTS,
    ROUNDS,
    SHOWN_FAVORS,
    SMALL_LEVIES,
    TAXES,
    TRADING_POST,
    TRADING_POST_CALMS,
    WINTER,
)
from wallsim.state.game import buildings_in, event_is_known, own_neighbours

_WORST = -1e9
_CANCELLED = 0.3  # VP counted on while planning from cancelling an event that is not known yet
_ONE_COMBAT, _BOTH_COMBATS = 0.4, 0.8  # share of all dangers that a protection from one combat, or both, averts
_FOR_NOTHING = 0.75  # share of a building's worth that a free one adds: its site might have been built on anyway
_PARRY = 0.8  # worth of a card kept against the next marker, in that of a marker removed
_RIVALS_SEND = 1.5  # courtiers that a rival is expected to send
_EVEN = 0.25  # added to the chance to come before a rival by each courtier more
_NO_FAVOR = 0.5  # VP: how much rivals care for none of the favors


# ------------------------------------------------------------------------------------------- single favors


@kernel(apart=True)
def favor_worth(game, rules, mind, seat, favor):
    """Worth of a favor to the seat, its price apart."""
    kind, value = rules.favor_kind[favor], rules.favor_value[favor]
    if FAVOR_BENEFIT[kind] != NO_BENEFIT:
        return benefit_worth(game, rules, mind, seat, FAVOR_BENEFIT[kind], value)
    if kind == NO_ATTACK:
        return (_BOTH_COMBATS if value == 3 else _ONE_COMBAT) * _all_dangers(game, mind, seat)
    if kind == CANCEL_EVENT:
        return max(0.0, harm_of_event(game, rules, mind, seat)) if event_is_known(game) else _CANCELLED
    counties = favor_counties(game, rules, seat, favor)
    if counties == 0:
        return _PARRY * _marker_worth(game, mind) if kind == CALM else 0.0
    return best_favor_county(game, rules, mind, seat, favor, counties)


@kernel
def best_favor_county(game, rules, mind, seat, favor, counties):
    """The county of the mask in which a favor is worth most: sets `mind.target` and returns its worth (E6)."""
    kind, value = rules.favor_kind[favor], rules.favor_value[favor]
    best, chosen = _WORST, NOWHERE
    while counties != 0:
        county = lowest_bit(counties)
        counties &= counties - 1
        if kind == CALM:
            worth = _calm_worth(game, rules, mind, seat, county)
        elif kind == FREE_BUILDING:
            worth = _free_building_worth(game, rules, mind, county, value)
        else:
            worth = _free_armies_worth(game, rules, mind, seat, county, min(value, game.supply[seat]))
        chosen = county if worth > best else chosen
        best = max(best, worth)
    mind.target = chosen
    return best


@kernel
def _all_dangers(game, mind, seat):
    dangers = 0.0
    land = game.land[seat]
    while land != 0:
        dangers += mind.danger[lowest_bit(land)]
        land &= land - 1
    return dangers


@kernel
def _marker_worth(game, mind):
    """What a marker in a county costs till winter."""
    return mind.weight[MARKER] * (WINTER - game.season)


@kernel
def _calm_worth(game, rules, mind, seat, county):
    """Worth of removing a marker: more where the county is about to collect, since peasants may revolt (B5.5)."""
    worth = _marker_worth(game, mind)
    if event_is_known(game) and (mind.plan[TAXES] == county or mind.plan[GRAIN] == county):
        peasants = rules.revolt_peasants * game.marker[county]
        lost = 1.0 - win_chance(game, rules, seat, game.army[county], PEASANTS, peasants, False)
        worth += lost * mind.worth[county]
    return worth


@kernel
def _free_building_worth(game, rules, mind, county, kind):
    """Worth of a building for nothing; a building planned there that loses its site counts against it."""
    region = rules.region[county]
    worth = _FOR_NOTHING * mind.gain[region, kind]
    if kind == TRADING_POST and game.marker[county] > 0:
        worth += MARKER_REMOVED * mind.effect_chance[TRADING_POST_CALMS]
    if event_is_known(game):  # before, `mind.plan` is that of the last round
        full = buildings_in(game, county) + 1 >= rules.sites[county]
        for planned in range(len(BUILDINGS)):
            if mind.plan[planned] == county and (planned == kind or full):
                worth -= max(0.0, mind.gain[region, planned] - rules.building_price[planned] * mind.thaler)
    return worth


@kernel
def _free_armies_worth(game, rules, mind, seat, county, armies):
    """Worth of armies for nothing: danger averted in an own county, or a neutral county taken without a battle."""
    worth = mind.weight[ARMY] * armies
    if game.owner[county] == seat:
        weigh_foe(game, rules, mind, seat, county)
        return worth + mind.danger[county] - danger(game, rules, mind, seat, county, game.army[county] + armies)
    if own_neighbours(game, rules, seat, county) == 0:  # too far away for the survey
        value_counties(game, rules, mind, 1 << county)
        if rules.landsknechte:
            mind.worth[county] += region_prize(game, rules, mind, seat, county)
    look_for_foe(game, rules, mind, seat, county)
    mind.danger[county] = 0.0
    return worth + mind.worth[county] - danger(game, rules, mind, seat, county, armies)


# ----------------------------------------------------------------------------------------- cancelling the event


@kernel
def harm_of_event(game, rules, mind, seat):
    """What the event in force costs the seat, by its own plan and its dangers; less than 0 if it serves (E6)."""
    with_event = _prospects(game, rules, mind, seat)
    mind.effect_chance[game.effect] = 0.0
    without = _prospects(game, rules, mind, seat)
    mind.effect_chance[game.effect] = 1.0
    return without - with_event


@kernel
def _prospects(game, rules, mind, seat):
    """What the plan promises under the events of `mind.effect_chance`, as far as events touch it."""
    worth = 0.0
    if _is_own(game, mind, seat, TAXES):
        worth += mind.thaler * expected_tax(rules, mind, mind.plan[TAXES])
    if _is_own(game, mind, seat, GRAIN):
        worth += grain_worth(mind, expected_grain(rules, mind, mind.plan[GRAIN]))
    fewer = 0.0
    if _is_own(game, mind, seat, DEPLOY5):
        fewer += rules.deploy_armies[0] - rules.levy_armies[0]
    if _is_own(game, mind, seat, DEPLOY3):
        fewer += rules.deploy_armies[1] - rules.levy_armies[1]
    worth -= mind.effect_chance[SMALL_LEVIES] * mind.weight[ARMY] * fewer
    if _is_own(game, mind, seat, TRADING_POST) and game.marker[mind.plan[TRADING_POST]] > 0:
        worth += mind.effect_chance[TRADING_POST_CALMS] * MARKER_REMOVED
    for action in range(COMBAT_A, COMBAT_B + 1):
        if _is_own(game, mind, seat, action) and game.army[mind.plan[action]] > 1:
            county = mind.plan[action]
            targets = rules.neighbours[county]
            if mind.effect_chance[CHURCH_PEACE] > 0.0:
                targets &= ~game.built[CHURCH]
            look_at_targets(game, rules, mind, seat, targets)
            attack = best_attack(game, rules, mind, seat, game.army[county] - 1, targets)
            worth += mind.weight[ATTACK] * max(0.0, attack)
    land = game.land[seat]
    while land != 0:
        county = lowest_bit(land)
        land &= land - 1
        weigh_foe(game, rules, mind, seat, county)
        worth -= danger(game, rules, mind, seat, county, game.army[county])
    return worth


@kernel
def _is_own(game, mind, seat, box):
    """Whether an own county lies on the box."""
    card = mind.plan[box]
    return 0 <= card < COUNTIES and game.owner[card] == seat


# ------------------------------------------------------------------------------------------------- the audience


@kernel
def courtier_worth(mind):
    """Worth of a courtier that stays in the hall: it falls with the rounds to come, to nothing in the last."""
    return mind.weight[COURTIER] * (mind.rounds - 1.0) / (ROUNDS - 1)


@kernel
def appraise_favors(game, rules, mind, seat):
    """Note the worth of the favor on each space in `mind.favor_worth`, 0 where one was taken."""
    for space in range(SHOWN_FAVORS):
        favor = game.shown_favor[space]
        mind.favor_worth[space] = favor_worth(game, rules, mind, seat, favor) if favor > 0 else 0.0


@kernel
def net_worth(rules, mind, space):
    """Worth of the favor on a space minus that of its courtiers."""
    return mind.favor_worth[space] - rules.favor_price[space] * courtier_worth(mind)


@kernel
def expect_audience(game, rules, mind, seat, courtiers):
    """What to expect of the audience with so many courtiers in the hall: the best favor that is left, and the rest.

    Rivals with more courtiers choose first. They have what lies in their halls and may send more; each is taken to
    care for the favors as the seat does.
    """
    demand = _NO_FAVOR  # how much a rival cares for all favors together
    for space in range(SHOWN_FAVORS):
        demand += max(0.0, net_worth(rules, mind, space))
    expected, free, tried = courtier_worth(mind) * courtiers, 1.0, 0
    for _ in range(SHOWN_FAVORS):
        best, chosen = 0.0, NOWHERE
        for space in range(SHOWN_FAVORS):
            net = net_worth(rules, mind, space)
            if net > best and (tried >> space) & 1 == 0 and rules.favor_price[space] <= courtiers:
                best, chosen = net, space
        if chosen == NOWHERE:
            break
        tried |= 1 << chosen
        left = 1.0
        for other in range(rules.players):
            rivals = game.hall[other] + _RIVALS_SEND
            if other != seat and rivals >= rules.favor_price[chosen]:
                earlier = min(1.0, max(0.0, 0.5 + _EVEN * (rivals - courtiers)))
                left *= 1.0 - earlier * best / demand
        expected += mind.weight[FAVOR] * free * left * best
        free *= 1.0 - left
    return expected
