"""The reference policy with the court and in the first edition: plans and choices uniform among the legal ones.

Counted and judged as in `test_random`.
"""

from collections import Counter
from itertools import combinations, permutations

import numpy as np
import pytest

from tests.naive import court, landsknechte
from tests.naive.making import BOARD, USUAL
from tests.naive.rng import many_draws
from tests.naive.scene import Scene
from tests.policies.counting import LAND, assert_uniform, cards_of, count_answers, numbers, owner_of, plans
from tests.policies.seating import ask, begin_round
from wallsim.engine.actions import act, choose_defenders
from wallsim.mechanics.court import favor_counties
from wallsim.mechanics.landsknechte import offered_benefits
from wallsim.policies import decide
from wallsim.rules.terms import (
    AUCTION,
    BENEFITS,
    BOTH,
    DEPLOY1,
    MARCH,
    PEASANTS,
    RECRUIT,
    TOWER_CARD,
)
from wallsim.state.random import SEAT

pytestmark = many_draws

COURT = {"expansions": ("court",)}
OLD = {"edition": "1e"}
BOTH_NEW = {**OLD, **COURT}
TOWERS = 3  # E1


# ------------------------------------------------------------------------------------------- plans of the court


@pytest.mark.parametrize(("counties", "thalers"), [(0, 0), (1, 9), (3, 2), (8, 4), (15, 1)])
def test_with_the_court_every_single_dice_tower_card_may_be_bid_too(counties, thalers):  # B3.4 E3
    legal = cards_of(counties)[: counties + min(5, thalers + 1)]
    bids = Counter(plans(owner_of(counties, thalers, few_cards="any_box", **COURT), 3000)[:, AUCTION].tolist())
    whole = len(legal) + TOWERS
    assert_uniform(bids, [*legal, TOWER_CARD], [*[1 / whole] * len(legal), TOWERS / whole])


@pytest.mark.parametrize("counties", [0, 1, 4, 5, 6, 7, 15])
def test_with_the_court_fourteen_boxes_are_covered_as_far_as_cards_go(counties):  # B3.2 E3
    for plan in plans(owner_of(counties, 1, **COURT), 300):
        used = [card for card in plan.tolist() if card >= 0]
        single = [card for card in used if card != TOWER_CARD]
        assert len(used) == min(14, counties + 8)
        assert len(single) == len(set(single)) >= len(used) - TOWERS
        assert set(single) <= set(cards_of(counties))
        assert (plan[AUCTION] >= 0) == (counties > 5)


@pytest.mark.parametrize(("counties", "thalers"), [(2, 9), (6, 0), (6, 9), (11, 1)])
def test_with_the_court_each_card_is_equally_likely_on_each_of_thirteen_boxes(counties, thalers):  # B3.1 E3 A14
    result, cards = plans(owner_of(counties, thalers, few_cards="any_box", **COURT), 8000), cards_of(counties)
    biddable = counties + min(5, thalers + 1)
    places = max(13, counties + 7)  # an empty box and a card left over are outcomes like any other
    not_bid = [1 - (place < biddable) / (biddable + TOWERS) for place in range(len(cards))]
    towers = TOWERS - TOWERS / (biddable + TOWERS)
    chances = [*(chance / places for chance in not_bid), towers / places]
    empty = 1 - sum(chances)
    for box in [box for box in range(14) if box != AUCTION]:
        seen = Counter(result[:, box].tolist())
        if empty > 1e-9:
            assert_uniform(seen, [*cards, TOWER_CARD, -1], [*chances, empty])
        else:
            assert_uniform(seen, [*cards, TOWER_CARD], chances)


@pytest.mark.parametrize("boxes", [(0, 13), (11, 12), (9, 10), (10, 13)])
def test_with_the_court_each_pair_of_cards_is_equally_likely_on_two_boxes(boxes):  # B3.1 E3
    result, cards = plans(owner_of(6, **COURT), 12000)[:, boxes], cards_of(6)
    pairs = [*permutations([*cards, *[TOWER_CARD] * TOWERS], 2)]  # the three dice-tower cards are identical
    chances = Counter(pairs)
    assert_uniform(Counter(map(tuple, result.tolist())), [*chances], [n / len(pairs) for n in chances.values()])


