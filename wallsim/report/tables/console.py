"""Printing on the command line: a run's summary, and tables of switches, policies, towers and columns."""

from __future__ import annotations

import glob
import json
import os
import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from wallsim.escaping import escaped, escaped_line
from wallsim.report.tables.estimates import ends, how_many, in_words, number, share, share_ends
from wallsim.rules.other_settings import SETUP_WORDS, settings_line
from wallsim.stats.intervals import LEVEL, Confidence

if TYPE_CHECKING:  # lists are printed without the libraries that read tables
    from wallsim.analysis.games.breakdown import Line, Mean
    from wallsim.analysis.games.spread import Spread
    from wallsim.analysis.games.summary import SeatFinding, Summary
    from wallsim.folder.results import Run

_MARKS = {"above": ("▲", "green"), "below": ("▼", "red"), "": (" ", "")}


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


def print_summary(console: Console, run: Run, summary: Summary) -> None:
    """Print the results of a run, its speed, its assumptions, and how to open its files."""
    table = Table(title=_title(run, summary), title_justify="left", title_style="bold", box=None, pad_edge=False)
    for heading in ("seat", "line-up", "policy"):
        table.add_column(heading)
    for heading in ("wins", "interval", "mean VP", "interval", "spread"):
        table.add_column(heading, justify="right", no_wrap=True)
    for finding in summary.seats:
        table.add_row(*_row(finding, summary.fair))
    console.print(table)
    console.print(Text("\n".join(_notes(summary)), style="dim"))
    console.print()
    if summary.breakdown:
        print_breakdown(console, summary)
    console.print(_speed(summary), markup=False)
    print_assumptions(console, summary.assumptions)
    print_files(console, run)


def print_assumptions(console: Console, assumptions: Iterable[str]) -> None:
    """Print what results rest on, as a list."""
    console.print("\nAssumptions:")
    for line in assumptions:
        entry = Table.grid(padding=(0, 1))
        entry.add_row("  ·", Text(line))
        console.print(entry)


def print_breakdown(console: Console, summary: Summary) -> None:
    """Print each seat's points by source and how often it used the expansions, one line each."""
    table = Table(box=None, pad_edge=False)
    table.add_column("means per game", no_wrap=True)
    for finding in summary.seats:
        table.add_column(_seat(finding), justify="right")
    for is_points, heading in ((True, "victory points"), (False, "how often")):
        table.add_section()
        table.add_row(Text(heading, style="italic"))
        for line in summary.breakdown:
            if line.is_points == is_points:
                table.add_row(*_cells(line))
    console.print(table)
    if summary.games >= summary.confidence.min_blocks:
        note = (
            "± is half the width of a Student's t interval; the intervals of a line hold for all seats simultaneously "
            f"with {summary.level:.0%} confidence."
        )
        console.print(Text(note, style="dim"))
    console.print()


def print_files(console: Console, run: Run) -> None:
    """Print where a run's files are, and how to open them: compared with their digests, and by other programs."""
    rows = ", ".join(f"{table} {how_many(count, 'row')}" for table, count in run.manifest["rows"].items())
    lines = [
        f"\nFiles: {run.folder} ({rows}, {run.manifest['bytes'] / 1e6:,.1f} MB; see codebook.md)",
        "Open them, compared with their digests:",
        "  import wallsim",
        f'  seats = wallsim.open_run({_in_python(str(run.folder))}){_view(run)}.scan("seats").collect()',
    ]
    if run.only is None:
        # Polars reads brackets in a path as a pattern, too.
        pattern = glob.escape(str(run.folder / "seats")) + "/*.parquet"
        if re.match(r"~|[A-Za-z][A-Za-z0-9+.-]*:(?!//)", pattern):
            pattern = os.path.abspath(pattern)  # these beginnings mean a home folder or an address to it
        lines += [
            "Other programs read them too, but do not notice a changed byte or a missing file (`wallsim verify` does):",
            "  import polars as pl",
            f"  seats = pl.read_parquet({_in_python(pattern)})",
        ]
    for line in lines:
        console.print(line, soft_wrap=True, markup=False)


