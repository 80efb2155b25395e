"""Fieller's interval of a ratio, and sums added by batch."""

from math import isnan

import numpy as np
import pytest

from wallsim.stats.blocks import block_ratio
from wallsim.stats.intervals import Confidence
from wallsim.stats.ratios import Ratio, RatioSums

SURE, BLOCKS = Confidence(), 200


def test_the_interval_covers_the_ratio_in_95_of_100_studies():
    rng = np.random.default_rng(1)
    above, below = rng.normal(2.0, 0.4, 4000), rng.normal(0.5, 0.05, 4000)
    ends = [Ratio(one, 0.4, other, 0.05, BLOCKS).interval(SURE) for one, other in zip(above, below, strict=True)]
    assert 0.94 <= np.mean([low <= 4.0 <= high for low, high in ends]) <= 0.96


def test_a_divisor_without_error_only_changes_the_unit():
    low, high = Ratio(2.0, 0.4, 0.5, 0.0, BLOCKS).interval(SURE)
    assert np.allclose((low, high), np.array(SURE.students(2.0, 0.4, BLOCKS)) / 0.5)


def test_there_is_no_interval_for_few_blocks_or_a_divisor_that_may_be_zero():
    assert Ratio(2.0, 0.4, 0.5, 0.4, BLOCKS).interval(SURE) is None
    assert Ratio(2.0, 0.4, 0.0, 0.1, BLOCKS).interval(SURE) is None
    assert Ratio(2.0, 0.4, 0.5, 0.1, 10).interval(SURE) is None
    assert np.isnan(Ratio(2.0, 0.4, 0.0, 0.1, BLOCKS).value)


def moments(totals, cases, batch):
    sums = RatioSums()
    for first in range(0, len(totals), batch):
        sums.add(totals[first : first + batch], cases[first : first + batch])
    return sums.moments()


@pytest.mark.parametrize("batch", [1, 7, 300])
@pytest.mark.parametrize("mean", [0.0, 5.0, 1e6])
def test_batches_give_the_ratio_and_its_error(batch, mean):
    rng = np.random.default_rng(3)
    cases = rng.integers(0, 4, 300).astype(float)
    cases[:10] = 0.0  # also a first batch without any
    totals = cases * rng.normal(mean, 2, 300)
    result, blocks = moments(totals, cases, batch), block_ratio(totals, cases)
    assert result.value == pytest.approx(blocks.value, rel=1e-12, abs=1e-12)
    assert result.error == pytest.approx(blocks.error, rel=1e-9)
    assert result.squares == pytest.approx((blocks.influence**2).sum(), rel=1e-9)
    assert result.blocks == 300


@pytest.mark.parametrize("value", [0.1, 1 / 3, 1e5 + 0.7])
def test_blocks_that_are_all_alike_have_no_error_but_rounding(value):
    ones = np.ones(100_000)
    assert moments(value * ones, ones, 999).error < 1e-12


def test_nothing_is_known_without_cases_or_from_a_single_block():
    assert isnan(moments(np.zeros(5), np.zeros(5), 2).value)
    assert isnan(moments(np.zeros(5), np.zeros(5), 2).error)
    assert isnan(moments(np.ones(1), np.ones(1), 2).error)


def test_a_single_case_has_a_ratio():
    assert moments(np.array([3.0, 0.0]), np.array([1.0, 0.0]), 1).value == 3.0
