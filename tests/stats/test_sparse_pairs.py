"""Tango's interval covers differences of wins of which 98 % are 0, from 300 pairs on."""

import numpy as np
import pytest

from wallsim.stats.intervals import Confidence
from wallsim.stats.sparse_pairs import pairs_of_sums


def sparse_pairs(row):
    """The counts of paired differences, each between -1 and 1."""
    return pairs_of_sums(len(row), row[row > 0].sum(), -row[row < 0].sum(), (row**2).sum())


def tango(row):
    return sparse_pairs(row).interval(Confidence())


def test_300_pairs_with_2_per_cent_unlike_and_shared_wins_are_covered():
    chances = {1.0: 0.012, -1.0: 0.004, 0.5: 0.003, -0.5: 0.001, 0.0: 0.98}
    drawn = np.random.default_rng(21).choice([*chances], (2000, 300), p=[*chances.values()])
    truth = sum(value * chance for value, chance in chances.items())
    assert 0.93 <= np.mean([low <= truth <= high for low, high in map(tango, drawn)]) <= 0.97


def test_it_is_tangos_interval():
    """The worked example of Fagerland, Lydersen and Laake (Statistics in Medicine 33, 2014): 21 pairs, 1 up, 7 down."""
    assert tango(np.r_[np.ones(1), -np.ones(7), np.zeros(13)]) == pytest.approx((-0.517, -0.026), abs=5e-4)


def test_no_difference_at_all_is_no_certainty():
    result = sparse_pairs(np.zeros(300))
    low, high = result.interval(Confidence())
    z = Confidence().z
    assert (low, high) == pytest.approx((-(z**2) / (300 + z**2), z**2 / (300 + z**2)))
    assert result.p_value() == 1


def test_the_p_value_is_mcnemars():
    row = np.r_[np.ones(15), -np.ones(5), np.zeros(280)]
    assert sparse_pairs(row).p_value() == pytest.approx(0.02535, abs=1e-5)  # chi-square 100 / 20, one degree
    assert sparse_pairs(row * 0.5).p_value() == pytest.approx(sparse_pairs(row).p_value())


def test_half_the_unit_halves_the_ends():
    row = np.r_[np.ones(15), -np.ones(5), np.zeros(280)]
    low, high = tango(row)
    # The same events, each half as large: Tango's interval scaled, since counts and pairs are the same.
    assert tango(row / 2) == pytest.approx((low / 2, high / 2))
