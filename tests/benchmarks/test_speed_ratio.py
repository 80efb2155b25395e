"""Two installations play the same games in turns, and the ratio is that of their speeds."""

from math import log

import numpy as np
import pytest
from benchmarks.speed_ratio import PIECES, SpeedRatio, compare_speeds, geometric_mean
from scipy import stats

from tests.benchmarks.installations import Stopwatch, installation
from wallsim.stats.intervals import Confidence


@pytest.fixture
def compared(tmp_path):
    stopwatch = Stopwatch(new=3000, old=2000)
    told = []
    result = compare_speeds(
        installation(tmp_path, "new"), installation(tmp_path, "old"), ["random", "balanced"], 4, told.append, stopwatch
    )
    return result, stopwatch, told


def test_the_ratio_is_that_of_games_per_cpu_second(compared):
    result, _, told = compared
    assert all(any(f"{turn}" in line for line in told) for turn in range(1, 5)), "progress names each of four turns"
    for each in result.ratios:
        assert each.ratios == pytest.approx([1.5] * 4)
        assert (each.speed, each.other_speed) == pytest.approx((3000, 2000))
        ratio, interval = each.estimate()
        assert (ratio, *interval) == pytest.approx((1.5, 1.5, 1.5))


def test_a_turn_is_about_a_cpu_second_of_the_running_installation(compared):
    assert [each.games for each in compared[0].ratios] == pytest.approx([3000, 3000], rel=0.05)


def test_every_turn_has_processes_of_its_own(compared):
    _, stopwatch, _ = compared
    assert stopwatch.started == ["new", "old", "old ended", "new ended"] * 5


def test_both_play_the_same_games_in_alternation_and_each_turn_plays_others(compared):
    result, stopwatch, _ = compared
    games = result.ratios[0].games
    timed = [
        (title, first, count)
        for title, policy, first, count in stopwatch.asked
        if policy == "random" and count == games / PIECES
    ]
    timed = timed[-2 * PIECES * 4 :]
    played = {title: [(first, count) for name, first, count in timed if name == title] for title in ("new", "old")}
    assert played["new"] == played["old"]
    assert [first for first, _ in played["new"]] == list(range(0, 4 * games, games // PIECES))
    order = [title for title, _, _ in timed]
    assert order[:4] == ["new", "old", "old", "new"]
    assert order[2 * PIECES :][:4] == ["old", "new", "new", "old"]
    assert all(set(order[pair : pair + 2]) == {"new", "old"} for pair in range(0, len(order), 2))


def test_a_policy_that_takes_seconds_per_game_plays_one_game_per_piece(tmp_path):
    stopwatch = Stopwatch(new=0.5, old=0.5)
    result = compare_speeds(
        installation(tmp_path, "new"), installation(tmp_path, "old"), ["search"], 3, start=stopwatch
    )
    assert result.ratios[0].games == PIECES


def test_the_estimate_is_the_geometric_mean_and_its_interval_is_symmetric_in_logarithms():
    ratio, (low, high) = SpeedRatio("random", 10, [2.0, 4.0, 8.0], [4.0, 4.0, 4.0]).estimate()
    assert ratio == pytest.approx(1)
    assert low * high == pytest.approx(1)
    assert log(high) == pytest.approx(stats.t.ppf(0.975, 2) * log(2) / 3**0.5)


def test_nineteen_in_twenty_intervals_cover_the_ratio():
    rng = np.random.default_rng(1)
    covered = 0
    for _ in range(2000):
        _, (low, high) = geometric_mean(list(1.1 * np.exp(rng.normal(0, 0.03, 9))), Confidence())
        covered += low <= 1.1 <= high
    assert abs(covered / 2000 - 0.95) < 0.02


@pytest.mark.parametrize("ratios", [[], [1.0, 1.1], [1.0, 0.0, 1.0], [1.0, -1.0, 1.0]])
def test_too_few_ratios_and_ratios_that_are_not_positive_are_rejected(ratios):
    with pytest.raises(ValueError):
        geometric_mean(ratios, Confidence())
