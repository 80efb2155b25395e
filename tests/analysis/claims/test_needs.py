"""Games that would decide: as many as are needed, in the cells that need them."""

from math import inf

import pytest

from tests.analysis.claims.planted_claims import CLAIM, Known, planted
from wallsim.analysis.claims.answers import (
    DEPENDS,
    FAILS,
    HOLDS,
    LEAST,
    LITTLE,
    SAME,
    UNKNOWN,
    answers,
    nearer,
    needs_of,
)
from wallsim.analysis.claims.cells import Cell
from wallsim.stats.stages import Staged

CELLS = [Cell(play, tower, "draft") for play in ("casual", "strong") for tower in ("mid", "rulebook", "spielbyweb")]
MISS = 1e-3


def cells(values, error=0.1):
    return planted(CELLS[: len(values)], values, error)


def test_a_cell_that_is_known_needs_no_games_and_the_nearest_needs_the_most():
    needs = needs_of(CLAIM, cells([2.0, 1.0, 0.5, 0.17, 0.14, 0.1], error=0.06), 0.25, MISS)[HOLDS]
    assert [needs[cell] for cell in CELLS[:3]] == [1.0, 1.0, 1.0]
    assert LEAST <= needs[CELLS[3]] < needs[CELLS[4]] < needs[CELLS[5]] < inf


def test_twice_the_error_needs_four_times_the_games():
    known = {cell: Known(0.05, error) for cell, error in zip(CELLS[:2], (0.1, 0.2), strict=True)}
    needs = needs_of(CLAIM, known, None, MISS)[HOLDS]
    assert needs[CELLS[1]] == pytest.approx(4 * needs[CELLS[0]])


def test_what_lies_on_the_other_side_gets_no_number():
    needs = needs_of(CLAIM, cells([1.0, 1.0, 1.0, 1.0, 1.0, -1.0], error=0.3), 0.25, MISS)
    assert needs[HOLDS][CELLS[5]] == needs[FAILS][CELLS[0]] == needs[SAME][CELLS[0]] == needs[LITTLE][CELLS[5]] == inf
    assert set(needs[DEPENDS]) <= set(CELLS)
    assert len(needs[DEPENDS]) == 2
    assert CELLS[5] in needs[DEPENDS]
    assert max(needs[DEPENDS].values()) < inf
    assert set(needs_of(CLAIM, cells([1.0] * 6), None, MISS)) == {HOLDS, FAILS, DEPENDS}


def test_extreme_values_are_taken_to_be_partly_luck():
    """Values that differ by no more than their errors say are one; those of small errors are kept as they are."""
    alike = nearer(cells([0.0, 0.1, 0.2, 0.1, 0.15, 0.05], error=0.2))
    assert list(alike.values()) == pytest.approx([0.1] * 6)
    sharp = nearer(cells([0.0, 1.0, 2.0, 3.0, 4.0, 5.0], error=0.01))
    assert list(sharp.values()) == pytest.approx([0.0, 1.0, 2.0, 3.0, 4.0, 5.0], abs=1e-3)
    between = nearer(cells([-0.3, 1.0, 0.5, 0.5, 0.5, 0.5], error=0.2))
    assert -0.3 < between[CELLS[0]] < 0.5 < between[CELLS[1]] < 1.0


def test_the_games_that_are_needed_decide_most_often():
    """A claim that holds, with 1.2 times the games that its needs say in a second stage of its own."""
    first = cells([0.5, 0.4, 0.5, 0.3, 0.45, 0.12])
    alone = {cell: Staged((each,)) for cell, each in first.items()}
    found = answers({1: CLAIM}, {1: alone}, {1: "attacks"}, drawn={})
    assert found[1].word == UNKNOWN
    needs = needs_of(CLAIM, first, None, found[1].miss)[HOLDS]
    values = nearer(first)
    later = {
        cell: Known(values[cell], each.error / (1.2 * (needs[cell] - 1.0)) ** 0.5)
        for cell, each in first.items()
        if needs[cell] > 1.0
    }
    both = {cell: Staged((each, later[cell]) if cell in later else (each,)) for cell, each in first.items()}
    assert answers({1: CLAIM}, {1: both}, {1: "attacks"}, drawn={})[1].word == HOLDS
