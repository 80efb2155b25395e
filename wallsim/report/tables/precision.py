"""The headline table of games that were added until it was precise enough: one line per row, with its interval."""

from __future__ import annotations

from math import isfinite
from typing import Any

from rich.console import Console
from rich.text import Text

from wallsim.analysis.precision import WIN, Headline
from wallsim.report.tables.console import print_table
from wallsim.report.tables.estimates import bounded, ends

_DECIMALS = 3


def print_headline(console: Console, headline: Headline) -> None:
    """Print the rows that were judged, and whether they are precise enough."""
    wins = headline.precision.column == WIN
    scale = 100.0 if wins else 1.0
    named = any(row.name for row in headline.rows)
    changes = any(row.name and row.who for row in headline.rows)
    value = f"{'change of ' if changes else ''}{'wins, %' if wins else 'VP'}"
    whose = [heading for heading, there in (("", named), ("whose", any(row.who for row in headline.rows))) if there]
    rows = []
    for row in headline.rows:
        cells = [text for text in (row.name, row.who) if text]
        shown = bounded(scale * row.estimate.value, _DECIMALS, sign="+" if changes else "")
        rows.append([*cells, shown, ends(headline.interval(row), _DECIMALS, scale)])
    print_table(console, [*whose, value, "interval"], rows)
    console.print(Text("\n".join(_notes(headline)), style="dim"), soft_wrap=True)
    console.print()


def _notes(headline: Headline) -> list[str]:
    look = headline.look()
    count = len(headline.rows)
    lines = [
        f"{headline.blocks:,} blocks; {look.words}: {'reached' if look.enough else 'not reached'}.",
        f"{f'All {count} intervals hold' if count > 1 else 'The interval holds'} with {headline.level:.0%} confidence "
        "however often one looks (confidence sequence).",
    ]
    if not look.enough:
        lines.append("The same command with more of them goes on from here.")
    return lines


def headline_document(headline: Headline) -> dict[str, Any]:
    """The rows for `--json`: shares of wins from 0 to 1, or victory points."""
    return {
        "column": headline.precision.column,
        "half_width": headline.precision.half_width,
        "widest": headline.widest if isfinite(headline.widest) else None,
        "reached": headline.reached,
        "blocks": headline.blocks,
        "level": headline.level,
        "rows": [
            {
                "name": row.name or None,
                "who": row.who or None,
                "value": row.estimate.value,
                "interval": headline.interval(row),
            }
            for row in headline.rows
        ],
    }
