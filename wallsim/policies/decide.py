"""One kernel per question: it calls the policy of the seat. Another kind of policy is a branch in each of them.

A custom policy's answers are called by the addresses in `mind.custom_answer`; `balanced` answers what it leaves out.
The calls go through guards (`custom/guards.py`), which are called by address too and so compiled only where needed.
"""

from wallsim.jit import call_int, call_void, kernel
from wallsim.policies import random as uniform
from wallsim.policies.balanced import attacks as balanced_attacks
from wallsim.policies.balanced import auction as balanced_auction
from wallsim.policies.balanced import court as balanced_court
from wallsim.policies.balanced import defence as balanced_defence
from wallsim.policies.balanced import draft as balanced_draft
from wallsim.policies.balanced import landsknechte as balanced_landsknechte
from wallsim.policies.balanced import leaders as balanced_leaders
from wallsim.policies.balanced import moves as balanced_moves
from wallsim.policies.balanced import plan as balanced_plan
from wallsim.policies.questions import (
    ATTACK,
    BENEFIT,
    CANCEL_EVENT,
    CLAIM,
    DEFEND,
    DRAFT_LEADER,
    FAVOR,
    FAVOR_COUNTY,
    GARRISON,
    LEADER,
    LEADER_MOVE,
    MOVE,
    ORDER_REVOLTS,
    PLACE,
    RECRUIT,
    RECRUITS_MOVE,
    RECYCLE,
    STATUE,
)
from wallsim.policies.record import MARCH_GUARD, MEMBER_GUARD, NUMBER_GUARD, PLAN_GUARD, RANDOM, REVOLTS_GUARD
from wallsim.state.game import own_neighbours
from wallsim.state.random import SEAT, coin, shuffle


@kernel
def choose_plan(game, rules, mind, seat):
    """Fill `mind.plan` with a card for each box of the mat (B3, E3, V1)."""
    if mind.kind == RANDOM:
        uniform.random_plan(game, rules, mind, seat)
    else:
        balanced_plan.choose_plan(game, rules, mind, seat)  # also notes what later answers read
        if mind.custom != 0:
            call_void(mind.guard[PLAN_GUARD], (game, rules, mind, seat))


@kernel
def choose_place(game, rules, mind, seat, free):
    """A box 0..4 of the mask `free`: place in the player order and bonus tile (B4.3)."""
    if mind.kind == RANDOM:
        return uniform.random_place(game, seat, free)
    if mind.custom_answer[PLACE] != 0:
        return call_int(mind.guard[MEMBER_GUARD], (game, rules, mind, seat, PLACE, free, free))
    return balanced_auction.choose_place(game, rules, mind, seat, free)


@kernel
def choose_move(game, rules, mind, seat, county):
    """After deploying one army: `mind.target` and `mind.armies`, 0 to stay (B5.7)."""
    if mind.kind == RANDOM:
        uniform.random_move(game, rules, mind, seat, county)
    elif mind.custom_answer[MOVE] != 0:
        targets = own_neighbours(game, rules, seat, county)
        call_void(mind.guard[MARCH_GUARD], (game, rules, mind, seat, MOVE, county, targets, 0))
    else:
        balanced_moves.choose_move(game, rules, mind, seat, county)


@kernel
def choose_attack(game, rules, mind, seat, county, targets):
    """For combat/movement A or B: `mind.target`, one of the mask `targets`, and `mind.armies` (B5.8).

    0 armies stay, which only [A7] `may` allows; the engine moves one for a custom policy that stays where it must not.
    """
    if mind.kind == RANDOM:
        uniform.random_attack(game, rules, mind, seat, county, targets)
    elif mind.custom_answer[ATTACK] != 0:
        least = 1 if rules.combat_must else 0
        call_void(mind.guard[MARCH_GUARD], (game, rules, mind, seat, ATTACK, county, targets, least))
    else:
        balanced_attacks.choose_attack(game, rules, mind, seat, county, targets)


