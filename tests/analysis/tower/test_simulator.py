"""How unusual a log is among simulated ones, and its summary statistics: what their names say, and never nan."""

from itertools import repeat
from math import log, pi

import numpy as np
import pytest

from tests.naive.summaries import naive_summaries
from wallsim.analysis.tower.casts import CastLog, Replay
from wallsim.analysis.tower.protocols import Design, bench_design, simulate_log
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


# ------------------------------------------------------------------------------------- summary statistics


def summarise(log):
    """The statistics of a log by name."""
    simulator = Simulator(log, 1)
    return dict(zip(simulator.names, simulator.observed.tolist(), strict=True))


def random_log(rng, casts, colours):
    """Cubes thrown, flags of an emptied tower and cubes fallen, of a log in which anything may happen."""
    thrown = rng.integers(0, 6, (casts, colours)) * (rng.random((casts, colours)) < 0.6)
    thrown[thrown.sum(axis=1) == 0, 0] = 1
    emptied = rng.random(casts) < 0.1
    thrown[emptied] += rng.integers(0, 8, colours)
    fallen, held = np.zeros_like(thrown), np.zeros(colours, np.int64)
    for cast in range(casts):
        held[:] = 0 if emptied[cast] else held
        fallen[cast] = rng.binomial(thrown[cast], 0.6) + rng.binomial(held, 0.3)
        held += thrown[cast] - fallen[cast]
    return thrown, emptied, fallen


@pytest.mark.parametrize("colours", [1, 2, 5, 6])
@pytest.mark.parametrize("casts", [1, 2, 5, 30, 90])
@pytest.mark.parametrize("memory", [True, False])
def test_statistics_are_what_plain_loops_find(casts, colours, memory):
    rng = np.random.default_rng(100 * casts + colours)
    thrown, emptied, fallen = random_log(rng, casts, colours)
    summaries = Summaries(thrown, emptied, memory)
    wanted = naive_summaries(thrown.tolist(), emptied.tolist(), fallen.tolist(), memory)
    result = dict(zip(summaries.names, summaries.of(fallen).tolist(), strict=True))
    assert result.keys() == wanted.keys()
    assert result == pytest.approx(wanted, rel=1e-6, abs=1e-8)


@pytest.mark.parametrize("protocol", ["bench", "one cast", "fills alone", "one size"])
@pytest.mark.parametrize("falls", [0.0, 1.0])
def test_no_log_has_statistics_that_are_no_number(protocol, falls):
    one_size = Design(np.full((40, 3), 2), np.arange(40) == 0, ("bench",) * 40)
    fills = Design(np.full((4, 5), 8), np.ones(4, bool), ("fill",) * 4)
    design = {"bench": bench_design(60), "one cast": Design(*(part[:1] for part in one_size)), "fills alone": fills}
    thrown, emptied, _ = design.get(protocol, one_size)
    summaries = Summaries(thrown, emptied)
    assert np.isfinite(summaries.of((falls * thrown).astype(np.int64))).all()


def test_many_logs_at_once_have_the_statistics_that_each_has_alone():
    rng = np.random.default_rng(3)
    thrown, emptied, fallen = random_log(rng, 50, 4)
    nothing, everything = np.zeros_like(fallen), np.where(emptied[:, None], thrown, 0)
    logs = np.stack((fallen, nothing, everything))
    summaries = Summaries(thrown, emptied)
    together = summaries.of(logs[None])
    assert together.shape == (1, 3, len(summaries.names))
    for alone, values in zip(logs, together[0], strict=True):
        assert summaries.of(alone) == pytest.approx(values, rel=1e-9)


def test_statistics_of_memory_are_left_out_of_logs_of_games():
    thrown = [[7, 10], [3, 2], [2, 4]]
    fallen = [[3, 5], [2, 2], [3, 3]]
    bench = summarise(CastLog.of(("red", "green"), "111", ("fill", "bench", "bench"), thrown, fallen))
    game = summarise(CastLog.of(("red", "green"), "111", ("fill", "battle", "revolt"), thrown, fallen))
    assert "sd of contents" in bench
    assert game.keys() < bench.keys()
    assert not any("with those" in name or "sd" in name for name in game)
    assert game == {name: bench[name] for name in game}
