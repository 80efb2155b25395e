"""Tables of measurements with titles and notes: printed on the terminal, or as Markdown for a page."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from rich.console import Console
from rich.table import Table
from rich.text import Text

from wallsim.markdown import markdown_table

_TEXTS = {"policy", "setting", "what", "bytes", "step", "from the figures above", "result"}  # headings of texts


class Part(NamedTuple):
    """A table: a title, headings, rows of texts, and what must be known to read it."""

    title: str
    headings: tuple[str, ...]
    rows: list[tuple[str, ...]]
    note: str

    @property
    def markdown(self) -> str:
        """The table and its note as Markdown, without the title."""
        return f"{markdown_table(self.headings, self.rows)}\n\n{self.note}"


def print_parts(console: Console, parts: Iterable[Part]) -> None:
    """Print tables one below the other, each with its title and its note."""
    for part in parts:
        console.print()
        table = Table(title=part.title, title_justify="left", title_style="bold", box=None, pad_edge=False)
        for heading in part.headings:
            table.add_column(heading, justify="left" if heading in _TEXTS else "right")
        for row in part.rows:
            table.add_row(*map(Text, row))
        console.print(table)
        console.print(Text(part.note, style="dim"))
