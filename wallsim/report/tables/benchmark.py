"""Output of `wallsim bench`: games per CPU second, start-up, scaling over workers, and the cost of writing results."""

from __future__ import annotations

import tempfile
from typing import Any

from rich.console import Console
from rich.table import Table

from wallsim.runs.speed import DRAWS, measure, measure_plans, measure_runs, seconds_to_first_game

_RUN_GAMES = {"random": 400_000, "balanced": 60_000}


def print_bench(console: Console, policies: list[str], samples: int, runs: bool) -> None:
    """Measure and print speeds; `runs` adds cold and warm start and whole runs, which takes minutes."""
    table = Table(title=f"Four-player line-up games on one core, median of {samples} samples of CPU time")
    table.add_column("policy")
    headings = ("games per CPU second", "lowest to highest", f"games per {DRAWS:.0e} xoshiro draws", "µs per plan")
    for heading in headings:
        table.add_column(heading, justify="right")
    for policy in policies:
        speed, planning = measure(policy, samples), measure_plans(policy, samples)
        table.add_row(
            policy,
            f"{speed.games_per_second:,.0f}",
            f"{speed.lowest:,.0f} to {speed.highest:,.0f}",
            f"{speed.per_billion_draws:,.0f}",
            _microseconds(planning.microseconds),
        )
    console.print(table)
    console.print(
        "The last column but one compares machines: games per time of 10^9 xoshiro256++ draws. "
        "A plan is timed by itself, on states of recorded games of the same policy; a game of four has 24 plans."
    )
    if runs:
        _print_start(console, policies[-1])
        for policy in policies:
            _print_run(console, policy)


def bench_document(policies: list[str], samples: int, runs: bool) -> dict[str, Any]:
    """The same measurements as the document of `--json`; intervals are from the lowest to the highest sample."""
    speeds = []
    for policy in policies:
        speed, planning = measure(policy, samples), measure_plans(policy, samples)
        speeds.append(
            {
                "policy": policy,
                "games_per_cpu_second": speed.games_per_second,
                "games_per_cpu_second_range": (speed.lowest, speed.highest),
                "games_per_billion_draws": speed.per_billion_draws,
                "microseconds_per_plan": planning.microseconds,
                "microseconds_per_plan_range": (planning.lowest, planning.highest),
                "samples": samples,
            }
        )
    document: dict[str, Any] = {"policies": speeds}
    if runs:
        cold, warm = _start_seconds(policies[-1])
        document["seconds_to_first_game"] = {"compiling": cold, "from_the_cache": warm}
        document["runs"] = [measure_runs(policy, _RUN_GAMES.get(policy, 60_000)) for policy in policies]
    return document


def _start_seconds(policy: str) -> tuple[float, float]:
    with tempfile.TemporaryDirectory() as cache:
        return seconds_to_first_game(policy, cache), min(seconds_to_first_game(policy, cache) for _ in range(3))


def _microseconds(cost: float) -> str:
    # Three digits, since plans take from a tenth of a microsecond to hundredths of a second.
    return f"{cost:,.0f}" if cost >= 100 else f"{cost:.3g}"


def _print_start(console: Console, policy: str) -> None:
    cold, warm = _start_seconds(policy)
    console.print(
        f"`wallsim run --games 1` in a fresh process, summary included: {cold:.1f} s compiling, "
        f"{warm:.1f} s from the cache."
    )


def _print_run(console: Console, policy: str) -> None:
    scaling = measure_runs(policy, _RUN_GAMES.get(policy, 60_000))
    one, two = scaling.wall[1], scaling.wall[2]
    console.print(
        f"A run of {scaling.games:,} games of {policy} to Parquet: {one:.1f} s with one worker, {two:.1f} s with two "
        f"({one / two:.2f} times as fast); tables and files take {scaling.bookkeeping:.0%} of the CPU time."
    )
