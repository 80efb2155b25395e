"""Formulas for the three models of the tower: mean contents after casts, settled floors, and the first fill.

A cast throws N cubes. Below, r is the chance that a thrown cube stays in an empty tower, and q that a cube inside is
knocked loose.
"""

from __future__ import annotations

from math import lgamma, log

import numpy as np

from wallsim.rules.mean_rates import release_chance, stay_chance
from wallsim.rules.tower import Independent, Layered, TowerParameters, Urn
from wallsim.rules.tower_tables import binomial_distribution

MAX_INSIDE = 1000  # the most cubes inside that a matrix covers
_NODES = 400  # of the quadrature over frailties


def mean_after(parameters: TowerParameters, casts: int, cubes: int) -> float:
    """The mean number of cubes inside after `casts` casts of `cubes` cubes into an empty tower.

    `independent`: the mean follows m' = (1 - q) m + N r, so its distance from the settled mean shrinks by 1 - q with
    every cast; q must be above 0. `urn` with alpha 1 and clump 1: a thrown cube aims at one of C places with chance r
    and stays if it is empty. The mean number E of empty places is linear in that before, with the slope
    (1 - r/C)^N (1 - q), also if q varies from cast to cast (phi); for a capacity that is no whole number this is an
    approximation. `layered`: in mean field, with one arrival on each floor for every thrown cube, although lower floors
    get fewer at first; ValueError as for `layered_shares`.
    """
    if isinstance(parameters, Independent):
        settled = cubes * (1 - parameters.p) / parameters.q
        return float(settled - settled * (1 - parameters.q) ** casts)
    if isinstance(parameters, Urn):
        loose = release_chance(parameters, cubes)
        once = float((1 - parameters.retention / parameters.capacity) ** cubes)
        slope = once * (1 - loose)
        if slope == 1:
            return 0.0
        empty = loose * once / (1 - slope)
        return float(parameters.capacity * (1 - empty) * (1 - slope**casts))
    floors = zip(parameters.cells, layered_shares(parameters), floor_turnover(parameters), strict=True)
    filled = (cells * x * (1 - max(0.0, 1 - rate / cells) ** (cubes * casts)) for cells, x, rate in floors)
    return float(sum(filled))


def layered_shares(parameters: Layered) -> tuple[float, ...]:
    """The settled share of taken cells, floor by floor: stick / (stick + loss), loss = knock (1/(1-cascade) - swap).

    A floor is a Markov chain whose time steps are its arrivals: it settles independently of other floors and of the
    sizes of casts. Without cascade it is Ehrenfest's urn, settled binomially (Kac 1947). Exact without cascade if
    clump = 1; otherwise a mean-field approximation, which releases as many cubes as a full floor would: within 3 % of
    the contents for the shipped towers. ValueError if a floor neither holds nor loses cubes.
    """
    return tuple(stick / arrivals for stick, arrivals in zip(parameters.stick, floor_turnover(parameters), strict=True))


def floor_turnover(parameters: Layered) -> list[float]:
    """The mean changes of a floor by an arrival, floor by floor: stick + loss. ValueError if one is 0."""
    knocked = 1 / (1 - parameters.cascade) - parameters.swap
    rates = [a + k * knocked for a, k in zip(parameters.stick, parameters.knock, strict=True)]
    if 0 in rates:
        raise ValueError(
            "layered: a floor that neither holds nor loses anything stays as it is; allowed are stick > 0, "
            "or knock > 0 with swap < 1"
        )
    return rates


def fill_distribution(parameters: TowerParameters, cubes: int) -> np.ndarray:
    """Probabilities that an empty tower keeps 0, 1, ... of `cubes` cubes thrown at once, float64 [cubes + 1].

    From transition matrices of the number of cubes inside, for every model whose cubes come one by one. ValueError for
    clumps.
    """
    if isinstance(parameters, Independent):
        return np.array(binomial_distribution(cubes, 1 - parameters.p))
    if isinstance(parameters, Urn):
        return np.asarray(np.linalg.matrix_power(urn_birth(parameters, cubes), cubes)[0])
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
    _refuse_clumps("layered", parameters.clump)
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


def urn_birth(parameters: Urn, most: int) -> np.ndarray:
    """Chances from each number of cubes in an urn to each by one thrown cube; [most + 1, most + 1]."""
    _refuse_clumps("urn", parameters.clump)
    stays = np.array([stay_chance(parameters, inside) for inside in range(most + 1)])
    return np.diag(1 - stays) + np.diag(stays[:-1], 1)


def _refuse_clumps(model: str, clump: float) -> None:
    if clump != 1:
        raise ValueError(f"{model}: clump: {clump:g} has no exact form (1 has)")


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
