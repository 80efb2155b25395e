"""Formulas and exact distributions of the towers' settled contents, with which tests compare games and estimates.

Each formula has its derivation and, if it is classical, its source. Contents of the model `independent` follow
S' = (S thinned with 1 - q) + (N thinned with 1 - p), thinnings independent: the first-order integer-valued
autoregression INAR(1) (McKenzie 1985; Al-Osh and Alzaid 1987). Below r = 1 - p and a = 1 - q.
"""

from math import ceil, expm1, log1p
from typing import NamedTuple

import numpy as np

from wallsim.analysis.tower.closed_forms import (
    MAX_INSIDE,
    floor_transition,
    frailties,
    layered_shares,
    urn_birth,
)
from wallsim.rules.tower import Independent, Layered, TowerParameters, Urn
from wallsim.rules.tower_tables import binomial_distribution

_NEGLIGIBLE = 1e-15  # total probability that may be left out at an end of a distribution


class Spread(NamedTuple):
    """Mean and variance of a number of cubes, or of a probability."""

    mean: float
    variance: float


class Moments(NamedTuple):
    """The settled number of cubes inside; `correlation` is that between one cast and the next."""

    mean: float
    variance: float
    correlation: float


def independent_moments(parameters: Independent, cubes: float, variance_of_cubes: float = 0.0) -> Moments:
    """Moments of the settled contents if every cast throws a number of cubes with this mean and variance.

    Casts are independent of each other; variance 0 is a constant number N, variance N a Poisson number. From the
    recursion: mean m = a m + N r; variance v = a^2 v + a q m + N r (1 - r) + r^2 Var N; covariance with the next a v.
    With a q m = a N r and 1 - a^2 = q (2 - q) follows the form below.
    """
    r, q = 1 - parameters.p, parameters.q
    pairs = r * r / (q * (2 - q))
    return Moments(cubes * r / q, cubes * (r / q - pairs) + variance_of_cubes * pairs, 1 - q)


def release_spread(parameters: Urn, cubes: int) -> Spread:
    """Mean and variance, over casts of `cubes` cubes, of the probability that a cube inside is knocked loose.

    The chance is 1 - exp(-G h), h = kappa N^beta, with a Gamma frailty G of mean 1 and variance phi (Vaupel, Manton and
    Stallard 1979): both moments are values of its Laplace transform E exp(-G t) = (1 + phi t)^(-1/phi), here at h, 2 h.
    """
    if cubes == 0:
        return Spread(0.0, 0.0)
    hazard = parameters.kappa * cubes**parameters.beta
    if parameters.phi == 0:
        return Spread(-expm1(-hazard), 0.0)
    one, two = (log1p(parameters.phi * hazard * times) / parameters.phi for times in (1, 2))
    return Spread(-expm1(-one), float(np.exp(-2 * one) * expm1(2 * one - two)))


def independent_distribution(parameters: Independent, cubes: int) -> np.ndarray:
    """Probabilities of 0, 1, ... settled cubes if every cast throws the same number, to 1e-15 in total variation.

    Of the cubes thrown j casts before the last, each is inside with chance r a^j, by itself: the contents are a sum of
    independent Binomial(N, r a^j), their generating function the product of (1 - r a^j (1 - z))^N. Factors are
    left out once the cubes of all older casts together are fewer than 1e-15 in the mean.
    """
    chances, stays = np.ones(1), 1 - parameters.p
    while cubes * stays / parameters.q > _NEGLIGIBLE:
        chances = np.convolve(chances, binomial_distribution(cubes, stays))
        beyond = np.cumsum(chances[::-1])[::-1]  # the chance of so many or more
        chances = chances[: max(1, int(np.searchsorted(-beyond, -_NEGLIGIBLE * 1e-4)))]
        stays *= 1 - parameters.q
    return np.asarray(chances / chances.sum())


def layered_contents(parameters: Layered) -> Spread:
    """The settled contents: the sum of independent Binomial(cells, share). For cascade 0 and clump 1."""
    floors = list(zip(parameters.cells, layered_shares(parameters), strict=True))
    return Spread(sum(cells * x for cells, x in floors), sum(cells * x * (1 - x) for cells, x in floors))


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
    return np.asarray(_release(parameters, cubes, most) @ np.linalg.matrix_power(urn_birth(parameters, most), cubes))


def stationary(matrix: np.ndarray) -> np.ndarray:
    """The stationary distribution of a transition matrix; ValueError if there is more than one."""
    balance = matrix.T - np.eye(len(matrix))
    _, sizes, _ = np.linalg.svd(balance)
    if len(sizes) > 1 and sizes[-2] < 1e-12:
        raise ValueError("contents depend on the start: something must be able to stay or to be knocked loose")
    balance[-1] = 1.0
    chances = np.linalg.solve(balance, np.eye(len(matrix))[-1]).clip(0)
    return np.asarray(chances / chances.sum())


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
