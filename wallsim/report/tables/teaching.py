"""The table of a teaching: what the correction gains on held-out lessons, and the comments of the policy file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rich.console import Console

from wallsim.report.tables.console import print_table

HEADINGS = ("players", "round", "lessons", "gain, 0.01 wins")


def print_result(console: Console, result: dict[str, Any], policy_file: Path) -> None:
    """Print the held-out table of a teaching and where its files are."""
    games = result["games"]
    console.print(
        f"Held-out gain, if the correction chooses among the {result['plans']} plans of a lesson instead of the "
        f"pupil's own plan, by the value that taught it: {games['held_out']:,} games of each number of players in "
        f"blocks of {games['block']}; {games['fitted']:,} were fitted, and {result['earlier_games']:,} of earlier "
        "teachings. "
        "95 % intervals, simultaneous. Whether it plays better only games show (`wallsim compare`).",
        soft_wrap=True,
        markup=False,
    )
    print_table(console, HEADINGS, rows_of(result))
    console.print(f"Wrote {policy_file} and {policy_file.with_suffix('.json').name}.", soft_wrap=True, markup=False)


def rows_of(result: dict[str, Any]) -> list[tuple[str, ...]]:
    """The rows of the held-out table, as text."""
    return [(str(line["players"]), line["round"], f"{line['lessons']:,}", _gain(line)) for line in result["held_out"]]


def policy_comments(result: dict[str, Any]) -> list[str]:
    """How a taught policy was made, as paragraphs of its file."""
    packages = ", ".join(f"{name} {version}" for name, version in result["packages"].items())
    games = result["games"]
    played = f"{games['fitted'] + games['held_out']:,} games of each number of players"
    earlier = f" and {result['earlier_games']:,} of earlier teachings" if result["earlier_games"] else ""
    return [
        f"Made by: {result['command']}",
        f"{packages}, engine version {result['engine_version']}. Six lessons in each of {played}{earlier}, seed "
        f"{result['seed']}; {result['plans']} plans of the pupil {result['pupil']} on {result['tables']} tables each, "
        f"among {', '.join(result['rivals'])}.",
    ]


def _gain(line: dict[str, Any]) -> str:
    if line["low"] is None or line["high"] is None:
        return f"{line['gain']:.2f}"
    return f"{line['gain']:.2f} ± {(line['high'] - line['low']) / 2:.2f}"
