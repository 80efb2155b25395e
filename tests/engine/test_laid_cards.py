"""An intervention lays a card on a box of a plan; the rest of the plan stays, and it stays within the rules (B3)."""

import random
from collections import Counter
from itertools import product

import numpy as np
import pytest

from tests.engine.intervened import arena, assert_same, play
from tests.naive.making import BOARD
from tests.naive.rng import JIT
from wallsim.engine.log_lines import PLAN, STATE, line_places
from wallsim.rules.ruleset import Ruleset
from wallsim.rules.terms import ACTIONS, AUCTION, BASE_BOXES, BOXES, EXPANSIONS, MONEY, MONEY_CARDS

COUNT = 6 if JIT else 1
_PLAN = line_places(PLAN)
RULES = [
    Ruleset(players=4),
    Ruleset(players=3, expansions=EXPANSIONS),
    Ruleset(players=5, edition="1e"),
    Ruleset(players=4, setup="draft"),
]
variants = pytest.mark.parametrize("rules", RULES, ids=lambda rules: f"{rules.players}-{rules.setup}-{rules.edition}")


def first_plans(rules, *lines, game=0, policy="random"):
    """The first plan of each seat: cards by box, a list per seat."""
    log = arena(rules, *lines, policy=policy).trace(game)
    lines = log.lines[log.lines[:, 0] == PLAN][: rules.players]
    return [
        line[_PLAN.cards : _PLAN.cards + boxes_of(rules)].tolist() for line in lines[np.argsort(lines[:, _PLAN.seat])]
    ]


def boxes_of(rules):
    """How many boxes a mat has (B3, E1)."""
    return BOXES if rules.expansions else BASE_BOXES


def step(box, card, seat=1, when="spring 1"):
    """The line of an intervention."""
    return {"do": "plan", "box": box, "card": card, "seat": seat, "round": when}


def laid(plan, box, card, land):
    """The plan after a card was laid on a box: a county (a number), or None for a pass."""
    result = plan.copy()
    free = [money for money in range(MONEY, MONEY + MONEY_CARDS) if money not in plan]
    if card is None and 0 <= plan[box] < MONEY and free:
        result[box] = free[0]  # the lowest money card in the hand
    elif card in plan:
        other = plan.index(card)
        result[box], result[other] = plan[other], plan[box]
    elif card is not None and land >> card & 1:
        result[box] = card
    return result


@variants
@pytest.mark.parametrize("policy", ["random", "balanced"])
def test_a_card_is_laid_on_its_box_and_the_rest_of_all_plans_stays(rules, policy):
    """Counties of other boxes, also of this one, of the hand and of other seats, and passes on every box."""
    rng, seen = random.Random(1), Counter()
    for game in range(COUNT):
        plans = first_plans(rules, game=game, policy=policy)
        mine, owner = plans[1], arena(rules, policy=policy).trace(game).snapshots[0]["owner"].tolist()
        land = sum(1 << county for county, seat in enumerate(owner) if seat == 1)
        on_mat = [card for card in mine if 0 <= card < MONEY and card != mine[AUCTION]]
        kinds = {
            "pass": [None],
            "mat": on_mat,
            "hand": [county for county, seat in enumerate(owner) if seat == 1 and county not in mine],
            "other": [county for county, seat in enumerate(owner) if seat == 0],
        }
        for (box, action), (kind, cards) in product(enumerate(ACTIONS), kinds.items()):
            if cards:
                card = rng.choice(cards)
                line = step(action, "pass" if card is None else BOARD.counties[card])
                after = first_plans(rules, line, game=game, policy=policy)
                assert after == [plans[0], laid(mine, box, card, land), *plans[2:]]
                seen[kind, after != plans] += 1
    if JIT and policy == "random":
        assert min(seen["pass", True], seen["hand", True], seen["mat", True], seen["mat", False]) > 0
    assert seen["hand", False] == seen["other", True] == 0


@variants
def test_cards_that_change_no_plan_change_nothing_else(rules):
    cards = [BOARD.counties[card] if 0 <= card < MONEY else "pass" for card in first_plans(rules)[1][: len(ACTIONS)]]
    assert_same(play(rules, count=1), play(rules, *map(step, ACTIONS, cards), count=1))


@variants
@pytest.mark.parametrize("policy", ["random", "balanced"])
def test_bids_stay_within_the_purse_and_cards_lie_once(rules, policy):  # B3.1 B3.4
    """Every seat has every box changed in every round, which lays counties from the auction on boxes of money."""
    lines = [
        step(action, BOARD.counties[place], seat="turn", when="every")
        for action in ACTIONS[:6]
        for place in range(0, len(BOARD.counties), 5)
        if BOARD.min_players[place] <= rules.players
    ]
    games = arena(rules, *lines[:64], policy=policy)
    for game in range(COUNT):
        log = games.trace(game)
        snapshot = 0
        for line in log.lines:
            if line[0] == PLAN:
                cards = [card for card in line[_PLAN.cards : _PLAN.cards + boxes_of(rules)] if card >= 0]
                unique = [card for card in cards if card < MONEY + MONEY_CARDS]
                assert len(set(unique)) == len(unique)
                bid = line[_PLAN.cards + AUCTION] - MONEY
                if rules.edition == "2e" and 0 <= bid < MONEY_CARDS:
                    assert bid <= log.snapshots[snapshot]["thalers"][line[_PLAN.seat]]
            elif line[0] == STATE:
                snapshot = line[1]
