"""Plans of the reference policy: each card as likely on each box as uniform choices make it, counted.

Each statistic is Pearson's as a standard normal value, which exceeds 4 by chance in 3 of 100,000 cases; some 600
are looked at, so that a right policy would fail with chance 1/25 on other seeds. The seeds are fixed.
"""

from collections import Counter
from itertools import combinations, permutations

import numpy as np
import pytest

from tests.naive.rng import many_draws
from tests.policies.counting import assert_uniform, cards_of, owner_of, plans
from tests.policies.seating import plan, plan_errors
from wallsim.rules.terms import AUCTION, MONEY_CARDS, TOWER_CARD

COURT, OLD = {"expansions": ("court",)}, {"edition": "1e"}
ANY_BOX, ANY_BID = {"few_cards": "any_box"}, {"few_cards": "any_box", "money_bid": "any"}
TOWERS = 3  # E1
# Switches with numbers of counties and of Thalers; by default cards lie on actions first, and a bid must be held.
HANDS = [
    (ANY_BOX, [(0, 0), (0, 2), (1, 4), (2, 9), (3, 2), (5, 1), (6, 0), (6, 9), (8, 1), (15, 30)]),
    (ANY_BID, [(3, 0), (3, 2)]),  # A4
    ({}, [(0, 9), (1, 9), (3, 9), (5, 9), (6, 1)]),  # A14
    ({**COURT, **ANY_BOX}, [(0, 0), (1, 9), (2, 9), (3, 2), (6, 0), (8, 4), (15, 1)]),
    (COURT, [(0, 1), (5, 1), (6, 1), (11, 1)]),
    (OLD, [(0, 0), (2, 0), (5, 0), (6, 0), (12, 0)]),
    ({**OLD, **COURT}, [(0, 0), (2, 0), (5, 0), (6, 0), (12, 0)]),
]


def chances_of(rules, counties, thalers):
    """The chance of each card, -1 for none: as a bid, and on any other box (B3.1, B3.2, B3.4, E3, V1)."""
    cards, towers = cards_of(counties), TOWERS if "court" in rules.expansions else 0
    boxes = 10 + towers  # the court has as many boxes as dice-tower cards
    money = MONEY_CARDS if rules.money_bid == "any" else min(MONEY_CARDS, thalers + 1)
    copies = {**dict.fromkeys(cards, 1), TOWER_CARD: towers}
    biddable = {**dict.fromkeys(cards[: counties + money], 1), TOWER_CARD: towers}
    if rules.edition == "1e" or (rules.few_cards == "actions_first" and counties <= 5):
        biddable = {-1: 1}
    bid = {card: count / sum(biddable.values()) for card, count in biddable.items()}
    left = {card: count - bid.get(card, 0.0) for card, count in copies.items()}
    places = max(boxes, round(sum(left.values())))  # an empty box and a card left over are outcomes like any other
    box = {card: count / places for card, count in left.items()}
    return bid, {**box, -1: 1 - sum(box.values())}


@pytest.mark.parametrize(("switches", "counties", "thalers"), [(s, *hand) for s, hands in HANDS for hand in hands])
def test_each_card_has_its_chance_as_a_bid_and_on_each_other_box(switches, counties, thalers):
    scene = owner_of(counties, thalers, **switches)
    drawn = plans(scene, 1500)
    bid, other = chances_of(scene.table.rules, counties, thalers)
    for box in range(drawn.shape[1]):
        possible = {card: chance for card, chance in (bid if box == AUCTION else other).items() if chance > 1e-9}
        assert_uniform(Counter(drawn[:, box].tolist()), [*possible], [*possible.values()])
    for _ in range(50):
        assert plan_errors(scene.table, 1, plan(scene, 1)) == []


@many_draws
@pytest.mark.parametrize(
    ("counties", "switches", "boxes"),
    [
        *((8, {}, boxes) for boxes in ((0, 1), (3, 9), (8, 9), (5, 10))),
        *((6, COURT, boxes) for boxes in ((0, 13), (11, 12), (9, 10), (10, 13))),
    ],
)
def test_each_pair_of_cards_is_equally_likely_on_two_boxes(counties, switches, boxes):  # B3.1 E3
    drawn = plans(owner_of(counties, **switches), 12000)[:, boxes]
    towers = [TOWER_CARD] * (TOWERS if switches else 0)  # which are identical
    pairs = Counter(permutations([*cards_of(counties), *towers], 2))
    assert_uniform(Counter(map(tuple, drawn.tolist())), [*pairs], [n / pairs.total() for n in pairs.values()])


@many_draws
def test_with_few_cards_each_pair_of_boxes_is_equally_likely_for_two_cards():  # B3.2
    drawn, cards = plans(owner_of(2, **ANY_BOX), 20000), cards_of(2)
    for first, second in ((cards[0], cards[1]), (cards[1], cards[6])):
        both = drawn[(drawn[:, AUCTION] != first) & (drawn[:, AUCTION] != second)]
        places = np.argwhere(both == first)[:, 1], np.argwhere(both == second)[:, 1]
        seen = Counter(zip(*(place.tolist() for place in places), strict=True))
        assert_uniform(seen, [*permutations(range(10), 2)])


@many_draws
@pytest.mark.parametrize(
    ("counties", "switches", "empty"),
    [(0, ANY_BOX, 6), (2, ANY_BOX, 4), (5, ANY_BOX, 1), (0, {}, 5), (4, {}, 1), (4, COURT, 1),
     (4, {**COURT, **ANY_BOX}, 2)],
)  # fmt: skip
def test_the_boxes_left_empty_are_uniform(counties, switches, empty):  # B3.2 E3 A14
    drawn = np.delete(plans(owner_of(counties, **switches), 6000), AUCTION, axis=1)
    seen = Counter(tuple(np.flatnonzero(plan < 0).tolist()) for plan in drawn)
    assert_uniform(seen, [*combinations(range(drawn.shape[1]), empty)])


@many_draws
def test_three_cards_of_a_full_hand_are_on_any_three_boxes():  # B3.1
    drawn = plans(owner_of(6), 16000)  # eleven cards: the plan is a whole permutation
    position = {card: place for place, card in enumerate(cards_of(6))}
    rows = Counter(tuple(position[card] for card in row) for row in drawn[:, [2, 6, 10]].tolist())
    assert_uniform(rows, [*permutations(range(11), 3)])
