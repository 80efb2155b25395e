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
from wallsim.stats.blocks import block_mean
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


def test_a_ratio_that_has_no_interval_cannot_fail():
    flat = np.ones((50, 2))
    assert set(held(Family("flat", flat, 3 * flat), 10, 20, np.random.default_rng(1)).values()) == {1.0}


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """Families of 12 and of MANY measures of played games."""
    totals, cases = of_behaviour(tmp_path_factory.mktemp("coverage") / "behaviour.npz", 3000)
    return {len(each.truth): each for each in families_of_behaviour(totals, cases, (12, MANY))}


def assert_as_on_the_page(result, page):
    """Student's intervals hold as often as docs/studies/coverage.md says: both numbers have an error of chance."""
    assert abs(result[STUDENT] - page) < 3 * sqrt(2) * error(page, PLAYED)


def test_no_interval_is_printed_where_families_were_found_to_be_short():
    """306 intervals hold in 92.5 % of studies of 24 blocks, and in 95.5 % of those of the least number of blocks."""
    sure, rng = Confidence(n_comparisons=306), np.random.default_rng(3)
    assert sure.min_blocks == 214
    for blocks in (24, 213, 214):
        assert (block_mean(rng.normal(0.0, 1.0, blocks)).interval(sure) is None) == (blocks < 214)


@pytest.mark.one_in(4)
@pytest.mark.slow
@pytest.mark.parametrize(("count", "page", "ahead"), [(12, 0.949, 0.003), (MANY, 0.883, 0.005)])
def test_played_measures_are_covered_as_often_as_claimed_at_the_least_number_of_blocks(played, count, page, ahead):
    """There the two kinds differ little, but in the same studies Student's hold wherever the normal ones do."""
    fewest = Confidence(n_comparisons=count).min_blocks
    result = held(played[count], fewest, PLAYED, np.random.default_rng(5))
    assert_as_on_the_page(result, page)
    assert result[STUDENT] - result[NORMAL] > ahead


@pytest.mark.one_in(4)
@pytest.mark.slow
@pytest.mark.parametrize(("blocks", "page", "ahead"), [(24, 0.925, 0.15), (48, 0.948, 0.06), (96, 0.942, 0.02)])
def test_measures_without_rare_events_are_covered_in_few_blocks_by_students_intervals_alone(
    played, blocks, page, ahead
):
    result = held(played[MANY].without_rare_events(), blocks, PLAYED, np.random.default_rng(6))
    assert_as_on_the_page(result, page)
    assert result[STUDENT] - result[NORMAL] > ahead
    assert result[NORMAL] < page - 3 * error(page, PLAYED)  # normal intervals do not hold as often as the page says


@pytest.mark.slow
def test_so_few_blocks_as_were_once_allowed_hold_with_neither_where_events_are_rare(played):
    once = held(played[MANY], 30, STUDIES, np.random.default_rng(7))
    assert once[NORMAL] < 0.8
    assert once[STUDENT] < 0.9
