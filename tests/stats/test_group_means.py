"""Means of groups and their differences have errors that count blocks, not rows, and hold as often as they claim."""

import numpy as np
import polars as pl
import pytest
from scipy import stats

from tests.naive.group_means import naive_difference, naive_mean
from tests.refusals import refused
from wallsim.stats.blocks import block_mean
from wallsim.stats.group_means import Difference, GroupMean, group_means, mean_by_group
from wallsim.stats.intervals import Confidence, wilson


def group(blocks, values):
    """The mean of values by their blocks."""
    blocks, values = np.asarray(blocks), np.asarray(values, dtype=float)
    order = np.argsort(blocks, kind="stable")
    [mean] = group_means(np.zeros(len(blocks), np.int64), blocks[order], values[order])
    return mean


def drawn(rng, blocks, most=5):
    """Blocks with one to `most` rows, and values that share a part by block."""
    of_row = np.repeat(np.arange(blocks), rng.integers(1, most + 1, blocks))
    return of_row, rng.normal(size=blocks)[of_row] + rng.normal(size=len(of_row))


def estimates(each):
    """Value, standard error and degrees of freedom."""
    value = each.mean if isinstance(each, GroupMean) else each.value
    return pytest.approx((value, each.standard_error, each.degrees_of_freedom))


@pytest.mark.parametrize("seed", range(6))
def test_means_and_differences_are_those_of_the_naive_twin(seed):
    rng = np.random.default_rng(seed)
    blocks, values = drawn(rng, 9)
    first = rng.random(len(blocks)) < 0.5
    first[:4], first[-4:] = True, False  # some blocks have rows of one group only
    parts = [list(zip(blocks[rows], values[rows], strict=True)) for rows in (first, ~first)]
    groups = [group(blocks[rows], values[rows]) for rows in (first, ~first)]
    for each, part in zip(groups, parts, strict=True):
        assert naive_mean(part) == estimates(each)
        assert each.rows == len(part)
    assert naive_difference(*parts) == estimates(Difference(*groups))


def test_equal_blocks_are_the_t_tests_of_every_textbook():
    rng = np.random.default_rng(3)
    blocks = np.arange(40)
    one, other = rng.normal(size=40), rng.normal(1, 3, size=40)
    alone = group(blocks, one)
    assert (alone.mean, alone.standard_error, alone.degrees_of_freedom) == pytest.approx(
        (one.mean(), one.std(ddof=1) / np.sqrt(40), 39)
    )
    paired, apart = Difference(alone, group(blocks, other)), Difference(alone, group(blocks + 40, other))
    for difference, test in (
        (paired, stats.ttest_rel(one, other)),
        (apart, stats.ttest_ind(one, other, equal_var=False)),
    ):
        assert difference.value / difference.standard_error == pytest.approx(test.statistic)
        assert difference.degrees_of_freedom == pytest.approx(test.df)
    assert (paired.shared_blocks, apart.shared_blocks) == (40, 0)
    assert paired.standard_error == pytest.approx(block_mean(one - other).error)


def test_the_mean_is_that_of_the_clusters_of_pages_but_for_unequal_blocks_fewer_degrees():
    blocks, values = drawn(np.random.default_rng(4), 50)
    mean = group(blocks, values)
    page = mean_by_group(pl.LazyFrame({"game": blocks, "win": values, "group": "x"}), "group").row(0, named=True)
    assert page["mean"] == pytest.approx(mean.mean)
    assert page["high"] - page["mean"] == pytest.approx(Confidence().t(50) * mean.standard_error)
    assert 30 < mean.degrees_of_freedom < 49


def test_few_or_equal_blocks_have_no_interval():
    rng = np.random.default_rng(5)
    sure = Confidence()
    few, enough = group(range(29), rng.random(29)), group(range(30), rng.random(30))
    assert few.interval(sure, shares=False) is None
    assert enough.interval(sure, shares=False) is not None
    assert Difference(enough, few).interval(sure) is None
    values = rng.random(30)
    assert Difference(group(range(30), values + 7), group(range(30), values)).interval(sure) is None
    equal = group(range(30), np.ones(30))
    assert equal.interval(sure, shares=False) is None
    assert equal.interval(sure, shares=True) == wilson(1, 30, sure.z)
    assert np.isnan(Difference(equal, equal).degrees_of_freedom)


def test_a_group_with_a_single_block_is_rejected():
    with refused("single block", by=ValueError):
        group([3, 3, 3], [1, 2, 3])


