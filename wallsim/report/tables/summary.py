"""The results of a run for people and for programs: its seats, its points by source, and a forecast of its cost."""

from __future__ import annotations

import glob
import json
import os
import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from wallsim.escaping import escaped_line
from wallsim.report.tables.columns import Column, Document, headings_of, objects_of, texts_of
from wallsim.report.tables.console import number_table, print_assumptions, print_lines, print_notes, print_table
from wallsim.report.tables.estimates import ends, how_many, in_words, number, share, share_ends
from wallsim.rules.other_settings import SETUP_WORDS, settings_line
from wallsim.stats.intervals import LEVEL, Confidence

if TYPE_CHECKING:  # forecasts are printed without the libraries that read tables
    from wallsim.analysis.games.breakdown import Mean
    from wallsim.analysis.games.spread import Spread
    from wallsim.analysis.games.summary import Summary
    from wallsim.folder.address import Folder
    from wallsim.folder.results import Run
    from wallsim.play.forecast import Forecast

_MARKS = {"above": ("▲", "green"), "below": ("▼", "red"), "": (" ", "")}
SEATS = (
    Column("seat", "seat"),
    Column("lineup", "line-up", lambda seat: seat.lineup or None, lambda seat: seat.lineup or "drafted"),
    Column("policy", "policy"),
    Column("win_share", "wins", lambda seat: seat.share,
           lambda seat: f"{share(seat.share, 1 if seat.share_interval is None else 2)} %"),
    Column("win_share_interval", "interval", lambda seat: seat.share_interval,
           lambda seat: share_ends(seat.share_interval, 2, "–")),
    Column("vp", "mean VP", text=lambda seat: number(seat.vp, 2)),
    Column("vp_interval", "interval", text=lambda seat: ends(seat.vp_interval, 2, between="–")),
    Column("vp_deviation", "spread",
           text=lambda seat: "–" if seat.vp_deviation is None else f"{seat.vp_deviation:.1f}"),
)  # fmt: skip
_WORDS, _WINS = 3, slice(3, 5)  # the columns of texts, and those that a mark colours


def print_summary(console: Console, run: Run, summary: Summary) -> None:
    """Print the results of a run, its speed, its assumptions, and how to open its files."""
    table = number_table(headings_of(SEATS), _WORDS, _title(run, summary))
    for seat, texts in zip(summary.seats, texts_of(SEATS, summary.seats), strict=True):
        mark, style = _MARKS[seat.against(summary.fair)]
        cells = [Text(text) for text in texts]
        cells[_WINS] = [Text(text, style=style) for text in (f"{mark} {texts[3]}", texts[4])]
        table.add_row(*cells)
    console.print(table)
    print_notes(console, _notes(summary))
    console.print()
    if summary.breakdown:
        print_breakdown(console, summary)
    console.print(speed_line(summary.games, summary.time), markup=False)
    print_assumptions(console, summary.assumptions)
    print_lines(console, _files(run))


def summary_document(run: Run, summary: Summary) -> Document:
    """The results of a run by seat, with their assumptions."""
    facts, spread = run.manifest["experiment"], summary.spread
    return {
        "folder": run.folder,
        "name": facts["name"],
        "hash": facts["hash"],
        "engine_version": run.manifest["engine_version"],
        "games": summary.games,
        "seed": run.manifest["seed"],
        "players": len(summary.seats),
        "not_default": summary.settings,
        "level": summary.level,
        "fair_share": summary.fair,
        "shared_wins": summary.shared,
        "seats": objects_of(SEATS, summary.seats),
        "breakdown": [
            {"name": line.name, "kind": "victory points" if line.is_points else "uses", "seats": line.seats}
            for line in summary.breakdown
        ],
        **({} if spread is None else {"spread_of_wins": {
            "value": spread.value, "interval": spread.interval(Confidence(LEVEL)), "games": spread.blocks,
        }}),
        "assumptions": summary.assumptions,
        "time": summary.time,
        "rows": run.manifest["rows"],
    }  # fmt: skip


def print_breakdown(console: Console, summary: Summary) -> None:
    """Print each seat's points by source and how often it used the expansions, one line each."""
    table = Table(box=None, pad_edge=False)
    table.add_column("means per game", no_wrap=True)
    for seat in summary.seats:
        table.add_column(f"{seat.lineup} (seat {seat.seat})" if seat.lineup else f"seat {seat.seat}", justify="right")
    for is_points, heading in ((True, "victory points"), (False, "how often")):
        table.add_section()
        table.add_row(Text(heading, style="italic"))
        for line in summary.breakdown:
            if line.is_points == is_points:
                table.add_row(*map(Text, (f"  {line.name}", *map(_mean, line.seats))))
    console.print(table)
    if summary.games >= summary.confidence.min_blocks:
        print_notes(console, [
            "± is half the width of a Student's t interval; the intervals of a line hold for all seats simultaneously "
            f"with {summary.level:.0%} confidence."
        ])  # fmt: skip
    console.print()


