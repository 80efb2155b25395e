"""Comparing two runs from Python: contrasts, a frame, and the text that the command line prints."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl
from rich.console import Console

from wallsim.analysis.contrasts import comparison, scenarios
from wallsim.analysis.contrasts.pairing import paired_runs
from wallsim.api.inputs import checked_path, opened_run
from wallsim.api.text import Printable
from wallsim.folder.results import Run
from wallsim.folder.scenarios import Scenarios
from wallsim.folder.tournament import TournamentRun
from wallsim.report.tables.contrasts import print_comparison, print_scenarios


@dataclass(frozen=True)
class RunComparison(Printable, comparison.Comparison):
    """What changed from one run to another; `print` shows it as text.

    Each element of `contrasts` is a line: `column`, `who`, `group`, and the numbers `first.value`, `second.value` and
    `change.value`; `interval(result.confidence)` is the interval of its change, None where there is none.
    """

    def _print(self, console: Console) -> None:
        print_comparison(console, self)

    def frame(self) -> pl.DataFrame:
        """One row per line; `low` and `high`, the ends of the interval, are null where there is none."""
        rows = []
        for each in self.contrasts:
            low, high = each.interval(self.confidence) or (None, None)
            numbers = (each.counted, each.first.value, each.second.value, each.change.value, low, high)
            rows.append((each.column, each.who, each.group, *numbers))
        return pl.DataFrame(rows, schema=_SCHEMA, orient="row")


_SCHEMA = {
    "column": pl.String, "who": pl.String, "group": pl.String, "games": pl.Int64, "first": pl.Float64,
    "second": pl.Float64, "change": pl.Float64, "low": pl.Float64, "high": pl.Float64,
}  # fmt: skip


def compare(
    first: str | Path | Run | TournamentRun,
    second: str | Path | Run | TournamentRun,
    *,
    seat: str | int | None = None,
    by: str | None = None,
    moment: str | None = None,
    columns: str | Sequence[str] | None = None,
    intervals: str = "bonferroni",
) -> RunComparison:
    """Compare two runs of the same games: what changed from the first to the second, with intervals.

    Games of the same number and seed share their luck, so the difference of each is taken. Of runs of different length
    the games that both have are compared. The intervals of all lines hold simultaneously with 95 % confidence.

    Parameters
    ----------
    first, second
        The runs, or their folders; of the same seed and number of players.
    seat
        The treated seat: its number from 0, the letter of its line-up, or turn, the game number modulo the number of
        players. None for lines of every seat.
    by
        Splits the games, or without a treated seat the seats: seat, lineup, round or standing.
    moment
        The round of the change, such as "spring 1"; a split by standing is that before it. With "turn" the round in
        which each game was changed: the game number div the number of players, modulo six.
    columns
        Names of numeric columns of the table `seats`, or by round of `seasons`; None for a choice.
    intervals
        Simultaneous intervals by Bonferroni's correction, or by 1,000 bootstrap resamples of the games. The bootstrap
        takes the largest deviation of any line. Equal runs have equal intervals.

    Returns
    -------
    RunComparison
        The numbers as attributes; `print` shows the table of the command line, `frame()` is a polars frame.

    Raises
    ------
    InputError
        If a folder contains no run, the runs cannot be compared, or an argument is not one of those above.
    RunError
        If a run is unfinished, or a file is missing or damaged.

    Examples
    --------
    >>> from wallsim import Experiment, play
    >>> runs = [play(Experiment(players=3, policies="random", tower=tower, games=2)) for tower in ("spielbyweb", "mid")]
    >>> result = compare(*runs, columns="vp")
    >>> [(line.who, line.group) for line in result.contrasts][2:4]
    [('table, best minus worst', ''), ('each seat', 'seat 0')]
    """
    one, other = opened_run("first", first), opened_run("second", second)
    treated = None if seat is None else str(seat)
    result = comparison.compare(paired_runs(one, other), treated, by, moment, _names(columns), intervals=intervals)
    return RunComparison(**vars(result))


def _names(columns: str | Sequence[str] | None) -> tuple[str, ...] | None:
    return (columns,) if isinstance(columns, str) else None if columns is None else tuple(columns)


@dataclass(frozen=True)
class ScenariosComparison(Printable, scenarios.ScenarioComparison):
    """Every scenario of a folder against one of them; `print` shows it as text.

    `comparisons` has the comparison of each by name, whose `contrasts` are lines as in `RunComparison`; all intervals
    of `confidence` hold simultaneously. `comparisons[NAME].spread()` says how much fairer line-ups have become.
    """

    def _print(self, console: Console) -> None:
        print_scenarios(console, self)

    def frame(self) -> pl.DataFrame:
        """One row per scenario and line; `low` and `high`, the ends of the interval, are null where there is none."""
        parts = [
            RunComparison(**vars(each)).frame().with_columns(scenario=pl.lit(name))
            for name, each in self.comparisons.items()
        ]
        return pl.concat(parts).select("scenario", *_SCHEMA)


def compare_scenarios(
    folder: str | Path | Scenarios, *, to: str | None = None, columns: str | Sequence[str] | None = None
) -> ScenariosComparison:
    """Compare all scenarios of a folder with one of them, by line-up, or in a draft by seat.

    Games of the same number and seed share their luck, so the difference of each is taken. The intervals of all lines
    of all scenarios hold simultaneously with 95 % confidence.

    Parameters
    ----------
    folder
        The scenarios, or their folder; all of the same seed and number of players.
    to
        The scenario that all others are compared with; None for the first.
    columns
        Names of numeric columns of the table `seats`; None for wins and victory points.

    Returns
    -------
    ScenariosComparison
        The numbers by scenario; `print` shows the table of the command line, `frame()` is a polars frame.

    Raises
    ------
    InputError
        If there are no two scenarios, they cannot be compared, or an argument is not one of those above.
    RunError
        If a scenario is unfinished, or a file is missing or damaged.
    """
    opened = folder if isinstance(folder, Scenarios) else Scenarios.open(checked_path("folder", folder))
    return ScenariosComparison(**vars(scenarios.compare_scenarios(opened, to, _names(columns))))
