"""Distances of behaviours are as planted, and hold as often as they say."""

from math import inf, isnan, sqrt
from statistics import pvariance

import numpy as np
import polars as pl
import pytest

from wallsim.analysis.behaviour.measures import RESULT, WINS, Measure
from wallsim.analysis.behaviour.profiles import (
    PLAIN,
    Behaviour,
    behaviour_from,
    distance_confidence,
    distances,
    furthest,
    is_plain,
    standardised,
    sums_of,
)
from wallsim.stats.blocks import block_mean
from wallsim.stats.intervals import Confidence

SURE = Confidence(n_comparisons=4)  # needs 63 blocks
SEATS = {"seat": pl.UInt8, "game": pl.Int64, "attacks": pl.Int16, "won": pl.Int16}
PLANTED = (
    Measure("attacks", "war", "a game", 2, "", pl.col("attacks"), pl.lit(1)),
    Measure("success", "war", "%", 1, "", pl.col("won"), pl.col("attacks"), scale=100.0),
)


def planted(attacks, won):
    """The behaviour of one seat with so many attacks and successes, game by game."""
    rows = pl.LazyFrame(
        {"seat": [2] * len(attacks), "game": range(len(attacks)), "attacks": attacks, "won": won}, SEATS
    )
    return behaviour_from("planted", PLANTED, sums_of(PLANTED, rows, rows, len(attacks)), 1, 1)


def test_planted_rows_give_planted_numbers():
    result = planted([4, 0, 2, 6], [1, 0, 2, 3])
    assert result.estimates["attacks"].value == 3
    assert result.variances["attacks"].value == 5
    assert result.estimates["success"].value == 50
    parts = [1 - 2, 0, 2 - 1, 0]
    assert result.variances["success"].value == pytest.approx(100**2 * pvariance(part / 3 for part in parts))


def test_what_never_happened_has_no_value_and_tells_nothing_apart():
    never, often = planted([0] * 40, [0] * 40), planted([3, 5] * 20, [1, 2] * 20)
    assert isnan(never.estimates["success"].value)
    assert isnan(standardised(never, often, "success").value)
    assert furthest(never, often, PLANTED, SURE).measure == "attacks"
    assert furthest(never, often, PLANTED[1:], SURE) is None
    assert distances([never, often], PLANTED[1:], SURE) == {}


def test_what_never_varies_is_infinitely_apart_or_not_at_all():
    two, three = planted([2] * 63, [1] * 63), planted([3] * 63, [1] * 63)
    assert standardised(two, two, "attacks").value == 0
    assert standardised(two, three, "attacks").value == -inf
    assert standardised(two, three, "success").value == inf  # a third is no binary fraction
    assert furthest(two, three, PLANTED[:1], SURE).plain
    assert not is_plain(standardised(two, two, "attacks"), SURE)
    few = planted([2] * 62, [1] * 62), planted([3] * 62, [1] * 62)
    assert not is_plain(standardised(*few, "attacks"), SURE)


def normal(rng, mean, deviation, blocks=200, seats=4, luck=None):
    """A behaviour of one measure whose seats of a block share a part of their luck; the variance is that of sums."""
    shared = rng.normal(0, 1, (blocks, 1)) if luck is None else luck
    values = mean + deviation * (sqrt(0.3) * shared + sqrt(0.7) * rng.normal(0, 1, (blocks, seats)))
    cases = np.full(blocks, float(seats))
    parts = np.stack([values.sum(1), cases, (values**2).sum(1), values.sum(1), cases])
    return behaviour_from("x", (Measure("x", "war", "", 1, "", pl.lit(0), pl.lit(1)),), {"x": parts}, seats, 1)


