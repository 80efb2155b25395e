"""Building an experiment from command-line options: numbers, lists and switches, and allowed combinations."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wallsim.errors import InputError

if TYPE_CHECKING:
    from wallsim.runs.experiment import Experiment

_MAX_CHARACTERS = 100  # longest accepted number, and longest quotation of an invalid value in a message
_ALLOWED_WITH_FILE = ("games", "seed")  # options that may be combined with a file
_LISTS = ("lineups", "policies", "expansions")


def experiment_of(file: Path | None, flags: Mapping[str, Any]) -> Experiment:
    """The experiment from a file, a run folder, or options by name; an option that is not given is None.

    The option `rules` is a list of switches, NAME=VALUE. Raises InputError with all faults.
    """
    named = {name: value for name, value in flags.items() if value is not None}
    conflicts = [_flag(name) for name in named if name not in _ALLOWED_WITH_FILE] if file is not None else []
    if conflicts:
        raise InputError(
            f"{', '.join(conflicts)}: cannot be combined with {file}; set it in the file, or use only options"
        )
    is_folder = file is not None and _is_folder(file)
    if is_folder and named:
        raise InputError(
            f"{', '.join(map(_flag, named))}: cannot be combined with the run folder {file}, which determines it"
        )
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


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None


def _flag(name: str) -> str:
    return "--switch" if name == "rules" else f"--{name}"
