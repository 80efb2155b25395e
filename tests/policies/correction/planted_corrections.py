"""Corrections with random coefficients, as files and as they are computed in NumPy."""

from __future__ import annotations

import json

import numpy as np

from wallsim.policies.correction.correction_file import OUTPUT_NAMES
from wallsim.policies.correction.features import INPUT_NAMES, MOMENTS


def contents(seed: int = 1, players=("4",), units: int = 3, size: float = 0.02) -> dict:
    """What a correction's file holds, with random numbers as coefficients."""
    rng = np.random.default_rng(seed)
    inputs, outputs = len(INPUT_NAMES), len(OUTPUT_NAMES)

    def table(*shape, spread=size):
        return rng.normal(0.0, spread, shape).round(6).tolist()

    def model():
        return {
            "linear": table(inputs, outputs),
            "units": table(inputs, units) if units else [[] for _ in range(inputs)],
            "outward": table(units, outputs, spread=1.0),
        }

    models = {count: {name: model() for name in MOMENTS} for count in players}
    return {"inputs": list(INPUT_NAMES), "outputs": list(OUTPUT_NAMES), "models": models}


def write_correction(path, **settings):
    """Write such a file; returns its path."""
    path.write_text(json.dumps(contents(**settings)))
    return path


def write_policy(path, base="strong-4p", **settings):
    """Write a policy file with such a correction beside it; returns the path of the policy."""
    write_correction(path.with_suffix(".json"), **settings)
    path.write_text(f'base = "{base}"\ncorrection = "{path.stem}.json"\n')
    return path


def computed(model: dict, inputs: np.ndarray) -> np.ndarray:
    """What a model says of cards, [cards, boxes], from their inputs [cards, inputs]."""
    linear, units, outward = (np.array(model[part]) for part in ("linear", "units", "outward"))
    if len(outward) == 0:
        return inputs @ linear
    return inputs @ linear + np.maximum(inputs @ units, 0.0) @ outward
