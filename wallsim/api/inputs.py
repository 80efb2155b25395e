"""What the functions of `wallsim` accept for a run or an experiment: the object, or a path that leads to it."""

from __future__ import annotations

import inspect
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from wallsim.errors import InputError
from wallsim.experiment.experiment import Experiment
from wallsim.experiment.keys import shown
from wallsim.folder.address import Folder, Url, checked_folder
from wallsim.folder.results import Run
from wallsim.folder.scenarios import Scenarios, holds_scenarios
from wallsim.folder.tournament import TournamentRun
from wallsim.folder.verification import open_results
from wallsim.rules.suggestions import did_you_mean

if TYPE_CHECKING:
    from wallsim.play.observer import RunObserver

Function = TypeVar("Function", bound=Callable[..., Any])


def opened_results(argument: str, results: object) -> Run | TournamentRun:
    """A finished run or tournament, or the one in a folder; InputError for anything else, named by the argument.

    RunError if the results are unfinished, damaged, or of another version of wallsim.
    """
    if isinstance(results, Run | TournamentRun):
        return results
    allowed = "a run, a tournament that was played, or the folder of either"
    if isinstance(results, Scenarios):
        folder: Folder = results.folder
    elif isinstance(results, str | os.PathLike):
        folder = checked_path(argument, results)
        if not isinstance(folder, Url) and _asked(argument, folder, Path.is_file):
            raise InputError(f"{argument}: {folder} is a file; allowed is {allowed}")
        if not holds_scenarios(folder):
            return open_results(folder)
    else:
        raise InputError(f"{argument}: {_kind(results)} is given; allowed is {allowed}")
    raise InputError(
        f"{argument}: {folder} contains scenarios; allowed is the folder of one of them, {folder / 'scenario=NAME'}, "
        "or another run"
    )


def opened_run(argument: str, results: object) -> Run:
    """The same for a run only; InputError for a tournament."""
    result = opened_results(argument, results)
    if isinstance(result, TournamentRun):
        raise InputError(f"{argument}: {result.folder} contains a tournament; allowed is a run or its folder")
    return result


def loaded_experiment(argument: str, experiment: object, *, trust_code: bool = False) -> Experiment:
    """An experiment, or the one of a run, a run folder (finished or not) or a TOML file.

    InputError for anything else, named by the argument, and for a file or a folder with Python policies unless
    `trust_code` is given. RunError if the run cannot be played again as it was.
    """
    from wallsim.experiment.file import load_experiment
    from wallsim.folder.results import run_experiment

    if isinstance(experiment, Experiment):
        return experiment
    allowed = "an experiment, its TOML file, a run, or the folder of a run"
    if isinstance(experiment, Run):
        return run_experiment(experiment.folder, trust_code=trust_code)
    if isinstance(experiment, TournamentRun | Scenarios):
        kind = "a tournament" if isinstance(experiment, TournamentRun) else "scenarios"
        raise InputError(f"{argument}: {experiment.folder} contains {kind}; allowed is {allowed}")
    if not isinstance(experiment, str | os.PathLike):
        raise InputError(f"{argument}: {_kind(experiment)} is given; allowed is {allowed}")
    folder = checked_path(argument, experiment)
    if isinstance(folder, Url) or _asked(argument, folder, Path.is_dir):
        if holds_scenarios(folder):
            raise InputError(f"{argument}: {folder} contains scenarios; allowed is {allowed}")
        return run_experiment(folder, trust_code=trust_code)
    if not _asked(argument, folder, Path.exists) and folder.suffix != ".toml":
        raise InputError(f"{argument}: {folder} does not exist; allowed is {allowed}")
    return load_experiment(folder, trust_code=trust_code)


def checked_path(argument: str, path: object) -> Folder:
    """The path or the address that a text or a Path gives; InputError, named by the argument, for anything else."""
    text = os.fspath(path) if isinstance(path, os.PathLike) and not isinstance(path, Path) else path
    if not isinstance(text, str | Path) or not str(text):
        raise InputError(f"{argument}: {_kind(text)} is given; allowed is the path of a file or a folder")
    try:
        return checked_folder(text)
    except InputError as error:
        raise InputError([f"{argument}: {problem}" for problem in error.errors]) from None


def check_whole_number(argument: str, value: object, least: int, most: int | None = None) -> None:
    """InputError, named by the argument, unless the value is a whole number within bounds."""
    if not isinstance(value, int) or isinstance(value, bool) or value < least or (most is not None and value > most):
        bounds = f"from {least} on" if most is None else f"from {least} to {most}"
        raise InputError(f"{argument}: {shown(value)} is not a whole number {bounds}")


def observer(progress: bool) -> RunObserver | None:
    """What shows progress on standard error, or None."""
    if not progress:
        return None
    from wallsim.report.progress import console_observer
    from wallsim.report.tables.console import make_console

    return console_observer(make_console(to_stderr=True))


def _asked(argument: str, path: Path, question: Callable[[Path], bool]) -> bool:
    try:
        return question(path)
    except OSError as error:  # such as a name that is too long
        raise InputError(f"{argument}: {path}: cannot be read: {error.strerror}") from None


def _kind(value: object) -> str:
    return f"{shown(value)} ({type(value).__name__})" if isinstance(value, int | float | str) else type(value).__name__


def open_run(folder: str | Path) -> Run | TournamentRun:
    """Open a finished run or tournament.

    Parameters
    ----------
    folder
        A folder written by `play`, `wallsim run` or `wallsim tournament`, or its address in an object store.

    Returns
    -------
    Run or TournamentRun
        The results: `folder`, `manifest`, `tables`, and each table as a polars frame by `scan`.

    Raises
    ------
    InputError
        If the folder contains no results.
    RunError
        If they are unfinished or damaged, or were written by an incompatible version of wallsim.

    Examples
    --------
    >>> open_run("results/million").scan("seats").collect()  # doctest: +SKIP
    """
    return opened_results("folder", folder)


def known_options(model: Any, options: Mapping[str, Any]) -> Mapping[str, Any]:
    """The options of a dataclass by name. TypeError for one that it does not have, as for any function."""
    known = [each.name for each in fields(model)]
    for name in options:
        if name not in known:
            raise TypeError(f"{name}: no such option{did_you_mean(name, known)}; help() lists all")
    return options


def take_options(function: Function, model: Callable[..., object], texts: str) -> Function:
    """Give a function the keyword parameters of a class in place of its `**options`: signature and texts."""
    signature = inspect.signature(function)
    own = {name: each for name, each in signature.parameters.items() if each.kind is not each.VAR_KEYWORD}
    more = [each for name, each in inspect.signature(model).parameters.items() if name not in own]
    vars(function)["__signature__"] = signature.replace(parameters=[*own.values(), *more])
    function.__doc__ = re.sub(r"\*\*options\n(?: +.*\n)+", lambda _: texts, inspect.getdoc(function) or "")
    return function