def _files(run: Run) -> Iterator[str]:
    """Where a run's files are, and how to open them: compared with their digests, and by other programs."""
    rows = ", ".join(f"{table} {how_many(count, 'row')}" for table, count in run.manifest["rows"].items())
    view = "" if run.only is None else f".first({run.only})"
    yield f"\nFiles: {run.folder} ({rows}, {run.manifest['bytes'] / 1e6:,.1f} MB; see codebook.md)"
    yield "Open them, compared with their digests:"
    yield "  import wallsim"
    yield f'  seats = wallsim.open_run({_in_python(str(run.folder))}){view}.scan("seats").collect()'
    if run.only is not None:
        return
    # Polars reads brackets in a path as a pattern, too.
    pattern = glob.escape(str(run.folder / "seats")) + "/*.parquet"
    if re.match(r"~|[A-Za-z][A-Za-z0-9+.-]*:(?!//)", pattern):
        pattern = os.path.abspath(pattern)  # these beginnings mean a home folder or an address to it
    yield "Other programs read them too, but do not notice a changed byte or a missing file (`wallsim verify` does):"
    yield "  import polars as pl"
    yield f"  seats = pl.read_parquet({_in_python(pattern)})"


def _in_python(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)  # a string is quoted in JSON as in Python


def _title(run: Run, summary: Summary) -> str:
    facts = run.manifest["experiment"]["identity"]
    setup = SETUP_WORDS[facts["setup"]]
    name = run.manifest["experiment"]["name"]
    games = how_many(summary.games, "game")
    title = f"{games}, {facts['players']} players, {setup}, seed {facts['seed']}"
    title = f"{escaped_line(str(name))}: {title}" if name else title
    return f"{title}\n{line}" if (line := settings_line(summary.settings)) else title


def _mean(seat: Mean) -> str:
    room = "      " if seat.interval is None else ""  # so that values are aligned
    return in_words(seat.mean, seat.interval, 2, mark=" ±") + room


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


def speed_line(games: int, time: Mapping[str, Any]) -> str:
    """The speed of a run, or of a tournament, whose time has no sessions."""
    if not time["wall"] or not time["cpu"]:
        return "Speed: too short to measure."
    threads, sessions, compiling = "", "", ""
    if "sessions" in time:
        workers = time["workers"]  # the numbers of workers of the sessions, each once
        threads = f" on {' and '.join(map(str, workers))} worker{'s' if workers != [1] else ''}"
        sessions = "" if time["sessions"] == 1 else f" in {time['sessions']} sessions"
        compiling = f"; compiling took {time['compiling']:.0f} s more" if time["compiling"] else ""
    return (
        f"Speed: {games / time['wall']:,.0f} games/s{threads} ({time['wall']:,.1f} s{sessions}); "
        f"{games / time['cpu']:,.0f} games per CPU second ({time['cpu']:,.1f} s){compiling}."
    )


FORECAST = (
    Column("scenario", "scenario", lambda each: each[0] or None),
    Column("games", "games", lambda each: each[1].games, lambda each: f"{each[1].games:,}"),
    Column("seconds", "minutes", lambda each: each[1].seconds, lambda each: _minutes(each[1].seconds)),
    Column("bytes", "disk in MB", lambda each: each[1].bytes, lambda each: f"{each[1].bytes / 1e6:,.1f}"),
)


def print_forecast(console: Console, forecasts: Mapping[str, Forecast]) -> None:
    """Print what experiments by the names of their scenarios would need; an experiment alone has an empty name."""
    if "" in forecasts:
        print_table(console, headings_of(FORECAST[1:]), texts_of(FORECAST[1:], forecasts.items()))
        return
    print_table(console, headings_of(FORECAST), texts_of(FORECAST, [*forecasts.items(), ("all", _total(forecasts))]))


def forecast_document(forecasts: Mapping[str, Forecast], workers: int, folder: Folder) -> Document:
    """The same for programs."""
    total = _total(forecasts)._asdict()
    return {"folder": folder, "workers": workers, **total, "scenarios": objects_of(FORECAST, forecasts.items())}


def _total(forecasts: Mapping[str, Forecast]) -> Forecast:
    entries = forecasts.values()
    return type(next(iter(entries)))(*map(sum, zip(*entries, strict=True)))


def _minutes(seconds: float) -> str:
    minutes = seconds / 60
    return f"{minutes:,.1f}" if minutes >= 1 else f"{minutes:.1g}"
