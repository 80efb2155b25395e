"""Adjusted p-values: known examples, error rates under the null, and what was not tested."""

from math import isnan, nan

import numpy as np
import pytest

from wallsim.stats.blocks import block_mean
from wallsim.stats.intervals import Confidence
from wallsim.stats.screening import benjamini_hochberg, holm, p_value

GIVEN = [0.01, 0.04, 0.03, 0.005]


def test_holm_and_benjamini_hochberg_as_by_hand():
    assert holm(GIVEN) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert benjamini_hochberg(GIVEN) == pytest.approx([0.02, 0.04, 0.04, 0.02])
    assert holm([0.9, 0.8]).tolist() == [1.0, 1.0]
    assert holm([0.03]).tolist() == [0.03]


@pytest.mark.parametrize("adjust", [holm, benjamini_hochberg])
def test_what_was_not_tested_counts_for_nothing(adjust):
    result = adjust([0.01, nan, 0.04])
    assert isnan(result[1])
    assert result[[0, 2]] == pytest.approx(adjust([0.01, 0.04]))
    assert adjust([]).tolist() == []
    assert isnan(adjust([nan])[0])
    assert adjust([0.0, 1.0]).tolist() == [0.0, 1.0]
    for outside in (-0.01, 1.5):
        with pytest.raises(ValueError, match="between 0 and 1"):
            adjust([outside])


def test_the_p_value_belongs_to_the_interval():
    result = block_mean(np.random.default_rng(1).normal(0.2, 1, 100))
    p = p_value(result, Confidence())
    edge = result.interval(Confidence(level=1 - p))
    assert min(abs(edge[0]), abs(edge[1])) == pytest.approx(0, abs=1e-9)
    assert isnan(p_value(block_mean(np.arange(29.0)), Confidence()))
    assert isnan(p_value(block_mean(np.ones(40)), Confidence()))


@pytest.mark.slow
def test_a_screen_without_effects_finds_any_in_at_most_5_per_cent():
    rng, studies, tests, blocks = np.random.default_rng(2), 2000, 12, 200
    shared = rng.normal(0, 1, (studies, 1, blocks))  # tests share half of their luck, as columns of the same games do
    values = shared + rng.normal(0, 1, (studies, tests, blocks))
    confidence = Confidence(n_comparisons=tests)
    p_values = [[p_value(block_mean(row), confidence) for row in study] for study in values]
    allowed = 0.05 + 3 * np.sqrt(0.05 * 0.95 / studies)
    assert np.mean([holm(each).min() <= 0.05 for each in p_values]) <= allowed
    assert np.mean([benjamini_hochberg(each).min() <= 0.05 for each in p_values]) <= allowed