@pytest.mark.parametrize(("switch", "empty"), [("any_box", 2), ("actions_first", 1)])
def test_with_the_court_the_boxes_left_empty_are_uniform(switch, empty):  # B3.2 E3 A14
    result = plans(owner_of(4, few_cards=switch, **COURT), 6000)
    assert (result[:, AUCTION] == -1).all() == (switch == "actions_first")
    result = np.delete(result, AUCTION, axis=1)
    seen = Counter(tuple(np.flatnonzero(plan < 0).tolist()) for plan in result)
    assert_uniform(seen, [*combinations(range(13), empty)])


# ----------------------------------------------------------------------------------- plans of the first edition


@pytest.mark.one_in(4)
@pytest.mark.parametrize(("switches", "boxes", "more"), [(OLD, 10, 0), (BOTH_NEW, 13, TOWERS)])
@pytest.mark.parametrize("counties", [0, 2, 5, 6, 12])
def test_in_the_first_edition_nobody_bids_and_blank_cards_pass_whatever_is_held(
    counties, switches, boxes, more
):  # V1 V2
    result = plans(owner_of(counties, thalers=0, **switches), 4000)
    assert (result[:, AUCTION] == -1).all()
    cards, places = cards_of(counties), max(boxes, counties + 5 + more)
    chances = [1 / places] * len(cards) + ([more / places] if more else [])
    legal = [*cards, *[TOWER_CARD][:more]]
    empty = 1 - sum(chances)
    for box in [box for box in range(boxes + 1) if box != AUCTION]:
        seen = Counter(result[:, box].tolist())
        if empty > 1e-9:
            assert_uniform(seen, [*legal, -1], [*chances, empty])
        else:
            assert_uniform(seen, legal, chances)
    for plan in result[:300].tolist():
        used = [card for card in plan if card >= 0]
        assert len(used) == min(boxes, counties + 5 + more)
        assert len({*used} - {TOWER_CARD}) == len(used) - used.count(TOWER_CARD)
        assert used.count(TOWER_CARD) <= more


# -------------------------------------------------------------------------------- choices of the first edition


def hinterland(armies, **switches):
    """Böhmen of seat 1 with two own neighbours; the others are neutral."""
    scene = Scene.start(tower=USUAL, **OLD, **switches)
    own = sorted(scene.table.neighbours("Böhmen"))[:2]
    for name in own:
        scene.table.give(1, name, 1)
    scene.table.give(1, "Böhmen", armies)
    scene.table.players[1].thalers = 1
    return begin_round(scene), own


@pytest.mark.parametrize("modes", [(RECRUIT,), (MARCH,), (RECRUIT, BOTH), (MARCH, BOTH), (RECRUIT, MARCH, BOTH)])
def test_recruit_move_or_both_is_uniform_among_the_possible(modes):  # V3
    scene, _ = hinterland(3)
    mask = sum(1 << mode for mode in modes)
    county = scene.table.number("Böhmen")
    seen = count_answers(lambda: ask(scene, decide.choose_recruit, 1, county, mask), 3000)
    assert_uniform(seen, modes)


def test_recruits_always_march_uniformly_where_marching_was_chosen():  # V3
    scene, own = hinterland(4)
    county = scene.table.number("Böhmen")
    assert_uniform(count_answers(lambda: ask(scene, decide.choose_recruits_move, 1, county), 3000), numbers(own, 3))


@pytest.mark.parametrize(("armies", "leader", "supply"), [(3, False, 9), (1, False, 9), (2, True, 9), (3, False, 0)])
def test_one_thaler_recruits_moves_or_both_with_exact_chances(armies, leader, supply):  # V3 M2
    """The armies recruited and the march, as the engine plays the card: no coin as in the second edition."""
    scene, own = hinterland(armies, expansions=("leaders",))
    game, county, recruits = scene.game, scene.table.number("Böhmen"), min(1 + leader, supply)
    game.leader[1] = 1 << county if leader else 0
    clean = game.army.copy()
    chances = Counter()
    modes = [mode for mode, possible in (("recruit", recruits), ("march", armies > 1), ("both", recruits)) if possible]
    for mode in modes:
        levied, most = (0 if mode == "march" else recruits), armies - 1 + (recruits if mode == "both" else 0)
        marches = [(None, 0)] if mode == "recruit" else numbers(own, most)
        for march in marches:
            chances[levied, *march] += 1 / len(modes) / len(marches)

    def played():
        game.army[:], game.thalers[1], game.supply[1] = clean, 1, supply
        assert scene.call(act, 1, DEPLOY1, county) == 0
        assert game.thalers[1] == 0
        moved = [(name, int(game.army[scene.table.number(name)]) - 1) for name in own]
        target, number = next(((name, n) for name, n in moved if n), (None, 0))
        return supply - int(game.supply[1]), target, number

    assert_uniform(count_answers(played, 4000), [*chances], [*chances.values()])


