"""The reference policy in the base game: every choice uniform among the legal ones, counted.

Each statistic is Pearson's as a standard normal value, which exceeds 4 by chance in 3 of 100,000 cases; some 150
are looked at, so that a right policy would fail with chance 1/200 on other seeds. The seeds are fixed.
"""

from collections import Counter
from itertools import combinations, permutations

import numpy as np
import pytest

from tests.naive.making import BOARD, USUAL
from tests.naive.rng import chi_square_z, many_draws
from tests.naive.scene import Scene
from tests.naive.table import bits, differences
from tests.policies.counting import assert_uniform, cards_of, count_answers, numbers, owner_of, plans
from tests.policies.seating import ask, begin_round, draw
from wallsim.engine.actions import act
from wallsim.policies import decide
from wallsim.state.random import SEAT, STREAMS
from wallsim.state.setup import shuffle_counties

pytestmark = many_draws


# -------------------------------------------------------------------------------------------------- the plan


@pytest.mark.parametrize("counties", [0, 1, 3, 6, 15])
@pytest.mark.parametrize(("thalers", "bids"), [(0, 1), (2, 3), (4, 5), (30, 5)])
def test_the_auction_card_is_uniform_among_county_cards_and_money_that_is_held(counties, thalers, bids):  # B3.4
    legal = cards_of(counties)[: counties + bids]
    seen = Counter(plans(owner_of(counties, thalers, few_cards="any_box"), 2000)[:, 10].tolist())
    if len(legal) == 1:
        assert set(seen) == set(legal)
    else:
        assert_uniform(seen, legal)


@pytest.mark.parametrize("thalers", [0, 2])
def test_any_money_card_may_be_bid_under_the_switch(thalers):  # B3.4 A4
    scene = owner_of(3, thalers, money_bid="any", few_cards="any_box")
    assert_uniform(Counter(plans(scene, 3000)[:, 10].tolist()), cards_of(3))


@pytest.mark.parametrize("counties", [0, 1, 2, 4, 5, 6, 8, 15])
def test_plans_cover_as_many_boxes_as_there_are_cards(counties):  # B3.2
    for plan in plans(owner_of(counties, thalers=1), 300):
        used = [card for card in plan if card >= 0]
        assert len(used) == len(set(used)) == min(11, counties + 5)
        assert set(used) <= set(cards_of(counties))
        assert (plan[10] >= 0) == (counties > 5)


@pytest.mark.parametrize("counties", [0, 1, 3, 5])
def test_with_few_counties_nobody_bids_and_each_card_is_equally_likely_on_ten_boxes(counties):  # B3.2 A14
    result, cards = plans(owner_of(counties, 9, few_cards="actions_first"), 8000), cards_of(counties)
    assert (result[:, 10] == -1).all()
    for box in range(10):
        empty = 1 - len(cards) / 10
        seen = Counter(result[:, box].tolist())
        if empty > 1e-9:
            assert_uniform(seen, [*cards, -1], [*[0.1] * len(cards), empty])
        else:
            assert_uniform(seen, cards)


@pytest.mark.parametrize(("counties", "thalers"), [(2, 9), (5, 1), (6, 9), (8, 1), (15, 9)])
def test_each_card_is_equally_likely_on_each_action_box(counties, thalers):  # B3.1 B3.2 A14
    result, cards = plans(owner_of(counties, thalers, few_cards="any_box"), 8000), cards_of(counties)
    bids = min(5, thalers + 1)
    boxes = max(10, len(cards) - 1)  # the empty box and the card left over are outcomes like any other
    for box in range(10):
        seen = Counter(result[:, box].tolist())
        chances = [(1 - (place < counties + bids) / (counties + bids)) / boxes for place in range(len(cards))]
        nothing = 1 - sum(chances)
        if nothing > 1e-9:
            assert_uniform(seen, [*cards, -1], [*chances, nothing])
        else:
            assert_uniform(seen, cards, chances)


