"""The held-out tables of a learned value and of a teaching, and the comments of a taught policy's file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rich.console import Console

from wallsim.markdown import code, markdown_table
from wallsim.report.tables.console import print_lines, print_table

HEADINGS = ("players", "after", "points, linear", "points", "lead", "wins, linear", "wins", "gain", "error")
_LESSONS = ("players", "round", "lessons", "gain, 0.01 wins")


def print_learning(console: Console, result: dict[str, Any], path: Path) -> None:
    """Print the held-out table of a learning and where its file is."""
    games = result["games"]
    print_lines(console, [
        f"Held-out R2 by number of players and season, from {games['held_out']:,} games each in blocks of "
        f"{games['block']}; {games['fitted']:,} were fitted. 95 % intervals, simultaneous. "
        "Gain: what the network adds for wins; error: mean distance of chances from shares of wins."
    ])  # fmt: skip
    print_table(console, HEADINGS, rows_of(result))
    print_lines(console, [f"Wrote {path}."])


def rows_of(result: dict[str, Any]) -> list[tuple[str, ...]]:
    """The rows of the held-out table, as text."""
    rows: list[tuple[str, ...]] = []
    for line in result["held_out"]:
        chosen = line.get("network", line["linear"])
        rows.append(
            (
                str(line["players"]),
                line["moment"],
                _r2(line["linear"]["points"]),
                _r2(chosen["points"]),
                _r2(chosen["lead"]),
                _r2(line["linear"]["win"]),
                _r2(chosen["win"]),
                _r2(line["network_gain"]["win"]) if "network_gain" in line else "",
                f"{chosen['calibration_error']:.3f}",
            )
        )
    return rows


def _r2(estimate: dict[str, Any]) -> str:
    return _in_interval(estimate, "r2", 3)


def markdown_of(name: str, contents: dict[str, Any]) -> str:
    """The held-out table of a value's file in Markdown, with how it was made."""
    games = contents["games"]
    policies = ", ".join(map(code, contents["policies"]))
    made = (
        f"{code(name)}, engine version {contents['engine_version']}, from {games['fitted']:,} games of each number of "
        f"players among {policies}; R² on {games['held_out']:,} others, 95 % intervals, simultaneous:"
    )
    command = f"Made by {code(contents['command'])}."
    return "\n\n".join((made, markdown_table(HEADINGS, rows_of(contents)), command))


def print_teaching(console: Console, result: dict[str, Any], policy_file: Path) -> None:
    """Print the held-out table of a teaching and where its files are."""
    games = result["games"]
    print_lines(console, [
        f"Held-out gain, if the correction chooses among the {_tried(result)} of a lesson instead of the "
        f"pupil's own, by the value that taught it: {games['held_out']:,} games of each number of players in "
        f"blocks of {games['block']}; {games['fitted']:,} were fitted, and {result['earlier_games']:,} of earlier "
        "teachings. 95 % intervals, simultaneous. Whether it plays better only games show (`wallsim compare`)."
    ])  # fmt: skip
    rows = [
        (str(line["players"]), line["round"], f"{line['lessons']:,}", _in_interval(line, "gain", 2))
        for line in result["held_out"]
    ]
    print_table(console, _LESSONS, rows)
    print_lines(console, [f"Wrote {policy_file} and {policy_file.with_suffix('.json').name}."])


def policy_comments(result: dict[str, Any]) -> list[str]:
    """How a taught policy was made, as paragraphs of its file."""
    packages = ", ".join(f"{name} {version}" for name, version in result["packages"].items())
    games = result["games"]
    played = f"{games['fitted'] + games['held_out']:,} games of each number of players"
    earlier = f" and {result['earlier_games']:,} of earlier teachings" if result["earlier_games"] else ""
    return [
        f"Made by: {result['command']}",
        f"{packages}, engine version {result['engine_version']}. Up to six lessons in each of {played}{earlier}, seed "
        f"{result['seed']}; {_tried(result)} of the pupil {result['pupil']} on {result['tables']} tables each, "
        f"among {', '.join(result['rivals'])}.",
    ]


def _tried(result: dict[str, Any]) -> str:
    return f"{result['plans']} plans" if "plans" in result else "choices in combat"


def _in_interval(estimate: dict[str, Any], key: str, decimals: int) -> str:
    value = f"{estimate[key]:.{decimals}f}"
    if estimate["low"] is None or estimate["high"] is None:
        return value
    return f"{value} ± {(estimate['high'] - estimate['low']) / 2:.{decimals}f}"
