"""Playing an experiment or a tournament from Python."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

from wallsim.api.inputs import checked_path, loaded_experiment, observer
from wallsim.experiment.experiment import Experiment
from wallsim.experiment.identity import identity_hash
from wallsim.folder.address import Folder
from wallsim.folder.results import Run
from wallsim.folder.tournament import TournamentRun
from wallsim.play.play import play_run
from wallsim.play.tournament.play import play_tournament
from wallsim.play.tournament.tournament import Tournament
from wallsim.play.worker_checks import checking_workers

if TYPE_CHECKING:
    from wallsim.analysis.precision import Headline, Precision
    from wallsim.folder.scenarios import Scenarios
    from wallsim.play.scenarios.file import ScenarioSet


@overload
def play(
    experiment: Experiment | Run | str | Path, folder: str | Path | None = None, *, workers: int | None = None,
    progress: bool = False, check_policies: bool = False, check_workers: int | None = None, until: str | None = None,
    trust_code: bool = False,
) -> Run: ...  # fmt: skip
@overload
def play(
    experiment: Tournament, folder: str | Path | None = None, *, workers: int | None = None,
    progress: bool = False, check_policies: bool = False, check_workers: int | None = None, until: str | None = None,
    trust_code: bool = False,
) -> TournamentRun: ...  # fmt: skip
def play(
    experiment: Experiment | Tournament | Run | str | Path,
    folder: str | Path | None = None,
    *,
    workers: int | None = None,
    progress: bool = False,
    check_policies: bool = False,
    check_workers: int | None = None,
    until: str | None = None,
    trust_code: bool = False,
) -> Run | TournamentRun:
    """Play an experiment or a tournament and return its results; games in the folder are not played again.

    The first call after an installation compiles the engine, which takes 30 to 60 s of CPU time.

    Parameters
    ----------
    experiment
        The experiment or the tournament. A path may stand for an experiment: that of its TOML file, or of the folder of
        a run, which is then played again.
    folder
        The folder for the results, or its address in an object store. If it contains the same experiment, a finished
        one is only opened, an interrupted one is completed, and a tournament gets its missing blocks. None for a
        temporary folder, which is deleted when the process ends; the same experiment is then played once per process.
    workers
        Number of threads; it does not affect results. None for one per core.
    progress
        Whether to show a progress bar and the progress of compilation on standard error.
    check_policies
        Also check that custom policies change nothing, raise nothing, move where they must, stay within bounds, and
        read nothing hidden. That is in every game, not only in the first; answers are always checked by the rules.
    check_workers
        On a cluster such as Dask's, play one chunk in so many again here and compare the bytes; 0 for none. A cluster
        is a backend of joblib for other processes. The first chunk of every worker is among them, and a worker whose
        bytes differ is left out. None for 50.
    until
        Play on until the widest interval of victory points or of wins has at most this half-width, "vp ±0.1" or
        "win ±0.2pp". The number of games, or of blocks, is then the most. None for all games.
    trust_code
        Run the Python policies that a file or a folder names; read them first. They run with your rights. Those of an
        `Experiment` are run in any case, since you named them.

    Returns
    -------
    Run or TournamentRun
        The finished results: `folder`, `manifest`, and the tables as polars frames by `scan`.

    Raises
    ------
    InputError
        If there is no such experiment, its file names Python policies that are not trusted, the folder contains other
        results, a custom policy breaks a rule, or the number of workers or `check_workers` is invalid.
    RunError
        If writing fails, or the cluster; finished parts are stored, and the same call completes the results.

    Examples
    --------
    >>> run = play(Experiment(players=3, policies="random", games=2))
    >>> run.scan("seats").select("game", "seat").collect().rows()
    [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)]
    """
    what = experiment
    if not isinstance(what, Tournament):
        what = loaded_experiment("experiment", what, trust_code=trust_code)
    place = _temporary_folder_of(what) if folder is None else checked_path("folder", folder)
    precision = None
    if until is not None:
        from wallsim.analysis.precision import parse_precision

        precision = parse_precision(until)
    with checking_workers(check_workers):
        results: Run | TournamentRun = play_into(
            what, place, precision, workers=workers, observer=observer(progress), check_policies=check_policies
        )
    return results


def play_into(what: Experiment | ScenarioSet | Tournament, folder: Folder, until: Precision | None, **how: Any) -> Any:
    """Play an experiment, scenarios or a tournament into a folder: all of it, or until a precision is reached.

    Returns the results of that kind. `how` are `workers`, `observer` and `check_policies` of `play_run`.
    """
    if until is None:
        if isinstance(what, Experiment):
            return play_run(what, folder, **how)
        if isinstance(what, Tournament):
            return play_tournament(what, folder, **how)
        from wallsim.play.scenarios.play import play_scenarios

        return play_scenarios(what, folder, **how)
    from wallsim.analysis.precision import check_scenarios
    from wallsim.play.extending import Look, grow_run, grow_scenarios, grow_tournament

    def judge(results: Run | Scenarios | TournamentRun) -> Look:
        return headline_of(results, until).look()

    if isinstance(what, Experiment):
        return grow_run(what, folder, judge, **how)
    if isinstance(what, Tournament):
        return grow_tournament(what, folder, judge, **how)
    check_scenarios(what.experiments)
    return grow_scenarios(what, folder, judge, **how)


def headline_of(results: Run | Scenarios | TournamentRun, precision: Precision) -> Headline:
    """The headline table of results that are judged by a precision."""
    from wallsim.analysis.precision import headline_of_run, headline_of_scenarios, headline_of_tournament

    if isinstance(results, Run):
        return headline_of_run(results, precision)
    if isinstance(results, TournamentRun):
        return headline_of_tournament(results, precision)
    return headline_of_scenarios(results, precision)


def _temporary_folder_of(experiment: Experiment | Tournament) -> Path:
    # Identities do not include numbers of games; with more of them a folder would say that they were added.
    if isinstance(experiment, Tournament):
        return _temporary_folder() / f"tournament-{identity_hash(experiment.identity())[:16]}-{experiment.blocks}"
    return _temporary_folder() / f"run-{experiment.hash(with_games=True)[:16]}"


@cache
def _temporary_folder() -> Path:
    # Deleted only at exit, because lazy frames read their files later, perhaps when their Run no longer exists.
    folder = Path(tempfile.mkdtemp(prefix="wallsim-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder
