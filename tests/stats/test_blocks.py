"""Estimates from blocks find planted differences, cover them as often as they say, and gain by pairing."""

from math import isnan

import numpy as np
import polars as pl
import pytest

from tests.refusals import refused
from wallsim.stats.blocks import block_mean, block_ratio, block_values, combined
from wallsim.stats.group_means import mean_by_group
from wallsim.stats.intervals import Confidence

BLOCKS = 300
SHARED, OWN = 2.0, 1.0  # standard deviations of what arms share in a block, and of what each has alone


def arms(rng, *means):
    """A number per block under several conditions that share their luck."""
    luck = rng.normal(0, SHARED, BLOCKS)
    return [block_mean(mean + luck + rng.normal(0, OWN, BLOCKS)) for mean in means]


def cases(rng, share):
    """A block's cases, of unequal number, and successes whose chance is higher where there are many."""
    fought = rng.integers(1, 9, BLOCKS)
    tilt = 0.02 * (fought - 5.0)
    return rng.binomial(fought, share + tilt), fought, share + 0.02 * (np.mean(np.arange(1, 9) ** 2) / 4.5 - 5)


@pytest.mark.parametrize(("blocks", "quantile"), [(30, 2.045230), (300, 1.967930)])  # Student's t
def test_a_mean_has_the_usual_error_and_students_interval(blocks, quantile):
    values = np.random.default_rng(1).normal(3, 2, blocks)
    result = block_mean(values)
    assert result.value == pytest.approx(values.mean())
    assert result.error == pytest.approx(values.std(ddof=1) / np.sqrt(blocks))
    low, high = result.interval(Confidence())
    assert ((low + high) / 2, high - low) == pytest.approx((result.value, 2 * quantile * result.error))


def test_the_more_intervals_hold_simultaneously_the_more_blocks_each_needs():
    values = np.random.default_rng(8).normal(0, 1, 220)
    for comparisons, fewest in ((1, 30), (12, 94), (66, 153), (349, 220)):
        confidence = Confidence(n_comparisons=comparisons)
        assert confidence.min_blocks == fewest
        assert block_mean(values[:fewest]).interval(confidence) is not None
        assert block_mean(values[: fewest - 1]).interval(confidence) is None


def test_a_ratio_agrees_with_the_mean_over_clusters():
    won, fought, _ = cases(np.random.default_rng(2), 0.6)
    result = block_ratio(won, fought)
    rows = [(game, float(k < won[game])) for game in range(BLOCKS) for k in range(fought[game])]
    frame = pl.LazyFrame(rows, schema=["game", "win"], orient="row").with_columns(group=pl.lit("x"))
    row = mean_by_group(frame, "group").row(0, named=True)
    assert result.value == pytest.approx(row["mean"])
    assert result.interval(Confidence()) == pytest.approx((row["low"], row["high"]))


def test_intervals_cover_planted_means_ratios_and_differences_as_often_as_they_say():
    rng, confidence = np.random.default_rng(3), Confidence()
    covered = np.zeros(3)
    for _ in range(600):
        low, high = arms(rng, 10.0, 10.4)
        won, fought, truth = cases(rng, 0.6)
        for place, (estimate, planted) in enumerate(
            [(low, 10.0), (block_ratio(won, fought), truth), (high - low, 0.4)]
        ):
            begin, end = estimate.interval(confidence)
            covered[place] += begin <= planted <= end
    assert (covered > 0.925 * 600).all()
    assert (covered < 0.975 * 600).all()


def test_pairing_by_block_is_narrower_than_the_errors_of_two_samples():
    one, other = arms(np.random.default_rng(5), 1.0, 0.0)
    unpaired = np.hypot(one.error, other.error)
    paired = (one - other).error
    assert paired == pytest.approx(OWN * np.sqrt(2 / BLOCKS), rel=0.1)
    assert unpaired == pytest.approx(np.sqrt(2 * (SHARED**2 + OWN**2) / BLOCKS), rel=0.1)
    assert paired < unpaired / 2


def test_a_weighted_sum_adds_values_and_shares_blocks():
    rng = np.random.default_rng(6)
    one, other = arms(rng, 1.0, 2.0)
    result = combined((0.25, 3.0), (one, other))
    assert result.value == pytest.approx(0.25 * one.value + 3 * other.value)
    assert result.influence == pytest.approx(0.25 * one.influence + 3 * other.influence)
    assert ((one * 100).value, (one * 100).error) == pytest.approx((100 * one.value, 100 * one.error))
    with refused("[300, 40]", by=ValueError):
        one - block_mean(np.ones(40))


@pytest.mark.parametrize(
    "estimate",
    [
        block_mean(np.arange(29.0)),
        block_mean(np.full(BLOCKS, 0.1)),
        block_ratio(np.zeros(BLOCKS), np.zeros(BLOCKS)),
        block_mean(np.ones(1)),
    ],
    ids=["few blocks", "blocks alike", "no cases", "a single block"],
)
def test_no_interval_is_claimed_from_nothing(estimate):
    assert estimate.interval(Confidence()) is None


def test_a_ratio_without_cases_has_no_value_and_spoils_only_what_needs_it():
    nothing, something = block_ratio(np.zeros(40), np.zeros(40)), block_mean(np.arange(40.0))
    assert isnan(nothing.value)
    assert isnan((something - nothing).value)
    assert (something - nothing).interval(Confidence()) is None


def test_numbers_by_game_stand_at_their_game_and_are_0_without_rows():
    rows = pl.LazyFrame({"game": [2, 0, 2], "x": [5, 1, 7]}, schema={"game": pl.Int64, "x": pl.Int8})
    result = block_values(rows, 4, total=pl.col("x").sum(), gap=pl.col("x").max() - pl.col("x").min())
    assert result["total"].tolist() == [1, 0, 12, 0]
    assert result["gap"].tolist() == [0, 0, 2, 0]
