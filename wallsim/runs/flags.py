"""Building an experiment from command-line options: numbers, lists and switches, and allowed combinations."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wallsim.errors import InputError
from wallsim.runs.folder.address import Folder, Url

if TYPE_CHECKING:
    from wallsim.runs.experiment import Experiment
    from wallsim.runs.scenarios.file import ScenarioSet

_MAX_CHARACTERS = 100  # longest accepted number, and longest quotation of an invalid value in a message
_ALLOWED_WITH_FILE = ("games", "seed")  # options that may be combined with a file
_OPTIONS = {"rules": "switch", "interventions": "intervene"}  # keys whose option has another name
_LISTS = ("lineups", "policies", "expansions")


def experiment_of(file: Folder | None, flags: Mapping[str, Any], *, trust_code: bool = False) -> Experiment:
    """The experiment from a file, a run folder, or options by name; an option that is not given is None.

    The option `rules` is a list of switches, NAME=VALUE. `trust_code`: run the Python policies that a file or a folder
    names; those of options always are. Raises InputError with all faults.
    """
    named, is_folder = _checked(file, flags)
    if file is None:
        return experiment_from_flags(named)
    from wallsim.runs.experiment_file import load_experiment

    if not is_folder:
        return load_experiment(file, named, trust_code=trust_code)
    from wallsim.runs.folder.results import run_experiment

    return run_experiment(file, trust_code=trust_code)


def experiments_of(
    file: Path | None, flags: Mapping[str, Any], *, trust_code: bool = False
) -> Experiment | ScenarioSet:
    """The same as `experiment_of`, and the scenarios of a file that has some."""
    named, is_folder = _checked(file, flags)
    if file is None or is_folder:
        return experiment_of(file, flags, trust_code=trust_code)
    from wallsim.runs.scenarios.file import load_experiments

    return load_experiments(file, named, trust_code=trust_code)


def experiment_from_flags(flags: Mapping[str, Any]) -> Experiment:
    """The experiment of command-line options by name, `rules` as a mapping; InputError with all faults."""
    from wallsim.runs.experiment_file import validated

    return validated(dict(flags), option_of)


def _checked(file: Folder | None, flags: Mapping[str, Any]) -> tuple[dict[str, Any], bool]:
    # The values of the options that are given, as an experiment takes them, and whether the file is a folder.
    named = {name: value for name, value in flags.items() if value is not None}
    conflicts = [option_of(name) for name in named if name not in _ALLOWED_WITH_FILE] if file is not None else []
    if conflicts:
        raise InputError(
            f"{', '.join(conflicts)}: cannot be combined with {file}; set it in the file, or use only options"
        )
    is_folder = file is not None and _is_folder(file)
    if is_folder and named:
        raise InputError(
            f"{', '.join(map(option_of, named))}: cannot be combined with the run folder {file}, which determines it"
        )
    for name in {"players", "games", "seed"} & named.keys():
        named[name] = number(named[name])
    for name in _LISTS:
        if "," in named.get(name, "") or (name == "lineups" and name in named):
            named[name] = [part.strip() for part in named[name].split(",")]
    if "board" in named:
        named["board"] = str(named["board"])
    if "rules" in named:
        named["rules"] = _switches(named["rules"])
    if "interventions" in named:
        named["interventions"] = [_intervention(text) for text in named["interventions"]]
    return named, is_folder


def number(text: str) -> int | str:
    """A text as a whole number; a text that is not one, or is far too long, is returned unchanged for validation."""
    return int(text) if len(text) <= _MAX_CHARACTERS and re.fullmatch(r"-?[0-9]+(_[0-9]+)*", text) else text


def short(text: str) -> str:
    """A text as it is quoted in messages: cut off if it is long."""
    return text if len(text) <= _MAX_CHARACTERS else f"{text[: _MAX_CHARACTERS - 3]}..."


def _switches(texts: list[str]) -> dict[str, str | int]:
    switches = list(map(_switch, texts))
    names = [name for name, _ in switches]
    twice = dict.fromkeys(name for name in names if names.count(name) > 1)
    if twice:
        raise InputError(f"--switch {', '.join(twice)}: given more than once; a switch has one value")
    return dict(switches)


def _switch(text: str) -> tuple[str, str | int]:
    name, equals, value = text.partition("=")
    if not equals:
        raise InputError(f"--switch: {text!r} is not NAME=VALUE; see `wallsim rules`")
    return name, number(value)


def _intervention(text: str) -> dict[str, Any]:
    # Written as in an experiment file, `do = "hand", thalers = 2`; words may go without quotation marks.
    import tomllib

    try:
        return dict(tomllib.loads(f"step = {{ {text} }}")["step"])
    except ValueError:
        parts = [part.partition("=") for part in text.split(",")]
    if not all(equals for _, equals, _ in parts):
        raise InputError(f"--intervene: {short(text)!r} is not a list of KEY=VALUE; see docs/interventions.md")
    return {key.strip(): number(value.strip().strip("\"'")) for key, _, value in parts}


def _is_folder(path: Folder) -> bool:
    try:
        return isinstance(path, Url) or path.is_dir()
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None


def option_of(key: str) -> str:
    """The option of the command line for a key of an experiment; what stands below the key follows after a space."""
    name, dot, below = key.partition(".")
    return f"--{_OPTIONS.get(name, name)}{' ' if dot else ''}{below}"
