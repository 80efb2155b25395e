"""Values with random coefficients, as files and as they are computed in NumPy."""

from __future__ import annotations

import json

import numpy as np

from wallsim.policies.value.features import INPUT_NAMES, INPUTS, MOMENTS
from wallsim.policies.value.model import OUTPUTS


def contents(seed: int = 1, players=("4",), units: int = 3, size: float = 0.01) -> dict:
    """What a value's file holds, with random numbers as coefficients."""
    rng = np.random.default_rng(seed)

    def table(*shape):
        return rng.normal(0.0, size, shape).round(6).tolist()

    def model():
        return {
            "linear": table(INPUTS, OUTPUTS),
            "units": table(INPUTS, units),
            "outward": rng.normal(0.0, 1.0, (units, OUTPUTS)).round(6).tolist(),
        }

    return {"inputs": list(INPUT_NAMES), "models": {count: {name: model() for name in MOMENTS} for count in players}}


def write_value(path, **settings):
    """Write such a file; returns its path."""
    path.write_text(json.dumps(contents(**settings)))
    return path
