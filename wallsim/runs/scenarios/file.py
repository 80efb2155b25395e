"""Reading a file with scenarios: every scenario is a validated experiment, and all errors are reported together."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from wallsim.errors import InputError, some_of
from wallsim.runs.experiment import Experiment
from wallsim.runs.experiment_errors import error_lines
from wallsim.runs.experiment_file import FIELDS, has_scenarios, load_experiment, placed, read_values
from wallsim.runs.folder.layout import identity_hash
from wallsim.runs.keys import MAX_SEED
from wallsim.runs.quotation import shown
from wallsim.runs.scenarios.factor_design import OWN, ScenarioValues, scenario_values
from wallsim.runs.scenarios.names import ALLOWED, is_name, repeated
from wallsim.runs.trust import code_errors

_NAMES_SHOWN = 3  # of the scenarios that share an error


@dataclass(frozen=True)
class ScenarioSet:
    """The scenarios of a file, each an experiment, in their order.

    `name` is the title of all, None if their titles differ. InputError if there are none, or a name is not allowed.
    """

    experiments: dict[str, Experiment]
    name: str | None = None

    def __post_init__(self) -> None:
        """Refuse names that cannot be names of folders beside each other."""
        twice = repeated(self.experiments)
        errors = [f"scenario: {shown(name)} is named twice, in upper and lower case" for name in twice]
        bad = [name for name in self.experiments if not is_name(name)]
        errors += [f"scenario: {shown(name)} is not a name; allowed are {ALLOWED}" for name in bad]
        if errors or not self.experiments:
            raise InputError(errors or "scenario: at least one is required")

    def hash(self) -> str:
        """The sha256 of the scenarios' names and of everything that decides game k of each."""
        hashes = [[name, each.hash()] for name, each in self.experiments.items()]
        return identity_hash({"scenarios": hashes})


def load_experiments(
    path: str | Path, overrides: Mapping[str, Any] | None = None, *, trust_code: bool = False
) -> Experiment | ScenarioSet:
    """What a TOML file says, with `overrides` for some keys of every experiment in it; InputError with all errors.

    `trust_code`: run the Python policies that the file names; otherwise they are refused.
    """
    path = Path(path)
    values = read_values(path)
    if not has_scenarios(values):
        return load_experiment(path, overrides, trust_code=trust_code)
    overrides = dict(overrides or {})
    result, errors = scenario_values(values)
    seeds_are_own = values.get("scenario_seeds") == OWN
    lines = [f"{path}: {problem}" for problem in errors]
    experiments: dict[str, Experiment] = {}
    wrong: dict[str, list[ScenarioValues]] = {}  # the scenarios that share an error, by its text
    pairs = [(scenario, placed(scenario.values, path.parent)) for scenario in result]
    if not trust_code and "policies" not in overrides:
        for scenario, there in pairs:  # before the first policy of any scenario is loaded
            for line in code_errors(there.get("policies")):
                wrong.setdefault(line, []).append(scenario)
    for scenario, there in () if wrong else pairs:
        given = {**there, **overrides}
        if seeds_are_own:
            given["seed"] = own_seed(given.get("seed", Experiment.model_fields["seed"].default), scenario.name)
        try:
            experiments[scenario.name] = Experiment.model_validate(given)
        except ValidationError as error:
            for line in error_lines(error, given, lambda key: f"--{key}" if key in overrides else key, FIELDS):
                wrong.setdefault(line, []).append(scenario)
    lines += [_placed_line(path, line, scenarios, len(result)) for line, scenarios in wrong.items()]
    if lines:
        raise InputError(list(dict.fromkeys(lines)))
    names = {experiment.name for experiment in experiments.values()}
    return ScenarioSet(experiments, names.pop() if len(names) == 1 else None)


def own_seed(seed: Any, name: str) -> Any:
    """The seed of a scenario that has games of its own; an invalid `seed` is returned unchanged for validation.

    It depends on the seed and the name alone, so that adding a scenario changes no game of the others. A seed is in the
    identity of a run, while a first game number is not: a range of numbers for each scenario would have changed the
    form of run folders, and rows of two scenarios with the same number would look paired just the same.
    """
    if type(seed) is not int or not 0 <= seed <= MAX_SEED:
        return seed
    return int.from_bytes(hashlib.sha256(f"{seed} {name}".encode()).digest()[:8]) & MAX_SEED


def _placed_line(path: Path, line: str, scenarios: list[ScenarioValues], count: int) -> str:
    # An error of the experiment above the scenarios is one of that experiment and not of each of them.
    if line.startswith("--"):
        return line
    key = line.split(":")[0].split(".")[0]
    if len(scenarios) == count and not any(key in scenario.changed for scenario in scenarios):
        return f"{path}: {line}"
    names = [scenario.name for scenario in scenarios]
    return f"{path}: scenario {some_of(names, _NAMES_SHOWN)}: {line}"
