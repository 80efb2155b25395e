"""Playing scenarios one after the other, each into a run folder below one folder with a lock and a document."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Unpack

from wallsim.experiment.components import Components
from wallsim.experiment.experiment import identity
from wallsim.experiment.identity import identity_hash
from wallsim.folder.address import Folder
from wallsim.folder.file_stores import file_store
from wallsim.folder.layout import JOURNAL, scenario_folder
from wallsim.folder.local_files import FileStore
from wallsim.folder.lock import ReadOnlyError, failed, once_unlocked
from wallsim.folder.result_folder import readable
from wallsim.folder.run_store import Store
from wallsim.folder.scenarios import Scenarios, ScenarioStore
from wallsim.folder.store import Slice, games_in
from wallsim.play.custom_checks import check_custom_policies
from wallsim.play.observer import How, RunObserver
from wallsim.play.parallel import checked_workers
from wallsim.play.play import finished_there, play_run, play_slice
from wallsim.play.scenarios.file import ScenarioSet


def play_scenarios(
    scenarios: ScenarioSet, folder: str | Path, *, grows: bool = False, finish: bool = True, **how: Unpack[How]
) -> Scenarios:
    """Play the scenarios into a folder, or what is missing of them, and return all of them finished.

    The arguments and errors are those of `play_run`; InputError also if the folder contains other scenarios. Finished
    chunks remain after an error, an interruption or a kill, and the same call resumes.
    """
    checked_workers(how.get("workers"))
    observer = how["observer"] = how.get("observer") or RunObserver()
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
            runs[name] = play_run(experiment, places[name], grows=grows, finish=finish, **how)
        try:
            if finish:
                store.finish()
        except OSError as error:
            raise failed(store.folder, error) from error
        return Scenarios(store.folder, runs)


def play_scenario_slices(
    scenarios: ScenarioSet, folder: str | Path, slice_: Slice, **how: Unpack[How]
) -> tuple[int, int]:
    """Play a slice of each scenario into a folder, beside other slices; see `play_slice`.

    Returns the sums of its numbers of games. `play_scenarios` gathers the slices.
    """
    checked_workers(how.get("workers"))
    observer = how["observer"] = how.get("observer") or RunObserver()
    parts = _parts(scenarios, observer)
    place = file_store(folder)
    _begin(scenarios, parts, place)
    own = there = 0
    for number, (name, experiment) in enumerate(scenarios.experiments.items(), start=1):
        observer.scenario(name, number, len(parts))
        done = play_slice(experiment, scenario_folder(place.folder, name), slice_, **how)
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
