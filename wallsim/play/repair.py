"""Repairing a folder: documents are restored, and only games that are missing or damaged are played."""

from __future__ import annotations

import re
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from wallsim.errors import InputError, RunError, listed, some_of
from wallsim.escaping import in_shell
from wallsim.experiment.experiment import Experiment
from wallsim.experiment.file import load_experiment
from wallsim.folder.address import Folder
from wallsim.folder.checks import PLAY_AGAIN
from wallsim.folder.file_stores import file_store
from wallsim.folder.journal import Journal
from wallsim.folder.layout import EXPERIMENT, HEADLINE, JOURNAL, MANIFEST, scenario_folder
from wallsim.folder.local_files import FileStore
from wallsim.folder.result_folder import readable
from wallsim.folder.results import Run, experiment_file, run_experiment, waits
from wallsim.folder.scenarios import Scenarios, foreign_folders, holds_scenarios, not_begun, read_document
from wallsim.folder.schema import TABLES
from wallsim.folder.verification import RUNS, SETS, folder_kind, restore_documents, state_of
from wallsim.play.observer import How, RunObserver
from wallsim.play.play import play_run
from wallsim.play.scenarios.file import ScenarioSet
from wallsim.play.scenarios.play import play_scenarios
from wallsim.policies.policy import is_code_file

_ITSELF = re.compile("`wallsim repair [^`]*` (repairs|resumes) it")


class Restored(NamedTuple):
    """A folder of another kind than a run or scenarios, which is whole: its kind, and the files that were restored."""

    what: str
    folder: Folder
    files: tuple[str, ...]


def repair(
    folder: str | Path, *, workers: int | None = None, observer: RunObserver | None = None, trust_code: bool = False
) -> Run | Scenarios | Restored:
    """Restore and play whatever a folder of a run or of scenarios lacks, up to the games that it is to have.

    In folders of other kinds what needs no playing is restored; RunError with the command that plays the rest.
    The journal's first line has copies of all documents, and it is itself rebuilt from the experiment; only where both
    are damaged is the original command needed. `trust_code` allows policies that are Python code. InputError for other
    folders, RunError for what cannot be restored, and the errors of `play_run`.
    """
    try:
        return _repair(folder, workers, observer, trust_code)
    except RunError as error:
        # What needs a repair even now was not left by a kill or a damaged disk.
        if (text := _ITSELF.sub(PLAY_AGAIN, str(error))) != str(error):
            raise RunError(text) from None
        raise


def _repair(
    folder: str | Path, workers: int | None, observer: RunObserver | None, trust_code: bool
) -> Run | Scenarios | Restored:
    place, how = file_store(folder), How(workers=workers, observer=observer)
    result: Run | Scenarios
    if holds_scenarios(folder):
        names = read_document(folder).hashes
        runs = {name: file_store(scenario_folder(place.folder, name)) for name in names}
        with readable(place):
            missing = not_begun(place, names)
        if missing:
            raise RunError(
                f"{folder}: {some_of(missing)}: the folder does not record an experiment; repeat the command "
                "that started the scenarios"
            )
        was_finished = SETS.state(place).finished
        experiments = {name: restored_experiment(run.folder, trust_code) for name, run in runs.items()}
        finish = was_finished or not any(map(waits, runs.values()))
        result = play_scenarios(ScenarioSet(experiments), folder, finish=finish, **how)
        errors, played = foreign_folders(place, names), [*result.runs.values()]
    else:
        kind = folder_kind(folder)
        if kind not in (None, RUNS):
            return Restored(kind.what, place.folder, tuple(kind.restore(place)))
        with readable(place):
            finish = not waits(place)
        result = play_run(restored_experiment(folder, trust_code), folder, finish=finish, **how)
        errors, played = [], [result]
    if not finish:
        raise RunError(f"{place}: {state_of(folder).words}")
    _refuse_damaged(place, errors)
    for run in played:
        _refuse_damaged(run.place, _lasting_errors(run))
    return result


def _lasting_errors(run: Run) -> list[str]:
    # What playing does not mend, since all files have the digests of a journal that somebody sealed again.
    with readable(run.place):
        forged = [*run.further_errors(run.hash), *chain(*filter(None, run.footer_errors(run.files)))]
    return [*run.unknown_files(), *(f"{error}; {PLAY_AGAIN}" for error in forged)]


def _refuse_damaged(place: FileStore, errors: list[str]) -> None:
    if errors:
        raise RunError("\n".join(f"{place}: {error}" for error in listed(errors)))


def restored_experiment(folder: str | Path, trust_code: bool = False) -> Experiment:
    """The experiment of a run folder, after its documents have been restored; the errors are those of `repair`."""
    with readable(folder) as place:
        journal = Journal(place)
        if not journal.exists and all(place.size(name) is None for name in (EXPERIMENT, MANIFEST)):
            Run.read_journal(place)  # refuses other folders
        if journal.header is not None:
            if _is_foreign(place, journal, journal.header.hash):
                raise RunError(
                    f"{place}: {JOURNAL} is that of another run than {EXPERIMENT} and the tables beside it; put the "
                    "right one back, or play the run again in a new folder"
                )
            restored = restore_documents(place, journal.header)
            if trust_code and (code := list(filter(is_code_file, restored))):
                raise InputError(
                    f"{place}: {', '.join(code)}: was changed or missing, and has been written again as it was played; "
                    "read it, and repeat the command"
                )
            return run_experiment(folder, trust_code=trust_code)
        if place.size(EXPERIMENT) is None:
            raise _lost(place)
        first, _, _ = place.read(EXPERIMENT).partition(b"\n")
        path = experiment_file(place)
    experiment = load_experiment(path, trust_code=trust_code)
    if first.decode("utf-8", "replace") != f"{HEADLINE}{experiment.hash()}":
        raise _lost(place)
    return experiment


def _lost(place: FileStore) -> RunError:
    return RunError(
        f"{place}: neither the first line of {JOURNAL} nor {EXPERIMENT} is whole; repeat the command that started the "
        f"run with --out {in_shell(place)}"
    )


def _is_foreign(place: FileStore, journal: Journal, hash_: str) -> bool:
    # Whether nothing there is of the run of a whole journal: by it all tables would be played again as another run.
    if not any(place.names(table, ".parquet") for table in TABLES) or _says(place) in ("", hash_):
        return False
    try:
        if Run.open(place.folder).hash == hash_:
            return False
    except RunError:
        pass
    return not any(part.is_whole(place) for part in journal.parts().values())


def _says(place: FileStore) -> str:
    # The hash in the first line of the experiment's document; empty if it has none.
    try:
        first = place.read(EXPERIMENT).partition(b"\n")[0].decode("utf-8", "replace")
    except (FileNotFoundError, RunError):
        return ""
    result = re.fullmatch(f"{re.escape(HEADLINE)}([0-9a-f]{{64}})", first)
    return result[1] if result else ""
