"""Means on the screen are never nought give or take nought; control characters are escapes, brackets brackets."""

from io import StringIO
from types import SimpleNamespace

import pytest
from rich.console import Console
from rich.progress import Progress, TextColumn
from rich.table import Table
from rich.text import Text

from tests.refusals import assert_names
from wallsim.analysis.games.breakdown import Line, Mean
from wallsim.report.tables.console import Screen
from wallsim.report.tables.summary import print_breakdown
from wallsim.stats.intervals import Confidence

NAME = "[bold]a\x1b[2J\x9b\u202eb[/bold] :smile:"
SHOWN = "[bold]a\\x1b[2J\\u009b\\u202eb[/bold] :smile:"


def test_a_mean_that_is_nearly_nought_is_reported_as_a_bound():
    means = Mean(0.0004, (0.0001, 0.0007)), Mean(0.0004, (-0.2, 0.2008)), Mean(1.5, (1.25, 1.75)), Mean(0.0004, None)
    seats = [SimpleNamespace(lineup="", seat=seat) for seat in range(len(means))]
    summary = SimpleNamespace(
        seats=seats, breakdown=(Line("palaces", True, means),), games=100, confidence=Confidence(), level=0.95
    )
    console = Console(width=120, record=True, file=StringIO())
    print_breakdown(console, summary)
    row = next(line for line in console.export_text().splitlines() if "palaces" in line)
    assert_names(row, "< 0.01 ±< 0.01", " 0.00 ±0.20", "1.50 ±0.25")
    assert "0.00 ±< " not in row


def table(cell):
    """A table with a text everywhere that a table has one."""
    result = Table(title=cell, caption=cell)
    result.add_column(cell)
    result.add_row(cell)
    return result


@pytest.mark.parametrize("thing", [NAME, Text(NAME), Text(NAME, style="dim"), table(NAME), table(Text(NAME))])
def test_whatever_is_printed_shows_control_characters_and_brackets(thing):
    stream = StringIO()
    Screen(file=stream, width=100).print(thing)
    assert "".join(SHOWN.split()) in "".join(stream.getvalue().split())
    assert not set("\x1b\x9b\u202e") & set(stream.getvalue())


def test_on_a_terminal_only_the_console_moves_and_colours():
    stream = StringIO()
    screen = Screen(file=stream, width=100, force_terminal=True, color_system="standard")
    screen.print(Text("red", style="red"))
    with Progress(TextColumn(NAME, markup=False), console=screen) as bar:
        bar.add_task("")
    assert "\x1b[31m" in stream.getvalue()
    assert "a\\x1b[2J\\u009b\\u202" in stream.getvalue()  # the bar cuts it off
    assert "a\x1b[2J" not in stream.getvalue()
