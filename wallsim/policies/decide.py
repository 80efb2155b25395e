"""One switch a decision: which policy answers for a seat. A further kind is a file beside these and a line here.

Every kernel reads the table and writes its answer to `mind` (or returns it); the only marks they leave on the
game are draws from the seat's own random stream and the order of its `game.revolting`.
"""

from wallsim.jit import kernel
from wallsim.policies import (
    balanced_auction,
    balanced_court,
    balanced_defence,
    balanced_draft,
    balanced_landsknechte,
    balanced_leaders,
    balanced_moves,
    balanced_plan,
)
from wallsim.policies import random as uniform
from wallsim.policies.record import RANDOM
from wallsim.state.random import SEAT, coin, shuffle


@kernel(pasted=True)
def plan(game, rules, mind, seat):
    """Fill `mind.plan` with a card for each box of the mat (B3, E3, V1)."""
    if mind.kind == RANDOM:
        uniform.random_plan(game, rules, mind, seat)
    else:
        balanced_plan.plan(game, rules, mind, seat)


@kernel(pasted=True)
def choose_box(game, rules, mind, seat, free):
    """A box 0..4 of the mask `free`: place in the player order and bonus tile (B4.3)."""
    if mind.kind == RANDOM:
        return uniform.random_box(game, seat, free)
    return balanced_auction.choose_box(game, rules, mind, seat, free)


@kernel(pasted=True)
def choose_march(game, rules, mind, seat, county):
    """After deploying one army: `mind.target` and `mind.armies`, 0 to stay (B5.7)."""
    if mind.kind == RANDOM:
        uniform.random_march(game, rules, mind, seat, county)
    else:
        balanced_moves.choose_march(game, rules, mind, seat, county)


@kernel(pasted=True)
def choose_strike(game, rules, mind, seat, county, targets):
    """For combat/movement A or B: `mind.target`, one of the mask `targets`, and `mind.armies`, 0 to stay (B5.8)."""
    if mind.kind == RANDOM:
        uniform.random_strike(game, rules, mind, seat, county, targets)
    else:
        balanced_moves.choose_strike(game, rules, mind, seat, county, targets)


@kernel(pasted=True)
def order_revolts(game, rules, mind, seat, count):
    """Put the first `count` of `game.revolting` into the order in which the seat fights them (B7.3)."""
    if mind.kind == RANDOM:
        shuffle(game, SEAT + seat, game.revolting, count)
    else:
        balanced_moves.order_revolts(game, mind, count)


@kernel(pasted=True)
def choose_county_card(game, rules, mind, seat):
    """In the draft: 0 or 1 for an open card, 2 for the top of the deck (B1.4)."""
    if mind.kind == RANDOM:
        return uniform.random_county_card(game, seat)
    return balanced_draft.choose_county_card(game, rules, mind, seat)


@kernel(pasted=True)
def wants_recycle(game, rules, mind, seat):
    """In the draft: whether to put both open cards under the deck, where that is allowed (B1.4)."""
    if mind.kind == RANDOM:
        return False
    return balanced_draft.wants_recycle(game, rules, mind, seat)


@kernel(pasted=True)
def choose_group(game, rules, mind, seat, county):
    """In the draft: which of the army groups left, by index, goes into the county just taken (B1.2)."""
    if mind.kind == RANDOM:
        return uniform.random_group(game, seat)
    return balanced_draft.choose_group(game, rules, mind, seat, county)


@kernel(pasted=True)
def choose_defence(game, rules, mind, seat, county, attacker, attackers):
    """In the first edition: how many armies, 1 to all, defend a county against so many of a colour (V5)."""
    if mind.kind == RANDOM:
        return uniform.random_defence(game, seat, county)
    return balanced_defence.choose_defence(game, rules, mind, seat, county, attacker, attackers)


@kernel(pasted=True)
def choose_recruiting(game, rules, mind, seat, county, modes):
    """In the first edition: RECRUIT, MARCH or BOTH, one of the mask `modes` (V3)."""
    if mind.kind == RANDOM:
        return uniform.random_member(game, SEAT + seat, modes)
    return balanced_defence.choose_recruiting(game, rules, mind, seat, county, modes)


@kernel(pasted=True)
def choose_recruits_march(game, rules, mind, seat, county):
    """In the first edition, where MARCH or BOTH was chosen: `mind.target` and `mind.armies`, at least 1 (V3)."""
    if mind.kind == RANDOM:
        uniform.random_move(game, rules, mind, seat, county)
    else:
        balanced_defence.choose_recruits_march(game, rules, mind, seat, county)


@kernel(pasted=True)
def choose_benefit(game, rules, mind, seat, offered):
    """A benefit of the mask `offered` on the seat's Landsknechte card (L1)."""
    if mind.kind == RANDOM:
        return uniform.random_member(game, SEAT + seat, offered)
    return balanced_landsknechte.choose_benefit(game, rules, mind, seat, offered)


@kernel(pasted=True)
def choose_favor(game, rules, mind, seat, spaces):
    """A space of the mask `spaces` whose favor the seat takes, or -1 for none (E5)."""
    if mind.kind == RANDOM:
        return uniform.random_member(game, SEAT + seat, spaces)
    return balanced_court.choose_favor(game, rules, mind, seat, spaces)


@kernel(pasted=True)
def cancels_event(game, rules, mind, seat):
    """Whether the seat, having taken the favor, cancels the round's event (E6)."""
    if mind.kind == RANDOM:
        return coin(game, SEAT + seat)
    return balanced_court.cancels_event(game, rules, mind, seat)


@kernel(pasted=True)
def choose_favor_county(game, rules, mind, seat, favor, counties):
    """A county of the mask `counties` for a favor that needs one (E6)."""
    if mind.kind == RANDOM:
        return uniform.random_member(game, SEAT + seat, counties)
    return balanced_court.choose_favor_county(game, rules, mind, seat, favor, counties)


@kernel(pasted=True)
def places_leader(game, rules, mind, seat, county):
    """In the draft: whether to place the leader in the county just claimed, which is not the last (M1)."""
    if mind.kind == RANDOM:
        return uniform.random_place(game, seat)
    return balanced_leaders.places_leader(game, rules, mind, seat, county)


@kernel(pasted=True)
def choose_leader_county(game, rules, mind, seat):
    """An own county for a leader that is off the board (M1, M4)."""
    if mind.kind == RANDOM:
        return uniform.random_member(game, SEAT + seat, game.land[seat])
    return balanced_leaders.choose_leader_county(game, rules, mind, seat)


@kernel(pasted=True)
def choose_leader_move(game, rules, mind, seat):
    """Another own county for the leader to move to (M3)."""
    if mind.kind == RANDOM:
        return uniform.random_member(game, SEAT + seat, game.land[seat] & ~game.leader[seat])
    return balanced_leaders.choose_leader_move(game, rules, mind, seat)


@kernel(pasted=True)
def leaves_statue(game, rules, mind, seat, destination):
    """Whether the leader leaves a statue, where it may, on moving to `destination` (M3).

    Both policies always do: there are six rounds and six statues, and one that is taken costs no more than it might
    have brought.
    """
    return True
