"""A seat's appraisal of the table: the worth of counties and buildings, of Thalers and grain, and dangers.

`survey` looks only at what the seat may know while planning (B3.5) and fills the scratch of MIND that the
planner and the moves read. All worths are in victory points.

A seat's standing is what it has, and would score if winter came now (B7.4); it says whose points count most against
the own.
"""

from wallsim.jit import count_bits, kernel, lowest_bit
from wallsim.mechanics.economy import site_outcome
from wallsim.mechanics.winter import majority_points, points_with_board
from wallsim.policies.balanced.prizes import add_prizes
from wallsim.policies.balanced.targets import look_around_targets, look_at_targets
from wallsim.policies.odds import chance_on_page, cubes_against, look_into_tower, page_of
from wallsim.policies.weights import (
    CONTEST,
    CROWD,
    DENY,
    GRAIN_NEED,
    HARVEST,
    HOLD,
    INCOME,
    MAJORITY,
    PATIENCE,
    SITE,
    SPARE_GRAIN,
    SPENDING,
    STANDING,
    THALER,
    THREAT,
)
from wallsim.rules.terms import (
    BUILDINGS,
    CHURCH,
    CHURCH_PEACE,
    DONE,
    EFFECTS,
    GRAIN_MAX_3,
    GRAIN_MIN_4,
    NEUTRAL,
    NOWHERE,
    REGIONS,
    ROUNDS,
    TAX_MAX_5,
    TAX_MIN_6,
    TRADING_POST,
    TRADING_POST_CALMS,
    WINTER,
    YEARS,
)
from wallsim.state.game import buildings_in, event_is_known, has_building, peasants_are_loyal

_FAR_BEHIND, _FAR_AHEAD, _NOBODY = -3, 2, 6  # places of `mind.step`: buildings ahead, or none at all
_LEAST, _MOST = 0.0, 4.0  # bounds of the weight of a rival's point, in units of `deny`


@kernel
def look_at_standing(game, rules, mind, seat):
    """Note in `mind.regard` what a county's worth counts that is taken from each rival, its loss included.

    A point that a rival loses is worth `deny`, shared among the rivals: more for those who are ahead.
    """
    plain = 1.0 + mind.weight[DENY] / (rules.players - 1)
    for other in range(rules.players):
        mind.regard[other] = plain
    if mind.weight[STANDING] != 0.0:
        _weigh_rivals(game, rules, mind, seat)


@kernel(apart=True, distinct=True)
def _weigh_rivals(game, rules, mind, seat):
    points_with_board(game, rules, mind.regard)
    mean = 0.0
    for other in range(rules.players):
        mean += mind.regard[other] if other != seat else 0.0
    mean /= rules.players - 1
    for other in range(rules.players):
        ahead = mind.weight[STANDING] * (mind.regard[other] - mean)
        denied = mind.weight[DENY] * min(_MOST, max(_LEAST, 1.0 + ahead))
        mind.regard[other] = 1.0 + denied / (rules.players - 1)


@kernel
def survey(game, rules, mind, seat):
    """Note everything that the decisions of a round need."""
    look_into_tower(game, rules, mind)
    _look_at_time(game, mind, seat)
    look_at_events(game, rules, mind, seat)
    look_at_standing(game, rules, mind, seat)
    _look_at_majorities(game, rules, mind, seat)
    near = game.land[seat]
    land = near
    while land != 0:
        near |= rules.neighbours[lowest_bit(land)]
        land &= land - 1
    value_counties(game, rules, mind, near)
    left = near
    while left != 0:
        county = lowest_bit(left)
        left &= left - 1
        mind.danger[county] = 0.0  # own counties get theirs below; notes last one round
        mind.foe[county] = NOWHERE
    if rules.expansions:
        add_prizes(game, rules, mind, seat, near)
    look_around_targets(game, rules, mind, seat, near)
    look_at_targets(game, rules, mind, seat, near)
    land = game.land[seat]
    while land != 0:
        county = lowest_bit(land)
        land &= land - 1
        look_for_foe(game, rules, mind, seat, county)


