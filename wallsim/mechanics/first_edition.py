"""The first edition of 2002: player order by lot, and "recruit and/or move" (V1, V3).

Peasants' loyalty (V6) is a number of the rules, the defender's choice of armies (V5) an argument of every battle.
"""

from wallsim.jit import kernel
from wallsim.rules.terms import BOTH, DEPLOY1, DEPLOY5, MARCH, MAX_PLAYERS, NO_TILE, RECRUIT
from wallsim.state.land import leads, own_neighbours
from wallsim.state.random import TIES, shuffle


@kernel
def put_tiles_away(game):
    """There are no bonus tiles (V1)."""
    for box in range(MAX_PLAYERS):
        game.tile_on_box[box] = NO_TILE


@kernel
def draw_player_order(game, rules):
    """Draw the player order at random: `game.turn` and each seat's place (V1)."""
    for seat in range(rules.players):
        game.turn[seat] = seat
    shuffle(game, TIES, game.turn, rules.players)
    for turn in range(rules.players):
        seat = game.turn[turn]
        game.place[seat] = turn
        game.pick[turn] = seat
        game.tile[seat] = NO_TILE


@kernel
def recruiting_modes(game, rules, seat, county):
    """What "recruit and/or move" can do here, money aside: the mask of modes RECRUIT, MARCH and BOTH (V3).

    A single army may march only if recruits join it, since one must stay.
    """
    needed = rules.deploy_armies[DEPLOY1 - DEPLOY5]
    if rules.bonus_must_be_there:  # [A6]
        needed += rules.leader_deploy_armies * leads(game, seat, county)
    recruits = game.supply[seat] >= needed
    neighbours = own_neighbours(game, rules, seat, county) != 0
    modes = recruits << RECRUIT
    modes |= (neighbours and game.army[county] > 1) << MARCH
    modes |= (neighbours and recruits) << BOTH
    return modes
