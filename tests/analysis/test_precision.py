"""A precision is read from words, judged by intervals that hold at every look, and keeps its level."""

from math import inf, log

import numpy as np
import pytest

from tests.refusals import refused
from wallsim.analysis.precision import PLANNED, Headline, Precision, Row, parse_precision
from wallsim.stats.blocks import block_mean
from wallsim.stats.intervals import Confidence, sequence_errors

STUDIES, MOST = 400, 6000


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
    ["", "vp", "vp 0.1", "vp ±0", "vp ±-1", "vp ±1pp", "win ±0.2", "win ±0.0pp", "thalers ±1", "vp ±1e9", "vp ±٣"],
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
    assert headline(np.zeros((10, 1))).widest == inf
    assert not headline(np.zeros((10, 1))).reached


def stopped(rng, draw, column, half_width, truth):
    """Whether studies that look after every chunk stop, and whether they miss when they do."""
    reached = missed = 0
    for _ in range(STUDIES):
        values, blocks = draw(rng, MOST), 300
        while not (result := headline(values[:blocks], column, half_width)).reached and blocks < MOST:
            blocks = min(MOST, blocks + max(50, blocks // 3))
        reached += result.reached
        intervals = [result.interval(row) for row in result.rows]
        missed += any(not low <= truth <= high for low, high in intervals)
    return reached / STUDIES, missed / STUDIES


@pytest.mark.parametrize(
    ("draw", "column", "half_width", "truth"),
    [
        (lambda rng, n: rng.normal(0, 3, (n, 3)), "vp", 0.4, 0.0),
        (lambda rng, n: rng.normal(1, 3, (n, 3)), "vp", 0.4, 1.0),
        (lambda rng, n: rng.exponential(2, (n, 3)), "vp", 0.3, 2.0),
        (lambda rng, n: wins(rng, n, 3, 0.02, 0.01), "win", 0.01, 0.01),
        (lambda rng, n: wins(rng, n, 3, 0.002, 0.0), "win", 0.005, 0.002),
    ],
    ids=["nothing", "a point", "skew", "rare wins", "very rare wins"],
)
def test_who_stops_when_it_is_precise_enough_misses_as_seldom_as_was_promised(draw, column, half_width, truth):
    """Planted changes, three rows each: misses of any row in at most 5 % of studies."""
    reached, missed = stopped(np.random.default_rng(5), draw, column, half_width, truth)
    assert reached > 0.9
    assert missed <= 0.05


def wins(rng, blocks, rows, gain, loss):
    """Changes of wins of which few differ from 0."""
    lots = rng.random((blocks, rows))
    return (lots < gain).astype(float) - (lots > 1 - loss)
