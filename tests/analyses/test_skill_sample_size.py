"""So many games tell two policies apart as the plan says: simulated studies of that size find the difference."""

from math import inf, sqrt

import numpy as np
import polars as pl
import pytest
from scipy.stats import nct, t

from tests.analysis.planted import planted_rows
from wallsim.analyses.skill.sample_size import blocks_needed, games_needed_by_neighbours
from wallsim.analysis.tournament.ratings import rate
from wallsim.errors import InputError
from wallsim.stats.blocks import block_ratio
from wallsim.stats.head_to_head import head_to_head
from wallsim.stats.intervals import Confidence
from wallsim.stats.rankings import rankings


def sample_sizes(strengths, blocks, seed, **how):
    rows = planted_rows(strengths, blocks, seed, games=6, **how)
    return games_needed_by_neighbours(rows, rate(rows, resamples=20))


def test_the_number_of_blocks_is_that_of_the_textbook():
    """Two-sided at 5 %, power 80 %: the mean lies 2.80 standard errors from the number if blocks are many."""
    assert blocks_needed(0.01, 2.0) == pytest.approx(((1.959964 + 0.841621) * 200) ** 2, rel=1e-4)
    assert blocks_needed(-0.5, 2.0) == blocks_needed(0.5, 2.0)
    assert blocks_needed(0.0, 2.0) == inf


@pytest.mark.parametrize("gap", [0.5, 0.4, 0.2])
def test_students_t_test_of_so_many_blocks_has_the_power(gap):
    """By the noncentral t distribution; what normal quantiles plan for few blocks falls short of it."""
    blocks = blocks_needed(gap, 1.0)
    assert _power(gap, blocks) == pytest.approx(0.8, abs=0.002)
    if gap > 0.3:
        assert _power(gap, ((1.959964 + 0.841621) / gap) ** 2) < 0.79


def _power(gap, blocks):
    far, near = t.ppf(0.975, blocks - 1), gap * sqrt(blocks)
    return nct.sf(far, blocks - 1, near) + nct.cdf(-far, blocks - 1, near)


def test_few_blocks_are_planned_by_their_own_quantiles_and_never_fewer_than_two():
    """Normal quantiles would plan 1.96 blocks for a gap of two deviations; Student's t needs more of them."""
    assert 4 < blocks_needed(0.4, 0.2) < blocks_needed(0.4, 0.2, level=0.99)
    assert blocks_needed(100.0, 0.01) == 2


def test_independent_games_need_what_a_coin_needs():
    """Blocks of one game of two: finishing before the other is a coin, and the number of games is that of coins."""
    rows = planted_rows([0.4, 0.0], 4000, 1, games=1, players=2)
    [result] = games_needed_by_neighbours(rows, rate(rows, resamples=20))
    share = 1 / (1 + np.exp(-0.4))
    coins = (2.80158 * sqrt(share * (1 - share)) / (share - 0.5)) ** 2
    assert result.before == pytest.approx(share, abs=0.03)
    assert result.needed == pytest.approx(coins, rel=0.35)
    assert result.least < coins < result.most
    assert (result.games, result.blocks) == (4000, 4000)


@pytest.mark.slow
def test_studies_of_the_planned_size_find_the_difference_in_four_of_five():
    plan = next(each for each in sample_sizes([0.3, 0.0, -2.0, -2.0], 3000, 2, noise=1.0) if each.one == "p0")
    blocks = round(plan.needed / (plan.games / plan.blocks))
    assert 30 < blocks < 400
    hits = 0
    for seed in range(200):
        result = rankings(planted_rows([0.3, 0.0, -2.0, -2.0], blocks, 1000 + seed, games=6, noise=1.0))
        met = head_to_head(result)
        share = block_ratio(met.before[:, 0, 1], met.cases[:, 0, 1])
        low, high = share.interval(Confidence())
        hits += not low <= 0.5 <= high
    assert 0.70 < hits / 200 < 0.90


def test_games_are_those_where_both_sit():
    rows = planted_rows([1.0, 0, -1.0, -2.0, -3.0], 60, 3, games=6, players=3)
    ratings = rate(rows, resamples=20)
    for each in games_needed_by_neighbours(rows, ratings):
        seats = rows.group_by("game").agg(pl.col("policy"))["policy"].to_list()
        assert each.games == sum({each.one, each.other} <= set(table) for table in seats)
    assert [each.one for each in games_needed_by_neighbours(rows, ratings)] == list(ratings.policies[:-1])


def test_policies_that_are_alike_may_need_any_number():
    [result] = sample_sizes([0.0, 0.0], 200, 4, players=2)
    assert result.most == inf
    assert result.least < result.needed
    assert result.interval[0] < 0.5 < result.interval[1]


def test_no_plan_is_smaller_than_two_blocks():
    [result] = sample_sizes([4.0, 0.0], 200, 5, players=2)
    assert 2 * 6 <= result.least <= result.needed <= result.most < 30 * 6


def test_few_blocks_plan_nothing():
    [result] = sample_sizes([0.5, 0.0], 20, 6, players=2)
    assert (result.interval, result.needed, result.least, result.most) == (None, None, None, None)


def test_ratings_of_other_policies_are_refused():
    rows = planted_rows([1.0, 0.0], 40, 7, players=2)
    other = rate(planted_rows([1.0, 0.0, 0.0], 40, 7, players=2), resamples=20)
    with pytest.raises(InputError, match="other policies"):
        games_needed_by_neighbours(rows, other)
