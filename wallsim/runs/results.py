"""Opening a folder of results without knowing whether it holds a run or a tournament."""

from __future__ import annotations

from pathlib import Path

from wallsim.runs.folder.result_folder import ResultFolder, kind_of
from wallsim.runs.folder.results import Run
from wallsim.runs.tournament.folder import TournamentRun

_KINDS: tuple[type[Run], type[TournamentRun]] = (Run, TournamentRun)


def reader_of(folder: str | Path) -> type[Run] | type[TournamentRun]:
    """The class that reads what a folder holds, finished or not: `Run` where nothing is known.

    InputError if it cannot be read, RunError if its journal makes no sense.
    """
    kind = kind_of(folder)
    return next((reader for reader in _KINDS if reader.kind == kind), Run)


def open_results(folder: str | Path) -> Run | TournamentRun:
    """The finished run or tournament in a folder.

    InputError if there is none, RunError if it is unfinished, damaged, or of another version of wallsim.
    """
    return reader_of(folder).open(folder)


def verify_results(folder: str | Path) -> list[str]:
    """Every damage of a folder of results, finished or not, one line each; an empty list if all is as written.

    InputError if there is none or it cannot be read, RunError if journal or manifest make no sense at all.
    """
    return reader_of(folder).verify(folder)


__all__ = ["ResultFolder", "open_results", "reader_of", "verify_results"]
