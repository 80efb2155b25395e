"""Reading experiments from TOML files, reporting all errors together, and writing them in canonical form.

A file is flat: one key per field of `Experiment`, the switches of the ruleset in a table `[rules]`, and interventions
in a list of tables.
`analyses/first_look/experiment.toml` shows every key. `wallsim.runs.scenarios.file` reads files with several
experiments.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from wallsim.errors import InputError
from wallsim.escaping import in_shell, in_toml
from wallsim.policies.catalogue import is_policy_file
from wallsim.rules.files import read_input, read_toml
from wallsim.rules.tower import is_tower_file
from wallsim.runs.experiment import SWITCH_NAMES, Experiment
from wallsim.runs.experiment_errors import SCENARIO_KEYS, error_lines
from wallsim.runs.keys import EXPERIMENT_KEYS
from wallsim.runs.setup_keys import EDIT_KEYS
from wallsim.runs.trust import code_errors

FIELDS = Experiment.model_fields


def load_experiment(
    path: str | Path, overrides: Mapping[str, Any] | None = None, *, trust_code: bool = False
) -> Experiment:
    """The experiment of a TOML file, with `overrides` for some of its keys; InputError with all errors.

    `trust_code`: run the Python policies that the file names; otherwise they are refused. Those of `overrides` are run.
    """
    path = Path(path)
    values = read_values(path)
    if has_scenarios(values):
        raise InputError(
            f"{path}: contains scenarios, not one experiment; `wallsim run {in_shell(path)}` plays them, each into a "
            "folder that can be used instead of this file"
        )
    overrides = dict(overrides or {})
    values = placed(values, path.parent)
    if not trust_code and "policies" not in overrides and (errors := code_errors(values.get("policies"))):
        raise InputError([f"{path}: {error}" for error in errors])
    return validated(
        {**values, **overrides},
        lambda key: key if key in overrides else f"{path}: {key}",
    )


def read_values(path: Path) -> dict[str, Any]:
    """The keys and values of a TOML file as they stand there; InputError if it cannot be read."""
    try:
        return read_toml(read_input(path))
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise InputError(f"{path}: not a TOML file: {error}") from None


def has_scenarios(values: Mapping[str, Any]) -> bool:
    """Whether the values of a file are those of several experiments."""
    return any(key in values for key in SCENARIO_KEYS)


def placed(values: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """The values of a file in `folder`, with the paths in them starting at that folder."""
    values = dict(values)
    for key in ("tower", "board"):
        if isinstance(values.get(key), str) and (key == "board" or is_tower_file(values[key])):
            values[key] = str(folder / values[key])
    if values.get("policies") is not None:
        values["policies"] = _placed(values["policies"], folder)
    return values


def validated(values: Mapping[str, Any], place: Callable[[str], str]) -> Experiment:
    """The experiment of these values; InputError with all errors, where `place` names the source of a key's value."""
    try:
        return Experiment.model_validate(values)
    except ValidationError as error:
        raise InputError(error_lines(error, values, place, FIELDS)) from None


def _placed(policies: Any, folder: Path) -> Any:
    # Paths of policy files are relative to the folder of the experiment file. Invalid types are refused later.
    if isinstance(policies, list):
        return [_placed(policy, folder) for policy in policies]
    return str(folder / policies) if isinstance(policies, str) and is_policy_file(policies) else policies


def experiment_text(
    experiment: Experiment,
    *,
    tower: str | None = None,
    board: str | None = None,
    policies: Mapping[str, str] | None = None,
) -> str:
    """The canonical TOML of an experiment, with every key that has a value; `columns` only if not all are written.

    `tower`, `board` and `policies` replace its paths.
    """
    values = experiment.model_dump()
    values["policies"] = [(policies or {}).get(policy, policy) for policy in experiment.policies]
    values["tower"] = tower or experiment.tower
    values["board"] = board or experiment.board
    ruleset = experiment.ruleset()
    values["lineups"] = [letter for letter in ruleset.letters() if letter]
    rules = {name: getattr(ruleset, name) for name in SWITCH_NAMES}
    flat = [key for key in FIELDS if key not in ("rules", "interventions", *EDIT_KEYS)]
    if values["columns"] == EXPERIMENT_KEYS["columns"].default:
        flat.remove("columns")
    lines = [f"{key} = {in_toml(values[key])}" for key in flat if values[key] is not None]
    if experiment.thalers:
        lines.append(f"thalers = {in_toml(experiment.thalers)}")
    if experiment.without:
        lines.append(f"without = {in_toml(experiment.without)}")
    if experiment.interventions:
        lines += ["interventions = [", *(f"    {in_toml(step)}," for step in experiment.interventions), "]"]
    lines += ["", "[rules]", *(f"{key} = {in_toml(value)}" for key, value in rules.items()), ""]
    if experiment.amounts:
        lines += ["[amounts]", *(f"{name} = {number}" for name, number in experiment.amounts.items()), ""]
    for letter, groups in experiment.lineup.items():
        lines += [f"[lineup.{letter}]", *(f"{in_toml(county)} = {armies}" for county, armies in groups.items()), ""]
    return "\n".join(lines)
