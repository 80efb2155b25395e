"""Opening a folder of results that may contain a run or a tournament."""

from __future__ import annotations

from pathlib import Path

from wallsim.runs.folder.kind import FolderKind, State
from wallsim.runs.folder.layout import MANIFEST
from wallsim.runs.folder.place import place_of
from wallsim.runs.folder.result_folder import ResultFolder, kind_of, readable
from wallsim.runs.folder.results import Run
from wallsim.runs.scenarios.folder import Scenarios, holds_scenarios, not_begun, read_document
from wallsim.runs.study_folder import STUDY
from wallsim.runs.tournament.folder import TournamentRun

KINDS: tuple[FolderKind, ...] = (STUDY,)  # a study's folder may be that of a tournament, too
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


def special_kind(folder: str | Path) -> FolderKind | None:
    """The kind of a folder that is none of runs, tournaments or scenarios; InputError if it cannot be read."""
    place = place_of(folder)
    with readable(place):
        return next((kind for kind in KINDS if kind.recognises(place)), None)


def verify_results(folder: str | Path) -> list[str]:
    """All damage in a folder of results, finished or not, one line per fault; an empty list if nothing has changed.

    A folder of scenarios is checked with the runs in it. InputError if there are no results or they cannot be read,
    RunError if journal or manifest cannot be interpreted.
    """
    if (kind := special_kind(folder)) is not None:
        return kind.verify(place_of(folder).folder)
    if holds_scenarios(folder):
        return Scenarios.verify(folder)
    return reader_of(folder).verify(folder)


def state_of(folder: str | Path) -> State:
    """The state of a folder of results; the errors are those of `verify_results`."""
    place = place_of(folder)
    if (kind := special_kind(folder)) is not None:
        return kind.state(place.folder)
    if holds_scenarios(folder):
        with readable(place):
            document = read_document(folder)
            lost = not_begun(place, document.hashes)
        mends = "mends" if document.finished else "resumes"
        mending = f"the command that started the scenarios {mends} it" if lost else Run.mending(place, mends)
        return State(document.finished, "the scenarios are not finished", mending)
    reader = reader_of(folder)
    finished = place.size(MANIFEST) is not None
    words = "" if finished else reader.progress(place)
    return State(finished, words, reader.mending(place, "mends" if finished else "resumes"))


__all__ = ["ResultFolder", "State", "open_results", "reader_of", "state_of", "verify_results"]
