"""The tables of a learned value: how much of the variance of held-out games it explains."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rich.console import Console

from wallsim.markdown import code, markdown_table
from wallsim.report.tables.console import print_table

HEADINGS = ("players", "after", "points, linear", "points", "lead", "wins, linear", "wins", "gain", "error")


def print_result(console: Console, result: dict[str, Any], path: Path) -> None:
    """Print the held-out table of a learning and where its file is."""
    games = result["games"]
    console.print(
        f"Held-out R2 by number of players and season, from {games['held_out']:,} games each in blocks of "
        f"{games['block']}; {games['fitted']:,} were fitted. 95 % intervals, simultaneous. "
        "Gain: what the network adds for wins; error: mean distance of chances from shares of wins.",
        soft_wrap=True,
    )
    print_table(console, HEADINGS, rows_of(result))
    console.print(f"Wrote {path}.", soft_wrap=True, markup=False)


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


def _r2(estimate: dict[str, float | None]) -> str:
    if estimate["low"] is None or estimate["high"] is None:
        return f"{estimate['r2']:.3f}"
    return f"{estimate['r2']:.3f} ± {(estimate['high'] - estimate['low']) / 2:.3f}"


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
