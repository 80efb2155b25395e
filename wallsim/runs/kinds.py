"""Folders of runs, tournaments, scenarios and benchmarks as kinds of folders; see `folder.kind`."""

from __future__ import annotations

from wallsim.errors import RunError, listed
from wallsim.escaping import in_shell
from wallsim.runs.benchmark.marker import BENCHMARK, marker_errors
from wallsim.runs.folder.address import Folder
from wallsim.runs.folder.file_stores import file_store
from wallsim.runs.folder.journal import Journal
from wallsim.runs.folder.kind import Progress, State
from wallsim.runs.folder.layout import EXPERIMENT, JOURNAL, MANIFEST, SCENARIOS, scenario_folder
from wallsim.runs.folder.local_files import FileStore
from wallsim.runs.folder.result_folder import kind_of, readable
from wallsim.runs.folder.results import Run
from wallsim.runs.restore_documents import restore_documents
from wallsim.runs.scenarios.folder import Scenarios, not_begun, read_document
from wallsim.runs.tournament.folder import TournamentRun


class ChunkFolderKind:
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

    def state(self, folder: Folder) -> State:
        """Whether it has a manifest, and what goes on with it."""
        place = file_store(folder)
        finished = place.size(MANIFEST) is not None
        words = "" if finished else self.reader.progress(place)
        return State(finished, words, self.reader.repair_hint(place, "repairs" if finished else "resumes"))

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


class ScenariosKind:
    """Folders of scenarios, whose runs are folders in them."""

    what = "scenarios"

    def recognises(self, place: FileStore) -> bool:
        """Whether it has the document of scenarios."""
        return place.size(SCENARIOS) is not None

    def verify(self, folder: Folder) -> list[str]:
        """All damage, also in the runs."""
        return Scenarios.verify(folder)

    def state(self, folder: Folder) -> State:
        """Whether all are finished, and what goes on with them."""
        place = file_store(folder)
        with readable(place):
            document = read_document(folder)
            lost = not_begun(place, document.hashes)
        repairs = "repairs" if document.finished else "resumes"
        repair_hint = (
            f"the command that started the scenarios {repairs} it" if lost else Run.repair_hint(place, repairs)
        )
        return State(document.finished, "the scenarios are not finished", repair_hint)

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


class BenchmarkKind:
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

    def state(self, folder: Folder) -> State:
        """Never finished: a benchmark that ends deletes its folder."""
        return State(False, "the benchmark runs or was killed, and leaves no results here", self._advice(folder))

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
        raise RunError(f"{folder}: {self.state(folder).words}; {self._advice(folder)}")

    def show_command(self, folder: Folder) -> str:
        """A benchmark prints its results when it ends."""
        return self._advice(folder)

    def _advice(self, folder: Folder) -> str:
        return f"if no `wallsim bench` is running, `rm -r {in_shell(folder)}` deletes it"


def _refuse_incomplete(place: FileStore, errors: list[str], state: State) -> None:
    # RunError with what is left to do, after everything was restored that needs no playing.
    if errors or not state.finished:
        lines = [f"{place}: {line}" for line in listed(errors or [state.words])]
        raise RunError("\n".join([*lines, f"{place}: {state.repair_hint}"]))
