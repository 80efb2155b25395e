"""Opening results from Python."""

from __future__ import annotations

from pathlib import Path

from wallsim.api.inputs import opened_results
from wallsim.runs.folder.results import Run
from wallsim.runs.tournament.folder import TournamentRun


def open_run(folder: str | Path) -> Run | TournamentRun:
    """Open a finished run or tournament.

    Parameters
    ----------
    folder
        A folder written by `play`, `wallsim run` or `wallsim tournament`, or its address in an object store.

    Returns
    -------
    Run or TournamentRun
        The results: `folder`, `manifest`, `tables`, and each table as a polars frame by `scan`.

    Raises
    ------
    InputError
        If the folder contains no results.
    RunError
        If they are unfinished or damaged, or were written by an incompatible version of wallsim.

    Examples
    --------
    >>> open_run("results/million").scan("seats").collect()  # doctest: +SKIP
    """
    return opened_results("folder", folder)