@kernel
def choose_order_revolts(game, rules, mind, seat, count):
    """Put the first `count` of `game.revolting` into the order in which the seat fights them (B7.3)."""
    if mind.kind == RANDOM:
        shuffle(game, SEAT + seat, game.revolting, count)
    elif mind.custom_answer[ORDER_REVOLTS] != 0:
        call_void(mind.guard[REVOLTS_GUARD], (game, rules, mind, seat, count))
    else:
        balanced_moves.choose_order_revolts(game, mind, count)


@kernel
def choose_claim(game, rules, mind, seat):
    """In the draft: 0 or 1 for an open card, 2 for the top of the deck (B1.4)."""
    if mind.kind == RANDOM:
        return uniform.random_claim(game, seat)
    if mind.custom_answer[CLAIM] != 0:
        return call_int(mind.guard[NUMBER_GUARD], (game, rules, mind, seat, CLAIM, 0, 2, 0, 0, 0))
    return balanced_draft.choose_claim(game, rules, mind, seat)


@kernel
def choose_recycle(game, rules, mind, seat):
    """In the draft: whether to put both open cards under the deck, where that is allowed (B1.4)."""
    if mind.kind == RANDOM:
        return False
    if mind.custom_answer[RECYCLE] != 0:
        return call_int(mind.guard[NUMBER_GUARD], (game, rules, mind, seat, RECYCLE, 0, 1, 0, 0, 0)) != 0
    return balanced_draft.choose_recycle(game, rules, mind, seat)


@kernel
def choose_garrison(game, rules, mind, seat, county):
    """In the draft: which of the army groups left, by index, goes into the county just taken (B1.2)."""
    if mind.kind == RANDOM:
        return uniform.random_garrison(game, seat)
    if mind.custom_answer[GARRISON] != 0:
        return call_int(
            mind.guard[NUMBER_GUARD], (game, rules, mind, seat, GARRISON, 0, game.groups[seat] - 1, county, 0, 0)
        )
    return balanced_draft.choose_garrison(game, rules, mind, seat, county)


@kernel
def choose_defend(game, rules, mind, seat, county, attacker, attackers):
    """In the first edition: how many armies, 1 to all, defend a county against so many of a colour (V5)."""
    if mind.kind == RANDOM:
        return uniform.random_defend(game, seat, county)
    if mind.custom_answer[DEFEND] != 0:
        return call_int(
            mind.guard[NUMBER_GUARD],
            (game, rules, mind, seat, DEFEND, 1, game.army[county], county, attacker, attackers),
        )
    return balanced_defence.choose_defend(game, rules, mind, seat, county, attacker, attackers)


@kernel
def choose_recruit(game, rules, mind, seat, county, modes):
    """In the first edition: RECRUIT, MARCH or BOTH, one of the mask `modes` (V3)."""
    if mind.kind == RANDOM:
        return uniform.random_member(game, SEAT + seat, modes)
    if mind.custom_answer[RECRUIT] != 0:
        return call_int(mind.guard[MEMBER_GUARD], (game, rules, mind, seat, RECRUIT, modes, county))
    return balanced_defence.choose_recruit(game, rules, mind, seat, county, modes)


@kernel
def choose_recruits_move(game, rules, mind, seat, county):
    """In the first edition, where MARCH or BOTH was chosen: `mind.target` and `mind.armies`, at least 1 (V3)."""
    if mind.kind == RANDOM:
        uniform.random_recruits_move(game, rules, mind, seat, county)
    elif mind.custom_answer[RECRUITS_MOVE] != 0:
        targets = own_neighbours(game, rules, seat, county)
        call_void(mind.guard[MARCH_GUARD], (game, rules, mind, seat, RECRUITS_MOVE, county, targets, 1))
    else:
        balanced_defence.choose_recruits_move(game, rules, mind, seat, county)


