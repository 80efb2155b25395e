"""Means over rows that belong together have intervals that count clusters, not rows."""

import numpy as np
import polars as pl
import pytest

from wallsim.stats.clusters import mean_by_group
from wallsim.stats.intervals import Confidence, wilson


def frame(games, rows, seed=5):
    """`rows` rows per game that all share the game's one coin."""
    coins = np.random.default_rng(seed).integers(0, 2, games)
    return pl.LazyFrame({"game": np.repeat(np.arange(games), rows), "win": np.repeat(coins, rows), "group": "x"})


def test_copies_of_a_row_add_nothing():
    once, often = mean_by_group(frame(500, 1), "group"), mean_by_group(frame(500, 7), "group")
    assert often["rows"].item() == 7 * once["rows"].item()
    for column in ("clusters", "mean", "low", "high"):
        assert often[column].item() == pytest.approx(once[column].item())


def test_one_row_a_cluster_gives_the_interval_of_a_mean():
    rows = frame(500, 1)
    wins = rows.collect()["win"].to_numpy()
    half = Confidence().t(500) * wins.std(ddof=1) / np.sqrt(500)
    row = mean_by_group(rows, "group").row(0, named=True)
    assert row["high"] - row["mean"] == pytest.approx(half)
    assert row["mean"] - row["low"] == pytest.approx(half)


def test_the_same_rows_give_the_same_to_the_last_digit():
    rng = np.random.default_rng(1)
    columns = {"game": np.arange(4000) // 12, "group": rng.integers(0, 4, 4000), "win": rng.random(4000)}
    result = {str(mean_by_group(pl.LazyFrame(columns), "group").rows()) for _ in range(60)}
    assert len(result) == 1


def test_more_groups_make_wider_intervals():
    rows = frame(500, 2)
    with_other = pl.concat([rows, rows.with_columns(group=pl.lit("y"))])
    alone, together = mean_by_group(rows, "group"), mean_by_group(with_other, "group")
    assert together["group"].to_list() == ["x", "y"]
    assert together["high"][0] - together["low"][0] > alone["high"][0] - alone["low"][0]


def test_few_clusters_have_no_interval_however_many_rows():
    row = mean_by_group(frame(29, 50), "group").row(0, named=True)
    assert row["clusters"] == 29
    assert row["low"] is None
    assert row["high"] is None


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


def test_values_beyond_a_share_that_never_vary_have_no_interval():
    row = mean_by_group(pl.LazyFrame({"game": range(40), "win": 3, "group": "x"}), "group").row(0, named=True)
    assert (row["mean"], row["low"], row["high"]) == (3, None, None)


def test_intervals_cover_the_truth_as_often_as_they_say():
    """Games of unequal size in a group; the truth is the ratio of expectations."""
    rng = np.random.default_rng(8)
    covered = 0
    for _ in range(400):
        sizes = rng.integers(1, 5, 300)
        wins = rng.random(300) < 0.2 + 0.1 * sizes
        rows = pl.LazyFrame({"game": np.repeat(np.arange(300), sizes), "win": np.repeat(wins, sizes), "group": 1})
        row = mean_by_group(rows, "group").row(0, named=True)
        covered += row["low"] <= 0.5 <= row["high"]
    assert 0.92 < covered / 400 < 0.98
