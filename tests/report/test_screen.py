"""The console of all tables shows what names contain: control characters as escapes, brackets as brackets."""

import io

import pytest
from rich.progress import Progress, TextColumn
from rich.table import Table
from rich.text import Text

from wallsim.report.tables.console import Screen

NAME = "[bold]a\x1b[2J\x9b\u202eb[/bold] :smile:"
SHOWN = "[bold]a\\x1b[2J\\u009b\\u202eb[/bold] :smile:"


def table(cell):
    """A table with a text everywhere that a table has one."""
    result = Table(title=cell, caption=cell)
    result.add_column(cell)
    result.add_row(cell)
    return result


@pytest.mark.parametrize("thing", [NAME, Text(NAME), Text(NAME, style="dim"), table(NAME), table(Text(NAME))])
def test_whatever_is_printed_shows_control_characters_and_brackets(thing):
    stream = io.StringIO()
    Screen(file=stream, width=100).print(thing)
    assert "".join(SHOWN.split()) in "".join(stream.getvalue().split())
    assert not set("\x1b\x9b\u202e") & set(stream.getvalue())


def test_on_a_terminal_only_the_console_moves_and_colours():
    stream = io.StringIO()
    screen = Screen(file=stream, width=100, force_terminal=True, color_system="standard")
    screen.print(Text("red", style="red"))
    with Progress(TextColumn(NAME, markup=False), console=screen) as bar:
        bar.add_task("")
    assert "\x1b[31m" in stream.getvalue()
    assert "a\\x1b[2J\\u009b\\u202" in stream.getvalue()  # the bar cuts it off
    assert "a\x1b[2J" not in stream.getvalue()
