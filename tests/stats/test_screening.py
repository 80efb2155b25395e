"""P-values, alone, adjusted and joint: known examples, error rates under the null, and what was not tested."""

from math import isnan, nan

import numpy as np
import pytest
from scipy.stats import kstest, ttest_1samp, ttest_ind

from wallsim.stats.blocks import block_mean
from wallsim.stats.intervals import Confidence
from wallsim.stats.screening import benjamini_hochberg, holm, hotelling, hotelling_of_two, p_value

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
@pytest.mark.parametrize("planted", [0.0, 0.4])
def test_a_screen_claims_what_is_not_there_no_more_often_than_allowed(planted):
    """Holm: any false claim in at most 5 of 100 studies; Benjamini and Hochberg: 5 of 100 claims on average."""
    rng, studies, tests, blocks = np.random.default_rng(2), 2000, 12, 200
    truth = np.arange(tests) % 2 * planted  # of every other test
    shared = rng.normal(0, 1, (studies, 1, blocks))  # tests share half of their luck, as columns of the same games do
    values = truth[:, None] + shared + rng.normal(0, 1, (studies, tests, blocks))
    confidence, null = Confidence(n_comparisons=tests), truth == 0
    p_values = [[p_value(block_mean(row), confidence) for row in study] for study in values]
    claimed = np.array([benjamini_hochberg(each) <= 0.05 for each in p_values])
    false_shares = (claimed & null).sum(axis=1) / np.maximum(1, claimed.sum(axis=1))
    assert np.mean([holm(each)[null].min() <= 0.05 for each in p_values]) <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / studies)
    assert false_shares.mean() <= 0.05 + 3 * false_shares.std() / np.sqrt(studies)
    if planted:
        assert claimed[:, ~null].mean() > 0.5  # who never claims anything keeps any rate


def test_of_one_contrast_it_is_students_test():
    values = np.random.default_rng(3).normal(0.2, 1, 50)
    known, result = ttest_1samp(values, 0), hotelling(values[:, None])
    assert result.t_squared == pytest.approx(known.statistic**2)
    assert result.p_value == pytest.approx(known.pvalue)
    assert result.degrees == (1, 49)


def test_it_is_the_formula_of_the_books():
    values = np.random.default_rng(4).normal(0.1, 1, (40, 3)) @ np.array([[1, 2, 0], [0, 1, 1], [0, 0, 3.0]])
    mean = values.mean(axis=0)
    spread = sum(np.outer(row - mean, row - mean) for row in values) / 39
    t_squared = 40 * mean @ np.linalg.inv(spread) @ mean
    result = hotelling(values)
    assert result.t_squared == pytest.approx(t_squared)
    assert result.f == pytest.approx(t_squared * 37 / (3 * 39))
    assert result.degrees == (3, 37)
    # It asks about a space, not about the contrasts that span it.
    turned = hotelling(values @ np.array([[1, 1, 0], [0, 2, 1], [5, 0, 1.0]]))
    assert turned.t_squared == pytest.approx(result.t_squared)


def test_without_an_effect_p_values_are_uniform():
    """Contrasts that hang together, of skewed values: wins of a third."""
    rng = np.random.default_rng(5)
    chances = []
    for _ in range(400):
        wins = (rng.random((300, 5)) < 1 / 3).astype(float) + (rng.random((300, 1)) < 0.2)
        chances.append(hotelling(wins[:, 1:] - wins[:, :1]).p_value)
    assert kstest(chances, "uniform").pvalue > 0.01


def test_a_planted_effect_is_seen():
    rng, seen = np.random.default_rng(6), 0
    for _ in range(50):
        values = rng.normal(0, 1, (300, 4))
        values[:, 2] += 0.3
        seen += hotelling(values).p_value < 0.01
    assert seen >= 45


def test_what_cannot_be_tested_is_none():
    rng = np.random.default_rng(7)
    assert hotelling(rng.normal(0, 1, (4, 4))) is None
    same = rng.normal(0, 1, (50, 2))
    assert hotelling(np.column_stack([same, same.sum(axis=1)])) is None
    assert hotelling(np.zeros((50, 2))) is None


def test_two_samples_of_one_contrast_have_welchs_test():
    rng = np.random.default_rng(8)
    first, second = rng.normal(0.3, 1, 40), rng.normal(0, 3, 90)
    known, result = ttest_ind(first, second, equal_var=False), hotelling_of_two(first[:, None], second[:, None])
    assert result.t_squared == pytest.approx(known.statistic**2)
    assert result.p_value == pytest.approx(known.pvalue)
    assert result.degrees == (1, round(known.df))


def test_two_samples_alike_have_uniform_p_values_and_a_planted_difference_is_seen():
    rng = np.random.default_rng(9)
    mixed = rng.normal(0, 1, (12, 12))
    chances, seen = [], 0
    for _ in range(200):
        first, second = rng.normal(0, 1, (60, 12)) @ mixed, rng.exponential(2, (160, 12)) - 2
        chances.append(hotelling_of_two(first, second).p_value)
        seen += hotelling_of_two(first, second + 2.0).p_value < 0.01
    assert kstest(chances, "uniform").pvalue > 0.01
    assert seen >= 190


def test_two_samples_that_cannot_be_tested_give_none():
    rng = np.random.default_rng(10)
    many, few = rng.normal(0, 1, (50, 4)), rng.normal(0, 1, (4, 4))
    assert hotelling_of_two(many, few) is None
    assert hotelling_of_two(few, many) is None
    assert hotelling_of_two(np.zeros((50, 2)), np.zeros((50, 2))) is None
