"""Learned values and corrections with random coefficients, as files and as they are computed in NumPy."""

from __future__ import annotations

import json

import numpy as np

from wallsim.policies.correction import correction_file
from wallsim.policies.value import value_file

FORMS = {"value": value_file.FORM, "correction": correction_file.FORM}
READ = {"value": value_file.read_value, "correction": correction_file.read_correction}


def contents(
    kind: str, seed: int = 1, players=("4",), units: int = 3, size: float = 0.02, attacks: float | None = None
) -> dict:
    """What a file of this kind holds, with random coefficients of this `size`, and of `attacks` of that one."""
    whole = models_of(FORMS[kind], seed, players, units, size)
    if attacks is not None:
        whole["attacks"] = models_of(correction_file.ATTACKS, seed, players, units, attacks)
    return whole


def models_of(form, seed: int, players, units: int, size: float) -> dict:
    """Models of a form with random numbers as coefficients."""
    rng = np.random.default_rng(seed)
    inputs, outputs = len(form.inputs), len(form.outputs)

    def table(*shape, spread=size):
        return rng.normal(0.0, spread, shape).round(6).tolist()

    def model():
        return {
            "linear": table(inputs, outputs),
            "units": table(inputs, units) if units else [[] for _ in range(inputs)],
            "outward": table(units, outputs, spread=1.0),
        }

    models = {count: {name: model() for name in form.moments} for count in players}
    return {**{key: list(names) for key, names in form.named.items()}, "models": models}


def write_models(kind: str, path, **settings):
    """Write such a file; returns its path."""
    path.write_text(json.dumps(contents(kind, **settings)))
    return path


def planted(kind: str, path, **settings):
    """Write such a file and read it."""
    return READ[kind](write_models(kind, path, **settings))


def write_policy(path, base="strong-4p", **settings):
    """Write a policy file with a correction beside it; returns the path of the policy."""
    write_models("correction", path.with_suffix(".json"), **settings)
    path.write_text(f'base = "{base}"\ncorrection = "{path.stem}.json"\n')
    return path


def computed(model: dict, inputs: np.ndarray) -> np.ndarray:
    """What a model says of cards, [cards, boxes], from their inputs [cards, inputs]."""
    linear, units, outward = (np.array(model[part]) for part in ("linear", "units", "outward"))
    if len(outward) == 0:
        return inputs @ linear
    return inputs @ linear + np.maximum(inputs @ units, 0.0) @ outward
