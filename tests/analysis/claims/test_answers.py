"""Answers to claims over all cells: planted truths get their answer, and undecided ones the games that would decide."""

from collections import Counter
from math import inf

import numpy as np
import pytest

from tests.analysis.claims.planted_claims import CLAIM, MARGIN, Known, planted, true_answers
from tests.refusals import refused
from wallsim.analysis.claims.answers import (
    DEPENDS,
    FAILS,
    HOLDS,
    LEAST,
    NEVER_WORSE,
    UNKNOWN,
    answers,
    factors_of,
    nearer,
    needs_of,
    spread_of,
)
from wallsim.analysis.claims.cells import Cell

PLAYS, TOWERS, SETUPS = ("casual", "middling", "strong"), ("mid", "rulebook", "spielbyweb"), ("lineup", "draft")
CELLS = [Cell(play, tower, setup) for play in PLAYS for tower in TOWERS for setup in SETUPS]


def cells(values, error=0.1):
    """All cells with some values, one for all or one each."""
    return planted(CELLS, values, error)


def answer(values, error=0.1, margin=MARGIN, **more):
    """The answer to a single claim."""
    return answers({1: CLAIM}, {1: cells(values, error)}, {1: margin} if margin else {}, **more)[1]


def by_play(*values):
    """Values that differ by play alone."""
    return [values[PLAYS.index(cell.play)] for cell in CELLS]


@pytest.mark.parametrize(
    ("values", "error", "word"),
    [
        (1.0, 0.1, HOLDS),
        (-1.0, 0.1, FAILS),
        (by_play(1.0, 1.0, -1.0), 0.1, DEPENDS),
        (by_play(1.0, 1.0, -0.2), 0.1, UNKNOWN),
        (0.0, 0.001, UNKNOWN),  # an effect below three margins: the margin says nothing
        (0.1, 0.02, HOLDS),  # it is known to be more, though by little
        (by_play(1.3, 1.3, -0.05), 0.031, NEVER_WORSE),  # in no cell the other way by the margin
        (by_play(1.3, 1.3, -0.25), 0.031, DEPENDS),  # a difference as large as the margin
        (by_play(1.0, 1.0, 0.1), 0.07, UNKNOWN),  # the effect is 0.7, just below three margins
        (by_play(1.1, 1.1, 0.1), 0.07, NEVER_WORSE),
        (1.0, 0.0, HOLDS),  # a value without an error is known exactly
        (by_play(1.3, 1.3, 0.0), 0.0, NEVER_WORSE),
    ],
)
def test_what_is_plain_is_said(values, error, word):
    found = answer(values, error)
    assert found.word == word
    assert (found.margin is not None) == (np.mean(np.broadcast_to(values, 18)) >= 3 * MARGIN)
    if word == NEVER_WORSE:
        assert answer(values, error, margin=None).word == UNKNOWN


def test_cells_where_a_claim_is_known_to_hold_or_fail_are_named_and_what_it_depends_on():
    found = answer(by_play(1.0, 0.0, -1.0))
    assert {cell.play for cell in found.holds_in} == {"casual"}
    assert {cell.play for cell in found.fails_in} == {"strong"}
    assert len(found.holds_in) == len(found.fails_in) == 6
    assert next(factor.name for factor in found.factors) == "play"
    assert found.factors[0].share > 0.95 > 0.05 > found.factors[1].share


def test_shares_of_factors_are_those_planted():
    rng = np.random.default_rng(3)
    tower = {"mid": 1.0, "rulebook": -1.0, "spielbyweb": 0.0}
    truth, shares = np.array([2.0 * (cell.setup == "draft") + tower[cell.tower] for cell in CELLS]), Counter()
    for _ in range(200):
        drawn = cells(truth + rng.normal(0, 0.5, 18), 0.5)
        shares.update({factor.name: factor.share / 200 for factor in factors_of(drawn)})
    assert shares["setup"] == pytest.approx(1.0 / (1.0 + 2 / 3), abs=0.02)
    assert shares["tower"] == pytest.approx(2 / 3 / (1.0 + 2 / 3), abs=0.02)
    assert shares["play"] < 0.05


def test_the_p_value_that_would_be_enough_is_reported():
    found = answer(by_play(0.4, 0.2, 0.1), error=0.2)
    assert found.word == UNKNOWN
    assert found.miss == pytest.approx(0.05 / 3)  # no statement is shown
    assert answer(1.0).miss == 0.0
    played = {1: cells(1.0), 2: cells(by_play(0.4, 0.2, 0.1), 0.2)}
    both = answers(dict.fromkeys(played, CLAIM), played, {})
    assert both[2].miss == pytest.approx(0.05 / 5)  # that shown of the other claim no longer counts


@pytest.mark.parametrize(("value", "error"), [(float("nan"), 0.1), (1.0, float("nan"))])
def test_what_has_no_value_or_no_error_is_not_known(value, error):
    assert answers({1: CLAIM}, {1: cells(1.0) | {CELLS[0]: Known(value, error)}}, {1: MARGIN})[1].word == UNKNOWN


