"""Simultaneous intervals hold as often as they say in small studies, with planted and with played blocks."""

from math import sqrt

import numpy as np
import pytest

from tests.stats.coverage import (
    NORMAL,
    STUDENT,
    Family,
    error,
    families_of_behaviour,
    held,
    held_by_bootstrap,
    of_behaviour,
)
from wallsim.stats.intervals import Confidence

MANY = 349
STUDIES = 600
PLAYED = 2000  # studies that are drawn of played games, as many as for docs/studies/coverage.md


def family(count, blocks=20_000):
    """Independent normal means of a large study."""
    values = np.random.default_rng(2).normal(5, 1, (blocks, count))
    return Family("planted", values, np.ones_like(values))


def test_students_intervals_of_few_blocks_hold_where_normal_ones_do_not():
    result = held(family(60), 24, STUDIES, np.random.default_rng(3))
    assert abs(result[STUDENT] - 0.95) < 3 * error(0.95, STUDIES)
    assert result[NORMAL] < 0.95 - 5 * error(0.95, STUDIES)


def test_those_of_the_bootstraps_largest_deviation_hold_too():
    share = held_by_bootstrap(family(12), 30, 300, np.random.default_rng(4))
    assert abs(share - 0.95) < 3 * error(0.95, 300)


@pytest.mark.one_in(4, "file")
@pytest.mark.slow
def test_played_measures_are_covered_as_often_as_the_page_says(tmp_path):
    """As in docs/studies/coverage.md at the least number of blocks, and in 24 blocks without rare events."""
    totals, cases = of_behaviour(tmp_path / "behaviour.npz", 3000)
    few, many = families_of_behaviour(totals, cases, (12, MANY))
    for played, blocks, page, ahead in (
        (few, Confidence(n_comparisons=12).min_blocks, 0.949, 0.003),
        (many, Confidence(n_comparisons=MANY).min_blocks, 0.883, 0.005),
        (many.without_rare_events(), 24, 0.925, 0.15),
    ):
        result = held(played, blocks, PLAYED, np.random.default_rng(5))
        assert abs(result[STUDENT] - page) < 3 * sqrt(2) * error(page, PLAYED)  # both have an error of chance
        assert result[STUDENT] - result[NORMAL] > ahead
