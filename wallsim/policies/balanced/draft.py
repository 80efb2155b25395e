"""The draft of the heuristic policies: what a county is worth, which is claimed, with which armies (B1.2, B1.4)."""

import numpy as np

from wallsim.jit import count_bits, kernel, lowest_bit
from wallsim.policies.balanced.prizes import note_drafted_regions
from wallsim.policies.weights import (
    DRAFT_ARMIES,
    DRAFT_BORDER,
    DRAFT_COUNTIES,
    DRAFT_DECK,
    DRAFT_GRAIN,
    DRAFT_LATER,
    DRAFT_NEUTRAL,
    DRAFT_OWN_ARMIES,
    DRAFT_REGION,
    DRAFT_RIVALS,
    DRAFT_RIVALS_REGION,
    DRAFT_SITES,
    DRAFT_TAX,
    GARRISON,
    GARRISON_ARMIES,
    GARRISON_BORDERS,
    GARRISON_OWN_ARMIES,
    GARRISON_RIVALS,
    GARRISON_TURN,
    GARRISON_WORTH,
    INCOME,
    SITE,
)
from wallsim.rules.terms import COUNTIES, COUNTY_LANES, MIN_PLAYERS, NEUTRAL, ROUNDS
from wallsim.state.game import armies_in, own_neighbours


@kernel
def draft_worth(game, rules, mind, seat, county):
    """Worth of a neutral county's card to a seat, in VP: the county itself, and what lies around it."""
    foreign, own = foreign_armies(game, rules, seat, county), own_armies(game, rules, seat, county)
    return _worth(game, rules, mind, seat, county, _rivals_groups(game, rules, seat), foreign, own)


@kernel
def _worth(game, rules, mind, seat, county, groups, foreign, own):
    """The same with the numbers of army groups that rivals still have, and of foreign and own armies around."""
    worth = mind.weight[INCOME] * ROUNDS * (rules.tax[county] + rules.grain[county])
    worth += 2.0 * mind.weight[SITE] * rules.sites[county]
    worth += mind.weight[DRAFT_BORDER] * count_bits(own_neighbours(game, rules, seat, county))
    worth += mind.region_bonus[rules.region[county]]
    worth += mind.weight[DRAFT_ARMIES] * foreign
    worth += mind.weight[DRAFT_OWN_ARMIES] * own
    worth += mind.weight[DRAFT_TAX] * rules.tax[county] + mind.weight[DRAFT_GRAIN] * rules.grain[county]
    worth += mind.weight[DRAFT_SITES] * rules.sites[county]
    worth += mind.weight[DRAFT_COUNTIES] * mind.county_worth[rules.players - MIN_PLAYERS, county]
    return worth + _surroundings(game, rules, mind, seat, county, groups)


@kernel
def _rivals_groups(game, rules, seat):
    """The army groups that the other seats still have."""
    groups = 0
    for other in range(rules.players):
        groups += game.groups[other] if other != seat else 0
    return groups


@kernel
def _surroundings(game, rules, mind, seat, county, groups):
    """Worth of rivals' and neutral neighbours and of the region's counties, own ones among them (B1.4)."""
    around, region = rules.neighbours[county], rules.region_counties[rules.region[county]] & ~(1 << county)
    free, free_there = count_bits(around & game.land[NEUTRAL]), count_bits(region & game.land[NEUTRAL])
    own, own_there = count_bits(around & game.land[seat]), count_bits(region & game.land[seat])
    rivals = count_bits(around) - free - own
    rivals_there = count_bits(region) - free_there - own_there
    worth = mind.weight[DRAFT_RIVALS] * rivals + mind.weight[DRAFT_NEUTRAL] * free
    worth += mind.weight[DRAFT_REGION] * own_there + mind.weight[DRAFT_RIVALS_REGION] * rivals_there
    own_worth = mind.weight[DRAFT_BORDER] * free + mind.weight[DRAFT_REGION] * free_there
    rivals_worth = mind.weight[DRAFT_RIVALS] * free + mind.weight[DRAFT_RIVALS_REGION] * free_there
    # One of the own groups goes into the county itself.
    later = max(0, game.groups[seat] - 1) * own_worth + groups * rivals_worth
    return worth + mind.weight[DRAFT_LATER] * later / max(1, count_bits(game.land[NEUTRAL]) - 1)


