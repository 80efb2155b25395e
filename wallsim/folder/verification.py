"""Every kind of folder that wallsim writes, for `verify`, `repair`, `runs` and `summary`; see `folder.kind`."""

from __future__ import annotations

import os
import socket
from pathlib import Path

from wallsim.errors import InputError, RunError, listed, refuse_twice
from wallsim.escaping import in_shell
from wallsim.folder.address import Folder
from wallsim.folder.checks import digests_of
from wallsim.folder.checksummed_json import read_sealed_document, sealed_document
from wallsim.folder.commit import write_whole
from wallsim.folder.file_stores import file_store
from wallsim.folder.journal import Journal
from wallsim.folder.kind import FolderKind, Progress, State
from wallsim.folder.layout import EXPERIMENT, JOURNAL, MANIFEST, SCENARIOS, scenario_folder
from wallsim.folder.local_files import FileStore
from wallsim.folder.lock import locked
from wallsim.folder.result_folder import kind_of, readable
from wallsim.folder.results import Run, waits
from wallsim.folder.scenarios import Scenarios, not_begun, read_document
from wallsim.folder.search_kinds import LEARNINGS, RESPONSES, TEACHINGS, TUNINGS
from wallsim.folder.study_folder import StudyKind
from wallsim.folder.tournament import TournamentRun

BENCHMARK = "benchmark.json"
_FORMAT = 1


def restore_documents(place: FileStore, papers: dict[str, str]) -> list[str]:
    """Write missing and changed documents again, and return their names; `papers` are their texts by name.

    InputError if the folder cannot be written, LockedError while another process writes there.
    """
    wrong = [name for name, digest in digests_of(papers).items() if place.digest(name) != digest]
    if not wrong:
        return []
    with locked(place):
        for name in wrong:
            place.write_document(name, papers[name])
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


class ChunkFolderKind(FolderKind):
    """Folders with a journal of chunks: runs, also those played by slices, and tournaments."""

    def __init__(self, reader: type[Run] | type[TournamentRun]) -> None:
        """The kind that a class reads."""
        self.reader, self.what = reader, reader.what

    def recognises(self, place: FileStore) -> bool:
        """Whether there is a journal, a manifest or an experiment, of this kind by its identity."""
        if all(place.size(name) is None for name in (JOURNAL, MANIFEST, EXPERIMENT)) and not Journal(place).exists:
            return False
        return self._kind(place) == self.reader.kind

    def _kind(self, place: FileStore) -> str | None:
        kind = kind_of(place.folder)
        if kind is None and place.size(JOURNAL) is not None:
            journal = Journal(place)
            if journal.header is None and any(
                part.table in TournamentRun.all_tables() for part in journal.parts().values()
            ):
                return TournamentRun.kind
        return kind

    def verify(self, folder: Folder) -> list[str]:
        """All damage."""
        return self.reader.verify(folder)

    def missing(self, place: FileStore) -> str:
        """The manifest, or the checksums of what is computed from the rows."""
        return next((name for name in self.reader.last if place.size(name) is None), "")

    def advice(self, place: FileStore, verb: str) -> str:
        """What the reader says."""
        return self.reader.repair_hint(place, verb)

    def progress(self, folder: Folder) -> Progress:
        """The games in finished chunks."""
        journal = self._journal(folder)
        return Progress(journal.done, journal.header.games if journal.header else None, "games")

    def size(self, folder: Folder) -> int:
        """The bytes of the tables of finished chunks."""
        return sum(part.bytes for part in self._journal(folder).parts().values())

    def restore(self, folder: Folder) -> list[str]:
        """Restore the documents from the journal's first line; games are played by another command."""
        place, journal = file_store(folder), self._journal(folder)
        with readable(place):
            restored = restore_documents(place, journal.header.papers) if journal.header else []
        _refuse_incomplete(place, self.verify(folder), self.state(folder))
        return restored

    def show_command(self, folder: Folder) -> str:
        """The command that shows a finished folder."""
        return f"`wallsim {'summary' if self.reader is Run else self.what} {in_shell(folder)}` shows it"

    def _journal(self, folder: Folder) -> Journal:
        place = file_store(folder)
        with readable(place):
            return Journal(place)


