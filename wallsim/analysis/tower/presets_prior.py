"""The prior for towers that are played: the presets of a model say what its numbers, and its contents, may be."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import exp, log

import numpy as np
from scipy.special import expit, logit

from wallsim.analysis.tower.closed_forms import mean_after
from wallsim.rules.tower import BOUNDS, Independent, TowerParameters, Urn, load_tower, tower_presets

TYPICAL_CAST = 8  # cubes; h8 is the strength of such a cast
CASTS = 200  # of as many cubes each, after which contents are given
CONTENTS = "contents"
LEAST_DEVIATION = 0.5  # of a number on its scale: three presets that agree by chance say no more
WIDER = {"retention": 2.0, "capacity": 2.0}  # a log hardly tells these two apart, so a pull would move both of them
_NORMAL = 1.96

LOG_ODDS, LOG, PLAIN = "log odds", "logarithm", "number"
NUMBERS: dict[str, dict[str, str]] = {
    "independent": {"p": LOG_ODDS, "q": LOG_ODDS},
    "urn": {"retention": LOG_ODDS, "capacity": LOG, "h8": LOG, "beta": PLAIN, "phi": PLAIN},
    "layered": {"cells": LOG, "stick": LOG, "knock": LOG},  # of a floor
}  # and the contents of each, on the scale of logarithms
_EMPTY = 1e-6  # cubes: contents are at least so many where their logarithm is taken


@dataclass(frozen=True)
class Pull:
    """The normal prior of a number on its scale."""

    name: str
    scale: str
    mean: float
    deviation: float

    def log_density(self, place: float) -> float:
        """The log density at a place on the scale, without a constant."""
        return float(-0.5 * ((place - self.mean) / self.deviation) ** 2)

    def range(self) -> tuple[float, float, float]:
        """The median, and the ends between which the number lies with 95 %, as far as a tower file takes them."""
        spread = _NORMAL * self.deviation
        places = (self.mean, self.mean - spread, self.mean + spread)
        turn = {LOG_ODDS: lambda place: float(expit(place)), LOG: exp, PLAIN: float}[self.scale]
        middle, low, high = map(turn, places)
        bound = BOUNDS.get(self.name)
        return (middle, low, high) if bound is None else (middle, max(low, bound.low), min(high, bound.high))


@lru_cache(maxsize=3)
def prior_of(model: str) -> tuple[Pull, ...]:
    """The prior of a model's numbers, in the order of `NUMBERS`, and of its mean contents after 200 casts of 8 cubes.

    Each is normal on its scale, with the mean of the model's presets and their standard deviation, at least
    LEAST_DEVIATION. The prior of a tower is the product of all.
    """
    presets = [tower.parameters for tower in map(load_tower, tower_presets()) if tower.model == model]
    places = np.array([[*place_of(parameters), log_contents(parameters)] for parameters in presets])
    deviations = np.maximum(places.std(axis=0, ddof=1), LEAST_DEVIATION)
    scales = NUMBERS[model] | {CONTENTS: LOG}
    return tuple(
        Pull(name, scale, float(mean), float(deviation) * WIDER.get(name, 1.0))
        for (name, scale), mean, deviation in zip(scales.items(), places.mean(axis=0), deviations, strict=True)
    )


def place_of(parameters: TowerParameters) -> np.ndarray:
    """The numbers of a tower on their scales, float64 [numbers]; of floors the means."""
    if isinstance(parameters, Independent):
        return np.array([logit(parameters.p), logit(parameters.q)])
    if isinstance(parameters, Urn):
        strength = log(parameters.kappa) + parameters.beta * log(TYPICAL_CAST)
        return np.array(
            [logit(parameters.retention), log(parameters.capacity), strength, parameters.beta, parameters.phi]
        )
    floors = [parameters.cells, parameters.stick, parameters.knock]
    return np.array([np.log(numbers).mean() for numbers in floors])


def mean_contents(parameters: TowerParameters) -> float:
    """The mean number of cubes inside after 200 casts of 8 cubes into an empty tower."""
    return mean_after(parameters, CASTS, TYPICAL_CAST)


def log_contents(parameters: TowerParameters) -> float:
    """The logarithm of the same, the place of the contents on their scale."""
    return log(max(_EMPTY, mean_contents(parameters)))
