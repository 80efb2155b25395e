"""Fieller's interval of a ratio covers it, and there is none where the divisor may be 0."""

import numpy as np

from wallsim.stats.intervals import Confidence
from wallsim.stats.ratios import Ratio

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