def _view(run: Run) -> str:
    return "" if run.only is None else f".first({run.only})"


def _in_python(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)  # a string is quoted in JSON as in Python


def print_table(console: Console, headings: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a plain table; the last column takes the remaining width."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in headings[:-1]:
        table.add_column(heading, overflow="fold")
    table.add_column(headings[-1], ratio=1, overflow="fold")
    for row in rows:
        table.add_row(*map(Text, row))
    console.print(table)


def _title(run: Run, summary: Summary) -> str:
    facts = run.manifest["experiment"]["identity"]
    setup = SETUP_WORDS[facts["setup"]]
    name = run.manifest["experiment"]["name"]
    games = how_many(summary.games, "game")
    title = f"{games}, {facts['players']} players, {setup}, seed {facts['seed']}"
    title = f"{escaped_line(str(name))}: {title}" if name else title
    return f"{title}\n{line}" if (line := settings_line(summary.settings)) else title


def _seat(finding: SeatFinding) -> str:
    return f"{finding.lineup} (seat {finding.seat})" if finding.lineup else f"seat {finding.seat}"


def _cells(line: Line) -> list[Text]:
    return [Text(f"  {line.name}"), *(Text(_mean(seat)) for seat in line.seats)]


def _mean(seat: Mean) -> str:
    room = "      " if seat.interval is None else ""  # so that values are aligned
    return in_words(seat.mean, seat.interval, 2, mark=" ±") + room


def _row(finding: SeatFinding, fair: float) -> list[Text]:
    mark, style = _MARKS[finding.against(fair)]
    cells = [
        str(finding.seat),
        finding.lineup or "drafted",
        finding.policy,
        f"{mark} {share(finding.share, 1 if finding.share_interval is None else 2)} %",
        share_ends(finding.share_interval, 2, "–"),
        number(finding.vp, 2),
        ends(finding.vp_interval, 2, between="–"),
        "–" if finding.vp_deviation is None else f"{finding.vp_deviation:.1f}",
    ]
    return [Text(cell, style=style if place in (3, 4) else "") for place, cell in enumerate(cells)]


def _notes(summary: Summary) -> list[str]:
    notes = [f"Fair share {summary.fair:.2%}; ▲ ▼ mark seats whose interval is above or below it."]
    if summary.shared:
        notes.append(f"A win shared by k counts 1/k to each; {share(summary.shared, 2)} % of the games were shared.")
    if summary.games < summary.confidence.min_blocks:
        return [f"{summary.confidence.too_few(summary.games, 'games')} Draw no conclusions.", *notes[1:]]
    notes.append(
        f"The {len(summary.seats)} intervals of a column hold for all seats simultaneously with {summary.level:.0%} "
        "confidence (Bonferroni); Wilson's for wins, Student's t for mean VP. "
        "Spread: standard deviation of a game's VP."
    )
    if summary.spread is not None:
        notes.append(f"Imbalance of the line-ups: {_spread(summary.spread)}")
    return notes


def _spread(spread: Spread) -> str:
    interval = spread.interval(Confidence(LEVEL))
    within = "" if interval is None else f" ({ends(interval, 2)})"
    return (
        f"{number(spread.value, 2)} percentage points{within}, the standard deviation of the shares around the fair "
        "one, without what chance adds. It is 0 where all are equally good."
    )


def _speed(summary: Summary) -> str:
    time = summary.time
    if not time["wall"] or not time["cpu"]:
        return "Speed: too short to measure."
    workers = time["workers"]  # the numbers of workers of the sessions, each once
    sessions = "" if time["sessions"] == 1 else f" in {time['sessions']} sessions"
    compiling = f"; compiling took {time['compiling']:.0f} s more" if time["compiling"] else ""
    return (
        f"Speed: {summary.games / time['wall']:,.0f} games/s on {' and '.join(map(str, workers))} "
        f"worker{'s' if workers != [1] else ''} ({time['wall']:,.1f} s{sessions}); "
        f"{summary.games / time['cpu']:,.0f} games per CPU second ({time['cpu']:,.1f} s){compiling}."
    )
