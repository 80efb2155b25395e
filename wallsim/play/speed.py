"""Measuring speed in CPU time on one core, and relative to a fixed reference task, so that machines can be compared."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np

from wallsim.compile_cache.files import VARIABLE as SHIPPED_CODE
from wallsim.current_folder import SAFE_PATH
from wallsim.engine.arena import Arena
from wallsim.experiment.experiment import Experiment
from wallsim.jit import kernel
from wallsim.play.play import play_run
from wallsim.policies.catalogue import load_policy, pack_players
from wallsim.rules.board import load_board
from wallsim.rules.record import pack_rules
from wallsim.rules.ruleset import Ruleset
from wallsim.rules.tower import load_tower

DRAWS = 10**9
_DRAWS_PER_SAMPLE = 10**8
_SAMPLE_SECONDS = 0.5
_MAX_TIMES = 1 << 16
_17, _19, _23, _41, _45 = (np.uint64(bits) for bits in (17, 19, 23, 41, 45))


class Speed(NamedTuple):
    """The speed of one policy in four-player line-up games.

    `games_per_second`: games per CPU second on one core, the median of `samples` samples; `lowest` and `highest`: the
    extreme samples; `per_billion_draws`: games played in the CPU time of 10**9 xoshiro256++ draws, the median over
    samples of games and draws taken in alternation.
    """

    policy: str
    games_per_second: float
    lowest: float
    highest: float
    per_billion_draws: float
    samples: int


class PlanCost(NamedTuple):
    """The cost of one plan in the positions of real games, four players with line-ups.

    `microseconds` of CPU time on one core: the median of `samples` samples, with `lowest` and `highest`. Each sample
    made `plans` plans.
    """

    policy: str
    microseconds: float
    lowest: float
    highest: float
    plans: int
    samples: int


@kernel
def xoshiro_sum(count: int, words: np.ndarray) -> np.uint64:
    """The sum of `count` draws from xoshiro256++ (Blackman and Vigna 2021) with the state `words`, uint64 [4]."""
    a, b, c, d = words[0], words[1], words[2], words[3]
    total = np.uint64(0)
    for _ in range(count):
        mixed = a + d
        total += ((mixed << _23) | (mixed >> _41)) + a
        shifted = b << _17
        c ^= a
        d ^= b
        b ^= c
        a ^= d
        c ^= shifted
        d = (d << _45) | (d >> _19)
    return total


def seconds_per_billion_draws() -> float:
    """CPU seconds for 10**9 xoshiro256++ draws, extrapolated from a tenth of them."""
    words = np.arange(1, 5, dtype=np.uint64)
    start = time.process_time()
    xoshiro_sum(_DRAWS_PER_SAMPLE, words)
    return (time.process_time() - start) * (DRAWS / _DRAWS_PER_SAMPLE)


def standard_arena(policy: str) -> Arena:
    """An arena with one policy in all four seats, line-ups, the default board and tower, and seed 1."""
    rules = pack_rules(load_board(), Ruleset(), load_tower())
    return Arena(rules, pack_players([load_policy(policy)] * 4), seed=1)


def measure(policy: str, samples: int = 9, arena: Arena | None = None) -> Speed:
    """Measure a policy by samples of games and of draws in alternation, on one core, without compilation.

    `arena`: whose games are timed, by default those of the policy in all four seats.
    """
    arena = arena or standard_arena(policy)
    arena.play(0, 10)
    xoshiro_sum(10, np.arange(1, 5, dtype=np.uint64))
    count = 2  # policies that search play only a few games per second
    while _cpu_seconds(arena, 0, count) < _SAMPLE_SECONDS and count < 60_000:
        count *= 2
    speeds, ratios = [], []
    for sample in range(samples):
        draws = seconds_per_billion_draws()
        speeds.append(count / _cpu_seconds(arena, sample * count, count))
        ratios.append(speeds[-1] * draws)
    return Speed(policy, statistics.median(speeds), min(speeds), max(speeds), statistics.median(ratios), samples)


def measure_plans(policy: str, samples: int = 9, games: int = 4) -> PlanCost:
    """Measure planning: every seat plans every round of `games` recorded games repeatedly, without compilation.

    Repeated plans find their data in the processor's cache, so a plan in a game costs a little more.
    """
    arena = standard_arena(policy)
    recorded = [arena.trace(number).snapshots for number in range(games)]

    def plan_all(times: int) -> tuple[float, int]:
        start = time.process_time()
        plans = sum(arena.plan_again(snapshots, times) for snapshots in recorded)
        return time.process_time() - start, plans

    plan_all(1)
    times = 1
    while plan_all(times)[0] < _SAMPLE_SECONDS and times < _MAX_TIMES:
        times *= 2
    sampled = [plan_all(times) for _ in range(samples)]
    costs = [1e6 * seconds / plans for seconds, plans in sampled]
    return PlanCost(policy, statistics.median(costs), min(costs), max(costs), sampled[0][1], samples)


def _cpu_seconds(arena: Arena, first: int, count: int) -> float:
    start = time.process_time()
    arena.play(first, count)
    return time.process_time() - start


class Scaling(NamedTuple):
    """How a run of `games` games, written to Parquet, scales with workers.

    `wall` has the wall seconds by number of workers. `bookkeeping` is the share of one worker's CPU time outside the
    engine: tables, Parquet, digests and journal.
    """

    policy: str
    games: int
    wall: dict[int, float]
    bookkeeping: float


def measure_runs(policy: str, games: int, workers: tuple[int, ...] = (1, 2)) -> Scaling:
    """Play the same run twice with each number of workers, into temporary folders, and keep the faster time."""
    experiment = Experiment(policies=(policy,) * 4, games=games)
    arena = standard_arena(policy)
    arena.play(0, 10)
    wall: dict[int, float] = {}
    share = 1.0
    for count in workers:
        for _ in range(2):
            with tempfile.TemporaryDirectory() as folder:
                began, cpu = time.perf_counter(), time.process_time()
                run = play_run(experiment, Path(folder) / "run", workers=count, replays=False)
                took, used = time.perf_counter() - began, time.process_time() - cpu
            wall[count] = min(took, wall.get(count, took))
            if count == 1:
                share = min(share, 1.0 - run.manifest["time"]["engine_cpu"] / used)
    return Scaling(policy, games, wall, share)


def seconds_to_first_game(policy: str, cache: str | None) -> float:
    """Wall seconds of the command that plays one game, with the compilation cache in the folder `cache`.

    Code that ships with the installation is not used.
    """
    environment = {**os.environ, **SAFE_PATH, SHIPPED_CODE: "0"}
    if cache is not None:
        environment["WALLSIM_CACHE_DIR"] = cache
    with tempfile.TemporaryDirectory() as folder:
        words = ["run", "--games", "1", "--policies", policy, "--out", str(Path(folder) / "run")]
        began = time.perf_counter()
        subprocess.run([sys.executable, "-m", "wallsim", *words], check=True, env=environment, capture_output=True)
        return time.perf_counter() - began
