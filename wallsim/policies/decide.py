"""One switch a decision: which policy answers for a seat. A further kind is a file beside these and a line here.

Every kernel reads the table and writes its answer to `mind` (or returns it); the only marks they leave on the
game are draws from the seat's own random stream and the order of its `game.revolting`.
"""

from wallsim.jit import kernel
from wallsim.policies import balanced_auction, balanced_draft, balanced_moves, balanced_plan
from wallsim.policies import random as uniform
from wallsim.policies.record import RANDOM
from wallsim.state.random import SEAT, shuffle


@kernel(apart=True)
def plan(game, rules, mind, seat):
    """Fill `mind.plan` with a card for each of the eleven boxes (B3)."""
    if mind.kind == RANDOM:
        uniform.random_plan(game, rules, mind, seat)
    else:
        balanced_plan.plan(game, rules, mind, seat)


@kernel
def choose_box(game, rules, mind, seat, free):
    """A box 0..4 of the mask `free`: place in the player order and bonus tile (B4.3)."""
    if mind.kind == RANDOM:
        return uniform.random_box(game, seat, free)
    return balanced_auction.choose_box(game, rules, mind, seat, free)


@kernel
def choose_march(game, rules, mind, seat, county):
    """After deploying one army: `mind.target` and `mind.armies`, 0 to stay (B5.7)."""
    if mind.kind == RANDOM:
        uniform.random_march(game, rules, mind, seat, county)
    else:
        balanced_moves.choose_march(game, rules, mind, seat, county)


@kernel
def choose_strike(game, rules, mind, seat, county):
    """For combat/movement A or B: `mind.target` and `mind.armies`, 0 to stay (B5.8)."""
    if mind.kind == RANDOM:
        uniform.random_strike(game, rules, mind, seat, county)
    else:
        balanced_moves.choose_strike(game, rules, mind, seat, county)


@kernel
def order_revolts(game, rules, mind, seat, count):
    """Put the first `count` of `game.revolting` into the order in which the seat fights them (B7.3)."""
    if mind.kind == RANDOM:
        shuffle(game, SEAT + seat, game.revolting, count)
    else:
        balanced_moves.order_revolts(game, mind, count)


@kernel
def choose_county_card(game, rules, mind, seat):
    """In the draft: 0 or 1 for an open card, 2 for the top of the deck (B1.4)."""
    if mind.kind == RANDOM:
        return uniform.random_county_card(game, seat)
    return balanced_draft.choose_county_card(game, rules, mind, seat)


@kernel
def wants_recycle(game, rules, mind, seat):
    """In the draft: whether to put both open cards under the deck, where that is allowed (B1.4)."""
    if mind.kind == RANDOM:
        return False
    return balanced_draft.wants_recycle(game, rules, mind, seat)


@kernel
def choose_group(game, rules, mind, seat, county):
    """In the draft: which of the army groups left, by index, goes into the county just taken (B1.2)."""
    if mind.kind == RANDOM:
        return uniform.random_group(game, seat)
    return balanced_draft.choose_group(game, rules, mind, seat, county)
