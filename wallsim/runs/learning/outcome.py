"""The file of a learned value: its models, how they were made, and how well they predict held-out games."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

import numpy as np

from wallsim.errors import RunError
from wallsim.policies.value.features import INPUT_NAMES
from wallsim.policies.value.value_file import OUTPUT_NAMES
from wallsim.runs.folder.derived import CHECKSUMS, derived_errors, read_checksums
from wallsim.runs.folder.local_files import FileStore
from wallsim.runs.learning.fitting import Fit

_DECIMALS = 4  # of a coefficient, whose feature is 80 at most


def model_of(fit: Fit) -> dict[str, list[list[float]]]:
    """A model in types of JSON; each coefficient has four decimals."""
    return {"linear": _rows(fit.linear), "units": _rows(fit.units), "outward": _rows(fit.from_units)}


def rounded(fit: Fit) -> Fit:
    """The model as it is written and played."""
    model = model_of(fit)
    units = fit.units.shape[1]
    return Fit(
        np.array(model["linear"]),
        np.array(model["units"]).reshape(len(INPUT_NAMES), units),
        np.array(model["outward"]).reshape(units, len(OUTPUT_NAMES)),
    )


def value_text(result: dict[str, Any], models: dict[str, Any]) -> str:
    """The text of a file of `data/values`."""
    return models_text({**result, "outputs": list(OUTPUT_NAMES), "inputs": list(INPUT_NAMES)}, models)


def models_text(header: dict[str, Any], models: dict[str, Any]) -> str:
    """The text of a file of models: how it was made in lines of its own, then a line for each model."""
    lines = [f"{json.dumps(key)}: {_compact(value)}" for key, value in header.items()]
    by_players = []
    for players, moments in models.items():
        rows = [f"{json.dumps(name)}: {_compact(model)}" for name, model in moments.items()]
        by_players.append(f"{json.dumps(players)}: {{\n" + ",\n".join(rows) + "\n}")
    lines.append('"models": {\n' + ",\n".join(by_players) + "\n}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


class Saved(NamedTuple):
    """The errors of a result's files and of others, one line each, and the digests of the others by name."""

    errors: list[str]
    other_errors: list[str]
    others: dict[str, str]


def value_file(name: str) -> str:
    """The name of the file of a value."""
    return f"{name}.json"


def read_saved(place: FileStore, *files: str) -> Saved:
    """What is wrong with the results that a folder has, of which one, with these files, is about to be computed.

    OSError is passed on.
    """
    try:
        digests = read_checksums(place) or {}
    except RunError as error:
        return Saved([str(error)], [], {})
    errors = list(derived_errors(place, ()))
    own = [error for error in errors if error.partition(": ")[0] in files]
    others = {name: digest for name, digest in digests.items() if name not in files}
    return Saved(own, [error for error in errors if error not in own], others)


def begin(place: FileStore) -> None:
    """Mark the folder as unfinished."""
    place.delete(CHECKSUMS)


def _rows(table: np.ndarray) -> list[list[float]]:
    return [[_short(number) for number in row] for row in table]


def _short(number: float) -> float:
    short = round(float(number), _DECIMALS)
    return int(short) if short == int(short) else short


def _compact(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))
