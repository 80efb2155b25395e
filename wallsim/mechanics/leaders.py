"""The military leaders: where they stand, the statues they leave and the trophies they take (M).

What a leader adds to its county's actions (M2) is `leads` in the kernels of those actions; the loss of its county is
part of `hand_over` (M4).
"""

from wallsim.jit import count_bits, kernel, lowest_bit
from wallsim.rules.terms import STATUES
from wallsim.state import tally
from wallsim.state.game import IN_HAND, TAKEN


@kernel
def statues_in(game, seat, county):
    """How many of the seat's statues stand in the county."""
    count = 0
    for statue in range(STATUES):
        count += game.statue[seat, statue] == county
    return count


@kernel
def statues_standing(game, seat):
    """How many of the seat's statues stand on the board (M5)."""
    count = 0
    for statue in range(STATUES):
        count += game.statue[seat, statue] >= 0
    return count


@kernel
def statue_in_hand(game, seat):
    """The number of a statue the seat can still put up, or STATUES if it has none (M1)."""
    for statue in range(STATUES):
        if game.statue[seat, statue] == IN_HAND:
            return statue
    return STATUES


@kernel
def may_leave_statue(game, rules, seat, destination):
    """Whether the leader, on moving to `destination`, may leave a statue in the county it comes from (M3 [A10])."""
    origin = lowest_bit(game.leader[seat])
    if (rules.neighbours[origin] >> destination) & 1 == 0:
        return False
    return statue_in_hand(game, seat) < STATUES and statues_in(game, seat, origin) < rules.statues_a_county


@kernel
def leave_statue(game, seat):
    """Put one of the seat's statues into its leader's county (M3)."""
    game.statue[seat, statue_in_hand(game, seat)] = lowest_bit(game.leader[seat])
    game.tally[seat, tally.STATUES_LEFT] += 1


@kernel
def place_leader(game, rules, seat, county):
    """Put the seat's leader into a county; opponents' statues there become its trophies (M1, M3, M4).

    Returns the mask of seats that lost a statue.
    """
    game.leader[seat] = 1 << county
    losers = 0
    for other in range(rules.players):
        if other == seat:
            continue
        for statue in range(STATUES):
            if game.statue[other, statue] == county:
                game.statue[other, statue] = TAKEN
                game.trophies[seat] += 1
                game.tally[seat, tally.TROPHIES] += 1
                game.tally[other, tally.STATUES_LOST] += 1
                losers |= 1 << other
    return losers


@kernel
def leader_must_move(game, seat):
    """Whether the leader is on the board and its owner has another county to move it to (M3)."""
    return game.leader[seat] != 0 and count_bits(game.land[seat]) > 1


@kernel
def leader_must_leave(game, rules, seat):
    """Whether the leader leaves the board because its owner has no other county: only by [A11] (M3)."""
    return game.leader[seat] != 0 and count_bits(game.land[seat]) == 1 and not rules.lone_leader_stays


@kernel
def leave_board(game, seat):
    """Take the seat's leader off the board; it leaves no statue (M3 [A11])."""
    game.leader[seat] = 0


@kernel
def leader_returns(game, seat):
    """Whether the seat has a leader off the board and a county to place it in (M4)."""
    return game.leader[seat] == 0 and game.land[seat] != 0


@kernel
def score_statues(game, rules):
    """Points for each own statue on the board and each trophy, each winter or only in the last [A12] (M5)."""
    if game.year == 0 and not rules.statue_points_each_winter:
        return
    for seat in range(rules.players):
        statues = rules.statue_points * statues_standing(game, seat)
        trophies = rules.trophy_points * game.trophies[seat]
        game.vp[seat] += statues + trophies
        game.tally[seat, tally.VP_STATUES + game.year] += statues
        game.tally[seat, tally.VP_TROPHIES + game.year] += trophies
