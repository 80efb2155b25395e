"""Reading a file with scenarios: every scenario is a validated experiment, and all errors are reported together.

A table `[scenario.NAME]` changes keys of the experiment above it; its interventions are added to those of the
experiment. `[factor]` lists the values that keys take, and the scenarios are crossed with all combinations of them.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from pathlib import Path, PurePath
from typing import Any

from pydantic import ValidationError

from wallsim.errors import InputError, some_of
from wallsim.experiment.errors import SCENARIO_KEYS, error_lines
from wallsim.experiment.experiment import Experiment
from wallsim.experiment.file import FIELDS, code_errors, has_scenarios, load_experiment, placed, read_values
from wallsim.experiment.identity import identity_hash
from wallsim.experiment.keys import MAX_SEED, shown
from wallsim.folder.scenarios import ALLOWED, is_name, repeated

MAX_SCENARIOS = 1000
ADDED = "interventions"  # the key whose lists are added up; values of all other keys are replaced
SHARED, OWN = "shared", "own"
_TABLES = ("rules", "amounts")  # tables whose entries a scenario changes one by one

Table = dict[str, Any]
_MAX_LABEL = 40  # characters of one value within the name of a factor cell


@dataclass(frozen=True)
class ScenarioValues:
    """A scenario before validation: its name, the values of its experiment, and the keys that it changes."""

    name: str
    values: Table
    changed: frozenset[str]


@dataclass(frozen=True)
class _Factor:
    key: str
    values: list[Any]


def scenario_values(values: Mapping[str, Any]) -> tuple[list[ScenarioValues], list[str]]:
    """The scenarios of a file's values in their order, and the errors of the tables that name them, one per line."""
    base = {key: value for key, value in values.items() if key not in SCENARIO_KEYS}
    scenarios, errors = _named_tables(values)
    factors, more = _factors(values)
    errors += more
    seeds = values.get("scenario_seeds", SHARED)
    if seeds not in (SHARED, OWN):
        errors.append(f"scenario_seeds: {shown(seeds)} is not one of {SHARED}, {OWN}")
    if not scenarios and not factors and not errors:
        errors.append("scenario_seeds: there are no scenarios; name some as [scenario.NAME], or write a [factor]")
    changes = {f"scenario.{name}": _flat(table) for name, table in scenarios}
    for factor in factors:
        inside = [place for place, flat in changes.items() if factor.key in flat and factor.key != ADDED]
        errors += [f"{place}.{factor.key}: is also a factor; allowed is only one of them" for place in inside]
    if seeds == OWN:
        places = [f"{place}.seed" for place, flat in changes.items() if "seed" in flat]
        places += ["factor.seed" for factor in factors if factor.key == "seed"]
        errors += [f'{place}: cannot be combined with scenario_seeds = "{OWN}"' for place in places]
    if max(1, len(scenarios)) * prod(len(factor.values) for factor in factors) > MAX_SCENARIOS:
        return [], [*errors, f"factor: makes more scenarios than {MAX_SCENARIOS}, which are allowed at most"]
    result = list(_crossed(base, scenarios or [(None, {})], factors)) if scenarios or factors else []
    bad = [each.name for each in result if not is_name(each.name)]
    if bad:
        errors.append(f"factor: makes the name {shown(bad[0])}; allowed are {ALLOWED}")
    return result, errors


def _named_tables(values: Mapping[str, Any]) -> tuple[list[tuple[str, Table]], list[str]]:
    if "scenario" not in values:
        return [], []
    tables = values["scenario"]
    if not isinstance(tables, dict) or not tables:
        return [], ["scenario: names no scenario; write a table [scenario.NAME] for each"]
    errors = [
        f"scenario.{name}: is not a table; write [scenario.{name}] and the changed keys below it"
        for name, table in tables.items()
        if not isinstance(table, dict)
    ]
    errors += [f"scenario: {shown(name)} is not a name; allowed are {ALLOWED}" for name in tables if not is_name(name)]
    errors += [
        f"scenario.{name}: is named twice; names must differ by more than upper and lower case"
        for name in repeated(tables)
    ]
    for name, table in tables.items():
        errors += _written_twice(f"scenario.{name}", table)
    return [(name, table) for name, table in tables.items() if isinstance(table, dict) and is_name(name)], errors