class ScenariosKind(FolderKind):
    """Folders of scenarios, whose runs are folders in them."""

    what = "scenarios"

    def recognises(self, place: FileStore) -> bool:
        """Whether it has the document of scenarios."""
        return place.size(SCENARIOS) is not None

    def verify(self, folder: Folder) -> list[str]:
        """All damage, also in the runs."""
        return Scenarios.verify(folder)

    def missing(self, place: FileStore) -> str:
        """The document that says that all are finished."""
        return "" if read_document(place.folder).finished else SCENARIOS

    def advice(self, place: FileStore, verb: str) -> str:
        """What repairs a run, unless a run is not there, or only a rule decides how many games they are to have."""
        runs = self._runs(place)
        if not_begun(place, read_document(place.folder).hashes) or (self.missing(place) and any(map(waits, runs))):
            return f"the command that started the scenarios {verb} it"
        return Run.repair_hint(place, verb)

    def progress(self, folder: Folder) -> Progress:
        """The scenarios that are finished."""
        place = file_store(folder)
        with readable(place):
            runs = self._runs(place)
            done = sum(run.size(MANIFEST) is not None for run in runs)
        return Progress(done, len(runs), "scenarios")

    def size(self, folder: Folder) -> int:
        """The bytes of the tables of all."""
        place = file_store(folder)
        with readable(place):
            return sum(part.bytes for run in self._runs(place) for part in Journal(run).parts().values())

    def restore(self, folder: Folder) -> list[str]:
        """Restore the documents of every run; games are played by another command."""
        place = file_store(folder)
        restored = []
        with readable(place):
            for run in self._runs(place):
                header = Journal(run).header
                restored += (
                    [f"{run.folder.name}/{name}" for name in restore_documents(run, header.papers)] if header else []
                )
        _refuse_incomplete(place, self.verify(folder), self.state(folder))
        return restored

    def show_command(self, folder: Folder) -> str:
        """The command that shows a finished folder."""
        return f"`wallsim summary {in_shell(folder)}` shows them"

    def _runs(self, place: FileStore) -> list[FileStore]:
        return [file_store(scenario_folder(place.folder, name)) for name in read_document(place.folder).hashes]


class BenchmarkKind(FolderKind):
    """Folders that a benchmark left because its process was killed; nothing in them is needed again."""

    what = "benchmark"

    def recognises(self, place: FileStore) -> bool:
        """Whether it has the marker of a benchmark."""
        return place.size(BENCHMARK) is not None

    def verify(self, folder: Folder) -> list[str]:
        """The damage of the marker; what a benchmark was measuring when it was killed is not checked."""
        place = file_store(folder)
        with readable(place):
            return marker_errors(place)

    def missing(self, place: FileStore) -> str:
        """Always something: a benchmark that ends deletes its folder."""
        return BENCHMARK

    def unfinished(self, place: FileStore, missing: str) -> str:
        """What became of it."""
        return "the benchmark runs or was killed, and leaves no results here"

    def advice(self, place: FileStore, verb: str) -> str:
        """How it is deleted."""
        return f"if no `wallsim bench` is running, `rm -r {in_shell(place)}` deletes it"

    def progress(self, folder: Folder) -> Progress:
        """Unknown."""
        return Progress(0, None, "results")

    def size(self, folder: Folder) -> int:
        """The bytes of the tables of the run that was measured."""
        place = file_store(folder / "run")
        with readable(place):
            return sum(part.bytes for part in Journal(place).parts().values())

    def restore(self, folder: Folder) -> list[str]:
        """Nothing can be restored, nor need be."""
        raise RunError(f"{folder}: {self.state(folder).words}")

    def show_command(self, folder: Folder) -> str:
        """A benchmark prints its results when it ends."""
        return self.state(folder).repair_hint


def _refuse_incomplete(place: FileStore, errors: list[str], state: State) -> None:
    # RunError with what is left to do, after everything was restored that needs no playing.
    if errors:
        raise RunError("\n".join(f"{place}: {line}" for line in [*listed(errors), state.mending(errors)]))
    if not state.finished:
        raise RunError(f"{place}: {state.words}")


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
