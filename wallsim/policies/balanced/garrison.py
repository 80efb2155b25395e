"""The armies of a drafted county: the group nearest to the number that its borders and neighbours ask for (B1.2)."""

from wallsim.jit import count_bits, kernel
from wallsim.policies.balanced.draft import draft_worth, foreign_armies, own_armies
from wallsim.policies.balanced.prizes import note_drafted_regions
from wallsim.policies.weights import (
    GARRISON,
    GARRISON_ARMIES,
    GARRISON_BORDERS,
    GARRISON_OWN_ARMIES,
    GARRISON_RIVALS,
    GARRISON_TURN,
    GARRISON_WORTH,
)
from wallsim.rules.terms import NEUTRAL
from wallsim.state.land import own_neighbours


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