def _factors(values: Mapping[str, Any]) -> tuple[list[_Factor], list[str]]:
    if "factor" not in values:
        return [], []
    table = values["factor"]
    if not isinstance(table, dict) or not table:
        return [], ["factor: names no key; write KEY = [VALUE, VALUE, ...] below [factor]"]
    factors, errors = [], _written_twice("factor", table)
    for key, listed in _flat(table).items():
        if not isinstance(listed, list) or not listed:
            errors.append(f"factor.{key}: {shown(listed)} is not a list of values")
            continue
        twice = dict.fromkeys(shown(value) for value in listed if listed.count(value) > 1)
        errors += [f"factor.{key}: {text} is listed more than once; allowed is each value once" for text in twice]
        if not twice:
            factors.append(_Factor(key, listed))
    return factors, errors


def _crossed(
    base: Table, scenarios: Sequence[tuple[str | None, Table]], factors: list[_Factor]
) -> Iterator[ScenarioValues]:
    keys = [factor.key for factor in factors]
    levels = [list(zip(labels(factor.values), factor.values, strict=True)) for factor in factors]
    for name, table in scenarios:
        for cell in product(*levels):
            values, flat = base, _flat(table)
            changes = [flat, {key: value for key, (_, value) in zip(keys, cell, strict=True)}]
            for change in changes:
                values = _changed(values, change)
            changed = frozenset(key.split(".")[0] for change in changes for key in change)
            yield ScenarioValues(cell_name(keys, [label for label, _ in cell], name), values, changed)


def _written_twice(place: str, table: Any) -> list[str]:
    # A switch may be written below `rules` or as a quoted key, but not in both ways; so may an amount.
    if not isinstance(table, dict):
        return []
    below = [f"{name}.{key}" for name in _TABLES if isinstance(inner := table.get(name), dict) for key in inner]
    return [f"{place}.{key}: is written twice; allowed is one value" for key in below if key in table]


def _flat(table: Table) -> Table:
    # Switches and amounts one by one, as "rules.NAME"; everything else as it is.
    flat: Table = {}
    for key, value in table.items():
        if key in _TABLES and isinstance(value, dict):
            flat |= {f"{key}.{name}": setting for name, setting in value.items()}
        else:
            flat[key] = value
    return flat


def _changed(values: Table, flat: Table) -> Table:
    values = dict(values)
    for key, value in flat.items():
        table, dot, name = key.partition(".")
        inner, before = values.get(table, {}), values.get(key, [])
        if dot and table in _TABLES and isinstance(inner, dict):
            values[table] = {**inner, name: value}
        elif key == ADDED and isinstance(value, list) and isinstance(before, list):
            values[key] = [*before, *value]
        else:
            values[key] = value
    return values


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


def labels(values: Sequence[Any]) -> list[str]:
    """A short distinct text for each value of a factor, safe within a name: a repeated one ends in its number."""
    result: list[str] = []
    for number, value in enumerate(values, start=1):
        label = re.sub(r"[^A-Za-z0-9._-]+", "-", _words(value)) or "none"
        if len(label) > _MAX_LABEL:
            label = f"{label[: _MAX_LABEL - 5].rstrip('-.')}.{number}"
        result.append(f"{label}.{number}" if label.lower() in map(str.lower, result) else label)
    return result


def cell_name(keys: Sequence[str], chosen: Sequence[str], scenario: str | None = None) -> str:
    """The name of a cell, as in `tower-mid+setup-draft`, after that of the scenario that it belongs to."""
    factors = [f"{key.partition('.')[2] or key}-{label}" for key, label in zip(keys, chosen, strict=True)]
    return "+".join([*([] if scenario is None else [scenario]), *factors])


def _words(value: Any) -> str:
    # Lists as "court.leaders", tables as "hand-thalers2-seat1-start", files without their folder and ending.
    if isinstance(value, list):
        return ".".join(map(_words, value))
    if isinstance(value, dict):
        named = [(key, _words(inner), isinstance(inner, str)) for key, inner in value.items()]
        return "-".join(words if alone else f"{key}{words}" for key, words, alone in named)
    if isinstance(value, str):
        return PurePath(value).stem if value.endswith((".toml", ".py")) else value
    return shown(value)