@pytest.mark.parametrize("studies", [600, pytest.param(6000, marks=pytest.mark.slow)])
def test_intervals_of_unequal_blocks_hold_about_as_often_as_they_claim(studies):
    """Each row of a block has a part in common with the others; intervals of rows would hold much less often."""
    rng, sure = np.random.default_rng(6), Confidence()
    hold = {"mean": 0, "difference": 0, "rows": 0}
    for _ in range(studies):
        sizes = rng.choice([1, 2, 12], 32, p=[0.4, 0.4, 0.2])
        blocks = np.repeat(np.arange(32), sizes)
        common = rng.normal(size=32)[blocks]
        values = [common + rng.normal(size=len(blocks)) for _ in range(2)]
        one, other = (group(blocks, each) for each in values)
        low, high = one.interval(sure, shares=False)
        hold["mean"] += low < 0 < high
        low, high = Difference(one, other).interval(sure)
        hold["difference"] += low < 0 < high
        half = sure.z * values[0].std(ddof=1) / np.sqrt(len(blocks))
        hold["rows"] += abs(values[0].mean()) < half
    shares = {name: count / studies for name, count in hold.items()}
    assert 0.9 < shares["mean"] < 0.98
    assert 0.925 < shares["difference"] < 0.975
    assert shares["rows"] < 0.8


def frame(games, rows, seed=5):
    """`rows` rows per game that all share the game's one coin."""
    coins = np.random.default_rng(seed).integers(0, 2, games)
    return pl.LazyFrame({"game": np.repeat(np.arange(games), rows), "win": np.repeat(coins, rows), "group": "x"})


def test_copies_of_a_row_add_nothing_to_the_interval_of_a_mean():
    once, often = (mean_by_group(frame(500, copies), "group").row(0, named=True) for copies in (1, 7))
    assert often["rows"] == 7 * once["rows"]
    for column in ("clusters", "mean", "low", "high"):
        assert often[column] == pytest.approx(once[column])
    half = Confidence().t(500) * frame(500, 1).collect()["win"].to_numpy().std(ddof=1) / np.sqrt(500)
    assert (once["high"] - once["mean"], once["mean"] - once["low"]) == pytest.approx((half, half))
    few = mean_by_group(frame(29, 50), "group").row(0, named=True)
    assert (few["clusters"], few["low"], few["high"]) == (29, None, None)


def test_the_same_rows_give_the_same_to_the_last_digit():
    rng = np.random.default_rng(1)
    columns = {"game": np.arange(4000) // 12, "group": rng.integers(0, 4, 4000), "win": rng.random(4000)}
    result = {str(mean_by_group(pl.LazyFrame(columns), "group").rows()) for _ in range(60)}
    assert len(result) == 1


@pytest.mark.parametrize("share", [0, 0.5, 1])
def test_clusters_that_are_all_alike_leave_doubt(share):
    rows = pl.LazyFrame({"game": [*range(40)] * 3, "win": [share] * 120, "group": "x"})
    row = mean_by_group(rows, "group").row(0, named=True)
    assert (row["rows"], row["clusters"], row["mean"]) == (120, 40, share)
    assert (row["low"], row["high"]) == pytest.approx(wilson(share, 40, Confidence().z))
    assert row["high"] - row["low"] > 0.08  # 40 games without a win: the chance may still be one in twelve


def test_a_group_that_never_won_widens_with_the_number_of_groups():
    rows = pl.LazyFrame({"game": [*range(100)], "win": [0, 1] * 50, "group": ["never", "always"] * 50})
    result = mean_by_group(rows, "group")
    assert result.columns == ["group", "rows", "clusters", "mean", "low", "high"]
    assert result["low"].to_list() == pytest.approx([1 - result["high"][1], 0])
    assert result["high"].to_list() == pytest.approx([1, wilson(0, 50, Confidence(n_comparisons=2).z)[1]])


@pytest.mark.parametrize("wins", [1, 199])
def test_no_interval_of_a_share_reaches_beyond_nothing_or_all(wins):
    rows = pl.LazyFrame({"game": range(200), "win": [1] * wins + [0] * (200 - wins), "group": "x"})
    row = mean_by_group(rows, "group").row(0, named=True)
    half = Confidence().t(200) * np.sqrt(wins * (200 - wins) / 200**2 / 199)
    assert half > min(wins, 200 - wins) / 200  # so that it would reach beyond
    assert row["low"] == pytest.approx(max(0, wins / 200 - half), abs=1e-12)
    assert row["high"] == pytest.approx(min(1, wins / 200 + half), abs=1e-12)


def test_points_may_lie_below_nought_and_above_one():
    rows = pl.LazyFrame({"game": range(60), "vp": [-4, 3] * 30, "group": "x"})
    row = mean_by_group(rows, "group", "vp").row(0, named=True)
    assert row["low"] < -1 < row["mean"] < 0 < row["high"]
    none = pl.LazyFrame({"game": range(60), "vp": [0, 7] * 30, "group": ["never", "always"] * 30})
    assert mean_by_group(none, "group", "vp")["high"].to_list() == [None, None]  # points of nobody are no share
    row = mean_by_group(pl.LazyFrame({"game": range(40), "win": 3, "group": "x"}), "group").row(0, named=True)
    assert (row["mean"], row["low"], row["high"]) == (3, None, None)
