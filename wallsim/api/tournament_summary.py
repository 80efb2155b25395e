"""The summary of a tournament: numbers, a frame, and the text that the command line prints."""

from __future__ import annotations

from dataclasses import dataclass, field

import polars as pl
from rich.console import Console

from wallsim.analysis.tournament.results import Findings, judge
from wallsim.api.text import Printable
from wallsim.folder.tournament import TournamentRun
from wallsim.report.tables.tournament import print_tournament


@dataclass(frozen=True)
class TournamentSummary(Printable, Findings):
    """The ladder of a tournament with its further results; `print` shows it as text.

    `ratings.ladder` has the policies, the strongest first: `policy`, `strength`, `interval`, `win_share` and more.
    """

    run: TournamentRun = field(kw_only=True, repr=False)
    looks: tuple[int, ...] = field(kw_only=True)  # numbers of blocks at which the ladder was evaluated

    def _print(self, console: Console) -> None:
        print_tournament(console, self.run, self, self.looks)

    def frame(self) -> pl.DataFrame:
        """The ladder, one row per policy, the strongest first."""
        from wallsim.report.pages.tournament_files import ratings_frame  # it also imports the plotting libraries

        return ratings_frame(self.ratings)


def summarise_tournament(run: TournamentRun) -> TournamentSummary:
    """Evaluate the ladder of a tournament and record this look in its folder; RunError if a file is damaged."""
    return TournamentSummary(**vars(judge(run)), run=run, looks=run.note_look())
