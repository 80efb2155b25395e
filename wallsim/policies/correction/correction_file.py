"""A correction as a file of `data/corrections`: JSON with the coefficients and how they were made."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wallsim.errors import InputError
from wallsim.policies.correction.features import INPUT_NAMES, INPUTS, MAX_UNITS, MOMENTS
from wallsim.rules.files import data_folder, read_input
from wallsim.rules.suggestions import did_you_mean
from wallsim.rules.terms import ACTIONS

if TYPE_CHECKING:
    import numpy as np

OUTPUT_NAMES = (*ACTIONS, "auction")
_PLAYERS = ("3", "4", "5")
_PACKED: dict[str, Any] = {}  # never freed, since minds hold addresses


@dataclass(frozen=True)
class Correction:
    """A correction: its name, the sha256 of its file, and what the file holds; `said` is how a policy file names it."""

    name: str
    digest: str
    contents: dict[str, Any] = field(compare=False, repr=False)
    said: str = field(default="", compare=False)

    def packed(self) -> np.ndarray:
        """A CORRECTIONS array of one element; a number of players that was not taught has the model of the nearest."""
        import numpy as np

        from wallsim.policies.correction.model import CORRECTIONS

        packed = np.zeros(1, CORRECTIONS)
        models, outputs = self.contents["models"], len(OUTPUT_NAMES)
        for place, players in enumerate(_PLAYERS):
            nearest = min(models, key=lambda known: (abs(int(known) - int(players)), known))
            for moment, name in enumerate(MOMENTS):
                model, there = models[nearest][name], packed[0].of[place]
                units = len(model["outward"])
                there.layer[moment, :, MAX_UNITS : MAX_UNITS + outputs] = model["linear"]
                if units:
                    there.layer[moment, :, :units] = model["units"]
                    there.outward[moment, :units, :outputs] = model["outward"]
        return packed

    def address(self) -> int:
        """The address of its CORRECTIONS, which stay in memory as long as the process runs."""
        packed = _PACKED.get(self.digest)
        if packed is None:
            packed = _PACKED.setdefault(self.digest, self.packed())  # of threads that pack it at once, one is used
        return int(packed.ctypes.data)


def no_correction() -> Correction:
    """A correction that says nothing: a planner with it plans as without, and notes what it sees."""
    nothing = {"linear": [[0.0] * len(OUTPUT_NAMES)] * INPUTS, "units": [[]] * INPUTS, "outward": []}
    return Correction("none", "none", {"models": {"4": dict.fromkeys(MOMENTS, nothing)}})


def correction_names() -> tuple[str, ...]:
    """The names that `load_correction` knows."""
    return tuple(sorted(path.stem for path in data_folder("corrections").glob("*.json")))


def load_correction(name_or_path: str, folder: Path = Path()) -> Correction:
    """The correction of a name or of a .json file; raises InputError for a name or a file that is not one.

    A relative path begins at the `folder`, that of the policy file.
    """
    if name_or_path.endswith(".json"):
        return replace(read_correction(folder / name_or_path), said=name_or_path)
    if name_or_path not in correction_names():
        known = ", ".join(correction_names())
        meant = did_you_mean(name_or_path, correction_names())
        raise InputError(f"{name_or_path!r} is not one of {known}, nor a .json file{meant}")
    shipped = read_correction(data_folder("corrections") / f"{name_or_path}.json")
    return replace(shipped, said=name_or_path)


def read_correction(path: Path) -> Correction:
    """The correction of a file; InputError for all that is wrong with its form."""
    try:
        source = read_input(path)
        contents = json.loads(source)
    except (OSError, ValueError, RecursionError) as error:
        raise InputError(f"{path}: not a readable JSON file: {error}") from None
    errors = _errors(contents)
    if errors:
        raise InputError("\n".join(f"{path}: {problem}" for problem in errors))
    return Correction(path.stem, hashlib.sha256(source).hexdigest(), contents)


def _errors(contents: Any) -> list[str]:
    if not isinstance(contents, dict) or not isinstance(contents.get("models"), dict) or not contents["models"]:
        return ["models: missing; teach a correction by `wallsim teach`"]
    if contents.get("inputs") != list(INPUT_NAMES) or contents.get("outputs") != list(OUTPUT_NAMES):
        return ["inputs, outputs: not those of this version of wallsim; teach it again by `wallsim teach`"]
    errors = []
    for players, moments in contents["models"].items():
        if players not in _PLAYERS:
            errors.append(f"models: {players!r} is not one of {', '.join(_PLAYERS)} players")
        elif not isinstance(moments, dict):
            errors.append(f"models.{players}: no models of rounds")
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
    return isinstance(number, int | float) and not isinstance(number, bool) and abs(number) < 1e9
