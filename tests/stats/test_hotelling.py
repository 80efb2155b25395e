"""The joint test of several means is Hotelling's: right under the null, and sees what is planted."""

import numpy as np
import pytest
from scipy.stats import kstest, ttest_1samp, ttest_ind

from wallsim.stats.screening import hotelling, hotelling_of_two


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
