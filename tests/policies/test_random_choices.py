"""Choices of the reference policy after planning: uniform among the legal ones, counted as in `test_random_plans`."""

from collections import Counter
from itertools import permutations

import pytest

from tests.naive import court, landsknechte
from tests.naive.making import BOARD, USUAL
from tests.naive.scene import Scene
from tests.naive.table import bits, differences
from tests.policies.counting import LAND, assert_uniform, cards_of, count_answers, numbers, owner_of
from tests.policies.seating import arena_of, ask, begin_round, draw
from wallsim.engine import log_lines as recorder
from wallsim.engine.actions import act, choose_defenders
from wallsim.mechanics.court import favor_counties
from wallsim.mechanics.landsknechte import offered_benefits
from wallsim.policies import decide
from wallsim.policies.catalogue import load_policy
from wallsim.rules.terms import ARMY_GROUPS, BENEFITS, DEPLOY1, PEASANTS
from wallsim.state.setup import shuffle_counties

COURT, LEADERS, OLD = {"expansions": ("court",)}, {"expansions": ("leaders",)}, {"edition": "1e"}
BÖHMEN = BOARD.counties.index("Böhmen")
DRAFTS = 300


def assert_choices(scene, question, *details, among, chances=None, named=lambda answer: answer, count=1000):
    """Assert that seat 1 answers by these values and no others, each with its chance."""
    seen = count_answers(lambda: named(ask(scene, question, 1, *details)), count)
    assert_uniform(seen, [*among], chances)


def county_name(number):
    """The name of a county."""
    return BOARD.counties[number]


# ------------------------------------------------------------------------------------------- boxes and armies


@pytest.mark.parametrize("free", [[0, 1, 2, 3, 4], [1, 4], [0, 2, 3], [3]])
def test_the_box_is_uniform_among_the_free_ones(free):  # B4.3
    assert_choices(owner_of(3), decide.choose_place, sum(1 << box for box in free), among=free)


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


@pytest.mark.parametrize(("armies", "peace"), [(2, False), (4, False), (4, True)])
def test_an_attack_is_uniform_among_all_neighbours_and_numbers_but_foreign_churches_at_peace(
    armies, peace
):  # B5.8 B5.9
    scene, around = front(armies=armies)
    land, legal = scene.table.land, around
    if peace:
        draw(scene, "church_peace")
        legal = [name for name in around if land[name].owner == 1 or "church" not in land[name].buildings]
        own_churches = [name for name in legal if "church" in land[name].buildings]
        assert 0 < len(own_churches) < len(legal) < len(around)
    assert_choices(scene, decide.choose_attack, BÖHMEN, among=numbers(legal, armies - 1), count=1500)


def test_an_attack_never_leaves_the_counties_in_play():  # B0.1 B5.8
    scene = Scene.start(3, tower=USUAL)
    scene.table.give(1, "Mecklenburg", 3)  # beside Holstein, which three players leave out
    begin_round(scene)
    county, in_play = scene.table.number("Mecklenburg"), scene.table.neighbours("Mecklenburg")
    assert in_play < bits(BOARD.neighbours[county], BOARD.counties)
    assert_choices(scene, decide.choose_attack, county, among=numbers(in_play, 2), count=1500)


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
def test_half_the_time_nobody_marches_else_uniformly_among_own_neighbours(armies):  # B5.7
    scene, around = front(armies=armies)
    moves = numbers([name for name in around if scene.table.land[name].owner == 1], armies - 1)
    assert len(moves) > armies - 1
    chances = [0.5, *[0.5 / len(moves)] * len(moves)]
    assert_choices(scene, decide.choose_move, BÖHMEN, among=[(None, 0), *moves], chances=chances, count=2000)
    assert_choices(owner_of(1), decide.choose_move, BÖHMEN, among=[(None, 0)], count=100)


@pytest.mark.parametrize("count", [2, 3])
def test_revolts_are_met_in_uniform_order(count):  # B7.3
    scene = owner_of(5)
    counties = cards_of(3)[:count]

    def order():
        scene.game.revolting[:count] = counties
        ask(scene, decide.choose_order_revolts, 1, count)
        return tuple(map(int, scene.game.revolting[:count]))

    assert_uniform(count_answers(order, 1000), [*permutations(counties)])


# ------------------------------------------------------------------------------------------------- the draft


@pytest.mark.parametrize("players", [3, 4, 5])
def test_the_draft_is_a_third_each_and_groups_are_uniform_whatever_their_size(players):  # B1.4 B1.2
    scene = Scene.start(players, tower=USUAL, setup="draft")
    begin_round(scene)
    shuffle_counties(scene.game, scene.rules)
    assert_choices(scene, decide.choose_claim, among=[0, 1, 2])
    assert_choices(scene, decide.choose_recycle, among=[0], named=int, count=50)
    for groups in (int(scene.game.groups[1]), 3):
        scene.game.groups[1] = groups
        assert_choices(scene, decide.choose_garrison, BÖHMEN, among=range(groups))


@pytest.mark.parametrize("players", [3, 5])
def test_in_a_draft_each_claimed_county_is_equally_likely_to_get_the_leader(players):  # M1
    """Which of its counties it is in the order of claiming; the last takes a leader that was not placed before."""
    arena, ordinals = arena_of(players, "draft", load_policy("random"), **LEADERS), Counter()
    for number in range(DRAFTS):
        claimed = {seat: [] for seat in range(players)}
        for line in arena.trace(number).lines.tolist():
            if line[0] == recorder.DEAL:
                claimed[line[1]].append(line[2])
            elif line[0] == recorder.LEADER:
                assert line[3] == claimed[line[1]][-1]
                ordinals[len(claimed[line[1]])] += 1
            elif line[0] == recorder.FILL:
                break
    assert ordinals.total() == DRAFTS * players
    assert_uniform(ordinals, range(1, len(ARMY_GROUPS[players]) + 1))


