"""Tango's interval covers differences of wins of which 98 % are 0, from 300 pairs on."""

import numpy as np
import pytest

from wallsim.stats.blocks import block_mean
from wallsim.stats.intervals import Confidence
from wallsim.stats.sparse_pairs import pairs_of_sums

PAIRS, STUDIES = 300, 2000


def covered(differences, truth, interval):
    """The share of studies, the rows of `differences`, whose interval contains the truth."""
    ends = [interval(row) for row in differences]
    return np.mean([low <= truth <= high for low, high in ends])


def sparse_pairs(row):
    """The counts of paired differences, each between -1 and 1."""
    return pairs_of_sums(len(row), row[row > 0].sum(), -row[row < 0].sum(), (row**2).sum())


def tango(row):
    return sparse_pairs(row).interval(Confidence())


def outcomes(rng, chances):
    """Differences drawn from outcomes with their chances, 0 otherwise: [STUDIES, PAIRS]."""
    values, weights = np.array(list(chances)), np.array(list(chances.values()))
    drawn = rng.choice(np.append(values, 0.0), (STUDIES, PAIRS), p=np.append(weights, 1 - weights.sum()))
    return drawn, float(values @ weights)


@pytest.mark.parametrize(
    "chances",
    [
        {1.0: 0.0125, -1.0: 0.0075},
        {1.0: 0.018, -1.0: 0.002},
        {1.0: 0.012, -1.0: 0.004, 0.5: 0.003, -0.5: 0.001},
        {0.25: 0.012, -0.25: 0.008},
    ],
    ids=["small", "one way", "shared wins", "blocks of four games"],
)
def test_300_pairs_with_2_per_cent_unlike_are_covered(chances):
    drawn, truth = outcomes(np.random.default_rng(21), chances)
    assert 0.93 <= covered(drawn, truth, tango) <= 0.97


def test_students_interval_is_short_of_it_where_most_differences_point_one_way():
    drawn, truth = outcomes(np.random.default_rng(22), {1.0: 0.018, -1.0: 0.002})
    students = covered(drawn, truth, lambda row: block_mean(row).interval(Confidence()) or (0.0, 0.0))
    assert students < 0.92


def test_it_is_tangos_interval():
    """The worked example of Fagerland, Lydersen and Laake (Statistics in Medicine 33, 2014): 21 pairs, 1 up, 7 down."""
    assert tango(np.r_[np.ones(1), -np.ones(7), np.zeros(13)]) == pytest.approx((-0.517, -0.026), abs=5e-4)


def test_many_dense_pairs_get_the_usual_interval():
    row = np.random.default_rng(23).choice([-1.0, 0.0, 1.0], 20_000, p=[0.3, 0.3, 0.4])
    assert sparse_pairs(row).interval(Confidence()) == pytest.approx(block_mean(row).interval(Confidence()), abs=2e-4)


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
