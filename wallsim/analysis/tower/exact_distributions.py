"""The exact distribution of a tower's contents, by transition matrices of the number of cubes inside.

They apply to every model whose cubes come one by one, with cascades, frailty or any alpha; where `closed_forms` has a
formula the two agree. The number of cubes inside does not depend on their colours.
"""

from __future__ import annotations

from math import lgamma, log

import numpy as np

from wallsim.analysis.tower.closed_forms import single
from wallsim.rules.mean_rates import stay_chance
from wallsim.rules.tower import Independent, Layered, TowerParameters, Urn
from wallsim.rules.tower_tables import binomial_distribution

MAX_INSIDE = 1000  # the most cubes inside that a matrix covers
_NODES = 400  # of the quadrature over frailties
_NEGLIGIBLE = 1e-18


def fill_distribution(parameters: TowerParameters, cubes: int) -> np.ndarray:
    """Probabilities that an empty tower keeps 0, 1, ... of `cubes` cubes thrown at once, float64 [cubes + 1]."""
    if isinstance(parameters, Independent):
        return np.array(binomial_distribution(cubes, 1 - parameters.p))
    if isinstance(parameters, Urn):
        return np.asarray(np.linalg.matrix_power(_one_thrown(parameters, cubes), cubes)[0])
    # What floors keep is known from what arrives at the next: each number of arrivals leaves a floor in its own
    # distribution.
    arrivals = np.eye(cubes + 1)[cubes]
    for floor in range(len(parameters.cells)):
        step, onward = floor_transition(parameters, floor), np.zeros(cubes + 1)
        held = np.eye(len(step))[0]
        for number, chance in enumerate(arrivals):
            for kept in range(min(number + 1, len(held))):
                onward[number - kept] += chance * held[kept]
            held = held @ step
        arrivals = onward
    return np.flip(arrivals)


def floor_transition(parameters: Layered, floor: int) -> np.ndarray:
    """Chances from each number of cubes on a floor (row) to each (column) by one arrival; [cells+1, cells+1]."""
    single("layered", parameters.clump)
    cells, stick, knock = parameters.cells[floor], parameters.stick[floor], parameters.knock[floor]
    matrix = np.zeros((cells + 1, cells + 1))
    for held in range(cells + 1):
        share = held / cells
        matrix[held, held] += 1 - stick * (1 - share) - knock * share
        matrix[held, min(held + 1, cells)] += stick * (1 - share)
        for loose in range(1, held + 1):  # one and geometrically many more, at most all
            chance = (
                knock * share * parameters.cascade ** (loose - 1) * (1 if loose == held else 1 - parameters.cascade)
            )
            matrix[held, held - loose] += chance * (1 - parameters.swap)
            matrix[held, held - loose + 1] += chance * parameters.swap
    return matrix


def _one_thrown(parameters: Urn, most: int) -> np.ndarray:
    single("urn", parameters.clump)
    stays = np.array([stay_chance(parameters, inside) for inside in range(most + 1)])
    return np.diag(1 - stays) + np.diag(stays[:-1], 1)


def frailties(phi: float) -> tuple[np.ndarray, np.ndarray]:
    """Strengths G of a cast of an urn with variance `phi`, and their weights, which add up to 1: a quadrature."""
    # The Gamma distribution in x = log G, where its density, smooth and falling off fast at both ends, is integrated to
    # rounding by equal steps (trapezoid rule).
    if phi == 0:
        return np.ones(1), np.ones(1)
    shape = 1 / phi
    x = np.linspace(-9 * phi**0.5 - 42 * phi, log(1 + 9 * phi**0.5 + 42 * phi), _NODES)
    weight = np.exp(shape * (x - np.expm1(x)) + shape * (log(shape) - 1) - lgamma(shape))
    return np.exp(x), weight / weight.sum()
