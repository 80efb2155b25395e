"""The file of a learned value: its models, how they were made, and how well they foretell held-out games."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from wallsim.policies.value.features import INPUT_NAMES
from wallsim.policies.value.value_file import OUTPUT_NAMES
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
    """The text of a file of `data/values`: how it was made in lines of its own, then a line for each model."""
    head = {**result, "outputs": list(OUTPUT_NAMES), "inputs": list(INPUT_NAMES)}
    lines = [f"{json.dumps(key)}: {_compact(value)}" for key, value in head.items()]
    by_players = []
    for players, moments in models.items():
        rows = [f"{json.dumps(name)}: {_compact(model)}" for name, model in moments.items()]
        by_players.append(f"{json.dumps(players)}: {{\n" + ",\n".join(rows) + "\n}")
    lines.append('"models": {\n' + ",\n".join(by_players) + "\n}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _rows(table: np.ndarray) -> list[list[float]]:
    return [[_short(number) for number in row] for row in table]


def _short(number: float) -> float:
    short = round(float(number), _DECIMALS)
    return int(short) if short == int(short) else short


def _compact(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))
