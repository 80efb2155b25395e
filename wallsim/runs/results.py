"""Opening a folder of results that may contain a run or a tournament."""

from __future__ import annotations

from pathlib import Path

from wallsim.runs.folder.result_folder import ResultFolder, kind_of
from wallsim.runs.folder.results import Run
from wallsim.runs.scenarios.folder import Scenarios, holds_scenarios
from wallsim.runs.tournament.folder import TournamentRun

_KINDS: tuple[type[Run], type[TournamentRun]] = (Run, TournamentRun)


def reader_of(folder: str | Path) -> type[Run] | type[TournamentRun]:
    """The class that reads a folder, finished or not; `Run` if the folder has no journal.

    InputError if the folder cannot be read, RunError if its journal is damaged.
    """
    kind = kind_of(folder)
    return next((reader for reader in _KINDS if reader.kind == kind), Run)


def open_results(folder: str | Path) -> Run | TournamentRun:
    """The finished run or tournament in a folder.

    InputError if there is none, RunError if it is unfinished, damaged, or of another version of wallsim.
    """
    return reader_of(folder).open(folder)


def verify_results(folder: str | Path) -> list[str]:
    """All damage in a folder of results, finished or not, one line per fault; an empty list if nothing has changed.

    A folder of scenarios is checked with the runs in it. InputError if there are no results or they cannot be read,
    RunError if journal or manifest cannot be interpreted.
    """
    if holds_scenarios(folder):
        return Scenarios.verify(folder)
    return reader_of(folder).verify(folder)


__all__ = ["ResultFolder", "open_results", "reader_of", "verify_results"]
