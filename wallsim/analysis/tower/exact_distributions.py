"""The exact distribution of a tower's contents, by transition matrices of the number of cubes inside.

They apply to every model whose cubes come one by one, with cascades, frailty or any alpha; where `closed_forms` has a
formula the two agree. The number of cubes inside does not depend on their colours.
"""

from __future__ import annotations

from math import ceil, lgamma, log

import numpy as np

from wallsim.analysis.tower.closed_forms import Moments, independent_distribution, independent_moments, single
from wallsim.rules.mean_rates import stay_chance
from wallsim.rules.tower import Independent, Layered, TowerParameters, Urn
from wallsim.rules.tower_tables import binomial_distribution

MAX_INSIDE = 1000  # the most cubes inside that a matrix covers
_NODES = 400  # of the quadrature over frailties
_NEGLIGIBLE = 1e-18


def contents_distribution(parameters: TowerParameters, cubes: int) -> np.ndarray:
    """Probabilities of 0, 1, ... cubes inside after many casts of `cubes` cubes.

    For `independent` a product form, for `urn` the stationary distribution of the chain of casts, for `layered` the
    sum of independent floors, each with the stationary distribution of its own chain of arrivals, whatever the size
    of casts. ValueError for clumps, for an urn of more than 1000 places, where nothing moves, and as for
    `independent_distribution`.
    """
    if isinstance(parameters, Independent):
        return independent_distribution(parameters, cubes)
    if isinstance(parameters, Urn):
        return stationary(urn_transition(parameters, cubes))
    chances = np.ones(1)
    for floor in range(len(parameters.cells)):
        chances = np.convolve(chances, stationary(floor_transition(parameters, floor)))
    return chances


def contents_moments(parameters: TowerParameters, cubes: int) -> Moments:
    """Mean, variance and correlation from cast to cast of the contents after many casts of `cubes` cubes."""
    if isinstance(parameters, Independent):
        return independent_moments(parameters, cubes)
    if isinstance(parameters, Layered):
        return _layered_moments(parameters, cubes)
    matrix = urn_transition(parameters, cubes)
    chances = stationary(matrix)
    inside = np.arange(len(chances))
    mean = float(chances @ inside)
    variance = float(chances @ (inside - mean) ** 2)
    covariance = float((chances * (inside - mean)) @ matrix @ (inside - mean))
    return Moments(mean, variance, _ratio(covariance, variance))


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


def urn_transition(parameters: Urn, cubes: int) -> np.ndarray:
    """Transition matrix of the number of cubes inside by a cast of `cubes` cubes, float64 [places, places].

    First the release: binomial with chance 1 - exp(-G kappa N^beta), averaged over the Gamma distribution of G if phi >
    0. Then N steps of the pure-birth chain in which a thrown cube stays or not. Any alpha and capacity up to 1000; a
    capacity that is not whole lets one cube more in, as the model says. ValueError for clumps, whose cubes share their
    luck.
    """
    most = ceil(parameters.capacity)
    if most > MAX_INSIDE:
        raise ValueError(f"urn: capacity: {parameters.capacity:g} is out of range for a matrix (at most {MAX_INSIDE})")
    return np.asarray(_release(parameters, cubes, most) @ np.linalg.matrix_power(_one_thrown(parameters, most), cubes))


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


def stationary(matrix: np.ndarray) -> np.ndarray:
    """The stationary distribution of a transition matrix; ValueError if there is more than one."""
    balance = matrix.T - np.eye(len(matrix))
    _, sizes, _ = np.linalg.svd(balance)
    if len(sizes) > 1 and sizes[-2] < 1e-12:
        raise ValueError("contents depend on the start: something must be able to stay or to be knocked loose")
    balance[-1] = 1.0
    chances = np.linalg.solve(balance, np.eye(len(matrix))[-1]).clip(0)
    return np.asarray(chances / chances.sum())


def _one_thrown(parameters: Urn, most: int) -> np.ndarray:
    single("urn", parameters.clump)
    stays = np.array([stay_chance(parameters, inside) for inside in range(most + 1)])
    return np.diag(1 - stays) + np.diag(stays[:-1], 1)


def _release(parameters: Urn, cubes: int, most: int) -> np.ndarray:
    # Row by row, one cube more inside each time, given every frailty of the integral: it remains or goes.
    frailty, weight = frailties(parameters.phi)
    remains = np.exp(-frailty * parameters.kappa * cubes**parameters.beta) if cubes else np.ones_like(frailty)
    matrix, row = np.zeros((most + 1, most + 1)), np.zeros((len(frailty), most + 1))
    row[:, 0] = 1.0
    for inside in range(most + 1):
        matrix[inside] = weight @ row
        row[:, 1:] = row[:, 1:] * (1 - remains)[:, None] + row[:, :-1] * remains[:, None]
        row[:, 0] *= 1 - remains
    return matrix


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


def _layered_moments(parameters: Layered, cubes: int) -> Moments:
    """Moments of a layered tower: floors add, also to the covariance from cast to cast.

    A floor's arrivals in a cast are what was thrown, plus what floors above held before, less what they hold after;
    given their number, its own path is that of its chain. A floor's next state depends on others by that number only,
    and settled floors are independent, so no covariance between floors is left.
    """
    mean = variance = covariance = 0.0
    arrivals = np.eye(cubes + 1)[cubes]
    for floor, cells in enumerate(parameters.cells):
        step = floor_transition(parameters, floor)
        chances = stationary(step)
        deviation = np.arange(cells + 1) - chances @ np.arange(cells + 1)
        mean += float(chances @ np.arange(cells + 1))
        variance += float(chances @ deviation**2)
        joint, onward = (
            np.diag(chances),
            np.zeros(len(arrivals) + cells),
        )  # joint: cubes before, and after so many arrivals
        for number, chance in enumerate(arrivals):
            if chance > _NEGLIGIBLE:
                covariance += chance * float(deviation @ joint @ deviation)
                for more in range(-cells, min(cells, number) + 1):
                    onward[number - more] += chance * np.trace(joint, more)
            joint = joint @ step
        arrivals = onward
    return Moments(mean, variance, _ratio(covariance, variance))


def _ratio(covariance: float, variance: float) -> float:
    return covariance / variance if variance > 0 else 0.0
