"""Opening results from Python."""

from __future__ import annotations

from pathlib import Path

from wallsim.runs.folder.results import Run
from wallsim.runs.results import open_results
from wallsim.runs.tournament.folder import TournamentRun


def open_run(folder: str | Path) -> Run | TournamentRun:
    """Open the finished run or tournament in a folder.

    Parameters
    ----------
    folder
        A folder that `play`, `wallsim run` or `wallsim tournament` wrote.

    Returns
    -------
    Run or TournamentRun
        The results: `folder`, `manifest`, `tables`, and each table as a polars frame by `scan`.

    Raises
    ------
    InputError
        If no results lie there.
    RunError
        If they are unfinished or damaged, or another version of wallsim wrote them.

    Examples
    --------
    >>> open_run("results/million").scan("seats").collect()  # doctest: +SKIP
    """
    return open_results(folder)