def test_a_claim_without_a_cell_is_an_error():
    with refused("it", "no cell", by=ValueError):
        answers({1: CLAIM}, {1: {}}, {1: MARGIN})


@pytest.mark.parametrize(
    ("truth", "margin"),
    [(0.0, MARGIN), (by_play(0.25, 0.0, -0.25), MARGIN), ([-0.05] + [1.0] * 17, 0.05), ([0.0] + [1.0] * 17, 0.05)],
    ids=str,
)
def test_of_claims_answered_together_wrong_answers_are_as_rare_as_they_say(truth, margin):
    """Ten claims at the boundary of a truth, 40 times: any wrong answer in at most 5 % (+ 7 for chance)."""
    truths = np.broadcast_to(truth, 18)
    rng, wrong, claims = np.random.default_rng(11), 0, dict.fromkeys(range(10), CLAIM)
    right = true_answers(truths, margin)
    for _ in range(40):
        played = {number: cells(truths + rng.normal(0.0, 0.1, 18)) for number in claims}
        found = answers(claims, played, dict.fromkeys(claims, margin)).values()
        wrong += any(not right[each.word] for each in found)
    assert wrong <= 5


def test_a_true_statement_does_not_open_the_door_to_false_ones():
    """Twenty claims hold in all cells but one, which lies at the margin: some are known to hold in the others."""
    rng, claims, truth = np.random.default_rng(8), dict.fromkeys(range(20), CLAIM), np.r_[-MARGIN, [1.0] * 17]
    for _ in range(5):
        played = {number: cells(truth + rng.normal(0, 0.005, 18), 0.005) for number in claims}
        found = answers(claims, played, dict.fromkeys(claims, MARGIN)).values()
        assert {each.word for each in found} == {DEPENDS}
        assert min(each.statements[NEVER_WORSE] for each in found) > 0.05 / (4 * len(claims))


# ------------------------------------------------------------------------------------- games that would decide

SIX, MISS = CELLS[:6], 1e-3


def test_a_cell_that_is_known_needs_no_games_and_the_nearest_needs_the_most():
    needs = needs_of(CLAIM, planted(SIX, [2.0, 1.0, 0.5, 0.17, 0.14, 0.1], error=0.06), 0.25, MISS)[HOLDS]
    assert [needs[cell] for cell in SIX[:3]] == [1.0, 1.0, 1.0]
    assert LEAST <= needs[SIX[3]] < needs[SIX[4]] < needs[SIX[5]] < inf


def test_twice_the_error_needs_four_times_the_games():
    known = {cell: Known(0.05, error) for cell, error in zip(SIX[:2], (0.1, 0.2), strict=True)}
    needs = needs_of(CLAIM, known, None, MISS)[HOLDS]
    assert needs[SIX[1]] == pytest.approx(4 * needs[SIX[0]])


def test_what_lies_on_the_other_side_gets_no_number():
    needs = needs_of(CLAIM, planted(SIX, [1.0, 1.0, 1.0, 1.0, 1.0, -1.0], error=0.3), 0.25, MISS)
    assert needs[HOLDS][SIX[5]] == needs[FAILS][SIX[0]] == needs[NEVER_WORSE][SIX[5]] == inf
    assert set(needs[DEPENDS]) <= set(SIX)
    assert len(needs[DEPENDS]) == 2
    assert SIX[5] in needs[DEPENDS]
    assert max(needs[DEPENDS].values()) < inf
    assert set(needs_of(CLAIM, planted(SIX, [1.0] * 6), None, MISS)) == {HOLDS, FAILS, DEPENDS}


def test_extreme_values_are_taken_to_be_partly_luck():
    """Values that differ by no more than their errors say are one; those of small errors are kept as they are."""
    alike = nearer(planted(SIX, [0.0, 0.1, 0.2, 0.1, 0.15, 0.05], error=0.2))
    assert list(alike.values()) == pytest.approx([0.1] * 6)
    sharp = nearer(planted(SIX, [0.0, 1.0, 2.0, 3.0, 4.0, 5.0], error=0.01))
    assert list(sharp.values()) == pytest.approx([0.0, 1.0, 2.0, 3.0, 4.0, 5.0], abs=1e-3)
    between = nearer(planted(SIX, [-0.3, 1.0, 0.5, 0.5, 0.5, 0.5], error=0.2))
    assert -0.3 < between[SIX[0]] < 0.5 < between[SIX[1]] < 1.0


def test_many_cells_show_mean_and_variance_and_cells_alike_show_none():
    rng = np.random.default_rng(6)
    errors = rng.uniform(0.1, 0.4, 20_000)
    assert spread_of(rng.normal(1.0, np.hypot(0.5, errors)), errors) == pytest.approx((1.0, 0.25), abs=0.02)
    alike = spread_of(np.array([1.0, 1.01, 0.99]), np.array([0.1, 0.2, 0.4]))
    assert alike == pytest.approx(((1.0 / 0.01 + 1.01 / 0.04 + 0.99 / 0.16) / (1 / 0.01 + 1 / 0.04 + 1 / 0.16), 0.0))
