"""The headline table of games that were added until it was precise enough: one line per row, with its interval."""

from __future__ import annotations

from math import isfinite
from typing import Any

from rich.console import Console

from wallsim.analysis.precision import WIN, Headline
from wallsim.report.tables.columns import Column, headings_of, objects_of, texts_of
from wallsim.report.tables.console import print_notes, print_table
from wallsim.report.tables.estimates import bounded, ends

_DECIMALS = 3


def print_headline(console: Console, headline: Headline) -> None:
    """Print the rows that were judged, and whether they are precise enough."""
    columns = _columns(headline)
    print_table(console, headings_of(columns), texts_of(columns, headline.rows))
    print_notes(console, _notes(headline), soft_wrap=True)
    console.print()


def _columns(headline: Headline) -> list[Column]:
    wins = headline.precision.column == WIN
    scale = 100.0 if wins else 1.0
    named, seated = any(row.name for row in headline.rows), any(row.who for row in headline.rows)
    changes = any(row.name and row.who for row in headline.rows)
    heading, sign = f"{'change of ' if changes else ''}{'wins, %' if wins else 'VP'}", "+" if changes else ""
    return [
        Column("name", "" if named else None, lambda row: row.name or None),
        Column("who", "whose" if seated else None, lambda row: row.who or None),
        Column("value", heading, lambda row: row.estimate.value,
               lambda row: bounded(scale * row.estimate.value, _DECIMALS, sign=sign)),
        Column("interval", "interval", headline.interval,
               lambda row: ends(headline.interval(row), _DECIMALS, scale)),
    ]  # fmt: skip


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
        "rows": objects_of(_columns(headline), headline.rows),
    }
