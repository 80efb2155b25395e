"""A ladder is compared with places, points and the model's own curve of wins."""

from itertools import pairwise

import numpy as np
import polars as pl
import pytest
from scipy.stats import kendalltau, spearmanr

from tests.analysis.planted import planted_rows
from tests.refusals import refused
from wallsim.analysis.tournament.agreement import MEASURES, agreement
from wallsim.analysis.tournament.gaps import BINS, strength_gaps, wins_by_gap_of
from wallsim.analysis.tournament.ratings import rate
from wallsim.stats.bootstrap import percentiles
from wallsim.stats.intervals import Confidence
from wallsim.stats.rankings import rankings

TRUTH = np.linspace(1, -1, 6)


@pytest.fixture(scope="module")
def rows():
    """120 blocks of 6 games of four among six policies, with points that grow with the place."""
    return planted_rows(TRUTH, 120, seed=2, games=6)


@pytest.fixture(scope="module")
def ratings(rows):
    """Their ladder."""
    return rate(rows, resamples=200)


def win_by_gap(rows, ratings, *, bins=BINS):
    """Win shares by strength gap of one field of policies."""
    return wins_by_gap_of({0: (rows, ratings)}, level=ratings.level, bins=bins)[0]


def measured(rows, ratings):
    """Values by name."""
    return {result.name: result.value for result in agreement(rows, ratings)}


def test_correlations_over_policies_are_the_usual_ones(rows, ratings):
    turned = rows.with_columns(vp=pl.col("vp") - 9 * (pl.col("policy") == "p1"))  # so that the orders differ
    result = measured(turned, ratings)
    points = [turned.filter(pl.col("policy") == name)["vp"].mean() for name in ratings.policies]
    assert result["spearman"] == pytest.approx(spearmanr(ratings.strengths, points).statistic)
    assert result["kendall"] == pytest.approx(kendalltau(ratings.strengths, points).statistic)
    assert result["spearman"] < 1


def test_taus_inside_games_are_those_of_a_naive_count(rows, ratings):
    strength = dict(zip(ratings.policies, ratings.strengths, strict=True))
    places, points, gaps, margins = [], [], [], []
    for _, game in rows.group_by("game"):
        for one in game.iter_rows(named=True):
            for other in game.iter_rows(named=True):
                if one["policy"] != other["policy"]:
                    gap = strength[one["policy"]] - strength[other["policy"]]
                    places.append(np.sign(gap) * np.sign(other["rank"] - one["rank"]))
                    points.append(np.sign(gap) * np.sign(one["vp"] - other["vp"]))
                    gaps.append(gap)
                    margins.append(one["vp"] - other["vp"])
    result = measured(rows, ratings)
    assert result["places"] == pytest.approx(np.mean(places))
    assert result["points"] == pytest.approx(np.mean(points))
    # The slope of means that count by their cases is that of the cases.
    assert result["slope"] == pytest.approx(np.dot(gaps, margins) / np.dot(gaps, gaps))


def test_margins_follow_the_gap_of_strengths(rows, ratings):
    result = {each.name: each for each in agreement(rows, ratings)}
    assert [*result] == [*MEASURES]
    assert result["margin"].value > 0.98
    for name in ("places", "points", "slope"):
        assert result[name].interval[0] < result[name].value < result[name].interval[1]
    # Points are 4 a unit of worth, and two Gumbel draws that differ by a gap differ by that gap in the mean.
    assert result["slope"].interval[0] < 4 < result["slope"].interval[1]


def test_two_policies_have_no_correlations_over_policies_and_few_blocks_no_intervals():
    rows = planted_rows([0.4, 0.0], 60, seed=4, players=2)
    result = agreement(rows, rate(rows, resamples=50))
    assert [each.name for each in result] == ["places", "points", "slope"]
    assert all(each.interval[0] < each.value < each.interval[1] for each in result)
    few = planted_rows([0.4, 0.0], 20, seed=4, players=2)
    assert all(each.interval is None for each in agreement(few, rate(few, resamples=20)))


def test_a_measure_that_no_resample_moves_has_no_interval():
    """Strengths so different that every resample ranks points the same way: such samples show no certainty."""
    rows = planted_rows([4.0, 0.0, -4.0], 80, seed=4, players=3)
    result = {each.name: each for each in agreement(rows, rate(rows, resamples=50))}
    assert (result["spearman"].value, result["spearman"].interval) == (1.0, None)
    assert (result["kendall"].value, result["kendall"].interval) == (1.0, None)
    assert result["places"].interval is not None


