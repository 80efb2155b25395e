"""Output of `wallsim bench`: games per CPU second, start-up, scaling over workers, and the cost of writing results."""

from __future__ import annotations

import tempfile
from typing import Any

from rich.console import Console
from rich.table import Table

from wallsim.play.speed import DRAWS, measure, measure_plans, measure_runs, seconds_to_first_game

_RUN_GAMES = {"random": 400_000, "balanced": 60_000}


def measured(policies: list[str], samples: int, runs: bool) -> dict[str, Any]:
    """The speeds, as the document of `--json`; intervals are from the lowest to the highest sample.

    `runs` adds cold and warm start and whole runs, which takes minutes.
    """
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
        with tempfile.TemporaryDirectory() as cache:
            cold = seconds_to_first_game(policies[-1], cache)
            warm = min(seconds_to_first_game(policies[-1], cache) for _ in range(3))
        document["seconds_to_first_game"] = {"compiling": cold, "from_the_cache": warm}
        document["runs"] = [measure_runs(policy, _RUN_GAMES.get(policy, 60_000)) for policy in policies]
    return document


def print_measured(console: Console, document: dict[str, Any]) -> None:
    """Print the speeds of `measured`."""
    speeds = document["policies"]
    table = Table(title=f"Four-player line-up games on one core, median of {speeds[0]['samples']} samples of CPU time")
    table.add_column("policy")
    headings = ("games per CPU second", "lowest to highest", f"games per {DRAWS:.0e} xoshiro draws", "µs per plan")
    for heading in headings:
        table.add_column(heading, justify="right")
    for speed in speeds:
        low, high = speed["games_per_cpu_second_range"]
        table.add_row(
            speed["policy"], f"{speed['games_per_cpu_second']:,.0f}", f"{low:,.0f} to {high:,.0f}",
            f"{speed['games_per_billion_draws']:,.0f}", _microseconds(speed["microseconds_per_plan"]),
        )  # fmt: skip
    console.print(table)
    console.print(
        "The last column but one compares machines: games per time of 10^9 xoshiro256++ draws. "
        "A plan is timed by itself, on states of recorded games of the same policy; a game of four has 24 plans."
    )
    if (start := document.get("seconds_to_first_game")) is not None:
        console.print(
            f"`wallsim run --games 1` in a fresh process, summary included: {start['compiling']:.1f} s compiling, "
            f"{start['from_the_cache']:.1f} s from the cache."
        )
    for speed, run in zip(speeds, document.get("runs", ()), strict=False):
        one, two = run.wall[1], run.wall[2]
        console.print(
            f"A run of {run.games:,} games of {speed['policy']} to Parquet: {one:.1f} s with one worker, {two:.1f} s "
            f"with two ({one / two:.2f} times as fast); tables and files take {run.bookkeeping:.0%} of the CPU time."
        )


def _microseconds(cost: float) -> str:
    # Three digits, since plans take from a tenth of a microsecond to hundredths of a second.
    return f"{cost:,.0f}" if cost >= 100 else f"{cost:.3g}"
