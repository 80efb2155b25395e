"""Every question answered as `balanced` answers it, by the same kernels called by address."""

from tests.policies.custom.illegal_answers import answering
from wallsim.policies.balanced import auction as balanced_auction
from wallsim.policies.balanced import court as balanced_court
from wallsim.policies.balanced import defence as balanced_defence
from wallsim.policies.balanced import draft as balanced_draft
from wallsim.policies.balanced import landsknechte as balanced_landsknechte
from wallsim.policies.balanced import leaders as balanced_leaders
from wallsim.policies.balanced import moves as balanced_moves
from wallsim.policies.balanced import plan as balanced_plan
from wallsim.rules.terms import AUCTION, NO_CARD


def plan(game, rules, mind, seat):
    mind.plan[:] = NO_CARD
    balanced_plan.choose_plan(game, rules, mind, seat)


def bid(game, rules, mind, seat):
    return mind.plan[AUCTION]


def place(game, rules, mind, seat, free):
    return balanced_auction.choose_place(game, rules, mind, seat, free)


def move(game, rules, mind, seat, county):
    balanced_moves.choose_move(game, rules, mind, seat, county)


def attack(game, rules, mind, seat, county, targets):
    balanced_moves.choose_attack(game, rules, mind, seat, county, targets)


def order_revolts(game, rules, mind, seat, count):
    balanced_moves.choose_order_revolts(game, mind, count)


def claim(game, rules, mind, seat):
    return balanced_draft.choose_claim(game, rules, mind, seat)


def recycle(game, rules, mind, seat):
    return 1 if balanced_draft.choose_recycle(game, rules, mind, seat) else 0


def garrison(game, rules, mind, seat, county):
    return balanced_draft.choose_garrison(game, rules, mind, seat, county)


def defend(game, rules, mind, seat, county, attacker, attackers):
    return balanced_defence.choose_defend(game, rules, mind, seat, county, attacker, attackers)


def recruit(game, rules, mind, seat, county, modes):
    return balanced_defence.choose_recruit(game, rules, mind, seat, county, modes)


def recruits_move(game, rules, mind, seat, county):
    balanced_defence.choose_recruits_move(game, rules, mind, seat, county)


def benefit(game, rules, mind, seat, offered):
    return balanced_landsknechte.choose_benefit(game, rules, mind, seat, offered)


def favor(game, rules, mind, seat, spaces):
    return balanced_court.choose_favor(game, rules, mind, seat, spaces)


def cancel_event(game, rules, mind, seat):
    return 1 if balanced_court.choose_cancel_event(game, rules, mind, seat) else 0


def favor_county(game, rules, mind, seat, favor, counties):
    return balanced_court.choose_favor_county(game, rules, mind, seat, favor, counties)


def draft_leader(game, rules, mind, seat, county):
    return 1 if balanced_leaders.choose_draft_leader(game, rules, mind, seat, county) else 0


def leader(game, rules, mind, seat):
    return balanced_leaders.choose_leader(game, rules, mind, seat)


def leader_move(game, rules, mind, seat):
    return balanced_leaders.choose_leader_move(game, rules, mind, seat)


def statue(game, rules, mind, seat, county):
    return 1


COPIED = answering(
    plan=plan,
    bid=bid,
    place=place,
    move=move,
    attack=attack,
    order_revolts=order_revolts,
    claim=claim,
    recycle=recycle,
    garrison=garrison,
    defend=defend,
    recruit=recruit,
    recruits_move=recruits_move,
    benefit=benefit,
    favor=favor,
    cancel_event=cancel_event,
    favor_county=favor_county,
    draft_leader=draft_leader,
    leader=leader,
    leader_move=leader_move,
    statue=statue,
)
