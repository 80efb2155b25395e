"""A complete learning: the games, the fits of every moment, and the held-out games."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from joblib import delayed

from wallsim.engine.version import ENGINE_VERSION
from wallsim.policies.value.features import MOMENTS
from wallsim.runs.folder.manifest import package_version
from wallsim.runs.learning.chunked import in_single_threads, play_missing
from wallsim.runs.learning.evaluation import explained, findings
from wallsim.runs.learning.fitting import fit_linear, fit_network, inputs_of, targets_of
from wallsim.runs.learning.outcome import model_of, rounded
from wallsim.runs.learning.positions import Games
from wallsim.runs.learning.settings import BLOCK, CHUNK, HELD_OUT, Settings
from wallsim.runs.learning.store import Store

_PACKAGES = ("wallsim", "numpy", "numba")
_ESTIMATES = 8  # of a moment: three of each model, and two differences


def learn_value(
    settings: Settings, store: Store, *, workers: int, watch: Callable[[int, int], None] = lambda done, total: None
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Play what the folder lacks, and fit; returns the result and the models by number of players and moment.

    `watch` receives the number of games there are and the number of games planned.
    """
    play_missing(settings, store, lambda: Games(settings).play, store.write, workers, watch)
    models, table = {}, []
    for players in settings.players:
        result = _fit_all(settings, store, players, workers)
        models[str(players)] = {name: model for name, (model, _) in zip(MOMENTS, result, strict=True)}
        table += [line for _, line in result]
    blocks = settings.chunks * CHUNK
    held = len(range(0, blocks, HELD_OUT))
    return {
        "engine_version": ENGINE_VERSION,
        "packages": {package: package_version(package) for package in _PACKAGES},
        "cells": [[cell.players, cell.setup, cell.tower] for cell in settings.cells],
        "policies": [policy.name for policy in settings.policies],
        "noise": list(settings.noise),
        "seed": settings.seed,
        "games": {"fitted": (blocks - held) * BLOCK, "held_out": held * BLOCK, "block": BLOCK},
        "held_out": table,
    }, models


def _fit_all(
    settings: Settings, store: Store, players: int, workers: int
) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    parts = [store.read(players, chunk) for chunk in range(settings.chunks)]
    features = np.concatenate([part.features for part in parts])
    targets = targets_of(np.concatenate([part.ends for part in parts]).astype(np.float32))
    held = (np.arange(len(targets)) // BLOCK) % HELD_OUT == 0
    comparisons = len(MOMENTS) * len(settings.players) * _ESTIMATES
    tasks = (
        delayed(_fit)(
            features[:, moment], targets, held, settings.units, settings.passes,
            settings.seed_for("network", players, moment), comparisons,
        )
        for moment in range(len(MOMENTS))
    )  # fmt: skip
    result = in_single_threads(tasks, len(MOMENTS), workers)
    return [
        (model, {"players": players, "moment": name, **line})
        for name, (model, line) in zip(MOMENTS, result, strict=True)
    ]


def _fit(
    features: np.ndarray, targets: np.ndarray, held: np.ndarray, units: int, passes: int, seed: int, comparisons: int
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The model of a moment and its held-out table."""
    inputs = inputs_of(features.astype(np.float32))
    known, new = inputs[~held], inputs[held]
    linear = rounded(fit_linear(known, targets[~held]))
    chosen, network = linear, None
    if units:
        chosen = rounded(fit_network(known, targets[~held], units, passes, seed))
        network = explained(chosen, new, targets[held])
    return model_of(chosen), findings(explained(linear, new, targets[held]), network, comparisons)