@kernel
def foreign_armies(game, rules, seat, county):
    """Armies of other seats in the counties around."""
    return armies_in(game, rules.neighbours[county] & ~(game.land[seat] | game.land[NEUTRAL]))


@kernel
def own_armies(game, rules, seat, county):
    """The seat's armies in the counties around."""
    return armies_in(game, own_neighbours(game, rules, seat, county))


@kernel(distinct=True)
def _sum_armies_around(game, rules, counties, around):
    """Write for each county how many armies the counties of a mask beside it hold."""
    around[:] = 0
    while counties != 0:
        other = lowest_bit(counties)
        counties &= counties - 1
        armies = np.int16(game.army[other])
        for county in range(COUNTY_LANES):
            around[county] += armies * rules.beside[other, county]


@kernel(distinct=True)
def _appraise_claims(game, rules, mind, seat, claims, foreign, own):
    """Write the worth of each county's card, all at once, since counties then fill vectors.

    The arrays written to are parts of `mind` that nothing here reads by that name.
    """
    _sum_armies_around(game, rules, game.land[seat], own)
    _sum_armies_around(game, rules, rules.in_play & ~(game.land[seat] | game.land[NEUTRAL]), foreign)
    groups = _rivals_groups(game, rules, seat)
    for county in range(COUNTIES):
        claims[county] = _worth(game, rules, mind, seat, county, groups, foreign[county], own[county])


@kernel
def _promise_of_deck(game, mind):
    """What the deck's top card promises: the mean worth of the hidden counties, and DRAFT_DECK."""
    total, count = 0.0, 0
    hidden = game.land[NEUTRAL] & ~((1 << game.open_card[0]) | (1 << game.open_card[1]))
    while hidden != 0:
        total += mind.claim[lowest_bit(hidden)]
        hidden &= hidden - 1
        count += 1
    return total / max(1, count) + mind.weight[DRAFT_DECK]


@kernel(apart=True)
def choose_claim(game, rules, mind, seat):
    """The better open card, or the deck where both are worse than what it promises."""
    note_drafted_regions(game, rules, mind, seat)
    _appraise_claims(game, rules, mind, seat, mind.claim, mind.foreign_around, mind.own_around)
    first, second = mind.claim[game.open_card[0]], mind.claim[game.open_card[1]]
    if max(first, second) < _promise_of_deck(game, mind):
        return 2
    return 0 if first >= second else 1


@kernel(apart=True)
def choose_recycle(game, rules, mind, seat):
    """Whether both open cards are worse than what the deck promises."""
    return choose_claim(game, rules, mind, seat) == 2


@kernel
def wanted_armies(game, rules, mind, seat, county):
    """How many armies a seat wants in a county that it has claimed and not yet garrisoned."""
    around = rules.neighbour_count[county] - count_bits(own_neighbours(game, rules, seat, county))
    wanted = mind.weight[GARRISON] + mind.weight[GARRISON_BORDERS] * around
    wanted += mind.weight[GARRISON_ARMIES] * foreign_armies(game, rules, seat, county)
    if mind.weight[GARRISON_RIVALS] != 0.0:
        rivals = around - count_bits(rules.neighbours[county] & game.land[NEUTRAL])
        wanted += mind.weight[GARRISON_RIVALS] * rivals
    if mind.weight[GARRISON_OWN_ARMIES] != 0.0:
        wanted += mind.weight[GARRISON_OWN_ARMIES] * own_armies(game, rules, seat, county)
    if mind.weight[GARRISON_WORTH] != 0.0:
        note_drafted_regions(game, rules, mind, seat)  # a custom claim has not noted them
        wanted += mind.weight[GARRISON_WORTH] * draft_worth(game, rules, mind, seat, county)
    return wanted + mind.weight[GARRISON_TURN] * (rules.groups - game.groups[seat])


@kernel(apart=True)
def choose_garrison(game, rules, mind, seat, county):
    """The index of the group nearest to the armies wanted, the first of equals."""
    target = wanted_armies(game, rules, mind, seat, county)
    best, chosen = 1e9, 0
    for index in range(game.groups[seat]):
        gap = abs(game.group[seat, index] - target)
        if gap < best:
            best, chosen = gap, index
    return chosen
