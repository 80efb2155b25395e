"""The assignment of cards to boxes: as good as the one that scipy finds (B3)."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from wallsim.policies.balanced.assignment import assign
from wallsim.policies.record import MIND
from wallsim.rules.terms import BASE_BOXES, BOXES

ROUNDING = 1e-6  # worths count in whole millionths
KINDS = ("bell", "small integers", "equal columns", "equal rows", "zeros", "wide", "equal", "illegal")

shapes = st.integers(1, BOXES).flatmap(lambda rows: st.tuples(st.just(rows), st.integers(rows, 50)))
seeds = st.integers(0, 2**32 - 1)


def best(values, mind=None) -> list[int]:
    """The columns that `assign` gives to the rows; what lies beyond the matrix would be worth most of all."""
    rows, columns = values.shape
    mind = np.zeros(1, MIND)[0] if mind is None else mind
    mind.value[:, :] = 1e6
    mind.value[:rows, :columns] = values
    assign(mind, rows, columns)
    return [int(column) for column in mind.chosen[:rows]]


def total(values, columns) -> float:
    """What the rows are worth on these columns."""
    return float(sum(values[row, column] for row, column in enumerate(columns)))


def most(values) -> float:
    """The greatest total, by scipy."""
    rows, columns = linear_sum_assignment(values, maximize=True)
    return float(values[rows, columns].sum())


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
        values[:] = rng.uniform(-1e5, 1e5)
    elif kind == "illegal":  # as most cards on most boxes
        values = np.where(rng.random(shape) < rng.uniform(0.05, 0.9), -1e6, 10.0 * values)
    elif kind == "wide":
        values *= 10.0 ** rng.integers(-3, 4, shape)
    return values


def assert_best(values, columns):
    """One column a row, none twice, and no better total."""
    rows, width = values.shape
    assert len(columns) == len(set(columns)) == rows
    assert min(columns) >= 0
    assert max(columns) < width, "padding was chosen"
    assert total(values, columns) == pytest.approx(most(values), rel=1e-12, abs=2 * rows * ROUNDING)


@given(shapes, seeds, st.sampled_from(KINDS))
def test_the_total_is_the_one_scipy_finds(shape, seed, kind):
    values = matrix(shape, seed, kind)
    assert_best(values, best(values))


@pytest.mark.parametrize("columns", [11, 12, 14, 15, 16, 17, 31, 32, 33, 47, 48, 49, 50, 63, 64])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("rows", [BASE_BOXES, BOXES])
def test_every_width_of_the_padding_serves(rows, columns, kind):  # B3.1 E3
    for seed in range(10):
        values = matrix((min(rows, columns), columns), seed, kind)
        assert_best(values, best(values))


@given(shapes, seeds, st.sampled_from(KINDS))
def test_it_does_not_matter_what_was_assigned_before(shape, seed, kind):
    values = matrix(shape, seed, kind)
    used = np.zeros(1, MIND)[0]
    best(matrix((BOXES, 50), seed + 1, "wide"), used)
    assert best(values, used) == best(values)