def test_standardised_differences_cover_the_planted_one_as_often_as_they_say():
    """Cohen's d with the mean of both variances: (10 - 7) / sqrt((4 + 9) / 2)."""
    rng, truth, covered, plain = np.random.default_rng(5), 3 / sqrt(6.5), 0, 0
    for _ in range(600):
        luck = rng.normal(0, 1, (200, 1))
        result = standardised(normal(rng, 10, 2, luck=luck), normal(rng, 7, 3, luck=luck), "x")
        low, high = result.interval(Confidence())
        covered += low <= truth <= high
        plain += is_plain(result, Confidence())
    assert 0.925 * 600 < covered < 0.975 * 600
    assert plain == 600
    assert PLAIN < truth - 4 * result.error


def test_a_difference_at_the_limit_is_seldom_called_plain():
    rng, confidence = np.random.default_rng(6), Confidence()
    pairs = ((normal(rng, PLAIN * 2, 2), normal(rng, 0, 2)) for _ in range(400))
    calls = [is_plain(standardised(*pair, "x"), confidence) for pair in pairs]
    assert 0 < sum(calls) < 0.05 * 400


def measures(**groups):
    """Measures of these names and groups."""
    return [Measure(name, group, "", 1, "", pl.lit(0), pl.lit(1)) for name, group in groups.items()]


def behaving(name, noise, **values):
    """A behaviour of these values with variance 1; `noise` is that of its blocks, or one by measure."""
    noise = noise if isinstance(noise, dict) else dict.fromkeys(values, noise)
    blocks = len(next(iter(noise.values())))
    estimates = {key: block_mean(value + noise[key] - noise[key].mean()) for key, value in values.items()}
    return Behaviour(name, estimates, {key: block_mean(np.ones(blocks)) for key in values}, blocks, blocks)


def test_the_furthest_measure_is_named_with_its_sign_and_results_are_left_out():
    far = measures(near="war", far="land", won=RESULT)
    noise = {name: np.random.default_rng(seed).normal(0, 1, 70) for seed, name in enumerate("abc")}
    some = [
        behaving("a", noise["a"], near=1.0, far=5.0, won=99.0),
        behaving("b", noise["b"], near=1.5, far=2.0, won=0.0),
        behaving("c", noise["c"], near=1.5, far=2.1, won=0.0),
    ]
    result = distances(some, far, SURE)
    assert list(result) == [("a", "b"), ("a", "c"), ("b", "c")]
    assert (result["a", "b"].measure, result["a", "b"].plain) == ("far", True)
    assert result["a", "b"].estimate.value == pytest.approx(3.0)
    assert result["b", "c"].estimate.value == pytest.approx(-0.1)
    assert not result["b", "c"].plain
    assert distance_confidence(3, far) == Confidence(0.95, 3 * 2)


def test_a_pair_is_plain_by_any_measure_not_just_by_the_one_it_is_furthest_apart_in():
    """2.0 is known to 1.5 at the quantile, 1.2 to 0.06: the first is shown, the second says that they differ."""
    turns = np.tile([1.0, -1.0], 50)
    noise, zero = {"rough": 5 * turns, "fine": 0.2 * turns}, behaving("zero", 0 * turns, rough=0.0, fine=0.0)
    both = measures(rough="war", fine="war")
    result = furthest(behaving("x", noise, rough=2.0, fine=1.2), zero, both, SURE)
    assert (result.measure, result.estimate.value) == ("rough", pytest.approx(2.0))
    assert not is_plain(result.estimate, SURE)
    assert result.plain
    assert not furthest(behaving("x", noise, rough=2.0, fine=0.7), zero, both, SURE).plain
    won = measures(rough="war", fine=RESULT)
    assert not furthest(behaving("x", noise, rough=2.0, fine=1.2), zero, won, SURE).plain


def test_wins_that_were_all_or_none_still_have_an_interval():
    for value, (low, high) in ((0.0, (0.0, 8.7622)), (100.0, (91.2378, 100.0))):
        equal = {WINS: block_mean(np.full(40, value))}
        result = Behaviour("x", equal, equal, 40, 160).interval(WINS, Confidence())
        assert result == pytest.approx((low, high), abs=1e-3)
        assert Behaviour("x", equal, equal, 29, 1).interval(WINS, Confidence()) is None
