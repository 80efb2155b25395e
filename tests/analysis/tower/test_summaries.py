"""The summary statistics of a log are what their names say, for one log or thousands, and never nan."""

import numpy as np
import pytest

from tests.naive.summaries import naive_summaries
from wallsim.analysis.tower.casts import CastLog
from wallsim.analysis.tower.protocols import Design, bench_design
from wallsim.analysis.tower.simulator import Simulator
from wallsim.analysis.tower.summaries import Summaries


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
    for log, values in zip(logs, together[0], strict=True):
        assert summaries.of(log) == pytest.approx(values, rel=1e-9)


def test_statistics_of_memory_are_left_out_of_logs_of_games():
    thrown = [[7, 10], [3, 2], [2, 4]]
    fallen = [[3, 5], [2, 2], [3, 3]]
    bench = summarise(CastLog.of(("red", "green"), "111", ("fill", "bench", "bench"), thrown, fallen))
    game = summarise(CastLog.of(("red", "green"), "111", ("fill", "battle", "revolt"), thrown, fallen))
    assert "sd of contents" in bench
    assert game.keys() < bench.keys()
    assert not any("with those" in name or "sd" in name for name in game)
    assert game == {name: bench[name] for name in game}
