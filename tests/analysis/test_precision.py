"""A precision is read from words and judged by intervals that hold at every look."""

from math import inf, log

import numpy as np
import pytest

from tests.refusals import refused
from wallsim.analysis.precision import PLANNED, Headline, Precision, Row, parse_precision
from wallsim.stats.blocks import block_mean
from wallsim.stats.intervals import Confidence, sequence_errors


def headline(values, column="vp", half_width=0.1):
    """Rows of some columns of numbers, [blocks, rows]."""
    rows = tuple(Row("", str(place), block_mean(one)) for place, one in enumerate(np.atleast_2d(values.T)))
    return Headline(Precision(column, half_width), rows)


@pytest.mark.parametrize(
    ("text", "column", "half_width"),
    [("vp ±0.1", "vp", 0.1), ("vp +- 2", "vp", 2.0), ("win ±0.2pp", "win", 0.002), (" win+/-.5 pp ", "win", 0.005)],
)
def test_a_precision_has_a_column_and_a_half_width(text, column, half_width):
    assert parse_precision(text) == Precision(column, pytest.approx(half_width))


@pytest.mark.parametrize(
    "text",
    ["", "vp", "vp 0.1", "vp ±0", "vp ±-1", "vp ±1pp", "win ±0.2", "win ±0.0pp", "thalers ±1", "vp ±٣"],
)
def test_anything_else_is_refused_with_what_is_allowed(text):
    with refused(text, '"vp ±0.1"', '"win ±0.2pp"'):
        parse_precision(text)


def test_the_widest_of_all_rows_is_judged_by_the_sequence_that_counts_them():
    values = np.random.default_rng(1).normal(0, [1, 3], (900, 2))
    result = headline(values, half_width=0.4)
    wide = sequence_errors(Confidence(n_comparisons=2), PLANNED, 900)
    errors = [wide * row.estimate.error for row in result.rows]
    assert [result.half_width(row) for row in result.rows] == pytest.approx(errors)
    assert result.widest == pytest.approx(max(errors))
    assert result.reached == (max(errors) <= 0.4)
    assert result.look().needed == pytest.approx(900 * (max(errors) / 0.4) ** 2)


def test_rows_without_any_difference_are_bounded_by_their_number_of_blocks():
    for column, largest in (("win", 1.0), ("vp", 100.0)):
        result = headline(np.zeros((1000, 1)), column)
        assert result.widest == pytest.approx(largest * log(1 / 0.05) / 1000)
    fewest = Confidence().min_blocks
    assert headline(np.zeros((fewest - 1, 1))).widest == inf > headline(np.zeros((fewest, 1))).widest
    assert not headline(np.zeros((fewest - 1, 1))).reached


def test_rows_of_wins_of_which_hardly_any_differ_are_bounded_so_too():
    rare = np.zeros((1000, 1))
    rare[3] = 0.5
    own = sequence_errors(Confidence(), PLANNED, 1000) * block_mean(rare[:, 0]).error
    assert headline(rare).widest == pytest.approx(own)
    assert headline(rare, "win").widest == pytest.approx(log(1 / 0.05) / 1000)
    assert own < log(1 / 0.05) / 1000