# ---------------------------------------------------------------------------------------- the first edition


def hinterland(armies, **switches):
    """Böhmen of seat 1 with two own neighbours; the others are neutral."""
    scene = Scene.start(tower=USUAL, **OLD, **switches)
    own = sorted(scene.table.neighbours("Böhmen"))[:2]
    for name in own:
        scene.table.give(1, name, 1)
    scene.table.give(1, "Böhmen", armies)
    scene.table.players[1].thalers = 1
    return begin_round(scene), own


@pytest.mark.parametrize(("armies", "leader", "supply"), [(3, False, 9), (1, False, 9), (2, True, 9), (3, False, 0)])
def test_one_thaler_recruits_moves_or_both_with_exact_chances(armies, leader, supply):  # V3 M2
    """The armies recruited and the march, as the engine plays the card: no coin as in the second edition."""
    scene, own = hinterland(armies, **LEADERS)
    game, recruits = scene.game, min(1 + leader, supply)
    game.leader[1] = 1 << BÖHMEN if leader else 0
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
        assert scene.call(act, 1, DEPLOY1, BÖHMEN) == 0
        assert game.thalers[1] == 0
        moved = [(name, int(game.army[scene.table.number(name)]) - 1) for name in own]
        target, number = next(((name, n) for name, n in moved if n), (None, 0))
        return supply - int(game.supply[1]), target, number

    assert_uniform(count_answers(played, 2000), [*chances], [*chances.values()])


@pytest.mark.parametrize("armies", [1, 2, 5])
@pytest.mark.parametrize("attacker", [0, PEASANTS])
def test_the_defender_drops_a_uniform_number_of_armies_and_in_the_second_edition_all(armies, attacker):  # B6.2 V5
    scene, _ = hinterland(armies)
    seen = count_answers(lambda: scene.call(choose_defenders, BÖHMEN, attacker, 3), 1000)
    assert_uniform(seen, range(1, armies + 1))
    new = owner_of(1)
    assert {new.call(choose_defenders, BÖHMEN, 0, 3) for _ in range(50)} == {2}


# -------------------------------------------------------------------------------------------- expansions


@pytest.mark.parametrize("supply", [0, 20])
@pytest.mark.parametrize("card", [2, 3, 4])
def test_a_benefit_is_uniform_among_those_that_bring_something(card, supply):  # L1
    scene = owner_of(3, expansions=("landsknechte",))
    scene.table.players[1].banner, scene.table.supply[1] = card, supply
    begin_round(scene)
    expected = landsknechte.choices(scene.table, 1)
    assert len(expected) == card - (supply == 0)
    offered = scene.call(offered_benefits, 1)
    assert_choices(scene, decide.choose_benefit, offered, among=sorted(expected), named=lambda n: BENEFITS[n])


@pytest.mark.parametrize("spaces", [(0,), (0, 1, 2), (1, 2), (0, 2)])
def test_a_favor_is_always_taken_and_uniform_among_those_affordable(spaces):  # E5
    assert_choices(owner_of(3, **COURT), decide.choose_favor, sum(1 << space for space in spaces), among=spaces)


def test_the_event_is_cancelled_by_a_fair_coin():  # E6
    assert_choices(owner_of(3, **COURT), decide.choose_cancel_event, among=[True, False], named=bool, count=1500)


@pytest.mark.parametrize("favor", [4, 7, 12, 17, 21])
@pytest.mark.parametrize("players", [3, 4])
def test_the_county_of_a_favor_is_uniform_among_those_it_may_be_used_in(favor, players):  # E6
    scene = Scene.start(players, tower=USUAL, **COURT)
    for place, name in enumerate(["Böhmen", "Passau", "Altmark", "Neumark", "Anhalt", "Mittelmark"]):
        scene.table.give(1, name, 2, ["palace", "church", "trading_post"][: place % 3], markers=place % 2)
    scene.table.give(0, "Mecklenburg", 5, markers=1)
    begin_round(scene)
    expected = court.counties_for(scene.table, 1, favor)
    assert 1 < len(expected) < len(scene.table.land)
    counties = scene.call(favor_counties, 1, favor)
    assert_choices(scene, decide.choose_favor_county, favor, counties, among=sorted(expected), named=county_name)


def owner_with_leader(counties, leader=None):
    """A scene in which seat 1 holds some counties, with its leader in one of them, or off the board."""
    scene = owner_of(counties, **LEADERS)
    scene.table.players[1].leader = leader
    return begin_round(scene)


@pytest.mark.parametrize("counties", [2, 3, 9])
def test_a_leader_is_placed_uniformly_among_the_own_counties_and_moves_to_the_others(counties):  # M1 M3 M4
    own = LAND[:counties]
    assert_choices(owner_with_leader(counties), decide.choose_leader, among=own, named=county_name)
    others = [name for name in own if name != LAND[1]]
    scene = owner_with_leader(counties, LAND[1])
    assert_choices(scene, decide.choose_leader_move, among=others, named=county_name)


def test_a_statue_is_left_wherever_it_may_be():  # M3
    scene = owner_with_leader(2, LAND[0])
    assert_choices(scene, decide.choose_statue, scene.table.number(LAND[1]), among=[True], named=bool, count=50)
