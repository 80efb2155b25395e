"""Formulas for the three models of the tower: settled contents, their correlation over time, and the first fill.

Where there is no formula the whole distribution of the contents follows from transition matrices of the number of cubes
inside. These apply to every model whose cubes come one by one, with cascades, frailty or any alpha; the number of cubes
inside does not depend on their colours.

Each formula has its derivation and, if it is classical, its source. A cast throws N cubes; S are inside between two
casts, E = capacity - S places are empty. A formula that is not exact for a model raises ValueError, which names the
models for which it is.
"""

from __future__ import annotations

from dataclasses import replace
from math import ceil, lgamma, log

import numpy as np

from wallsim.rules.mean_rates import release_chance, stay_chance
from wallsim.rules.tower import Independent, Layered, TowerParameters, Urn
from wallsim.rules.tower_tables import binomial_distribution

# ------------------------------------------------------------------------------------------------- independent
#
# S' = (S thinned with 1 - q) + (N thinned with 1 - p), thinnings independent: the first-order integer-valued
# autoregression INAR(1) (McKenzie 1985; Al-Osh and Alzaid 1987), with the thinning of Steutel and van Harn (1979).
# Read as a queue it is that with infinitely many servers in discrete time: cubes that stay arrive at each cast, and
# each is served by itself for a geometric time. Below r = 1 - p and a = 1 - q.


def independent_mean_after(parameters: Independent, cubes: float, casts: int, inside: float = 0.0) -> float:
    """The mean contents after `casts` casts with a mean of `cubes` cubes, with `inside` cubes before the first.

    The recursion m' = a m + N r, solved: the distance from the settled mean shrinks by a with every cast.
    """
    _leaves(parameters)
    settled = cubes * (1 - parameters.p) / parameters.q
    return float(settled + (inside - settled) * (1 - parameters.q) ** casts)


# --------------------------------------------------------------------------------------------------------- urn
#
# The capacity is a number of places, a held cube has one to itself, and a thrown cube that aims at a place, which it
# does with chance `retention`, stays if the place is empty. A cast empties taken places at random, then fills empty
# ones at random: the urn of Ehrenfest and Ehrenfest (1907) with several moves at a time; the second half alone is the
# classical occupancy or coupon collector's problem, a pure-birth chain (Feller, An Introduction to Probability Theory,
# volume 1; Johnson and Kotz, Urn Models, 1977). It is linear in E, so factorial moments close:
#   release, q = q(N), C the capacity:  f1 = E[E]         ->  (1-q) f1 + q C
#                                       f2 = E[E(E-1)]    ->  (1-q)^2 f2 + (C-1) (2 q (1-q) f1 + q^2 C)
#   one thrown cube:                    f1 -> f1 (1 - r/C),  f2 -> f2 (1 - 2 r/C),  r the retention,
# the latter because E(E-1) loses 2 (E-1) with chance r E/C.


def urn_mean_after(parameters: Urn, cubes: int, casts: int) -> float:
    """The mean contents after `casts` casts of `cubes` cubes into an empty tower.

    The mean of E shrinks to its fixed point by x1 (1 - q) with every cast, also if q varies from cast to cast (phi).
    ValueError unless alpha = 1 and clump = 1; with a capacity that is no whole number it is an approximation.
    """
    _whole(cubes)
    _linear(replace(parameters, capacity=float(ceil(parameters.capacity))))
    loose, once = release_chance(parameters, cubes), _left_empty(parameters, cubes)[0]
    slope = once * (1 - loose)
    if slope == 1:
        return 0.0
    empty = loose * once / (1 - slope)
    return float(parameters.capacity * (1 - empty) * (1 - slope**casts))


def _left_empty(parameters: Urn, cubes: int) -> tuple[float, float]:
    # The chances that one given place, and that neither of two given ones, is aimed at.
    share = parameters.retention / parameters.capacity
    return float((1 - share) ** cubes), float((1 - 2 * share) ** cubes)


def _linear(parameters: Urn) -> None:
    # Places in numbers that are not whole would leave the last of them filled by more than one cube.
    single("urn", parameters.clump)
    if parameters.alpha != 1:
        raise ValueError(f"urn: alpha: {parameters.alpha:g} has no closed form (1 has)")
    if parameters.capacity % 1:
        raise ValueError(f"urn: capacity: {parameters.capacity:g} has no closed form; whole numbers have")


# ----------------------------------------------------------------------------------------------------- layered
#
# A floor changes only when a cube arrives, and a lower floor never affects a higher one. So a floor is a Markov chain
# whose time steps are its arrivals. The number of arrivals does not matter to a floor that has settled: settled floors
# are independent at the end of any cast, and their distributions do not depend on the number of cubes per cast.
# Without cascade, s of c cells go to s + 1 with chance stick (1 - s/c) and to s - 1 with chance
# knock (1 - swap) s/c: Ehrenfest's urn in its standard form, settled binomially (Kac 1947), for C(c,s)
# x^s (1-x)^(c-s) balances both where x / (1-x) = stick / (knock (1 - swap)).


def layered_shares(parameters: Layered) -> tuple[float, ...]:
    """The settled share of taken cells, floor by floor: stick / (stick + loss), loss = knock (1/(1-cascade) - swap).

    Exact without cascade if clump = 1. Otherwise a mean-field approximation, which releases as many cubes as a full
    floor would: within 3 % of the contents for the shipped towers. ValueError if a floor neither holds nor loses cubes.
    """
    return tuple(stick / arrivals for stick, arrivals in zip(parameters.stick, _turnover(parameters), strict=True))


def layered_mean_after(parameters: Layered, cubes: int, casts: int) -> float:
    """The mean contents after `casts` casts of `cubes` cubes into an empty tower, in mean field.

    Every thrown cube counts as one arrival on each floor, although lower floors get fewer at first. ValueError as for
    `layered_shares`.
    """
    floors = zip(parameters.cells, layered_shares(parameters), _turnover(parameters), strict=True)
    filled = (cells * x * (1 - max(0.0, 1 - rate / cells) ** (cubes * casts)) for cells, x, rate in floors)
    return float(sum(filled))


def _turnover(parameters: Layered) -> list[float]:
    knocked = 1 / (1 - parameters.cascade) - parameters.swap
    rates = [a + k * knocked for a, k in zip(parameters.stick, parameters.knock, strict=True)]
    if 0 in rates:
        raise ValueError(
            "layered: a floor that neither holds nor loses anything stays as it is; allowed are stick > 0, "
            "or knock > 0 with swap < 1"
        )
    return rates


# ------------------------------------------------------------------------------------------------ what is allowed


def _leaves(parameters: Independent) -> None:
    if parameters.q <= 0:
        raise ValueError(f"independent: q: {parameters.q:g} is out of range (above 0), since no cube ever leaves")


def single(model: str, clump: float) -> None:
    """Raise ValueError unless cubes come one by one."""
    if clump != 1:
        raise ValueError(f"{model}: clump: {clump:g} has no exact form (1 has)")


def _whole(cubes: int) -> None:
    if cubes < 0 or cubes % 1:
        raise ValueError(f"cubes: {cubes:g} is not a whole number from 0")


MAX_INSIDE = 1000  # the most cubes inside that a matrix covers
_NODES = 400  # of the quadrature over frailties


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
