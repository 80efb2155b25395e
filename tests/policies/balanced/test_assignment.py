"""The assignment of cards to boxes: the plan that any exact method finds, as the tie rule makes it one (B3)."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.naive.assignment import best_by_scipy, best_of_all, whole_worths
from tests.naive.making import tables
from tests.policies.seating import dice_of, mind_of, plan, random_round, weighted
from wallsim.policies.balanced.assignment import assign, assign_again
from wallsim.policies.record import COLUMNS, MIND
from wallsim.rules.terms import BASE_BOXES, BOXES, CARDS, COUNTIES, FEW_COUNTIES, MONEY_CARDS, TOWER_CARD

KINDS = ("bell", "small integers", "equal columns", "equal rows", "zeros", "wide", "equal", "illegal", "passes")

shapes = st.integers(1, BOXES).flatmap(lambda rows: st.tuples(st.just(rows), st.integers(rows, 50)))
seeds = st.integers(0, 2**32 - 1)


def fresh():
    """A mind in which what lies beyond the boxes and cards in play would be worth most of all."""
    mind = np.zeros(1, MIND)[0]
    mind.value[:, :] = 1e6
    return mind


def hold(mind, values, hand) -> None:
    """Write values of boxes (rows) and cards (columns) and the numbers of the cards."""
    rows, columns = values.shape
    mind.value[:columns, :rows] = values.T
    mind.hand[:columns] = hand


def best(values, hand, mind=None) -> list[int]:
    """The cards that `assign` lays on the boxes, as columns of `values`."""
    mind = fresh() if mind is None else mind
    hold(mind, values, hand)
    assign(mind, *values.shape)
    return [int(column) for column in mind.chosen[: len(values)]]


def hand_of(columns, seed):
    """Numbers of as many different cards, in order, as a seat may hold."""
    return np.sort(np.random.default_rng(seed).permutation(TOWER_CARD)[:columns])


def matrix(shape, seed, kind):
    """Values of one of several kinds."""
    rng = np.random.default_rng(seed)
    values = rng.normal(size=shape)
    if kind == "small integers":
        values = rng.integers(0, 4, shape).astype(float)
    elif kind == "equal columns":  # as the padding for empty boxes, or equal counties
        values[:, rng.integers(0, shape[1], shape[1]) % 3 == 0] = 0.5
    elif kind == "equal rows":  # as combat A and B
        values[:] = values[rng.integers(0, shape[0], shape[0])]
    elif kind == "zeros":
        values[:] = 0.0
    elif kind == "equal":
        values[:] = rng.uniform(-5.0, 5.0)
    elif kind == "illegal":  # as most cards on most boxes
        values = np.where(rng.random(shape) < rng.uniform(0.05, 0.9), -1e6, 10.0 * values)
    elif kind == "passes":  # as cards that do nothing on most boxes
        values = np.where(rng.random(shape) < rng.uniform(0.3, 0.9), 0.0, np.round(values, 1))
    elif kind == "wide":
        values *= 10.0 ** rng.integers(-3, 3, shape)
    return values


@given(shapes, seeds, st.sampled_from(KINDS))
def test_the_plan_is_the_one_that_scipy_finds(shape, seed, kind):
    values, hand = matrix(shape, seed, kind), hand_of(shape[1], seed)
    assert best(values, hand) == best_by_scipy(whole_worths(values, hand))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("columns", [4, 5, 6])
def test_the_plan_is_the_best_of_all(columns, kind):
    for seed in range(20):
        values, hand = matrix((4, columns), seed, kind), hand_of(columns, seed)
        assert best(values, hand) == best_of_all(whole_worths(values, hand))


@pytest.mark.parametrize("columns", [11, 12, 14, 15, 16, 17, 31, 32, 33, 47, 48, 49, 50])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("rows", [BASE_BOXES, BOXES])
def test_every_number_of_cards_serves(rows, columns, kind):  # B3.1 E3
    for seed in range(10):
        values, hand = matrix((min(rows, columns), columns), seed, kind), hand_of(columns, seed)
        assert best(values, hand) == best_by_scipy(whole_worths(values, hand))


@given(shapes, seeds, st.sampled_from(KINDS))
def test_it_does_not_matter_what_was_assigned_before(shape, seed, kind):
    values, hand, used = matrix(shape, seed, kind), hand_of(shape[1], seed), fresh()
    best(matrix((BOXES, 50), seed + 1, "wide"), hand_of(50, seed), used)
    assert best(values, hand, used) == best(values, hand)


@pytest.mark.parametrize("rows", [1, BASE_BOXES, BOXES])
def test_lanes_beyond_the_boxes_name_cards_as_well(rows):
    """Costs are looked up for all lanes at once: what others left there might lead out of the record."""
    mind = fresh()
    mind.chosen[:] = COLUMNS - 1
    best(matrix((rows, 20), 1, "bell"), hand_of(20, 1), mind)
    assert mind.chosen.max() < 20


@given(
    shapes, seeds, st.sampled_from(KINDS), st.sampled_from(KINDS), st.lists(st.integers(1, 2**BOXES - 1), max_size=4)
)
def test_after_changes_the_plan_is_that_of_a_new_assignment(shape, seed, kind, other, changes):
    values, hand, mind = matrix(shape, seed, kind), hand_of(shape[1], seed), fresh()
    best(values, hand, mind)
    for number, changed in enumerate(changes):
        changed &= (1 << shape[0]) - 1
        boxes = [box for box in range(shape[0]) if changed >> box & 1]
        values[boxes] = matrix(shape, seed + number, other)[boxes]
        hold(mind, values, hand)
        assign_again(mind, *shape, changed)
        assert list(mind.chosen[: shape[0]]) == best_by_scipy(whole_worths(values, hand))


@given(tables(), dice_of)
def test_plans_on_tables_are_those_that_scipy_finds(table, rng):  # B3.2
    """Also where attacks were parted and the purse was shared, which change worths after the first assignment."""
    scene = random_round(table, rng, weighted(second_attack=0.5))
    for seat in table.players:
        counties = len(table.counties_of(seat))
        if counties <= FEW_COUNTIES:
            continue  # boxes stay empty
        plan(scene, seat)
        mind, cards = mind_of(scene, seat), counties + MONEY_CARDS
        whole = whole_worths(mind.value[:cards, :BASE_BOXES].T, mind.hand[:cards])
        assert list(mind.chosen[:BASE_BOXES]) == best_by_scipy(whole)


@given(seeds, st.integers(0, 5), st.integers(0, 3))
def test_cards_of_one_kind_may_lie_anywhere(seed, empty, towers):
    """Dice-tower cards, and cards that do not exist, are alike: the kinds of cards on the boxes are one plan (E3)."""
    hand = [*hand_of(14, seed), *[TOWER_CARD] * towers, *[-1] * empty]
    values = matrix((BOXES, len(hand)), seed, "passes")
    values[:, 14 : 14 + towers], values[:, 14 + towers :] = values[:, 14:15], 0.0
    whole = whole_worths(values, hand)
    found, other = ([hand[column] for column in plan] for plan in (best(values, hand), best_by_scipy(whole)))
    assert found == other


def test_exchanging_two_cards_always_changes_the_sum_of_bonuses():
    bonus = whole_worths(np.zeros((BOXES, CARDS)), np.arange(CARDS)).T
    for card in range(CARDS):
        for other in range(card):
            assert len({0, *(bonus[card] - bonus[other])}) == 1 + BOXES


def test_of_cards_that_are_worth_the_same_counties_go_first():
    assert {card < COUNTIES for card in best(np.zeros((BASE_BOXES, CARDS)), np.arange(CARDS))} == {True}


def test_the_bonuses_of_a_plan_are_less_than_a_grain():
    grain = whole_worths(np.full((1, 1), 1 / 1024), [0])[0, 0] - whole_worths(np.zeros((1, 1)), [0])[0, 0]
    bonus = whole_worths(np.zeros((BOXES, CARDS)), np.arange(CARDS))
    assert 0 < BOXES * bonus.max() < grain
    values = np.zeros((5, 5))
    for box in range(5):  # one grain decides against every bonus
        values[:] = 0.0
        values[box, (box + 1) % 5] = 1 / 1024
        assert best(values, np.arange(5))[box] == (box + 1) % 5