@kernel
def choose_benefit(game, rules, mind, seat, offered):
    """A benefit of the mask `offered` on the seat's Landsknechte card (L1)."""
    if mind.kind == RANDOM:
        return uniform.random_member(game, SEAT + seat, offered)
    if mind.custom_answer[BENEFIT] != 0:
        return call_int(mind.guard[MEMBER_GUARD], (game, rules, mind, seat, BENEFIT, offered, offered))
    return balanced_landsknechte.choose_benefit(game, rules, mind, seat, offered)


@kernel
def choose_favor(game, rules, mind, seat, spaces):
    """A space of the mask `spaces` whose favor the seat takes, or -1 for none (E5)."""
    if mind.kind == RANDOM:
        return uniform.random_member(game, SEAT + seat, spaces)
    if mind.custom_answer[FAVOR] != 0:
        return call_int(mind.guard[MEMBER_GUARD], (game, rules, mind, seat, FAVOR, spaces, spaces))
    return balanced_court.choose_favor(game, rules, mind, seat, spaces)


@kernel
def choose_cancel_event(game, rules, mind, seat):
    """Whether the seat, having taken the favor, cancels the round's event (E6)."""
    if mind.kind == RANDOM:
        return coin(game, SEAT + seat)
    if mind.custom_answer[CANCEL_EVENT] != 0:
        return call_int(mind.guard[NUMBER_GUARD], (game, rules, mind, seat, CANCEL_EVENT, 0, 1, 0, 0, 0)) != 0
    return balanced_court.choose_cancel_event(game, rules, mind, seat)


@kernel
def choose_favor_county(game, rules, mind, seat, favor, counties):
    """A county of the mask `counties` for a favor that needs one (E6)."""
    if mind.kind == RANDOM:
        return uniform.random_member(game, SEAT + seat, counties)
    if mind.custom_answer[FAVOR_COUNTY] != 0:
        return call_int(mind.guard[MEMBER_GUARD], (game, rules, mind, seat, FAVOR_COUNTY, counties, favor))
    return balanced_court.choose_favor_county(game, rules, mind, seat, favor, counties)


@kernel
def choose_draft_leader(game, rules, mind, seat, county):
    """In the draft: whether to place the leader in the county just claimed, which is not the last (M1)."""
    if mind.kind == RANDOM:
        return uniform.random_draft_leader(game, seat)
    if mind.custom_answer[DRAFT_LEADER] != 0:
        return call_int(mind.guard[NUMBER_GUARD], (game, rules, mind, seat, DRAFT_LEADER, 0, 1, county, 0, 0)) != 0
    return balanced_leaders.choose_draft_leader(game, rules, mind, seat, county)


@kernel
def choose_leader(game, rules, mind, seat):
    """An own county for a leader that is off the board (M1, M4)."""
    if mind.kind == RANDOM:
        return uniform.random_member(game, SEAT + seat, game.land[seat])
    if mind.custom_answer[LEADER] != 0:
        return call_int(mind.guard[MEMBER_GUARD], (game, rules, mind, seat, LEADER, game.land[seat], 0))
    return balanced_leaders.choose_leader(game, rules, mind, seat)


@kernel
def choose_leader_move(game, rules, mind, seat):
    """Another own county for the leader to move to (M3)."""
    if mind.kind == RANDOM:
        return uniform.random_member(game, SEAT + seat, game.land[seat] & ~game.leader[seat])
    if mind.custom_answer[LEADER_MOVE] != 0:
        return call_int(
            mind.guard[MEMBER_GUARD], (game, rules, mind, seat, LEADER_MOVE, game.land[seat] & ~game.leader[seat], 0)
        )
    return balanced_leaders.choose_leader_move(game, rules, mind, seat)


@kernel
def choose_statue(game, rules, mind, seat, county):
    """Whether the leader leaves a statue, where it may, on moving to a county (M3).

    All but custom policies always do: there are six rounds and six statues, and a statue that is taken costs no more
    than it might have scored.
    """
    if mind.custom_answer[STATUE] != 0:
        return call_int(mind.guard[NUMBER_GUARD], (game, rules, mind, seat, STATUE, 0, 1, county, 0, 0)) != 0
    return True
