"""Playing scenarios one after the other, each into a run folder of its own below one folder."""

from __future__ import annotations

from pathlib import Path

from wallsim.runs.components import identity
from wallsim.runs.folder.layout import identity_hash, scenario_folder
from wallsim.runs.play import RunObserver, check_custom_policies, failed, play_run
from wallsim.runs.scenarios.file import ScenarioSet
from wallsim.runs.scenarios.folder import Scenarios
from wallsim.runs.scenarios.store import ScenarioStore
from wallsim.runs.workers import checked_workers


def play_scenarios(
    scenarios: ScenarioSet,
    folder: str | Path,
    *,
    workers: int | None = None,
    observer: RunObserver | None = None,
    check_policies: bool = False,
    open_ended: bool = False,
) -> Scenarios:
    """Play the scenarios into a folder, or what is missing of them, and return all of them finished.

    The arguments and errors are those of `play_run`; InputError also if the folder contains other scenarios. Finished
    chunks are kept after an error, an interruption or a kill, and the same call resumes.
    """
    workers = checked_workers(workers)
    observer = observer or RunObserver()
    identities = {}
    for name, experiment in scenarios.experiments.items():
        parts = experiment.components()
        check_custom_policies(experiment, parts, observer)  # of all scenarios, before the first is played
        facts = identity(experiment, parts, open_ended=open_ended)
        identities[name] = identity_hash(facts), facts
    with ScenarioStore(Path(folder), identities) as store:
        if open_ended:
            store.begin_again()
        for number, (name, experiment) in enumerate(scenarios.experiments.items(), start=1):
            observer.scenario(name, number, len(identities))
            place = scenario_folder(store.folder, name)
            play_run(
                experiment, place, workers=workers, observer=observer, check_policies=check_policies,
                open_ended=open_ended,
            )  # fmt: skip
        try:
            store.finish()
        except OSError as error:
            raise failed(store.folder, error) from error
        return Scenarios.open(store.folder)
