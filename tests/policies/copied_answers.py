"""Every question answered as `balanced` answers it, by the same kernels called by address."""

from tests.policies.custom.illegal_answers import answering
from wallsim.policies.balanced.attacks import choose_attack
from wallsim.policies.balanced.auction import choose_place
from wallsim.policies.balanced.court import choose_cancel_event, choose_favor, choose_favor_county
from wallsim.policies.balanced.defence import choose_defend, choose_recruit, choose_recruits_move
from wallsim.policies.balanced.draft import choose_claim, choose_garrison, choose_recycle
from wallsim.policies.balanced.landsknechte import choose_benefit
from wallsim.policies.balanced.leaders import choose_draft_leader, choose_leader, choose_leader_move
from wallsim.policies.balanced.moves import choose_move, choose_order_revolts
from wallsim.policies.balanced.plan import choose_plan
from wallsim.rules.terms import AUCTION, NO_CARD


def plan(game, rules, mind, seat):
    mind.plan[:] = NO_CARD
    choose_plan(game, rules, mind, seat)


def bid(game, rules, mind, seat):
    return mind.plan[AUCTION]


def order_revolts(game, rules, mind, seat, count):
    choose_order_revolts(game, mind, count)


def recycle(game, rules, mind, seat):
    return 1 if choose_recycle(game, rules, mind, seat) else 0


def cancel_event(game, rules, mind, seat):
    return 1 if choose_cancel_event(game, rules, mind, seat) else 0


def draft_leader(game, rules, mind, seat, county):
    return 1 if choose_draft_leader(game, rules, mind, seat, county) else 0


def statue(game, rules, mind, seat, county):
    return 1


COPIED = answering(
    plan=plan,
    bid=bid,
    place=choose_place,
    move=choose_move,
    attack=choose_attack,
    order_revolts=order_revolts,
    claim=choose_claim,
    recycle=recycle,
    garrison=choose_garrison,
    defend=choose_defend,
    recruit=choose_recruit,
    recruits_move=choose_recruits_move,
    benefit=choose_benefit,
    favor=choose_favor,
    cancel_event=cancel_event,
    favor_county=choose_favor_county,
    draft_leader=draft_leader,
    leader=choose_leader,
    leader_move=choose_leader_move,
    statue=statue,
)
