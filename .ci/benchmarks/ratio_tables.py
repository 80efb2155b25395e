"""Output of `.ci/bench against`: a table for the terminal, a JSON document, and the block of docs/speed.md."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.console import Console

from benchmarks.installation import Installation
from benchmarks.releases import Release
from benchmarks.speed_ratio import Comparison
from wallsim.markdown import code, literal, markdown_table
from wallsim.report.tables.console import print_table

_HEADINGS = ("policy", "ratio", "95% interval", "games per CPU second", "of the other")


def print_ratios(console: Console, comparison: Comparison) -> None:
    """Print the ratio of speeds of each policy, and what was measured."""
    rows = []
    for each in comparison.ratios:
        ratio, (low, high) = each.estimate()
        rows.append(
            (each.policy, f"{ratio:.3f}", f"{low:.3f} to {high:.3f}", _speed(each.speed), _speed(each.other_speed))
        )
    print_table(console, _HEADINGS, rows)
    console.print()
    console.print(
        f"{_described(comparison.running, comparison.engine_version)} compared with "
        f"{_described(comparison.other, comparison.other_engine_version)}: four-player line-up games, all seats alike, "
        f"{comparison.turns} turns in CPU time. A ratio above 1: the running installation is faster. It is the "
        "geometric mean of the turns, the interval Student's t; the speeds are medians."
    )
    if comparison.engine_version != comparison.other_engine_version:
        console.print("The engine versions differ, so the games differ, too.")


def ratios_document(comparison: Comparison) -> dict[str, Any]:
    """The same as the document of `--json`, with the speeds of every turn."""
    policies = []
    for each in comparison.ratios:
        ratio, interval = each.estimate()
        policies.append(
            {
                "policy": each.policy,
                "ratio": ratio,
                "ratio_interval": interval,
                "games": each.games,
                "games_per_cpu_second": each.speed,
                "against_games_per_cpu_second": each.other_speed,
                "turns": {"games_per_cpu_second": each.speeds, "against_games_per_cpu_second": each.other_speeds},
            }
        )
    return {
        "running": _document(comparison.running, comparison.engine_version),
        "against": _document(comparison.other, comparison.other_engine_version),
        "turns": comparison.turns,
        "policies": policies,
    }


def releases_block(releases: Sequence[Release]) -> str:
    """The recorded ratios as a table in Markdown, the latest comparison first."""
    headings = (
        "date", "version", "compared with", "policy", "ratio", "95% interval", "games per CPU second", "of the other",
        "turns", "processor",
    )  # fmt: skip
    days = sorted(releases, key=lambda release: release.date, reverse=True)
    rows = [
        (
            each.date, _named(each.version, each.commit, each.engine), _named("", each.against, each.against_engine),
            code(each.policy), f"{each.ratio:.3f}", f"{each.low:.3f} to {each.high:.3f}", _speed(each.speed),
            _speed(each.against_speed), f"{each.turns} of {each.games:,} games", literal(each.processor),
        )
        for each in days
    ]  # fmt: skip
    return markdown_table(headings, rows)


def _document(installation: Installation, engine_version: int) -> dict[str, Any]:
    return {
        "folder": installation.folder,
        "version": installation.version,
        "commit": installation.commit or None,
        "engine_version": engine_version,
    }


def _described(installation: Installation, engine_version: int) -> str:
    commit = f", commit {installation.commit}" if installation.commit else ""
    return f"wallsim {installation.version}{commit} (engine version {engine_version})"


def _named(version: str, commit: str, engine: int) -> str:
    return " ".join(filter(None, (literal(version), code(commit) if commit else "", f"(engine {engine})")))


def _speed(speed: float) -> str:
    return f"{speed:,.0f}" if speed >= 100 else f"{speed:.3g}"
