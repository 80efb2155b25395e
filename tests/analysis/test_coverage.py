"""Simultaneous intervals hold as often as they say in small studies, with planted and with played blocks."""

import numpy as np
import pytest

from tests.analysis.coverage import (
    NORMAL,
    STUDENT,
    Family,
    error,
    families_of_behaviour,
    held,
    held_by_bootstrap,
    of_behaviour,
)
from wallsim.analysis.intervals import Confidence

CLAIMED = 0.92  # by the rule of `Confidence.min_blocks`, where events are rare
MANY = 349
STUDIES = 600


def family(count, blocks=20_000):
    """Independent normal means of a large study."""
    values = np.random.default_rng(2).normal(5, 1, (blocks, count))
    return Family("planted", values, np.ones_like(values))


def test_students_intervals_of_few_blocks_hold_where_normal_ones_do_not():
    found = held(family(60), 24, STUDIES, np.random.default_rng(3))
    assert abs(found[STUDENT] - 0.95) < 3 * error(0.95, STUDIES)
    assert found[NORMAL] < 0.95 - 5 * error(0.95, STUDIES)


def test_those_of_the_bootstraps_largest_deviation_hold_too():
    share = held_by_bootstrap(family(12), 30, 300, np.random.default_rng(4))
    assert abs(share - 0.95) < 3 * error(0.95, 300)


def test_a_ratio_that_has_no_interval_cannot_fail():
    flat = np.ones((50, 2))
    assert set(held(Family("flat", flat, 3 * flat), 10, 20, np.random.default_rng(1)).values()) == {1.0}


@pytest.mark.slow
def test_played_measures_are_covered_as_often_as_claimed_at_the_least_number_of_blocks(tmp_path):
    totals, cases = of_behaviour(tmp_path / "behaviour.npz", 3000)
    [few, many] = families_of_behaviour(totals, cases, (12, MANY))
    dice = np.random.default_rng(5)
    for each, count in ((few, 12), (many, MANY)):
        found = held(each, Confidence(n_comparisons=count).min_blocks, STUDIES, dice)
        assert found[STUDENT] > CLAIMED - 2 * error(CLAIMED, STUDIES), count
    # So few blocks as were once allowed hold neither with normal intervals nor, where events are rare, with Student's.
    once = held(many, 30, STUDIES, dice)
    assert once[NORMAL] < 0.8
    assert once[STUDENT] < 0.9
    # Without rare events Student's t holds there already, and the normal intervals do not.
    usual = held(many.without_rare_events(), 30, STUDIES, dice)
    assert usual[STUDENT] > 0.95 - 3 * error(0.95, STUDIES)
    assert usual[NORMAL] < 0.85
