"""Experiments in TOML files: reading them, reporting all errors together, writing them, and a template.

A file is flat: one key per field of `Experiment`, the switches of the ruleset in a table `[rules]`, and interventions
in a list of tables. `analyses/first_look/experiment.toml` shows every key. `wallsim.play.scenarios.file` reads files
with several experiments.

A Python policy that a file names is run only if the user trusts its code. A user who types the name of a policy, or
passes it to `Experiment`, has read it or knows its author; a name inside a file may have been written by somebody else,
and loading an experiment loads its policies. So the names are looked at before, and nothing of a refused file is read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, get_args, get_type_hints

from pydantic import ValidationError

from wallsim.errors import InputError
from wallsim.escaping import escaped_line, in_shell, in_toml
from wallsim.experiment.errors import SCENARIO_KEYS, error_lines
from wallsim.experiment.experiment import Experiment
from wallsim.experiment.keys import EXPERIMENT_KEYS, Key, shown
from wallsim.experiment.setup_keys import EDIT_KEYS, SWITCH_NAMES
from wallsim.policies.catalogue import is_policy_file, listed_names
from wallsim.policies.policy import is_code_file
from wallsim.rules.files import read_input, read_toml
from wallsim.rules.ruleset import SWITCHES, Ruleset
from wallsim.rules.tower import is_tower_file, tower_presets

OPTION = "--trust-code"
_HEAD = """\
# An experiment for wallsim: what is played, how many games, and which tables are written.
#
#     wallsim run {name}
#
# Every key is shown with its default. Delete the keys that you do not want to change. Only the options --games,
# --seed, --workers and --out can be combined with a file. Paths are relative to this file's folder. Tables
# [scenario.NAME] and [factor] at the end make several experiments of one file; docs/running.md shows how.
"""
_WIDTH = 34  # columns before a comment


def code_errors(policies: Any) -> list[str]:
    """One line for each Python file among the policies of a file; these may be of any type, since nothing is checked.

    Whether a file is code is asked of the function that decides about running it.
    """
    return [
        f"policies: {shown(name)[1:-1]} is Python code, which runs with your rights; read it, and add {OPTION} to run "
        "it (in Python trust_code=True)"
        for name in dict.fromkeys(_texts(policies))
        if is_code_file(name)
    ]


def _texts(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else ()
    return [text for each in inner for text in _texts(each)]


FIELDS = Experiment.model_fields
_shifts: list[int] = []  # of seeds; threads share them


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
    if _shifts and type(seed := values.get("seed", EXPERIMENT_KEYS["seed"].default)) is int:
        values["seed"] = seed + sum(_shifts)
    if not trust_code and "policies" not in overrides and (errors := code_errors(values.get("policies"))):
        raise InputError([f"{path}: {error}" for error in errors])
    return validated({**values, **overrides}, lambda key: key if key in overrides else f"{path}: {key}")


@contextmanager
def with_other_games(shift: int) -> Iterator[None]:
    """Meanwhile the seed in the file of every experiment is so much larger, in all threads: other games are played."""
    _shifts.append(shift)
    try:
        yield
    finally:
        _shifts.remove(shift)


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


def experiment_template(name: str) -> str:
    """The text of an experiment file with the defaults, as read by `load_experiment`; `name` is the file's name."""
    lines = [_HEAD.format(name=escaped_line(in_shell(name)))]
    for name, key in EXPERIMENT_KEYS.items():
        if name != "rules":
            lines.append(key.line or _setting(name, key))
    lines += [
        "",
        f"# Policies: {', '.join(listed_names())}.",
        f"# Towers: {', '.join(tower_presets())}.",
        "",
        "[rules]",
    ]
    hints, default_rules = get_type_hints(Ruleset), Ruleset()
    for switch in SWITCHES:
        value = getattr(default_rules, switch.field)
        others = [in_toml(choice) for choice in get_args(hints[switch.field]) if choice != value] or ["100 or more"]
        lines.append(f"# {switch.rule} [{switch.mark}] {switch.meaning}")
        lines.append(f"{f'{switch.field} = {in_toml(value)}':<{_WIDTH}}# or {', '.join(others)}")
    return "\n".join([*lines, ""])


def _setting(name: str, key: Key) -> str:
    default = Experiment.model_fields[name].default
    setting = f"{name} = {in_toml(default)}" if key.example is None else f"# {name} = {in_toml(key.example)}"
    return f"{setting:<{_WIDTH}}# {key.comment or key.allowed}"
