"""Fits of the results of games to standings during them: linear models, and a small network on top of them.

All models answer three questions about a seat: its points at the end, its lead in points over the best other seat, and
a score whose softmax over the seats of a table is the chance to win. The linear model takes the first two by ridge
regression and the third by a conditional logit (McFadden 1974). The network adds a layer of rectified units and is
trained on all three by Adam (Kingma and Ba 2015), beginning at the linear model.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import numpy as np

from wallsim.policies.value.features import (
    BEST_OTHER,
    CONSTANT,
    FEATURES,
    INPUT_NAMES,
    INPUTS,
    OF_THE_TABLE,
    OTHERS_MEAN,
)
from wallsim.policies.value.model import LEAD, OUTPUTS, POINTS, WIN
from wallsim.policies.value.value_file import OUTPUT_NAMES

_DECIMALS = 4  # of a coefficient, whose feature is 80 at most
_OWN = len(FEATURES)
_RIDGE = 1e-3  # of the mean square of an input, per game
_STEPS = 6  # of Newton's method, from zero
_LOGIT_GAMES = 40_000  # more do not move the logit, and each costs as much as a ridge regression
_BATCH = 256  # games
_RATE = 4e-3
_WIN_PART = 2.0  # of the chance to win in the loss of the network, where points and lead have one each


@dataclass
class Fit:
    """A model of one moment in units of its inputs: `linear` [inputs, outputs], `units` [inputs, n], `from_units`."""

    linear: np.ndarray
    units: np.ndarray
    from_units: np.ndarray

    def outputs(self, inputs: np.ndarray) -> np.ndarray:
        """Points, lead and score of each seat, [games, seats, outputs]."""
        result: np.ndarray = inputs @ self.linear
        if self.units.shape[1]:
            result = result + np.maximum(inputs @ self.units, 0.0) @ self.from_units
        return result


def inputs_of(positions: np.ndarray) -> np.ndarray:
    """The inputs of a model, float32 [games, seats, inputs], from features, [games, seats, width]."""
    games, seats, _ = positions.shape
    inputs = np.empty((games, seats, INPUTS), np.float32)
    own = positions[..., :_OWN]
    inputs[..., :_OWN] = own
    inputs[..., OTHERS_MEAN:OF_THE_TABLE] = (own.sum(axis=1, keepdims=True) - own) / (seats - 1)
    for seat in range(seats):
        inputs[:, seat, BEST_OTHER:OTHERS_MEAN] = np.delete(own, seat, axis=1).max(axis=1)
    inputs[..., OF_THE_TABLE:CONSTANT] = positions[..., _OWN:]
    inputs[..., CONSTANT] = 1.0
    return inputs


def targets_of(ends: np.ndarray) -> np.ndarray:
    """Points, lead over the best other seat and share in the win, [games, seats, outputs], from the ends of games."""
    targets = np.empty((*ends.shape[:2], OUTPUTS), np.float32)
    targets[..., POINTS], targets[..., WIN] = ends[..., 0], ends[..., 1]
    for seat in range(ends.shape[1]):
        targets[:, seat, LEAD] = ends[:, seat, 0] - np.delete(ends[..., 0], seat, axis=1).max(axis=1)
    return targets


def chances_of(scores: np.ndarray) -> np.ndarray:
    """The chance of each seat to win, [games, seats], from its score."""
    powers: np.ndarray = np.exp(scores - scores.max(axis=1, keepdims=True))
    powers /= powers.sum(axis=1, keepdims=True)
    return powers


class _Scaled:
    """Inputs with mean 0 and variance 1, and models brought back into the inputs' own units."""

    def __init__(self, inputs: np.ndarray) -> None:
        flat = inputs.reshape(-1, INPUTS)
        self.mean, spread = flat.mean(axis=0, dtype=np.float64), flat.std(axis=0, dtype=np.float64)
        self.factor = np.where(spread > 1e-6, 1.0 / np.maximum(spread, 1e-6), 0.0)
        self.mean[CONSTANT], self.factor[CONSTANT] = 0.0, 1.0

    def scale(self, inputs: np.ndarray) -> np.ndarray:
        scaled: np.ndarray = (inputs - self.mean.astype(np.float32)) * self.factor.astype(np.float32)
        return scaled

    def back(self, weights: np.ndarray) -> np.ndarray:
        weights = weights * self.factor[:, None]
        weights[CONSTANT] -= self.mean @ weights
        return weights


def fit_linear(inputs: np.ndarray, targets: np.ndarray) -> Fit:
    """The linear model of one moment, from inputs and targets of as many games."""
    scaled = _Scaled(inputs)
    linear = scaled.back(_linear(scaled.scale(inputs), targets))
    return Fit(linear, np.zeros((INPUTS, 0)), np.zeros((0, OUTPUTS)))


