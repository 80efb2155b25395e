"""Every kind of folder that wallsim writes, for `verify`, `repair`, `runs` and `summary`."""

from __future__ import annotations

from pathlib import Path

from wallsim.errors import InputError, refuse_twice
from wallsim.runs.folder.file_stores import file_store
from wallsim.runs.folder.kind import FolderKind, State
from wallsim.runs.folder.result_folder import kind_of, readable
from wallsim.runs.folder.results import Run
from wallsim.runs.kinds import BenchmarkKind, ChunkFolderKind, ScenariosKind
from wallsim.runs.searches.kinds import LEARNINGS, RESPONSES, TEACHINGS, TUNINGS
from wallsim.runs.study_folder import StudyKind
from wallsim.runs.tournament.folder import TournamentRun

_READERS: tuple[type[Run], type[TournamentRun]] = (Run, TournamentRun)


def folder_kind(folder: str | Path) -> FolderKind | None:
    """The kind of a folder, finished or not; None if wallsim wrote none of its files.

    InputError if the folder cannot be read, RunError if its journal cannot be.
    """
    place = file_store(folder)
    with readable(place):
        return next((kind for kind in KINDS if kind.recognises(place)), None)


def known_kind(folder: str | Path) -> FolderKind:
    """The kind of a folder; InputError for a folder of no kind, and the errors of `folder_kind`."""
    kind = folder_kind(folder)
    if kind is None:
        raise InputError(
            f"{file_store(folder)}: contains no run or other results of wallsim (there is no journal.jsonl)"
        )
    return kind


def reader_of(folder: str | Path) -> type[Run] | type[TournamentRun]:
    """The class that reads a folder, finished or not; `Run` if the folder has no journal.

    InputError if the folder cannot be read, RunError if its journal is damaged.
    """
    kind = kind_of(folder)
    return next((reader for reader in _READERS if reader.kind == kind), Run)


def open_results(folder: str | Path) -> Run | TournamentRun:
    """The finished run or tournament in a folder.

    InputError if there is none, RunError if it is unfinished, damaged, or of another version of wallsim.
    """
    return reader_of(folder).open(folder)


def verify_results(folder: str | Path) -> list[str]:
    """All damage in a folder of any kind, finished or not, one line per error; an empty list if nothing has changed.

    A folder of scenarios is checked with the runs in it. InputError if there are no results or they cannot be read,
    RunError if journal or manifest cannot be interpreted.
    """
    return known_kind(folder).verify(file_store(folder).folder)


def _verify_games(folder: Path) -> list[str]:
    # The tournament in a study's own folder, which is a folder of the study's kind.
    return reader_of(folder).verify(folder)


# In the order of asking: a folder is of the first kind that recognises it. Runs are last, since a journal whose first
# line is damaged is taken for that of a run.
KINDS: tuple[FolderKind, ...] = (
    StudyKind(verify_results, _verify_games),  # which may have a tournament beside its own files
    ScenariosKind(),
    BenchmarkKind(),
    TUNINGS,
    RESPONSES,
    LEARNINGS,
    TEACHINGS,
    ChunkFolderKind(TournamentRun),
    ChunkFolderKind(Run),
)
refuse_twice("kinds of folders", (kind.what for kind in KINDS))


def state_of(folder: str | Path) -> State:
    """The state of a folder of any kind; the errors are those of `verify_results`."""
    return known_kind(folder).state(file_store(folder).folder)


def show_command(folder: str | Path) -> str:
    """The command that shows a finished folder, for messages; the errors are those of `verify_results`."""
    return known_kind(folder).show_command(file_store(folder).folder)