@pytest.mark.parametrize("boxes", [(0, 1), (3, 9), (8, 9), (5, 10)])
def test_each_pair_of_cards_is_equally_likely_on_two_boxes(boxes):  # B3.1
    result = plans(owner_of(8), 12000)[:, boxes]
    assert_uniform(Counter(map(tuple, result.tolist())), [*permutations(cards_of(8), 2)])


def test_with_few_cards_each_pair_of_boxes_is_equally_likely_for_two_cards():  # B3.2
    result, cards = plans(owner_of(2, few_cards="any_box"), 20000), cards_of(2)
    for first, second in ((cards[0], cards[1]), (cards[1], cards[6])):
        both = result[(result[:, 10] != first) & (result[:, 10] != second)]
        places = np.argwhere(both == first)[:, 1], np.argwhere(both == second)[:, 1]
        seen = Counter(zip(*(place.tolist() for place in places), strict=True))
        assert_uniform(seen, [*permutations(range(10), 2)])


@pytest.mark.parametrize(
    ("counties", "switch", "covered"),
    [(0, "any_box", 4), (2, "any_box", 6), (5, "any_box", 9), (0, "actions_first", 5), (4, "actions_first", 9)],
)
def test_the_boxes_left_empty_are_uniform(counties, switch, covered):  # B3.2 A14
    result = plans(owner_of(counties, few_cards=switch), 6000)[:, :10]
    seen = Counter(tuple(np.flatnonzero(plan >= 0).tolist()) for plan in result)
    assert_uniform(seen, [*combinations(range(10), covered)])


def test_three_cards_of_a_full_hand_are_on_any_three_boxes():  # B3.1
    result = plans(owner_of(6), 16000)  # eleven cards: the plan is a whole permutation
    position = {card: place for place, card in enumerate(cards_of(6))}
    rows = Counter(tuple(position[card] for card in row) for row in result[:, [2, 6, 10]].tolist())
    assert_uniform(rows, [*permutations(range(11), 3)])


# ------------------------------------------------------------------------------------------- boxes and armies


@pytest.mark.parametrize("free", [[0, 1, 2, 3, 4], [1, 4], [0, 2, 3], [3]])
def test_the_box_is_uniform_among_the_free_ones(free):  # B4.3
    scene, mask = owner_of(3), sum(1 << box for box in free)
    seen = count_answers(lambda: ask(scene, decide.choose_place, 1, mask), 3000)
    assert set(seen) == set(free)
    assert len(free) == 1 or abs(chi_square_z(seen.values())) < 4


def front(armies=4):
    """Böhmen and all around it: some own, some of seat 2 (one in two with a church), some neutral."""
    scene = Scene.start(tower=USUAL)
    scene.table.give(1, "Böhmen", armies)
    around = sorted(scene.table.neighbours("Böhmen"))
    for place, name in enumerate(around):
        if place % 3:
            church = ["church"] if place % 2 else []
            scene.table.give(1 if place % 3 == 1 else 2, name, 3, church)
    return begin_round(scene), around


def attacks(scene, county="Böhmen", count=4000):
    """How often each target and number were chosen."""
    return count_answers(lambda: ask(scene, decide.choose_attack, 1, scene.table.number(county)), count)


@pytest.mark.parametrize("armies", [2, 4])
def test_an_attack_is_uniform_among_all_neighbours_and_numbers(armies):  # B5.8
    scene, around = front(armies=armies)
    assert_uniform(attacks(scene), numbers(around, armies - 1))


def test_in_church_peace_an_attack_is_uniform_among_own_counties_and_those_without_a_church():  # B5.9
    scene, around = front()
    draw(scene, "church_peace")
    land = scene.table.land
    legal = [name for name in around if land[name].owner == 1 or "church" not in land[name].buildings]
    own_churches = [name for name in legal if "church" in land[name].buildings]
    assert 0 < len(own_churches) < len(legal) < len(around)
    assert_uniform(attacks(scene), numbers(legal, 3))