def _linear(scaled: np.ndarray, targets: np.ndarray) -> np.ndarray:
    flat = scaled.reshape(-1, INPUTS)
    square = (flat.T @ flat).astype(np.float64)
    ridge = _RIDGE * len(flat) * np.eye(INPUTS)
    ridge[CONSTANT, CONSTANT] = 1e-9
    result = np.linalg.solve(square + ridge, (flat.T @ targets.reshape(-1, OUTPUTS)).astype(np.float64))
    result[:, WIN] = _logit(scaled[:_LOGIT_GAMES], targets[:_LOGIT_GAMES, :, WIN])
    return result


def _logit(scaled: np.ndarray, shares: np.ndarray) -> np.ndarray:
    """The weights of a conditional logit by Newton's method; a share of the win counts as so much of a win."""
    games = len(scaled)
    weights = np.zeros(INPUTS)
    ridge = _RIDGE * games * np.eye(INPUTS)
    for _ in range(_STEPS):
        chances = chances_of(scaled @ weights.astype(np.float32))
        gradient = np.einsum("gsi,gs->i", scaled, shares - chances, optimize=True) - np.diag(ridge) * weights
        mean = np.einsum("gsi,gs->gi", scaled, chances, optimize=True)
        rooted = (scaled * np.sqrt(chances)[..., None]).reshape(-1, INPUTS)
        curvature = (rooted.T @ rooted - mean.T @ mean).astype(np.float64) + ridge
        weights += np.linalg.solve(curvature, gradient)
    weights[CONSTANT] = 0.0
    return weights


def fit_network(inputs: np.ndarray, targets: np.ndarray, units: int, passes: int, seed: int) -> Fit:
    """The linear model and `units` rectified units, trained in so many passes through the games in random order."""
    scaled = _Scaled(inputs)
    flat, rng = scaled.scale(inputs), np.random.default_rng(seed)
    spread = targets.reshape(-1, OUTPUTS).std(axis=0)
    spread[WIN] = 1.0
    aims = targets / spread
    begin = _linear(flat, targets) / spread
    first = rng.normal(0.0, 1.0 / np.sqrt(INPUTS), (INPUTS, units))
    first[CONSTANT] = 0.0
    inward = np.concatenate([first, begin], axis=1).astype(np.float32)  # units, then outputs
    outward = np.zeros((units, OUTPUTS), np.float32)
    parameters = [inward, outward]
    moments = [[np.zeros_like(part), np.zeros_like(part)] for part in parameters]
    games = len(flat)
    batches = max(1, games // _BATCH)
    total, step = passes * batches, 0
    order = rng.permutation(games)
    flat, aims = flat[order], aims[order]  # once, for batches that lie together are read faster
    for _ in range(passes):
        for at in rng.permutation(batches):
            chosen = slice(at * _BATCH, (at + 1) * _BATCH)
            gradients = _gradients(flat[chosen], aims[chosen], inward, outward, units)
            step += 1
            rate = _RATE * (1.0 - step / (total + 1.0)) * min(1.0, step / 100.0)
            for part, gradient, (mean, square) in zip(parameters, gradients, moments, strict=True):
                mean += 0.1 * (gradient - mean)
                square += 0.001 * (gradient * gradient - square)
                scale = np.sqrt(1.0 - 0.999**step) / (1.0 - 0.9**step)
                part -= np.float32(rate * scale) * mean / (np.sqrt(square) + 1e-8)
    return Fit(
        scaled.back(inward[:, units:].astype(np.float64) * spread),
        scaled.back(inward[:, :units].astype(np.float64)),
        outward.astype(np.float64) * spread,
    )


def _gradients(
    flat: np.ndarray, aims: np.ndarray, inward: np.ndarray, outward: np.ndarray, units: int
) -> tuple[np.ndarray, np.ndarray]:
    """The gradients of the loss of a batch by the two layers."""
    games, seats = flat.shape[:2]
    rows = flat.reshape(-1, INPUTS)
    both = rows @ inward
    active = np.maximum(both[:, :units], 0.0)
    result = both[:, units:] + active @ outward
    errors = (result - aims.reshape(-1, OUTPUTS)) / np.float32(games * seats)
    chances = chances_of(result[:, WIN].reshape(games, seats))
    errors[:, WIN] = (_WIN_PART / games) * (chances - aims[..., WIN]).ravel()
    back = (errors @ outward.T) * (active > 0.0)
    return rows.T @ np.concatenate([back, errors], axis=1), active.T @ errors


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


def _rows(table: np.ndarray) -> list[list[float]]:
    return [[_short(number) for number in row] for row in table]


def _short(number: float) -> float:
    short = round(float(number), _DECIMALS)
    return int(short) if short == int(short) else short


def _compact(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))
