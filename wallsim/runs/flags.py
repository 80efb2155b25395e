"""From the words of a command line to an experiment: numbers, lists and switches, and which words go together."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wallsim.errors import InputError

if TYPE_CHECKING:
    from wallsim.runs.experiment import Experiment

_LONGEST = 100  # characters of a number, or of a wrong value that a message repeats
_WITH_A_FILE = ("games", "seed")  # flags of an experiment that may go with a file
_LISTS = ("lineups", "policies", "expansions")


def experiment_of(file: Path | None, flags: Mapping[str, Any]) -> Experiment:
    """The experiment of a file, of a run folder, or of flags by name, None for those not given.

    `rules` holds the words of the switches, NAME=VALUE. InputError with all that is wrong.
    """
    named = {name: value for name, value in flags.items() if value is not None}
    clash = [_flag(name) for name in named if name not in _WITH_A_FILE] if file is not None else []
    if clash:
        raise InputError(f"{', '.join(clash)}: not together with {file}; write it there, or use flags alone")
    is_folder = file is not None and _is_folder(file)
    if is_folder and named:
        raise InputError(f"{', '.join(map(_flag, named))}: not together with the run folder {file}, which says it")
    from wallsim.runs.experiment_file import experiment_from_flags, load_experiment

    for name in {"players", "games", "seed"} & named.keys():
        named[name] = number(named[name])
    if file is not None:
        if not is_folder:
            return load_experiment(file, named)
        from wallsim.runs.folder.results import run_experiment

        return run_experiment(file)
    for name in _LISTS:
        if "," in named.get(name, "") or (name == "lineups" and name in named):
            named[name] = [part.strip() for part in named[name].split(",")]
    if "board" in named:
        named["board"] = str(named["board"])
    if "rules" in named:
        named["rules"] = _switches(named["rules"])
    return experiment_from_flags(named)


def number(text: str) -> int | str:
    """A whole number; any other text as it is, and what is far too long, to be refused with all other faults."""
    return int(text) if len(text) <= _LONGEST and re.fullmatch(r"-?[0-9]+(_[0-9]+)*", text) else text


def short(text: str) -> str:
    """A text as messages repeat it, its end left out if it is long."""
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."


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


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None


def _flag(name: str) -> str:
    return "--switch" if name == "rules" else f"--{name}"
