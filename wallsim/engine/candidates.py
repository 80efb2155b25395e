"""The plans that a search tries: those of several policies, with errors of judgement, and mixtures of good plans."""

from wallsim.jit import copy_record, kernel, lowest_bit
from wallsim.policies.balanced import plan as balanced_plan
from wallsim.policies.balanced.chance import is_listed
from wallsim.policies.kinds import MAX_WIDTH
from wallsim.policies.record import BALANCED, NOTES_END, SEARCH_SPREAD, SEARCH_WIDTH
from wallsim.policies.weights import NOISE, TEMPERATURE
from wallsim.rules.terms import AUCTION, BASE_BOXES, MONEY, MONEY_CARDS, NO_CARD, TOWER_CARD, WINTER
from wallsim.state.random import SEAT, below

_THOUSANDTH = 0.001
_TRIES = 8  # at a plan that is not known yet


@kernel
def make_candidates(game, rules, mind, seat, advice, trial):
    """Fill `trial.plan` with different plans, that of the own weights first; returns how many.

    The weights of the searcher and of its advisers plan in turn: first as they are, then with growing errors. The notes
    that are left in `mind` are those of its own weights.
    """
    place = game.year * WINTER + game.season
    own = mind.phase_weight[place]
    noise, temperature = own[NOISE], own[TEMPERATURE]
    own[NOISE], own[TEMPERATURE] = 0.0, 0.0
    balanced_plan.choose_plan(game, rules, mind, seat)
    own[NOISE], own[TEMPERATURE] = noise, temperature
    mind.weight[NOISE], mind.weight[TEMPERATURE] = noise, temperature
    trial.plan[0] = mind.plan
    plans, ways = 1, advice.advisers + 1
    planner = trial.planner
    copy_record(planner, mind, NOTES_END)
    become_plain(planner)
    width = min(mind.search[SEARCH_WIDTH], MAX_WIDTH)
    for number in range(1, width):
        way = number % ways
        planner.phase_weight[place] = mind.phase_weight[place]
        planner.correction = mind.correction
        if way > 0:
            planner.phase_weight[place] = advice.phase_weight[way - 1, place]
            planner.correction = advice.correction[way - 1]
        level = number - way
        planner.phase_weight[place, NOISE] = _THOUSANDTH * mind.search[SEARCH_SPREAD] * level / width
        planner.phase_weight[place, TEMPERATURE] = 0.0
        balanced_plan.choose_plan(game, rules, planner, seat)
        trial.plan[plans] = planner.plan
        plans += not is_listed(rules, trial.plan, plans, planner.plan)
    return plans


@kernel
def become_plain(mind):
    """Let a mind answer every question by its weights."""
    mind.kind = BALANCED
    mind.custom = 0
    mind.custom_answer[:] = 0


@kernel
def exchange_cards(game, rules, seat, trial, plan, first, second):
    """Fill `trial.plan[plan]` with the plan `first` in which one card lies as in `second`, or a random card anywhere.

    Returns whether that made a plan that is not known yet. Only cards of the base game's boxes change places, and none
    that the rules keep where they are.
    """
    made = trial.plan[plan]
    for _ in range(_TRIES):
        made[:] = trial.plan[first]
        box = below(game, SEAT + seat, BASE_BOXES)
        card = trial.plan[second, box]
        if card == made[box] or below(game, SEAT + seat, 4) == 0:
            card = _any_card(game, seat)
        if not _lay(game, rules, seat, made, box, card):
            continue
        if not is_listed(rules, trial.plan, plan, made):
            return True
    return False


@kernel
def _any_card(game, seat):
    """A county of the seat or a money card, each as likely as any other."""
    counties = 0
    land = game.land[seat]
    while land != 0:
        counties += 1
        land &= land - 1
    number = below(game, SEAT + seat, counties + MONEY_CARDS)
    if number >= counties:
        return MONEY + number - counties
    land = game.land[seat]
    for _ in range(number):
        land &= land - 1
    return lowest_bit(land)


@kernel
def _lay(game, rules, seat, made, box, card):
    """Lay a card on a box; what lay there goes where the card came from. Returns whether that is allowed."""
    before = made[box]
    if card == before or not _may_move(card) or not _may_move(before):
        return False
    for other in range(rules.boxes):
        if made[other] == card:
            if other >= BASE_BOXES:
                return False
            made[other] = before
            if other == AUCTION and not _can_bid(game, rules, seat, before):
                return False
    made[box] = card
    return box != AUCTION or _can_bid(game, rules, seat, card)


@kernel
def _may_move(card):
    return card != NO_CARD and card != TOWER_CARD


@kernel
def _can_bid(game, rules, seat, card):
    """Whether a card may lie in the auction: money that is held [A4], or a county."""
    return card < MONEY or card - MONEY <= game.thalers[seat]