@pytest.mark.parametrize(
    ("confidence", "blocks", "ends"),
    [
        (Confidence(0.9), 10**6, (0.05, 0.95)),
        (Confidence(0.9, 2), 10**6, (0.025, 0.975)),
        # 12 blocks: the normal tail beyond sqrt(12 / 11) times the t quantile of 11 degrees, 1.0445 * 1.7959.
        (Confidence(0.9), 12, (0.0303, 0.9697)),
    ],
)
def test_percentiles_of_many_blocks_are_plain_and_those_of_few_lie_further_out(confidence, blocks, ends):
    assert percentiles(np.linspace(0, 1, 10_001), confidence, blocks) == pytest.approx(ends, abs=1e-4)
    assert percentiles(np.full(50, 0.7), confidence, blocks) is None
    assert percentiles(np.array([0.1, np.nan]), confidence, blocks) is None


def test_gaps_give_the_chances_of_the_model(rows, ratings):
    result = rankings(rows)
    strength = dict(zip(ratings.policies, ratings.strengths, strict=True))
    gaps = strength_gaps(result, ratings)
    for game in (0, 17, 333):
        worth = np.exp([strength[result.policies[policy]] for policy in result.policy[game]])
        assert 1 / (1 + 3 * np.exp(-gaps[game])) == pytest.approx(worth / worth.sum())


def test_games_of_the_model_lie_on_its_curve_within_intervals_block_by_block(rows, ratings):
    bins = win_by_gap(rows, ratings, bins=6)
    assert sum(each.seats for each in bins) == rows.height
    assert all(one.high < other.low for one, other in pairwise(bins))
    for each in bins:
        assert each.interval[0] < each.expected < each.interval[1]
        assert each.expected_interval[0] < each.expected < each.expected_interval[1]
        assert each.difference == pytest.approx(each.observed - each.expected)
        assert each.difference_interval[0] < 0 < each.difference_interval[1]
    widths = [
        [high - low for low, high in (each.interval, each.expected_interval, each.difference_interval)] for each in bins
    ]
    observed, curve, apart = np.array(widths).T
    # The strengths come from the same games, so the curve follows the wins and the difference varies less than both.
    assert (curve < observed).all()
    assert (apart < np.hypot(observed, curve)).all()


def test_the_expected_share_of_a_bin_is_the_mean_of_its_seats_chances(rows, ratings):
    result = rankings(rows)
    gap = strength_gaps(result, ratings).ravel()
    chance = 1 / (1 + 3 * np.exp(-gap))
    for each in win_by_gap(rows, ratings, bins=6):
        inside = (gap >= each.low - 1e-9) & (gap <= each.high + 1e-9)
        assert (each.seats, each.gap) == (inside.sum(), pytest.approx(gap[inside].mean()))
        assert each.expected == pytest.approx(chance[inside].mean())
        assert each.observed == pytest.approx(result.win.ravel()[inside].mean())


def test_the_more_fields_are_shown_the_wider_all_intervals(rows, ratings):
    alone = win_by_gap(rows, ratings, bins=2)
    fields = {name: (rows, rate(rows, resamples=ratings.resamples, seed=name)) for name in range(1, 5)}
    among = wins_by_gap_of(fields, level=ratings.level, bins=2)
    assert list(among) == [1, 2, 3, 4]
    for one, other in zip(alone, among[1], strict=True):
        assert other.interval[1] - other.interval[0] > one.interval[1] - one.interval[0]


def test_differences_from_the_curve_hold_as_often_as_they_say():
    """Games of the model itself, where the truth of every difference is nought but for the bins' own cut."""
    hits = 0
    for seed in range(60):
        rows = planted_rows([0.5, 0.2, -0.2, -0.5], 90, seed, games=3)
        bins = win_by_gap(rows, rate(rows, resamples=100), bins=3)
        hits += all(each.difference_interval[0] < 0 < each.difference_interval[1] for each in bins)
    assert hits >= 54


def test_games_that_are_luckier_than_the_model_leave_its_curve(rows):
    sure = rate(planted_rows(3 * TRUTH, 120, seed=2, games=6), resamples=20)
    bins = win_by_gap(rows, sure, bins=6)
    assert bins[0].interval[0] > bins[0].expected
    assert bins[-1].interval[1] < bins[-1].expected


def test_what_does_not_belong_together_is_refused(rows, ratings):
    small = planted_rows(TRUTH, 10, seed=8, players=3).with_columns(pl.col("game") + 99999, pl.col("block") + 999)
    with refused("3 and 4 players"):
        win_by_gap(pl.concat([rows, small]), ratings)
    with refused("stranger"):
        win_by_gap(rows.with_columns(pl.col("policy").replace("p0", "stranger")), ratings)
    with refused("same games"):
        agreement(rows.filter(pl.col("block") > 3), ratings)
    with refused("numbers of resamples"):
        wins_by_gap_of({1: (rows, ratings), 2: (rows, rate(rows, resamples=7))}, level=0.95)