def test_an_attack_never_leaves_the_counties_in_play():  # B0.1 B5.8
    scene = Scene.start(3, tower=USUAL)
    county = "Mecklenburg"  # beside Holstein, which three players leave out
    scene.table.give(1, county, 3)
    begin_round(scene)
    whole_map = bits(BOARD.neighbours[scene.table.number(county)], BOARD.counties)
    in_play = scene.table.neighbours(county)
    assert in_play < whole_map
    assert_uniform(attacks(scene, county), numbers(in_play, 2))


def test_without_a_target_or_a_second_army_nobody_attacks():  # B5.8 B5.9
    alone, around = front(armies=1)
    peace = Scene.start(tower=USUAL, event="church_peace")
    peace.table.give(1, "Böhmen", 5)
    for name in around:
        peace.table.give(2, name, 1, ["church"])
    for scene, outcome in ((alone, "no armies to move"), (peace, "no county to move to or attack")):
        before = scene.table
        for _ in range(50):
            assert scene.outcome(act, 1, "combat_a", "Böhmen") == outcome
            assert differences(scene.table, before) == []


@pytest.mark.parametrize("armies", [2, 5])
def test_half_the_time_nobody_marches_else_uniformly(armies):  # B5.7
    scene, around = front(armies=armies)
    own = [name for name in around if scene.table.land[name].owner == 1]
    assert len(own) > 1
    county = scene.table.number("Böhmen")
    seen = count_answers(lambda: ask(scene, decide.choose_move, 1, county), 6000)
    moves = numbers(own, armies - 1)
    assert_uniform(seen, [(None, 0), *moves], [0.5, *[0.5 / len(moves)] * len(moves)])


def test_without_an_own_neighbour_nobody_marches():  # B5.7
    scene = owner_of(1)
    county = scene.table.number("Böhmen")
    assert set(count_answers(lambda: ask(scene, decide.choose_move, 1, county), 100)) == {(None, 0)}


@pytest.mark.parametrize("count", [2, 3])
def test_revolts_are_met_in_uniform_order(count):  # B7.3
    scene = owner_of(5)
    counties = cards_of(3)[:count]

    def order():
        scene.game.revolting[:count] = counties
        ask(scene, decide.choose_order_revolts, 1, count)
        return tuple(map(int, scene.game.revolting[:count]))

    assert_uniform(count_answers(order, 3000), [*permutations(counties)])


# ------------------------------------------------------------------------------------------------- the draft


@pytest.mark.parametrize("players", [3, 4, 5])
def test_the_draft_is_a_third_each_and_groups_are_uniform_whatever_their_size(players):  # B1.4 B1.2
    scene = Scene.start(players, tower=USUAL, setup="draft")
    begin_round(scene)
    shuffle_counties(scene.game, scene.rules)
    groups = int(scene.game.groups[1])
    assert_uniform(count_answers(lambda: ask(scene, decide.choose_claim, 1), 3000), [0, 1, 2])
    assert not any(ask(scene, decide.choose_recycle, 1) for _ in range(50))
    county = scene.table.number("Böhmen")
    assert_uniform(count_answers(lambda: ask(scene, decide.choose_garrison, 1, county), 3000), [*range(groups)])
    scene.game.groups[1] = 3
    assert_uniform(count_answers(lambda: ask(scene, decide.choose_garrison, 1, county), 3000), [0, 1, 2])


def test_every_choice_draws_from_the_seats_own_stream():
    scene, _ = front()
    county = scene.table.number("Böhmen")
    before = scene.game.random.copy()
    plans(scene, 5)
    attacks(scene, count=5)
    for question, detail in ((decide.choose_place, 31), (decide.choose_move, county), (decide.choose_order_revolts, 3)):
        ask(scene, question, 1, detail)
    changed = np.flatnonzero(scene.game.random != before)
    assert list(changed) == [SEAT + 1]
    assert len(before) == STREAMS