@pytest.mark.parametrize("armies", [1, 2, 5])
@pytest.mark.parametrize("attacker", [0, PEASANTS])
def test_the_defender_drops_a_uniform_number_of_armies(armies, attacker):  # V5
    scene, _ = hinterland(armies)
    county = scene.table.number("Böhmen")
    seen = count_answers(lambda: scene.call(choose_defenders, county, attacker, 3), 3000)
    assert_uniform(seen, range(1, armies + 1))


def test_in_the_second_edition_all_armies_defend():  # B6.2
    scene = owner_of(1)
    assert {scene.call(choose_defenders, scene.table.number(LAND[0]), 0, 3) for _ in range(50)} == {2}


# --------------------------------------------------------------------------------------- Landsknechte and court


@pytest.mark.parametrize("supply", [0, 20])
@pytest.mark.parametrize("card", [2, 3, 4])
def test_a_benefit_is_uniform_among_those_that_bring_something(card, supply):  # L1
    scene = owner_of(3, expansions=("landsknechte",))
    scene.table.players[1].banner, scene.table.supply[1] = card, supply
    begin_round(scene)
    offered = scene.call(offered_benefits, 1)
    seen = count_answers(lambda: BENEFITS[ask(scene, decide.choose_benefit, 1, offered)], 3000)
    expected = landsknechte.choices(scene.table, 1)
    assert len(expected) == card - (supply == 0)
    assert_uniform(seen, sorted(expected))


@pytest.mark.parametrize("spaces", [(0,), (0, 1, 2), (1, 2), (0, 2)])
def test_a_favor_is_always_taken_and_uniform_among_those_affordable(spaces):  # E5
    scene, mask = owner_of(3, **COURT), sum(1 << space for space in spaces)
    seen = count_answers(lambda: ask(scene, decide.choose_favor, 1, mask), 3000)
    assert_uniform(seen, spaces)


def test_the_event_is_cancelled_by_a_fair_coin():  # E6
    scene = owner_of(3, **COURT)
    assert_uniform(count_answers(lambda: bool(ask(scene, decide.choose_cancel_event, 1)), 4000), [True, False])


@pytest.mark.one_in(4)
@pytest.mark.parametrize("favor", [4, 7, 12, 17, 21])
@pytest.mark.parametrize("players", [3, 4])
def test_the_county_of_a_favor_is_uniform_among_those_it_may_be_used_in(favor, players):  # E6
    scene = Scene.start(players, tower=USUAL, **COURT)
    for place, name in enumerate(["Böhmen", "Passau", "Altmark", "Neumark", "Anhalt", "Mittelmark"]):
        scene.table.give(1, name, 2, ["palace", "church", "trading_post"][: place % 3], markers=place % 2)
    scene.table.give(0, "Mecklenburg", 5, markers=1)
    begin_round(scene)
    counties = scene.call(favor_counties, 1, favor)
    expected = court.counties_for(scene.table, 1, favor)
    assert 1 < len(expected) < len(scene.table.land)

    def county():
        return BOARD.counties[ask(scene, decide.choose_favor_county, 1, favor, counties)]

    assert_uniform(count_answers(county, 3000), sorted(expected))


def test_every_choice_draws_from_the_seats_own_stream():
    scene, _ = hinterland(4, expansions=("court", "landsknechte", "leaders"))
    county = scene.table.number("Böhmen")
    questions = [
        (decide.choose_recruit, county, 14), (decide.choose_recruits_move, county), (decide.choose_cancel_event,),
        (decide.choose_defend, county, 0, 3), (decide.choose_benefit, 7), (decide.choose_favor, 7),
        (decide.choose_favor_county, 12, 7), (decide.choose_leader,), (decide.choose_leader_move,),
    ]  # fmt: skip
    scene.game.groups[1] = 3
    for question, *details in [*questions, (decide.choose_draft_leader, county)]:
        before = scene.game.random.copy()
        for _ in range(20):
            ask(scene, question, 1, *details)
        assert list(np.flatnonzero(scene.game.random != before)) == [SEAT + 1]
