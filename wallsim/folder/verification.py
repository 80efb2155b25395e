"""Every kind of folder that wallsim writes, for `verify`, `repair`, `runs` and `summary`; see `folder.kind`."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from pathlib import Path

from wallsim.errors import InputError, RunError, refuse_twice
from wallsim.escaping import in_shell
from wallsim.folder.checksummed_json import read_sealed_document, sealed_document
from wallsim.folder.commit import write_whole
from wallsim.folder.file_stores import file_store
from wallsim.folder.journal import Header, Journal
from wallsim.folder.kind import ITS_COMMAND, Kind, Progress, State
from wallsim.folder.layout import EXPERIMENT, JOURNAL, MANIFEST, SCENARIOS, scenario_folder
from wallsim.folder.local_files import FileStore
from wallsim.folder.lock import locked
from wallsim.folder.manifest import sealed_manifest
from wallsim.folder.result_folder import kind_of, readable
from wallsim.folder.results import Run, waits
from wallsim.folder.scenarios import Scenarios, not_begun, read_document
from wallsim.folder.search_kinds import LEARNINGS, RESPONSES, TEACHINGS, TUNINGS
from wallsim.folder.study_folder import study_kind
from wallsim.folder.tournament import TournamentRun

BENCHMARK = "benchmark.json"
_FORMAT = 1


def restore_documents(place: FileStore, header: Header) -> list[str]:
    """Write missing and changed documents again by the copies in the header, and return their names.

    InputError if the folder cannot be written, LockedError while another process writes there.
    """
    wrong = [name for name, digest in header.digests.items() if place.digest(name) != digest]
    if not wrong:
        return []
    with locked(place):
        for name in wrong:
            place.write_document(name, header.papers[name])
    return wrong


def write_marker(folder: Path, command: str) -> None:
    """Mark a folder as that of a benchmark that runs; the whole folder is deleted when it ends."""
    facts = {"format": _FORMAT, "command": command, "host": socket.gethostname(), "process": os.getpid()}
    write_whole(folder / BENCHMARK, sealed_document(facts))


def marker_errors(place: FileStore) -> list[str]:
    """The error of the marker if it is damaged; OSError is passed on."""
    try:
        read_sealed_document(place.read(BENCHMARK))
    except FileNotFoundError:
        return [f"{BENCHMARK}: is missing"]
    except RunError:
        return [f"{BENCHMARK}: its bytes have changed"]
    return []


def _restored_documents(place: FileStore) -> list[str]:
    header = Journal(place).header  # games are played by another command
    return restore_documents(place, header) if header else []


def _bytes(place: FileStore) -> int:
    return sum(part.bytes for part in Journal(place).parts().values())


# --------------------------------------------------------------------------------------------------- runs, tournaments


def _chunk_kind(reader: type[Run] | type[TournamentRun], shown_by: str, command: Callable[[FileStore], str]) -> Kind:
    """Folders with a journal of chunks that a class reads: runs, also those played by slices, and tournaments."""

    def recognises(place: FileStore) -> bool:
        there = any(place.size(name) is not None for name in (JOURNAL, MANIFEST, EXPERIMENT)) or Journal(place).exists
        return there and _identity_kind(place) == reader.kind

    def progress(place: FileStore) -> Progress:
        journal = Journal(place)
        return Progress(journal.done, journal.header.games if journal.header else None, "games")

    def broken(place: FileStore) -> bool:
        journal = Journal(place)
        if journal.header is None or journal.errors:
            return True
        if place.size(MANIFEST) is not None:
            reader.open(place.folder)  # refuses a damaged one
        return False

    return Kind(
        reader.what,
        recognises,
        errors=lambda place: reader.verify(place.folder),
        missing=lambda place: next((name for name in reader.last if place.size(name) is None), ""),
        advice=reader.repair_hint,
        progress=progress,
        size=_bytes,
        shown_by=lambda place: f"`wallsim {shown_by} {in_shell(place)}` shows it",
        restored=_restored_documents,
        # Without a journal only a sealed document counts: other programs have files of the name of a manifest.
        listed=lambda place: place.size(JOURNAL) is not None or bool(Journal(place).slices or sealed_manifest(place)),
        broken=broken,
        command=command,
    )


def _identity_kind(place: FileStore) -> str | None:
    kind = kind_of(place.folder)
    if kind is None and place.size(JOURNAL) is not None:
        journal = Journal(place)
        if journal.header is None and any(
            part.table in TournamentRun.all_tables() for part in journal.parts().values()
        ):
            return TournamentRun.kind
    return kind


def _run_command(place: FileStore) -> str:
    if waits(place):
        return ITS_COMMAND
    above = file_store(place.folder.parent).size(SCENARIOS) is not None
    return f"wallsim repair {in_shell(place.folder.parent if above else place.folder)}"


RUNS = _chunk_kind(Run, "summary", _run_command)
TOURNAMENTS = _chunk_kind(TournamentRun, "tournament", lambda place: ITS_COMMAND)

# ----------------------------------------------------------------------------------------------------------- scenarios


def _inner_runs(place: FileStore) -> list[FileStore]:
    return [file_store(scenario_folder(place.folder, name)) for name in read_document(place.folder).hashes]


def _absent(place: FileStore) -> list[FileStore]:
    missing = not_begun(place, read_document(place.folder).hashes)
    return [file_store(scenario_folder(place.folder, name)) for name in missing]


def _scenarios_missing(place: FileStore) -> str:
    return "" if read_document(place.folder).finished else SCENARIOS


def _scenarios_advice(place: FileStore, verb: str) -> str:
    # What repairs a run, unless a run is not there, or only a rule decides how many games they are to have.
    if _absent(place) or (_scenarios_missing(place) and any(map(waits, _inner_runs(place)))):
        return f"the command that started the scenarios {verb} it"
    return Run.repair_hint(place, verb)


def _scenarios_progress(place: FileStore) -> Progress:
    runs = _inner_runs(place)
    return Progress(sum(run.size(MANIFEST) is not None for run in runs), len(runs), "scenarios")


SETS = Kind(
    "scenarios",
    lambda place: place.size(SCENARIOS) is not None,
    errors=lambda place: Scenarios.verify(place.folder),
    missing=_scenarios_missing,
    advice=_scenarios_advice,
    progress=_scenarios_progress,
    size=lambda place: sum(map(_bytes, _inner_runs(place))),
    shown_by=lambda place: f"`wallsim summary {in_shell(place)}` shows them",
    restored=lambda place: [
        f"{run.folder.name}/{name}" for run in _inner_runs(place) for name in _restored_documents(run)
    ],
    absent=_absent,
)

# ---------------------------------------------------------------------------------------------------------- benchmarks


def _delete(place: FileStore, verb: str = "") -> str:
    return f"if no `wallsim bench` is running, `rm -r {in_shell(place)}` deletes it"


BENCHMARKS = Kind(  # left because the process was killed; nothing in them is needed again
    "benchmark",
    lambda place: place.size(BENCHMARK) is not None,
    errors=marker_errors,
    missing=lambda place: BENCHMARK,  # always: a benchmark that ends deletes its folder
    advice=_delete,
    progress=lambda place: Progress(0, None, "results"),
    size=lambda place: _bytes(file_store(place.folder / "run")),
    shown_by=_delete,
    unfinished=lambda place, missing: "the benchmark runs or was killed, and leaves no results here",
    command=lambda place: f"rm -r {in_shell(place)}",
)


_READERS: tuple[type[Run], type[TournamentRun]] = (Run, TournamentRun)


def folder_kind(folder: str | Path) -> Kind | None:
    """The kind of a folder, finished or not; None if wallsim wrote none of its files.

    InputError if the folder cannot be read, RunError if its journal cannot be.
    """
    with readable(folder) as place:
        return next((kind for kind in KINDS if kind.recognises(place)), None)


def known_kind(folder: str | Path) -> Kind:
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
    return known_kind(folder).verify(file_store(folder))


def _verify_games(folder: Path) -> list[str]:
    # The tournament in a study's own folder, which is a folder of the study's kind.
    return reader_of(folder).verify(folder)


# In the order of asking: a folder is of the first kind that recognises it. Runs are last, since a journal whose first
# line is damaged is taken for that of a run.
KINDS: tuple[Kind, ...] = (
    study_kind(verify_results, _verify_games),  # which may have a tournament beside its own files
    SETS,
    BENCHMARKS,
    *(each.as_kind() for each in (TUNINGS, RESPONSES, LEARNINGS, TEACHINGS)),
    TOURNAMENTS,
    RUNS,
)
refuse_twice("kinds of folders", (kind.what for kind in KINDS))


def state_of(folder: str | Path) -> State:
    """The state of a folder of any kind; the errors are those of `verify_results`."""
    return known_kind(folder).state(file_store(folder))


def show_command(folder: str | Path) -> str:
    """The command that shows a finished folder, for messages; the errors are those of `verify_results`."""
    with readable(folder) as place:
        return known_kind(folder).shown_by(place)
