"""How well a learned value predicts the results of held-out games."""

from __future__ import annotations

from typing import Any

import numpy as np

from wallsim.policies.value.model import OUTPUTS, WIN
from wallsim.runs.learning.fitting import Fit, chances_of
from wallsim.runs.learning.settings import BLOCK
from wallsim.stats.blocks import Estimate, block_ratio
from wallsim.stats.intervals import Confidence

_BINS = 10  # of the chance to win, for its calibration
OUTCOMES = ("points", "lead", "win")
_Explained = tuple[list[Estimate], float]


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
    low, high = estimate.interval(confidence) or (None, None)
    return {
        "r2": round(estimate.value, 4),
        "low": None if low is None else round(low, 4),
        "high": None if high is None else round(high, 4),
    }
