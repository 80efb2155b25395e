"""The leaders of the heuristic policies: where they are placed and move, to leave statues and take trophies (M)."""

from wallsim.jit import kernel, lowest_bit
from wallsim.mechanics.leaders import may_leave_statue, statues_in
from wallsim.policies.balanced.appraisal import grain_worth, look_for_foe
from wallsim.policies.balanced.draft import foreign_armies
from wallsim.policies.balanced.prizes import leader_worth, statue_points, trophy_worth
from wallsim.policies.odds import look_into_tower
from wallsim.policies.weights import ARMY, LEADER, STATUE
from wallsim.rules.terms import COMBAT_A, DEPLOY1, DEPLOY5, GRAIN, TAXES, TRADING_POST, WINTER, YEARS
from wallsim.state.game import buildings_in, event_is_known, own_neighbours

_FEW_ARMIES, _LAST_GROUPS = 2, 3  # where drafted leaders settle: few foreign armies around, or few counties to come
_LEAST_WORTH = 0.1
_NEXT_STATUE = 0.7  # share of a statue's worth that the next round's has now
_USE = 0.1  # share of a Thaler that the leader's bonus for building is worth


@kernel(apart=True)
def choose_draft_leader(game, rules, mind, seat, county):
    """Place it where an own county borders, for its moves, and few armies of others; at the end of the draft anyway."""
    if own_neighbours(game, rules, seat, county) == 0:
        return False
    return game.groups[seat] < _LAST_GROUPS or foreign_armies(game, rules, seat, county) <= _FEW_ARMIES


@kernel(apart=True)
def choose_leader(game, rules, mind, seat):
    """The county where a leader coming to the board is worth most (M1, M4)."""
    look_into_tower(game, rules, mind)
    best, chosen = -1e9, 0
    land = game.land[seat]
    while land != 0:
        county = lowest_bit(land)
        land &= land - 1
        worth = _stay_worth(game, rules, mind, seat, county)
        if event_is_known(game):  # spring of year one: plans lie on the mats
            worth += _planned_use(mind, county)
        if worth > best:
            best, chosen = worth, county
    return chosen


@kernel(apart=True)
def choose_leader_move(game, rules, mind, seat):
    """The county to which the move is worth most: a statue left behind, trophies there, safety, the next move (M3)."""
    look_into_tower(game, rules, mind)
    statue = mind.weight[STATUE] * statue_points(game, rules)
    best, chosen = -1e9, 0
    land = game.land[seat] & ~game.leader[seat]
    while land != 0:
        county = lowest_bit(land)
        land &= land - 1
        worth = _stay_worth(game, rules, mind, seat, county)
        if may_leave_statue(game, rules, seat, county):
            worth += statue
        if worth > best:
            best, chosen = worth, county
    return chosen


@kernel
def _stay_worth(game, rules, mind, seat, county):
    """Worth of the leader standing in a county until its next move: trophies, next statue, bonus, minus the risk."""
    worth = trophy_worth(game, rules, mind, seat, county)
    if game.year == YEARS - 1 and game.season == WINTER - 1:
        return worth  # no further move, no further action
    ways = own_neighbours(game, rules, seat, county)
    if ways != 0 and statues_in(game, seat, county) < rules.statues_a_county:
        worth += _NEXT_STATUE * mind.weight[STATUE] * statue_points(game, rules)
    if buildings_in(game, county) < rules.sites[county]:
        worth += _USE * mind.thaler
    look_for_foe(game, rules, mind, seat, county)
    lost = mind.danger[county] / max(_LEAST_WORTH, mind.worth[county])
    return worth - lost * (leader_worth(game, mind) + mind.weight[LEADER])


@kernel
def _planned_use(mind, county):
    """Worth of the leader's bonus for what the county is planned to do this round (M2)."""
    worth = 0.0
    for box in range(COMBAT_A):
        if mind.plan[box] == county:
            if box <= TRADING_POST or box == TAXES:
                worth = mind.thaler
            elif box == GRAIN:
                worth = grain_worth(mind, 1.0)
            elif DEPLOY5 <= box <= DEPLOY1:
                worth = mind.weight[ARMY]
    return worth
