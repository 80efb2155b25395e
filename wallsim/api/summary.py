"""The summary of a run or a tournament: numbers, a frame, and the text that the command line prints."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

import polars as pl
from rich.console import Console

from wallsim.analysis.games import summary as games
from wallsim.api.inputs import opened_results
from wallsim.api.text import Printable
from wallsim.folder.results import Run
from wallsim.folder.tournament import TournamentRun
from wallsim.report.tables.summary import print_summary

if TYPE_CHECKING:
    from wallsim.api.tournament_summary import TournamentSummary


@dataclass(frozen=True)
class RunSummary(Printable, games.Summary):
    """Wins and victory points by seat; `print` shows it as text.

    `games` is the number of games. Each element of `seats` has the share of wins and the mean victory points of a seat
    with their intervals: `share`, `share_interval`, `vp`, `vp_interval`.
    """

    run: Run = field(kw_only=True, repr=False)

    def _print(self, console: Console) -> None:
        print_summary(console, self.run, self)

    def frame(self) -> pl.DataFrame:
        """One row per seat; the ends of intervals are null if there are too few games."""
        return pl.DataFrame([_seat_row(seat) for seat in self.seats], schema_overrides=_ENDS)


_ENDS = dict.fromkeys(("share_low", "share_high", "vp_low", "vp_high"), pl.Float64)


@overload
def summarise(run: Run) -> RunSummary: ...


@overload
def summarise(run: TournamentRun) -> TournamentSummary: ...


@overload
def summarise(run: str | Path | Run | TournamentRun) -> RunSummary | TournamentSummary: ...


def summarise(run: str | Path | Run | TournamentRun) -> RunSummary | TournamentSummary:
    """Compute shares of wins with intervals: by seat for a run, by policy for a tournament.

    Intervals of one kind hold for all seats or policies simultaneously with 95 % confidence; with too few games there
    are none. For a tournament the call evaluates the ladder and records the number of blocks in its folder, because the
    intervals are valid for a number of blocks fixed beforehand.

    Parameters
    ----------
    run
        The result of `play` or `open_run`, or the folder of a finished run or tournament.

    Returns
    -------
    RunSummary or TournamentSummary
        The numbers as attributes; `print` shows the tables of the command line, `frame()` is a polars frame.

    Raises
    ------
    InputError
        If a folder contains no run or tournament.
    RunError
        If it is unfinished, or a file is missing or damaged.

    Examples
    --------
    >>> from wallsim import Experiment, play
    >>> summary = summarise(play(Experiment(players=3, policies="random", games=2)))
    >>> summary.games, [seat.lineup for seat in summary.seats]
    (2, ['A', 'B', 'C'])
    """
    results = opened_results("run", run)
    if isinstance(results, TournamentRun):
        from wallsim.api.tournament_summary import summarise_tournament  # its imports take seconds

        return summarise_tournament(results)
    return RunSummary(**vars(games.summarise(results)), run=results)


def _seat_row(seat: games.SeatFinding) -> dict[str, Any]:
    share, vp = seat.share_interval or (None, None), seat.vp_interval or (None, None)
    return {
        "seat": seat.seat, "lineup": seat.lineup or None, "policy": seat.policy,
        "share": seat.share, "share_low": share[0], "share_high": share[1],
        "vp": seat.vp, "vp_low": vp[0], "vp_high": vp[1],
    }  # fmt: skip
