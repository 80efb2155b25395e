"""Building an experiment from the texts of options: numbers, lists and switches, and allowed combinations.

Errors name the key of an experiment; the command line makes its option of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wallsim.errors import InputError, quoted, short, some_of
from wallsim.experiment.keys import EXPERIMENT_KEYS, whole_number
from wallsim.folder.address import Folder, Url
from wallsim.folder.layout import scenario_folder
from wallsim.rules.files import read_toml
from wallsim.rules.suggestions import did_you_mean

if TYPE_CHECKING:
    from wallsim.experiment.experiment import Experiment
    from wallsim.play.scenarios.file import ScenarioSet

_ALLOWED_WITH_FILE = ("games", "seed")  # keys that may be combined with a file


def experiment_of(file: Folder | None, flags: Mapping[str, Any], *, trust_code: bool = False) -> Experiment:
    """The experiment from a file, a run folder, or options by name; an option that is not given is None.

    The option `rules` is a list of switches, NAME=VALUE. `trust_code`: run the Python policies that a file or a folder
    names; those of options always are. Raises InputError with all errors.
    """
    named, is_folder = _checked(file, flags)
    if file is None:
        return experiment_from_flags(named)
    from wallsim.experiment.file import load_experiment

    if not is_folder:
        return load_experiment(file, named, trust_code=trust_code)
    from wallsim.folder.results import run_experiment

    return run_experiment(file, trust_code=trust_code)


def experiments_of(
    file: Path | None, flags: Mapping[str, Any], *, trust_code: bool = False
) -> Experiment | ScenarioSet:
    """The same as `experiment_of`, and the scenarios of a file that has some."""
    named, is_folder = _checked(file, flags)
    if file is None or is_folder:
        return experiment_of(file, flags, trust_code=trust_code)
    from wallsim.play.scenarios.file import load_experiments

    return load_experiments(file, named, trust_code=trust_code)


def table_of(file: Folder | None, scenario: str | None, flags: Mapping[str, Any]) -> Experiment:
    """The experiment whose table a tournament takes: from a file, a folder of a run or of scenarios, or options.

    `scenario` names one of several. Policies that a file names are neither loaded nor run. InputError with all errors.
    """
    named, is_folder = _checked(file, flags)
    if file is None:
        if scenario is not None:
            raise InputError("scenario: is for an experiment with scenarios; name its file or folder, too")
        return experiment_from_flags(named)
    from wallsim.folder.results import run_experiment_file
    from wallsim.folder.scenarios import holds_scenarios, read_document
    from wallsim.play.scenarios.file import ScenarioSet, load_experiments
    from wallsim.policies.catalogue import DEFAULT_POLICY

    unused = {"policies": DEFAULT_POLICY}
    if is_folder and holds_scenarios(file):
        name = _one_scenario(file, scenario, list(read_document(file).hashes))
        found = load_experiments(run_experiment_file(scenario_folder(file, name)), unused)
    else:
        found = load_experiments(run_experiment_file(file) if is_folder else Path(file), {**named, **unused})
        if isinstance(found, ScenarioSet):
            return found.experiments[_one_scenario(file, scenario, list(found.experiments))]
        if scenario is not None:
            raise InputError(f"scenario: {file} has no scenarios; leave it out")
    assert not isinstance(found, ScenarioSet)
    return found


def _one_scenario(file: Folder, scenario: str | None, known: list[str]) -> str:
    if scenario in known:
        return str(scenario)
    if scenario is None:
        raise InputError(f"scenario: {file} has the scenarios {some_of(known)}; choose one")
    raise InputError(f"scenario: {quoted(scenario)} is not one of {some_of(known)}{did_you_mean(scenario, known)}")


def experiment_from_flags(flags: Mapping[str, Any]) -> Experiment:
    """The experiment of values by key, `rules` as a mapping; InputError with all errors."""
    from wallsim.experiment.file import validated

    return validated(dict(flags), str)


def _checked(file: Folder | None, flags: Mapping[str, Any]) -> tuple[dict[str, Any], bool]:
    # The values of the options that are given, as an experiment takes them, and whether the file is a folder.
    named = {name: value for name, value in flags.items() if value is not None}
    conflicts = [name for name in named if name not in _ALLOWED_WITH_FILE] if file is not None else []
    if conflicts:
        raise InputError(
            f"{', '.join(conflicts)}: cannot be combined with {file}; set it in the file, or use only options"
        )
    is_folder = file is not None and _is_folder(file)
    if is_folder and named:
        raise InputError(f"{', '.join(named)}: cannot be combined with the run folder {file}, which determines it")
    return {name: _READ[EXPERIMENT_KEYS[name].read](name, value) for name, value in named.items()}, is_folder


def _switches(texts: list[str]) -> dict[str, str | int]:
    switches = list(map(_switch, texts))
    names = [name for name, _ in switches]
    twice = [short(name) for name, count in Counter(names).items() if count > 1]
    if twice:
        raise InputError(f"rules: {', '.join(twice)} given more than once; a switch has one value")
    return dict(switches)


def _switch(text: str) -> tuple[str, str | int]:
    name, equals, value = text.partition("=")
    if not equals:
        raise InputError(f"rules: {quoted(text)} is not NAME=VALUE; see `wallsim rules`")
    return name, whole_number(value)


def _intervention(text: str) -> dict[str, Any]:
    # Written as in an experiment file, `do = "hand", thalers = 2`; words may go without quotation marks.
    try:
        return dict(read_toml(f"step = {{ {text} }}")["step"])
    except ValueError:
        parts = [part.partition("=") for part in text.split(",")]
    if not all(equals for _, equals, _ in parts):
        raise InputError(f"interventions: {short(text)!r} is not a list of KEY=VALUE; see docs/interventions.md")
    return {key.strip(): whole_number(value.strip().strip("\"'")) for key, _, value in parts}


def _is_folder(path: Folder) -> bool:
    try:
        return isinstance(path, Url) or path.is_dir()
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None


def _list(name: str, text: str) -> str | list[str]:
    # A single name stays a text, which stands for every seat or for all expansions; line-ups have no such name.
    parts = [part.strip() for part in text.split(",")]
    if name == "policies":
        from wallsim.policies.catalogue import refuse_former_name

        refuse_former_name(parts)
    return parts if "," in text or name == "lineups" else text


# How the text of an option becomes the value of its key, by the `read` of the key.
_READ: Mapping[str, Callable[[str, Any], Any]] = {
    "text": lambda _, text: text,
    "number": lambda _, text: whole_number(text),
    "list": _list,
    "flag": lambda _, given: given,
    "folder": lambda _, path: str(path),
    "switches": lambda _, texts: _switches(texts),
    "steps": lambda _, texts: list(map(_intervention, texts)),
}
