"""Playing scenarios one after the other, each into a run folder below one folder with a lock and a document."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from wallsim.errors import InputError, some_of
from wallsim.experiment.components import Components
from wallsim.experiment.experiment import identity
from wallsim.experiment.identity import identity_hash
from wallsim.folder.address import Folder
from wallsim.folder.checks import refuse_other_identity
from wallsim.folder.checksummed_json import sealed_document
from wallsim.folder.file_stores import file_store
from wallsim.folder.journal import Journal
from wallsim.folder.layout import JOURNAL, MANIFEST, SCENARIOS, scenario_folder
from wallsim.folder.local_files import FileStore
from wallsim.folder.lock import FolderLock, ReadOnlyError, failed, once_unlocked, refuse_files
from wallsim.folder.result_folder import readable
from wallsim.folder.run_store import Store
from wallsim.folder.scenarios import FORMAT, DamagedDocumentError, ScenarioDocument, Scenarios, read_document
from wallsim.folder.store import Slice, games_in
from wallsim.play.custom_checks import check_custom_policies
from wallsim.play.observer import RunObserver
from wallsim.play.parallel import checked_workers
from wallsim.play.play import finished_there, play_run, play_slice
from wallsim.play.scenarios.file import ScenarioSet


class ScenarioStore(FolderLock):
    """A folder of scenarios locked for writing, as a context manager; the runs in it have locks of their own."""

    def __init__(self, place: FileStore, identities: Mapping[str, tuple[str, dict[str, Any]]]) -> None:
        """Lock a folder for scenarios by name, each with the hash and the identity of its run.

        InputError if the folder cannot be written, is in use, or contains anything but these scenarios.
        """
        self._identities = identities
        self.acquire(place)

    def refuse_foreign_files(self) -> None:
        """Without its document, accept only an empty folder, or run folders of these scenarios."""
        if self._document() is not None:
            return
        ours = {SCENARIOS} | {scenario_folder(self.folder, name).name for name in self._identities}
        if not ours.issuperset(name for name in self.place.entries() if not name.startswith(".")):
            refuse_files(self.place)

    def _document(self) -> ScenarioDocument | None:
        # None if it is missing or damaged, so that it is to be written.
        try:
            return read_document(self.folder) if self.place.exists(SCENARIOS) else None
        except DamagedDocumentError:
            return None

    def load_or_begin(self) -> None:
        """Compare the document with the scenarios, or write it."""
        self.place.remove_leftovers(("",))
        document = self._document()
        if document is None:
            self._write(finished=False)
            return
        theirs, ours = document.hashes, {name: facts[0] for name, facts in self._identities.items()}
        if list(theirs) != list(ours):
            raise InputError(
                f"{self.folder}: contains the scenarios {some_of(list(theirs))}, not {some_of(list(ours))}; "
                "choose another folder"
            )
        for name in ours:
            if theirs[name] != ours[name]:
                self._refuse_another(name)

    def _refuse_another(self, name: str) -> None:
        place = file_store(scenario_folder(self.folder, name))
        header = Journal(place).header
        if header is not None:
            refuse_other_identity(place, header.identity, self._identities[name][1], "experiment")
        raise InputError(f"{self.folder}: scenario {name} is another one there; choose another folder")

    def begin_again(self) -> None:
        """Record that scenarios may be unfinished, since games are added to them."""
        if read_document(self.folder).finished:
            self._write(finished=False)

    def finish(self) -> None:
        """Record that every scenario is finished, unless some are to have more games than were played now."""
        places = [file_store(scenario_folder(self.folder, name)) for name in self._identities]
        if all(place.exists(MANIFEST) for place in places) and not read_document(self.folder).finished:
            self._write(finished=True)

    def _write(self, *, finished: bool) -> None:
        entries = [{"name": name, "hash": facts[0]} for name, facts in self._identities.items()]
        document = {"format": FORMAT, "finished": finished, "scenarios": entries}
        self.place.write(SCENARIOS, sealed_document(document))


def play_scenarios(
    scenarios: ScenarioSet,
    folder: str | Path,
    *,
    workers: int | None = None,
    observer: RunObserver | None = None,
    check_policies: bool = False,
    grows: bool = False,
    finish: bool = True,
) -> Scenarios:
    """Play the scenarios into a folder, or what is missing of them, and return all of them finished.

    The arguments and errors are those of `play_run`; InputError also if the folder contains other scenarios. Finished
    chunks remain after an error, an interruption or a kill, and the same call resumes.
    """
    workers = checked_workers(workers)
    observer = observer or RunObserver()
    parts = _parts(scenarios, observer)
    identities = _identities(scenarios, parts)
    try:
        opened = ScenarioStore(file_store(folder), identities)
    except ReadOnlyError as error:
        games = {name: each.games for name, each in scenarios.experiments.items()}
        hashes = {name: hash_ for name, (hash_, _) in identities.items()}

        def is_wanted(there: Scenarios) -> bool:
            same = [*hashes.items()] == [(name, run.hash) for name, run in there.runs.items()]
            return same and all(run.manifest["games"] >= games[name] for name, run in there.runs.items())

        result = finished_there(Scenarios, folder, is_wanted, observer, error)
        return Scenarios(result.folder, {name: run.first(games[name]) for name, run in result.runs.items()})
    with opened as store:
        places = {name: scenario_folder(store.folder, name) for name in identities}
        if any(games_in(places[name]) < each.games for name, each in scenarios.experiments.items()):
            store.begin_again()
        _begin_runs(scenarios, parts, store.folder, grows)
        runs = {}
        for number, (name, experiment) in enumerate(scenarios.experiments.items(), start=1):
            observer.scenario(name, number, len(identities))
            runs[name] = play_run(
                experiment, places[name], workers=workers, observer=observer, check_policies=check_policies,
                grows=grows, finish=finish,
            )  # fmt: skip
        try:
            if finish:
                store.finish()
        except OSError as error:
            raise failed(store.folder, error) from error
        return Scenarios(store.folder, runs)


def play_scenario_slices(
    scenarios: ScenarioSet,
    folder: str | Path,
    slice_: Slice,
    *,
    workers: int | None = None,
    observer: RunObserver | None = None,
    check_policies: bool = False,
) -> tuple[int, int]:
    """Play a slice of each scenario into a folder, beside other slices; see `play_slice`.

    Returns the sums of its numbers of games. `play_scenarios` gathers the slices.
    """
    workers, observer = checked_workers(workers), observer or RunObserver()
    parts = _parts(scenarios, observer)
    place = file_store(folder)
    _begin(scenarios, parts, place)
    own = there = 0
    for number, (name, experiment) in enumerate(scenarios.experiments.items(), start=1):
        observer.scenario(name, number, len(parts))
        done = play_slice(
            experiment, scenario_folder(place.folder, name), slice_, workers=workers, observer=observer,
            check_policies=check_policies,
        )  # fmt: skip
        own, there = own + done[0], there + done[1]
    return own, there


def _parts(scenarios: ScenarioSet, observer: RunObserver) -> dict[str, Components]:
    """What each scenario is played with, after the custom policies of all have been checked."""
    result = {}
    for name, experiment in scenarios.experiments.items():
        result[name] = experiment.components()
        check_custom_policies(experiment, result[name], observer)
    return result


def _identities(scenarios: ScenarioSet, parts: dict[str, Components]) -> dict[str, tuple[str, dict[str, Any]]]:
    """The hash and the identity of each run."""
    facts = {name: identity(experiment, parts[name]) for name, experiment in scenarios.experiments.items()}
    return {name: (identity_hash(each), each) for name, each in facts.items()}


def _begin(scenarios: ScenarioSet, parts: dict[str, Components], place: FileStore) -> None:
    # The folder is locked only for the moment in which they begin; slices may begin at the same time.
    identities = _identities(scenarios, parts)

    def begin() -> None:
        with ScenarioStore(place, identities) as store:
            store.begin_again()
            _begin_runs(scenarios, parts, store.folder)

    once_unlocked(begin)


def _begin_runs(scenarios: ScenarioSet, parts: dict[str, Components], folder: Folder, grows: bool = False) -> None:
    # All before the first is played: `repair` then needs nothing but the folder.
    for name, experiment in scenarios.experiments.items():
        place = file_store(scenario_folder(folder, name))
        with readable(place):
            begun = place.size(JOURNAL) is not None
        if not begun:
            Store(place, experiment, parts[name], grows=grows).close()
