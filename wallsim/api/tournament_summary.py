"""What was found in a tournament: numbers, a frame, and the text that the command line prints."""

from __future__ import annotations

from dataclasses import dataclass, field

import polars as pl

from wallsim.analysis.tournament.findings import Findings, judge
from wallsim.api.text import as_text
from wallsim.report.tables.tournament import print_tournament
from wallsim.runs.tournament.folder import TournamentRun


@dataclass(frozen=True)
class TournamentSummary(Findings):
    """The ladder of a tournament and all that stands beside it; `print` it to read it.

    `ratings.ladder` holds the policies from the strongest: `policy`, `strength`, `interval`, `win_share` and more.
    """

    run: TournamentRun = field(kw_only=True, repr=False)
    looks: tuple[int, ...] = field(kw_only=True)  # numbers of blocks at which the ladder was judged

    def __str__(self) -> str:
        """What `wallsim tournament` prints."""
        return as_text(lambda console: print_tournament(console, self.run, self, self.looks))

    def frame(self) -> pl.DataFrame:
        """The ladder, a row per policy from the strongest."""
        from wallsim.report.pages.tournament_files import ratings_frame  # it loads the libraries of the pictures, too

        return ratings_frame(self.ratings)


def summarise_tournament(run: TournamentRun) -> TournamentSummary:
    """Judge the ladder of a tournament and note in its folder that it was judged; RunError if a file is damaged."""
    return TournamentSummary(**vars(judge(run)), run=run, looks=run.note_look())
