"""A learned value as a file of `data/values`: JSON with the coefficients and how they were made."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wallsim.errors import InputError
from wallsim.policies.value.features import INPUT_NAMES, MAX_UNITS, MOMENTS
from wallsim.rules.files import data_folder, read_input
from wallsim.rules.suggestions import did_you_mean

if TYPE_CHECKING:
    import numpy as np

OUTPUT_NAMES = ("points", "lead", "score")
_PLAYERS = ("3", "4", "5")


@dataclass(frozen=True)
class Value:
    """A learned value: its name, the sha256 of its file, and what the file holds."""

    name: str
    digest: str
    contents: dict[str, Any] = field(compare=False, repr=False)

    def packed(self) -> np.ndarray:
        """A VALUES array of one element; a number of players that was not learned has the model of the nearest."""
        import numpy as np

        from wallsim.policies.value.model import VALUES

        packed = np.zeros(1, VALUES)
        models = self.contents["models"]
        for place, players in enumerate(_PLAYERS):
            nearest = min(models, key=lambda known: (abs(int(known) - int(players)), known))
            for moment, name in enumerate(MOMENTS):
                model, there = models[nearest][name], packed[0].of[place]
                units = len(model["outward"])
                there.layer[moment, :, MAX_UNITS:] = model["linear"]
                if units:
                    there.layer[moment, :, :units] = model["units"]
                    there.outward[moment, :units] = model["outward"]
        return packed


def value_names() -> tuple[str, ...]:
    """The names that `load_value` knows."""
    return tuple(sorted(path.stem for path in data_folder("values").glob("*.json")))


def load_value(name_or_path: str) -> Value:
    """The value of a name or of a .json file; raises InputError for a name or a file that is not one."""
    if name_or_path.endswith(".json"):
        return read_value(Path(name_or_path))
    if name_or_path not in value_names():
        meant = did_you_mean(name_or_path, value_names())
        raise InputError(f"{name_or_path!r} is not one of {', '.join(value_names())}, nor a .json file{meant}")
    return read_value(data_folder("values") / f"{name_or_path}.json")


def read_value(path: Path) -> Value:
    """The value of a file; InputError for all that is wrong with its form."""
    try:
        source = read_input(path)
        contents = json.loads(source)
    except (OSError, ValueError, RecursionError) as error:
        raise InputError(f"{path}: not a readable JSON file: {error}") from None
    errors = _errors(contents)
    if errors:
        raise InputError("\n".join(f"{path}: {problem}" for problem in errors))
    return Value(path.stem, hashlib.sha256(source).hexdigest(), contents)


def _errors(contents: Any) -> list[str]:
    if not isinstance(contents, dict) or not isinstance(contents.get("models"), dict) or not contents["models"]:
        return ["models: missing; learn a value by `wallsim learn`"]
    if contents.get("inputs") != list(INPUT_NAMES):
        return ["inputs: not those of this version of wallsim; learn the value again by `wallsim learn`"]
    errors = []
    for players, moments in contents["models"].items():
        if players not in _PLAYERS:
            errors.append(f"models: {players!r} is not one of {', '.join(_PLAYERS)} players")
        elif not isinstance(moments, dict):
            errors.append(f"models.{players}: no models of seasons")
        else:
            for name in MOMENTS:
                errors += _errors_of_model(f"models.{players}", name, moments.get(name))
    return errors


def _errors_of_model(where: str, name: str, model: Any) -> list[str]:
    if model is None:
        return [f"{where}: {name}: missing"]
    if not isinstance(model, dict) or not isinstance(model.get("outward"), list) or len(model["outward"]) > MAX_UNITS:
        return [f"{where}.{name}: more than {MAX_UNITS} units, or no model"]
    inputs, outputs, units = len(INPUT_NAMES), len(OUTPUT_NAMES), len(model["outward"])
    shapes = {"linear": (inputs, outputs), "units": (inputs, units), "outward": (units, outputs)}
    return [
        f"{where}.{name}.{part}: not {rows} rows of {columns} numbers"
        for part, (rows, columns) in shapes.items()
        if not _is_table(model.get(part), rows, columns)
    ]


def _is_table(rows: Any, count: int, columns: int) -> bool:
    return (
        isinstance(rows, list)
        and len(rows) == count
        and all(isinstance(row, list) and len(row) == columns for row in rows)
        and all(isinstance(number, int | float) and not isinstance(number, bool) for row in rows for number in row)
    )
