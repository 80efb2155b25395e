"""A learning: its settings, its games and their folder, the fits of every moment, and their check on held-out games."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from joblib import delayed

from wallsim.folder.search_kinds import BLOCK, CHUNK
from wallsim.play.setting import Setting
from wallsim.policies.catalogue import Policy
from wallsim.policies.value.features import MOMENTS
from wallsim.policies.value.model import OUTPUTS, WIN
from wallsim.searches.learning.chunked import ChunkedSettings, ends_of, fit_all, made_with
from wallsim.searches.learning.fitting import (
    Fit,
    chances_of,
    fit_linear,
    fit_network,
    inputs_of,
    model_of,
    rounded,
    targets_of,
)
from wallsim.stats.blocks import Estimate, block_ratio
from wallsim.stats.intervals import Confidence

HELD_OUT = 5  # every fifth block is held out
_BINS = 10  # of the chance to win, for its calibration
OUTCOMES = ("points", "lead", "win")
_Explained = tuple[list[Estimate], float]


@dataclass(frozen=True)
class Settings(ChunkedSettings):
    """Which games a value is learned from, and what is fitted to them.

    `cells` are the settings of the games: an experiment for each number of players, set-up and tower. Each block of
    BLOCK games has a cell, and for every seat one of the `policies` and one of the levels of `noise`, in VP, drawn at
    random. `games` are those of each number of players, rounded up to whole chunks.
    """

    policies: tuple[Policy, ...]
    noise: tuple[float, ...]
    units: int
    passes: int

    chunk_games = BLOCK * CHUNK

    def seating(self, players: int, block: int) -> list[Policy]:
        """The policies of a block, one per seat."""
        rng = np.random.default_rng(self.seed_for("seatings", players, block))
        chosen = rng.integers(len(self.policies), size=players)
        levels = rng.integers(len(self.noise), size=players)
        return [
            with_noise(self.policies[policy], self.noise[level]) for policy, level in zip(chosen, levels, strict=True)
        ]

    def identity(self) -> dict[str, Any]:
        """What decides the games, in types of JSON: a folder can go on with more of them, and fit other models."""
        return self.identity_with(policies=[policy.identity() for policy in self.policies], noise=list(self.noise))


def with_noise(policy: Policy, level: float) -> Policy:
    """A policy that judges with at least such errors in every round; one without weights as it is."""
    if not policy.weights or level <= policy.weights["noise"]:
        return policy
    phases = {phase: {k: v for k, v in weights.items() if k != "noise"} for phase, weights in policy.phases.items()}
    return replace(policy, weights={**policy.weights, "noise": level}, phases=phases)


class Positions(NamedTuple):
    """How games stood and ended: `features` [games, moments, seats, width] and `ends` [games, seats, 2].

    Games lie in blocks of BLOCK that share their seating, in the order of the blocks.
    """

    features: np.ndarray
    ends: np.ndarray


class Games:
    """Plays the chunks of a learning."""

    def __init__(self, settings: Settings) -> None:
        """Prepare the rules of every cell. InputError if a custom policy gives an illegal answer."""
        self._settings = settings
        self._tables = {players: [Setting(cell) for cell in settings.cells_of(players)] for players in settings.players}
        for tables in self._tables.values():
            tables[0].check_custom_policies(settings.policies, settings.seed)

    def play(self, players: int, chunk: int) -> Positions:
        """The positions of a chunk, float16: all features and ends are small numbers."""
        parts = [self._block(players, block) for block in range(chunk * CHUNK, (chunk + 1) * CHUNK)]
        return Positions(*(np.concatenate(arrays).astype(np.float16) for arrays in zip(*parts, strict=True)))

    def _block(self, players: int, block: int) -> tuple[np.ndarray, np.ndarray]:
        tables = self._tables[players]
        seated = self._settings.seating(players, block)
        seed = self._settings.seed_for("games", players)
        table = tables[block % len(tables)]
        return table.arena(seated, seed, block // len(tables)).positions(block * BLOCK, BLOCK)


def explained(fit: Fit, inputs: np.ndarray, targets: np.ndarray) -> _Explained:
    """R² of points, lead and win by blocks of games, and the calibration error of the chance to win.

    R² is 1 less the squared errors over those of the mean; of wins, over those of the fair share, so that it is
    1 - Brier score / Brier score of the fair share. The calibration error is the mean distance of predicted chances
    from the share of wins, over ten groups of games by predicted chance.
    """
    result = fit.outputs(inputs)
    result[..., WIN] = chances_of(result[..., WIN])
    seats = inputs.shape[1]
    estimates = []
    for output in range(OUTPUTS):
        mean = 1.0 / seats if output == WIN else targets[..., output].mean()
        errors = _by_block((targets[..., output] - result[..., output]) ** 2)
        spread = _by_block((targets[..., output] - mean) ** 2)
        ratio = block_ratio(errors, spread)
        estimates.append(Estimate(1.0 - ratio.value, -ratio.influence))
    return estimates, _miscalibration(result[..., WIN].ravel(), targets[..., WIN].ravel())


def _by_block(squares: np.ndarray) -> np.ndarray:
    sums: np.ndarray = squares.reshape(-1, BLOCK * squares.shape[1]).sum(axis=1, dtype=np.float64)
    return sums


def _miscalibration(chances: np.ndarray, wins: np.ndarray) -> float:
    place = np.minimum((chances * _BINS).astype(np.int64), _BINS - 1)
    count = np.bincount(place, minlength=_BINS)
    error = np.bincount(place, chances - wins, minlength=_BINS)
    return float(np.abs(error).sum() / count.sum())


def findings(linear: _Explained, network: _Explained | None, n_comparisons: int) -> dict[str, Any]:
    """The held-out R² of a moment with simultaneous intervals, and what the network adds to that of wins."""
    confidence = Confidence(n_comparisons=n_comparisons)
    result: dict[str, Any] = {}
    for name, model in (("linear", linear), ("network", network)):
        if model is not None:
            estimates, miscalibration = model
            result[name] = {
                **{word: _shown(estimate, confidence) for word, estimate in zip(OUTCOMES, estimates, strict=True)},
                "calibration_error": round(miscalibration, 4),
            }
    if network is not None:
        gains = [more - less for more, less in zip(network[0], linear[0], strict=True)]
        result["network_gain"] = {word: _shown(gain, confidence) for word, gain in zip(OUTCOMES, gains, strict=True)}
    return result


def _shown(estimate: Estimate, confidence: Confidence) -> dict[str, float | None]:
    return {"r2": round(estimate.value, 4), **ends_of(estimate, confidence, 4)}


_ESTIMATES = 8  # of a moment: three of each model, and two differences


def fit_values(
    settings: Settings, read: Callable[[tuple[int, int]], Positions], workers: int
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Fit models to the chunks that `read` gives; the result, and the models by number of players and moment."""
    held = (np.arange(settings.played_games) // BLOCK) % HELD_OUT == 0
    comparisons = len(MOMENTS) * len(settings.players) * _ESTIMATES

    def tasks(players: int) -> Iterator[Any]:
        parts = [read((players, chunk)) for chunk in range(settings.chunks)]
        features = np.concatenate([part.features for part in parts])
        targets = targets_of(np.concatenate([part.ends for part in parts]).astype(np.float32))
        for moment in range(len(MOMENTS)):
            seed = settings.seed_for("network", players, moment)
            yield delayed(_fit)(features[:, moment], targets, held, settings.units, settings.passes, seed, comparisons)

    models, lines = fit_all(settings, MOMENTS, "moment", tasks, workers)
    return {
        **made_with(settings),
        "policies": [policy.name for policy in settings.policies],
        "noise": list(settings.noise),
        "seed": settings.seed,
        "games": {"fitted": int((~held).sum()), "held_out": int(held.sum()), "block": BLOCK},
        "held_out": lines,
    }, models


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
