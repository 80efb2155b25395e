"""The figures of `wallsim bench`, and a forecast of what a run takes: the timed games are the games that are played."""

import subprocess
import tempfile
from types import SimpleNamespace

import numpy as np
import pytest
from rich.console import Console

from tests.naive.rng import JIT
from tests.refusals import assert_names
from wallsim.experiment.experiment import Experiment
from wallsim.play import forecast as module
from wallsim.play import speed as bench
from wallsim.play.forecast import forecast
from wallsim.play.play import play_run
from wallsim.play.speed import PlanCost, Speed
from wallsim.report.tables import benchmark as table
from wallsim.report.tables.benchmark import measured, print_measured

pytestmark = pytest.mark.skipif(not JIT, reason="times machine code")


class Planner:
    """An arena of whose games each plans 24 times, without any game."""

    def trace(self, number):
        return SimpleNamespace(snapshots=number)

    def plan_again(self, snapshots, times):
        return 24 * times


def test_the_median_is_that_of_time_by_plans(monkeypatch):
    clock = iter(np.cumsum([0, 9, 0, 9, 0, 1, 0, 3, 0, 2]))
    monkeypatch.setattr(bench.time, "process_time", lambda: float(next(clock)))
    monkeypatch.setattr(bench, "standard_arena", lambda policy: Planner())
    cost = bench.measure_plans("random", samples=3, games=2)
    assert cost.plans == 48
    assert (cost.lowest, cost.microseconds, cost.highest) == pytest.approx((1e6 / 48, 2e6 / 48, 3e6 / 48))


def test_the_share_of_bookkeeping_is_that_of_the_run(monkeypatch):
    monkeypatch.setattr(bench, "_cpu_seconds", lambda *_: pytest.fail("played the games again"))
    scaling = bench.measure_runs("random", 3000, workers=(1,))
    assert 0 < scaling.bookkeeping < 1


def test_the_first_game_is_timed_with_the_command_itself():
    with pytest.raises(subprocess.CalledProcessError) as failed:
        bench.seconds_to_first_game("nobody", None)
    assert failed.value.returncode == 2
    assert_names(failed.value.stderr.decode(), "policies", "nobody", "balanced")


@pytest.mark.parametrize(
    ("cost", "shown"), [(0.02747, "0.0275"), (1.891, "1.89"), (99.94, "99.9"), (100.2, "100"), (8123.4, "8,123")]
)
def test_the_table_has_a_column_for_plans(monkeypatch, cost, shown):
    monkeypatch.setattr(table, "measure", lambda policy, samples: Speed(policy, 14200.0, 14100.0, 14300.0, 11600.0, 3))
    monkeypatch.setattr(table, "measure_plans", lambda policy, samples: PlanCost(policy, cost, cost, cost, 24, 3))
    console = Console(width=160)
    with console.capture() as capture:
        print_measured(console, measured(["balanced"], 3, runs=False))
    text = capture.get()
    assert "µs per plan" in text
    row = next(line for line in text.splitlines() if "balanced" in line)
    assert row.replace("│", " ").split() == ["balanced", "14,200", "14,100", "to", "14,300", "11,600", shown]


RANDOM = Experiment(policies="random", games=6000)


def test_bytes_are_near_those_of_the_run_and_nothing_is_left_behind(tmp_path, monkeypatch):
    run = play_run(RANDOM, tmp_path / "run", workers=1)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    expected = forecast({"": RANDOM}, workers=1)[""]
    assert expected.games == 6000
    assert expected.bytes == pytest.approx(run.manifest["bytes"], rel=0.1)
    assert 0 < expected.seconds < 60
    assert list(tmp_path.iterdir()) == [run.folder]


@pytest.mark.parametrize(("each", "fewest", "most"), [(0.0, 200, 2_000), (0.1, 2, 32)])
def test_a_busy_machine_does_not_cut_a_sample_short_and_slow_games_do(monkeypatch, each, fewest, most):
    counts = []

    def played(experiment, games, chunk, observer):
        counts.append(games)
        return {"games": games, "time": {"wall": 0.6 + each * games}, "bytes": 1_000 + 10 * games}

    monkeypatch.setattr(module, "_played", played)
    found = forecast({"": RANDOM}, workers=1)[""]
    assert found.bytes == 1_000 * RANDOM.layout().count + 10 * RANDOM.games
    assert fewest <= max(counts) <= most


def test_each_kind_is_timed_once_and_seed_and_games_make_no_kind(monkeypatch):
    timed = []
    sample = module._Sample(0.5, 10.0, 100)
    monkeypatch.setattr(module, "_sample", lambda experiment, *_: timed.append(experiment) or sample)
    more = RANDOM.model_copy(update={"games": 20, "seed": 4})
    drafted = RANDOM.model_copy(update={"setup": "draft", "lineups": (), "games": 400})
    result = forecast({"a": RANDOM, "b": more, "c": drafted}, workers=1)
    assert timed == [RANDOM, drafted]
    assert [each.seconds for each in result.values()] == [3000, 10, 200]
    assert result["b"].bytes == 100 + 19 * 10


def test_fewer_chunks_than_workers_leave_workers_idle(monkeypatch):
    monkeypatch.setattr(module, "_sample", lambda *_: module._Sample(0.5, 10.0, 100))
    assert forecast({"": RANDOM.model_copy(update={"games": 20})}, workers=4)[""].seconds == 40
