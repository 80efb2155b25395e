"""Files of models: JSON with a small network for each number of players and moment, and how it was made."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from wallsim.errors import InputError, quoted, refuse_twice
from wallsim.rules.files import data_folder, read_input, read_json
from wallsim.rules.suggestions import did_you_mean


class Feature(NamedTuple):
    """One feature: its name, unit and meaning."""

    name: str
    unit: str
    meaning: str


class FeatureList:
    """The features of one thing; a call declares the next one and returns its place."""

    def __init__(self, what: str) -> None:
        """No features yet; `what` they are is named where a name is declared twice."""
        self._what = what
        self._declared: list[Feature] = []

    def __call__(self, name: str, unit: str, meaning: str) -> int:
        """Declare a feature; returns its place."""
        self._declared.append(Feature(name, unit, meaning))
        return len(self) - 1

    def __len__(self) -> int:
        """How many are declared."""
        return len(self._declared)

    def all(self) -> tuple[Feature, ...]:
        """All features in the order of their places. ValueError if two have one name."""
        refuse_twice(self._what, (feature.name for feature in self._declared))
        return tuple(self._declared)


PLAYERS = ("3", "4", "5")
_CACHE_LINE = 64  # bytes
_MOST = 1e9  # of a coefficient, which becomes a float32


class ModelForm(NamedTuple):
    """What the models of a file are: inputs and outputs by name, a model for each of `moments`, so many units at most.

    The file has the names of `named` under these keys. Of `inputs` it may lack some, those that were declared after it
    was made: they count for nothing. `moments_are` is what moments are called in errors; `missing`
    and `other_version` say what to do about a file without models, and one with other names.
    """

    inputs: Sequence[str]
    outputs: Sequence[str]
    moments: Sequence[str]
    max_units: int
    named: Mapping[str, Sequence[str]]
    moments_are: str
    missing: str
    other_version: str


def model_names(room: str) -> tuple[str, ...]:
    """The names of the files of models in a folder of `data`."""
    return tuple(sorted(path.stem for path in data_folder(room).glob("*.json")))


def path_of_models(room: str, name_or_path: str, folder: Path = Path()) -> Path:
    """The path of a name in a folder of `data`, or of a .json file; a relative one begins at the `folder`.

    InputError for a name that is not known.
    """
    if name_or_path.endswith(".json"):
        return folder / name_or_path
    names = model_names(room)
    if name_or_path not in names:
        meant = did_you_mean(name_or_path, names)
        raise InputError(f"{quoted(name_or_path)} is not one of {', '.join(names)}, nor a .json file{meant}")
    return data_folder(room) / f"{name_or_path}.json"


def read_models(path: Path, form: ModelForm, **parts: ModelForm) -> tuple[str, dict[str, Any]]:
    """The sha256 and the contents of a file of models; InputError for all that is wrong with its form.

    It may have further models under the keys of `parts`, of these forms.
    """
    try:
        source = read_input(path)
        contents = read_json(source)
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: not a readable JSON file: {error}") from None
    errors = _errors(contents, form)
    for key, of_part in parts.items():
        if not errors and key in contents:
            errors = [f"{key}: {problem}" for problem in _errors(contents[key], of_part)]
    if errors:
        raise InputError([f"{path}: {problem}" for problem in errors])
    return hashlib.sha256(source).hexdigest(), contents


def new_models(dtype: Any) -> Any:
    """An array of one record that begins where a line of the processor's cache does, so that no vector needs two."""
    import numpy as np

    room = np.zeros(dtype.itemsize + _CACHE_LINE, np.uint8)
    first = -room.ctypes.data % _CACHE_LINE
    return room[first : first + dtype.itemsize].view(dtype)


def pack_models(contents: Mapping[str, Any], form: ModelForm, packed: Any) -> None:
    """Write the models of a file into records with `layer` and `outward`, one for each of PLAYERS.

    A number of players that has no model gets that of the nearest.
    """
    first, outputs = form.max_units, len(form.outputs)
    for there, players in zip(packed, PLAYERS, strict=True):
        for moment, model in enumerate(models_for(contents, form, players).values()):
            units = len(model["outward"])
            there["layer"][moment, :, first : first + outputs] = model["linear"]
            if units:
                there["layer"][moment, :, :units] = model["units"]
                there["outward"][moment, :units, :outputs] = model["outward"]


def models_for(contents: Mapping[str, Any], form: ModelForm, players: str) -> dict[str, dict[str, Any]]:
    """The models by moment for one of PLAYERS, or the nearest that has any; inputs that it lacks have rows of zeros."""
    models, given = contents["models"], contents.get("inputs", form.inputs)
    nearest = min(models, key=lambda known: (abs(int(known) - int(players)), known))
    result = {}
    for name in form.moments:
        model = dict(models[nearest][name])
        for part in ("linear", "units"):
            rows = dict(zip(given, model[part], strict=True))
            model[part] = [rows.get(of, [0] * len(model[part][0])) for of in form.inputs]
        result[name] = model
    return result


def _errors(contents: Any, form: ModelForm) -> list[str]:
    if not isinstance(contents, dict) or not isinstance(contents.get("models"), dict) or not contents["models"]:
        return [f"models: missing; {form.missing}"]
    if any(not _are_names(contents.get(key), names, key == "inputs") for key, names in form.named.items()):
        return [f"{', '.join(form.named)}: not those of this version of wallsim; {form.other_version}"]
    errors = []
    for players, moments in contents["models"].items():
        if players not in PLAYERS:
            errors.append(f"models: {quoted(players)} is not one of {', '.join(PLAYERS)} players")
        elif not isinstance(moments, dict):
            errors.append(f"models.{players}: no models of {form.moments_are}")
        else:
            for name in form.moments:
                errors += _errors_of_model(f"models.{players}", name, moments.get(name), form, contents["inputs"])
    return errors


def _are_names(given: Any, names: Sequence[str], some: bool) -> bool:
    # Whether a list has all of the names in their order or, where it may be `some`, names in their order.
    if not some or not isinstance(given, list):
        return bool(given == list(names))
    return bool(given == [name for name in names if name in given])


def _errors_of_model(where: str, name: str, model: Any, form: ModelForm, given: Sequence[str]) -> list[str]:
    if model is None:
        return [f"{where}: {name}: missing"]
    most = form.max_units
    if not isinstance(model, dict) or not isinstance(model.get("outward"), list) or len(model["outward"]) > most:
        return [f"{where}.{name}: more than {most} units, or no model"]
    inputs, outputs, units = len(given), len(form.outputs), len(model["outward"])
    shapes = {"linear": (inputs, outputs), "units": (inputs, units), "outward": (units, outputs)}
    return [
        f"{where}.{name}.{part}: not {rows} rows of {columns} finite numbers"
        for part, (rows, columns) in shapes.items()
        if not _is_table(model.get(part), rows, columns)
    ]


def _is_table(rows: Any, count: int, columns: int) -> bool:
    return (
        isinstance(rows, list)
        and len(rows) == count
        and all(isinstance(row, list) and len(row) == columns for row in rows)
        and all(_is_finite(number) for row in rows for number in row)
    )


def _is_finite(number: Any) -> bool:
    return isinstance(number, int | float) and not isinstance(number, bool) and abs(number) < _MOST
