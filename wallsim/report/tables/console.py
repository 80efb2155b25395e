"""The console of commands and the looks of what they print: tables, notes, lists of assumptions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from io import StringIO
from typing import Any

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from wallsim.escaping import escaped
from wallsim.report.tables.columns import Sheet

_ANY = 10_000  # characters, more than any table has


class Screen(Console):
    """A console that prints paths, names and numbers unchanged, including brackets and colons.

    Only characters that act on a terminal become escapes: in texts before they are laid out, so that they have room,
    and in everything else when it is drawn. What the console itself sends to move or to colour is left alone.
    """

    def __init__(self, **settings: Any) -> None:
        """`settings` are those of rich."""
        super().__init__(**{"highlight": False, "markup": False, "emoji": False, **settings})

    def render_str(self, text: str, **looks: Any) -> Text:
        """A string as rich text."""
        return super().render_str(escaped(text), **looks)

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """The pieces of text of anything that can be drawn."""
        if isinstance(renderable, Text) and escaped(renderable.plain) != renderable.plain:
            renderable = renderable.blank_copy(escaped(renderable.plain))  # before lines are made of it
        for segment in super().render(renderable, options):
            yield segment if segment.control else segment._replace(text=escaped(segment.text))


def make_console(*, to_stderr: bool = False) -> Console:
    """The console of a command: it prints names unchanged, but for characters that act on a terminal."""
    return Screen(stderr=to_stderr)


def print_table(console: Console, headings: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print a plain table; the last column takes the remaining width."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in headings[:-1]:
        table.add_column(heading, overflow="fold")
    table.add_column(headings[-1], ratio=1, overflow="fold")
    for row in rows:
        table.add_row(*map(Text, row))
    console.print(table)


def number_table(headings: Sequence[str], words: int = 1, title: str = "", *, fixed: bool = True) -> Table:
    """An empty table whose first columns, `words` of them, are texts; then numbers, which if `fixed` never wrap."""
    table = Table(title=title or None, title_justify="left", title_style="bold", box=None, pad_edge=False)
    for place, heading in enumerate(headings):
        is_number = place >= words
        table.add_column(Text(heading), justify="right" if is_number else "left", no_wrap=is_number and fixed)
    return table


def table_text(table: Table) -> str:
    """A table as text, as wide as it is, without blanks at the ends of lines."""
    written = StringIO()
    Screen(file=written, width=_ANY, color_system=None, force_terminal=False, force_jupyter=False).print(table)
    return "\n".join(line.rstrip() for line in written.getvalue().splitlines())


def fitting(columns: Sequence[Sequence[str]], width: int) -> Iterator[Sequence[Sequence[str]]]:
    """Columns of texts in groups that fit a width with two blanks between columns, at least one in each."""
    first, used = 0, 0
    for place, column in enumerate(columns):
        own = max(map(len, column)) + 2
        if place > first and used + own > width:
            yield columns[first:place]
            first, used = place, 0
        used += own
    yield columns[first:]


def print_lines(console: Console, lines: Iterable[str]) -> None:
    """Print lines as they are, however long."""
    for line in lines:
        console.print(line, soft_wrap=True, markup=False)


def print_notes(console: Console, notes: Iterable[str], *, soft_wrap: bool = False) -> None:
    """Print what is to be known of a table, faintly, below it."""
    console.print(Text("\n".join(notes), style="dim"), soft_wrap=soft_wrap)


def print_sheet(console: Console, sheet: Sheet) -> None:
    """Print a table, and faintly its notes; the notes alone where there are no rows."""
    if sheet.rows:
        print_table(console, sheet.heads, sheet.rows)
    for note in sheet.notes:
        console.print(Text(note, style="dim" if sheet.rows else ""))
    console.print()


def print_assumptions(console: Console, assumptions: Iterable[str]) -> None:
    """Print what results rest on, as a list."""
    console.print("\nAssumptions:")
    for line in assumptions:
        entry = Table.grid(padding=(0, 1))
        entry.add_row("  ·", Text(line))
        console.print(entry)