@kernel
def _look_at_time(game, mind, seat):
    hold = mind.weight[HOLD]
    mind.winters = hold if game.year == YEARS - 1 else hold + hold * hold
    mind.rounds = float((YEARS - 1 - game.year) * WINTER + WINTER - game.season)
    need = mind.weight[SPENDING] * mind.rounds
    mind.thaler = mind.weight[THALER] * need / (need + game.thalers[seat])


@kernel
def look_at_events(game, rules, mind, seat):
    """Chances of each effect and the grain that winter will ask for (B2.4, B7.1); an event in force is certain."""
    for effect in range(len(EFFECTS)):
        mind.effect_chance[effect] = 0.0
    loss = 0.0
    for index in range(game.shown_events):
        card = game.shown_event[index]
        loss += rules.event_loss[card]
        mind.effect_chance[rules.event_effect[card]] += 1.0 / game.shown_events
    if game.shown_events > 0:
        loss /= game.shown_events
    if event_is_known(game):
        for effect in range(len(EFFECTS)):
            mind.effect_chance[effect] = 0.0
        mind.effect_chance[game.effect] = 1.0
    later = WINTER - 1 - game.season
    asked = count_bits(game.land[seat]) + loss - mind.weight[HARVEST] * later
    mind.grain_gap = max(0.0, asked - game.grain[seat])


@kernel
def expected_tax(rules, mind, county):
    """Taxes of the county, over the events that may come."""
    tax = rules.tax[county]
    return (
        tax
        + mind.effect_chance[TAX_MAX_5] * (min(tax, rules.event_tax_max_thalers) - tax)
        + mind.effect_chance[TAX_MIN_6] * (max(tax, rules.event_tax_min_thalers) - tax)
    )


@kernel
def expected_grain(rules, mind, county):
    """Grain of the county, over the events that may come."""
    grain = rules.grain[county]
    return (
        grain
        + mind.effect_chance[GRAIN_MAX_3] * (min(grain, rules.event_grain_max_grain) - grain)
        + mind.effect_chance[GRAIN_MIN_4] * (max(grain, rules.event_grain_min_grain) - grain)
    )


@kernel
def grain_worth(mind, amount):
    """Worth of so much more grain: what winter asks for counts in full, the rest by the weight `spare_grain`."""
    used = min(amount, mind.grain_gap)
    return mind.weight[GRAIN_NEED] * (used + mind.weight[SPARE_GRAIN] * (amount - used))


@kernel
def _look_at_majorities(game, rules, mind, seat):
    """Worth of one more building of each kind in each region: its points, the majority, the rival's loss (B7.4)."""
    for kind in range(len(BUILDINGS)):
        _look_at_steps(rules, mind, kind)
        for region in range(REGIONS):
            there = rules.region_counties[region] & game.built[kind]
            own, best = count_bits(game.land[seat] & there), 0
            for other in range(rules.players):
                best = max(best, count_bits(game.land[other] & there) if other != seat else 0)
            step = min(_FAR_AHEAD, max(_FAR_BEHIND, own - best)) - _FAR_BEHIND
            mind.gain[region, kind] = mind.winters * mind.step[_NOBODY if own + best == 0 else step]


@kernel
def _look_at_steps(rules, mind, kind):
    """Note in `mind.step` the points of one more building by how many the seat has more than the best rival.

    The places are for -3 or fewer, -2, -1, 0, 1, 2 or more, and for where nobody has one.
    """
    whole, tied = float(majority_points(rules, kind, 1)), float(majority_points(rules, kind, 2))
    majority, deny, points = mind.weight[MAJORITY], mind.weight[DENY], rules.building_points[kind]
    contest = mind.weight[CONTEST] * rules.majority_points[kind] * (mind.rounds - 1.0) / ROUNDS
    mind.step[0] = mind.step[5] = points
    mind.step[1] = mind.step[4] = points + contest  # the next building, of the seat or of the rival, would decide
    mind.step[2] = points + majority * tied + deny * (whole - tied)
    mind.step[3] = points + majority * (whole - tied) + deny * tied
    mind.step[_NOBODY] = points + majority * whole


