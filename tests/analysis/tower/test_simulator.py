"""How likely and how unusual a log is among simulated ones, where that can be worked out by hand."""

from itertools import repeat
from math import log, pi

import numpy as np
import pytest

from wallsim.analysis.tower.casts import Replay
from wallsim.analysis.tower.protocols import bench_design, simulate_log
from wallsim.analysis.tower.simulator import Simulator, StatisticsDistribution, unusualness
from wallsim.analysis.tower.summaries import Summaries
from wallsim.engine.casting import CastingBench
from wallsim.rules.tower import Independent, TowerModel, load_tower


def test_the_score_is_minus_twice_the_log_density():
    rng = np.random.default_rng(1)
    mean, scale = np.array([1.0, -2.0, 30.0]), np.array([0.1, 1.0, 20.0])
    parameters = StatisticsDistribution(mean + scale * rng.standard_normal((200_000, 3)))
    for off in (np.zeros(3), np.array([1.0, -2.0, 0.5])):
        density = np.exp(-0.5 * off @ off) / np.prod(scale) / (2 * pi) ** 1.5
        assert parameters.score(mean + scale * off) == pytest.approx(-2 * log(density) - 3 * log(2 * pi), abs=0.05)
        assert parameters.distance(mean + scale * off)[0] == pytest.approx(off @ off, abs=0.05)


def test_statistics_that_move_together_count_little_more_than_once():
    rng = np.random.default_rng(2)
    one = rng.standard_normal((10_000, 1))
    parameters = StatisticsDistribution(np.hstack((one, one + 1e-3 * rng.standard_normal(one.shape))))
    assert 4 < parameters.distance(np.array([2.0, 2.0]))[0] < 5
    assert parameters.distance(np.array([2.0, -2.0]))[0] > 40


def test_p_values_of_logs_of_the_same_law_are_even_though_few_logs_are_simulated():
    rng = np.random.default_rng(3)
    result = [unusualness(rng.standard_normal((80, 20)), rng.standard_normal(20))[1] for _ in range(600)]
    for chance in (0.1, 0.5, 0.9):
        assert np.mean(np.array(result) <= chance) == pytest.approx(chance, abs=4 * 0.5 / np.sqrt(600))
    far = unusualness(rng.standard_normal((80, 20)), np.full(20, 4.0))
    assert far[0] > 100
    assert far[1] == pytest.approx(1 / 41)
    assert unusualness(rng.standard_normal((3, 20)), np.zeros(20)) == (np.inf, 0.0)


def test_statistics_of_simulated_logs_are_those_of_their_own_logs_in_batches_or_not():
    tower = load_tower("mid-urn")
    log = simulate_log(tower, bench_design(50), seed=4)
    simulator, done = Simulator(log, seed=5), []
    rows = simulator.statistics(repeat(CastingBench(tower), 130), first=7, ready=done.append)
    assert done == [100, 30]
    assert rows.shape == (130, len(simulator.names))
    alone = simulator.statistics([CastingBench(tower)], first=7 + 129)
    assert alone[0] == pytest.approx(rows[129], rel=1e-9)
    replay = Replay(log)
    assert simulator.observed == pytest.approx(Summaries(replay.thrown, replay.emptied).of(replay.fallen))
    # A log made with a seed is none of those that are simulated with it.
    again = Simulator(log, seed=4).statistics([CastingBench(tower)])
    assert abs(again[0] - simulator.observed).max() > 1e-3


def test_logs_that_no_box_has_the_cubes_for_are_no_numbers():
    log = simulate_log(load_tower("spielbyweb"), bench_design(200, 2))
    sealed = CastingBench(TowerModel("sealed", Independent(1e-9, 1e-9)))
    rows = Simulator(log, 1).statistics([sealed, CastingBench(load_tower("spielbyweb"))])
    assert np.isnan(rows[0]).all()
    assert np.isfinite(rows[1]).all()