@kernel
def value_counties(game, rules, mind, counties):
    """Note the worth of owning each county of a mask to the winters left: its points, buildings, income, free sites."""
    points = mind.winters * rules.county_points
    income = mind.weight[INCOME] * (mind.rounds - 1.0)
    site = mind.weight[SITE] if mind.rounds > 1.0 else 0.0
    while counties != 0:
        county = lowest_bit(counties)
        counties &= counties - 1
        region = rules.region[county]
        worth = points + income * (rules.tax[county] + rules.grain[county])
        for kind in range(len(BUILDINGS)):
            worth += has_building(game, county, kind) * mind.gain[region, kind]
        mind.worth[county] = worth + site * (rules.sites[county] - buildings_in(game, county))


@kernel
def look_for_foe(game, rules, mind, seat, county):
    """Note the neighbour whose attack would be strongest, and the danger to the county as it stands."""
    foe, strongest, armies, foes = NOWHERE, 0.0, 0, 0
    around = rules.neighbours[county] & ~(game.land[seat] | game.land[NEUTRAL])
    while around != 0:
        other = lowest_bit(around)
        around &= around - 1
        owner = game.owner[other]
        free = game.army[other] - 1
        strength = mind.out[owner] + rules.pass_rate * free if free > 0 else 0.0
        foes += free > 0
        stronger = strength > strongest
        foe = owner if stronger else foe
        armies = free if stronger else armies
        strongest = max(strongest, strength)
    mind.foe[county] = foe
    mind.foe_armies[county] = armies
    mind.foes[county] = foes
    weigh_foe(game, rules, mind, seat, county)
    mind.danger[county] = danger(game, rules, mind, seat, county, game.army[county])


@kernel
def weigh_foe(game, rules, mind, seat, county):
    """Note what the attack of the most dangerous neighbour would be, but for the armies that hold the county.

    Bonus tiles held on either side count (B4.4).
    """
    foe = max(0, mind.foe[county])
    met, inside = cubes_against(game, seat, mind.guards[seat], peasants_are_loyal(game, rules, county))
    mind.foe_thrown[county] = game.tray[foe] + mind.foe_armies[county] + mind.helpers[foe]
    mind.own_thrown[county], mind.own_inside[county] = met, inside
    mind.danger_page[county] = page_of(game.tower[foe], inside)
    mind.peace[county] = 1.0 - has_building(game, county, CHURCH) * mind.effect_chance[CHURCH_PEACE]
    menace = mind.weight[THREAT] * (1.0 + mind.weight[CROWD] * (mind.foes[county] - 1))
    mind.menace[county] = menace if mind.foe[county] != NOWHERE else 0.0


@kernel
def danger(game, rules, mind, seat, county, armies):
    """Expected loss by the most dangerous neighbour's attack on a county held by so many armies (`weigh_foe`)."""
    chance = chance_on_page(
        game, rules, mind.danger_page[county], max(0, mind.foe[county]), mind.foe_thrown[county],
        mind.own_thrown[county] + armies, mind.own_inside[county],
    )  # fmt: skip
    return mind.menace[county] * (chance * mind.peace[county]) * mind.worth[county]


CALM = 0.5  # VP of a revolt marker removed


@kernel
def building_worth(game, rules, mind, seat, county, kind, price):
    """Worth of putting up a building for so many Thalers; 0 where it cannot stand."""
    worth = mind.gain[rules.region[county], kind] * _haste(mind) - price * mind.thaler
    calmed = kind == TRADING_POST and game.marker[county] > 0
    worth += CALM * mind.effect_chance[TRADING_POST_CALMS] if calmed else 0.0
    return worth if site_outcome(game, rules, county, kind) == DONE else 0.0


@kernel
def _haste(mind):
    """The share of a building's worth that is seen in this round: who is patient sees all of it in the last."""
    return 1.0 - mind.weight[PATIENCE] * (mind.rounds - 1.0) / (ROUNDS - 1.0)
