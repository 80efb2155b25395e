"""Formulas for the three models of the tower: settled contents, their correlation over time, and the first fill.

Each formula has its derivation and, if it is classical, its source. A cast throws N cubes; S are inside between two
casts, E = capacity - S places are empty. A formula that is not exact for a model raises ValueError, which names the
models for which it is; `exact_distributions` computes the whole distribution of the contents numerically for every
model whose cubes come one by one.
"""

from __future__ import annotations

from dataclasses import replace
from math import ceil, expm1, log, log1p, prod
from typing import NamedTuple

import numpy as np

from wallsim.rules.tower import Independent, Layered, Urn
from wallsim.rules.tower_tables import binomial_distribution

SMALLEST_RELEASE = 0.01  # of `independent_distribution`: below, its product has many thousands of factors
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


# ------------------------------------------------------------------------------------------------- independent
#
# S' = (S thinned with 1 - q) + (N thinned with 1 - p), thinnings independent: the first-order integer-valued
# autoregression INAR(1) (McKenzie 1985; Al-Osh and Alzaid 1987), with the thinning of Steutel and van Harn (1979).
# Read as a queue it is that with infinitely many servers in discrete time: cubes that stay arrive at each cast, and
# each is served by itself for a geometric time. Below r = 1 - p and a = 1 - q.


def independent_moments(parameters: Independent, cubes: float, variance_of_cubes: float = 0.0) -> Moments:
    """Moments of the settled contents if every cast throws a number of cubes with this mean and variance.

    Casts are independent of each other; variance 0 is a constant number N, variance N a Poisson number. From the
    recursion: mean m = a m + N r; variance v = a^2 v + a q m + N r (1 - r) + r^2 Var N; covariance with the next a v.
    With a q m = a N r and 1 - a^2 = q (2 - q) follows the form below. ValueError if a number is negative.
    """
    if cubes < 0 or variance_of_cubes < 0:
        raise ValueError(f"cubes {cubes:g}, variance {variance_of_cubes:g}: a number of cubes is not negative")
    _leaves(parameters)
    r, q = 1 - parameters.p, parameters.q
    pairs = r * r / (q * (2 - q))
    return Moments(cubes * r / q, cubes * (r / q - pairs) + variance_of_cubes * pairs, 1 - q)


def independent_correlation(parameters: Independent, lag: int) -> float:
    """The correlation of settled contents `lag` casts apart, (1 - q)^lag, due to the cubes that are still inside."""
    return float((1 - parameters.q) ** lag)


def half_life(parameters: Independent) -> float:
    """After how many casts half of the cubes inside have left, ln 2 / -ln(1 - q); 0 if all leave at once."""
    _leaves(parameters)
    return log(2) / -log1p(-parameters.q) if parameters.q < 1 else 0.0


def independent_mean_after(parameters: Independent, cubes: float, casts: int, inside: float = 0.0) -> float:
    """The mean contents after `casts` casts with a mean of `cubes` cubes, with `inside` cubes before the first.

    The recursion m' = a m + N r, solved: the distance from the settled mean shrinks by a with every cast.
    """
    settled = independent_moments(parameters, cubes).mean
    return float(settled + (inside - settled) * (1 - parameters.q) ** casts)


def independent_distribution(parameters: Independent, cubes: int) -> np.ndarray:
    """Probabilities of 0, 1, ... settled cubes if every cast throws the same number, to 1e-15 in total variation.

    Of the cubes thrown j casts before the last, each is inside with chance r a^j, by itself: the contents are a sum of
    independent Binomial(N, r a^j), their generating function the product of (1 - r a^j (1 - z))^N. Factors are
    left out once the cubes of all older casts together are fewer than 1e-15 in the mean. ValueError if q is so
    small that they would be too many.
    """
    _whole(cubes)
    if parameters.q < SMALLEST_RELEASE:
        raise ValueError(
            f"independent: q: {parameters.q:g} is out of range for a distribution ({SMALLEST_RELEASE:g} to 1)"
        )
    chances, stays = np.ones(1), 1 - parameters.p
    while cubes * stays / parameters.q > _NEGLIGIBLE:
        chances = np.convolve(chances, binomial_distribution(cubes, stays))
        beyond = np.cumsum(chances[::-1])[::-1]  # the chance of so many or more
        chances = chances[: max(1, int(np.searchsorted(-beyond, -_NEGLIGIBLE * 1e-4)))]
        stays *= 1 - parameters.q
    return np.asarray(chances / chances.sum())


def independent_poisson_distribution(parameters: Independent, cubes: float) -> np.ndarray:
    """Probabilities of 0, 1, ... settled cubes if casts throw Poisson numbers with this mean, to 1e-15.

    Thinned and added, Poisson numbers stay Poisson: the contents are Poisson with mean N r / q, as is the number of
    customers of the queue with infinitely many servers; what falls out of a cast is Poisson with mean N.
    """
    mean = independent_moments(parameters, cubes).mean
    if mean == 0:
        return np.ones(1)
    numbers = np.arange(int(mean + 12 * mean**0.5 + 40))
    logs = numbers * log(mean) - np.concatenate(([0.0], np.cumsum(np.log(numbers[1:])))) - mean
    return np.asarray(np.exp(logs))


def independent_fill(parameters: Independent, cubes: int) -> Spread:
    """What an empty tower keeps of one cast: Binomial(cubes, 1 - p); the rest falls out, with the same variance."""
    _whole(cubes)
    return Spread(cubes * (1 - parameters.p), cubes * parameters.p * (1 - parameters.p))


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


def urn_moments(parameters: Urn, cubes: int) -> Moments:
    """Moments of the settled contents if every cast throws `cubes` cubes.

    f1 and f2 are the fixed point of release and N thrown cubes; the mean of the next E is linear in E with slope
    (1 - r/C)^N (1 - q), which therefore is the correlation. ValueError unless alpha = 1, phi = 0, clump = 1, the
    capacity is a whole number and something moves.
    """
    _whole(cubes)
    _linear(parameters, steady=True)
    loose, capacity = release_spread(parameters, cubes).mean, parameters.capacity
    if cubes == 0 or loose == parameters.retention == 0:
        raise ValueError(
            "urn: nothing moves, so that contents depend on the start; throw cubes, retention or kappa > 0"
        )
    once, twice = _left_empty(parameters, cubes)
    slope = once * (1 - loose)
    empty = capacity * loose * once / (1 - slope)
    pairs = 0.0
    if capacity > 1 and loose > 0:
        source = (capacity - 1) * (2 * loose * (1 - loose) * empty + loose**2 * capacity)
        pairs = twice * source / (1 - twice * (1 - loose) ** 2)
    return Moments(capacity - empty, pairs + empty - empty**2, slope)


def urn_mean_after(parameters: Urn, cubes: int, casts: int) -> float:
    """The mean contents after `casts` casts of `cubes` cubes into an empty tower.

    The mean of E shrinks to its fixed point by x1 (1 - q) with every cast, also if q varies from cast to cast (phi).
    ValueError unless alpha = 1 and clump = 1; with a capacity that is no whole number it is an approximation.
    """
    _whole(cubes)
    _linear(replace(parameters, capacity=float(ceil(parameters.capacity))))
    loose, once = release_spread(parameters, cubes).mean, _left_empty(parameters, cubes)[0]
    slope = once * (1 - loose)
    if slope == 1:
        return 0.0
    empty = loose * once / (1 - slope)
    return float(parameters.capacity * (1 - empty) * (1 - slope**casts))


def urn_fill(parameters: Urn, cubes: int) -> Spread:
    """What an empty tower keeps of one cast; the rest falls out, with the same variance.

    From E = C, f1 = C x1 and f2 = C (C-1) x2, with x1 = (1 - r/C)^N and x2 = (1 - 2 r/C)^N. ValueError unless
    alpha = 1, clump = 1 and the capacity is a whole number.
    """
    _whole(cubes)
    _linear(parameters)
    once, twice = _left_empty(parameters, cubes)
    empty = parameters.capacity * once
    pairs = parameters.capacity * (parameters.capacity - 1)
    return Spread(parameters.capacity - empty, empty + pairs * twice - empty**2)


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


def released(parameters: Urn, cubes: int, inside: int) -> Spread:
    """The number of cubes that a cast knocks loose, out of those inside.

    Given the frailty they leave by themselves, and each pair shares it: variance S m (1 - m) + S (S-1) v, where m and v
    are those of `release_spread`.
    """
    _whole(inside)
    mean, variance = release_spread(parameters, cubes)
    return Spread(inside * mean, inside * mean * (1 - mean) + inside * (inside - 1) * variance)


def _left_empty(parameters: Urn, cubes: int) -> tuple[float, float]:
    # The chances that one given place, and that neither of two given ones, is aimed at.
    share = parameters.retention / parameters.capacity
    return float((1 - share) ** cubes), float((1 - 2 * share) ** cubes)


def _linear(parameters: Urn, steady: bool = False) -> None:
    # Places in numbers that are not whole would leave the last of them filled by more than one cube.
    single("urn", parameters.clump)
    if parameters.alpha != 1:
        raise ValueError(f"urn: alpha: {parameters.alpha:g} has no closed form (1 has); use exact_distributions")
    if parameters.capacity % 1:
        raise ValueError(f"urn: capacity: {parameters.capacity:g} has no closed form; whole numbers have")
    if steady and parameters.phi:
        raise ValueError(f"urn: phi: {parameters.phi:g} has no closed form (0 has); use exact_distributions")


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


def layered_contents(parameters: Layered) -> Spread:
    """The settled contents: the sum of independent Binomial(cells, share). ValueError unless cascade = 0, clump = 1."""
    single("layered", parameters.clump)
    if parameters.cascade:
        raise ValueError(
            f"layered: cascade: {parameters.cascade:g} has no closed form (0 has, also in exact_distributions)"
        )
    floors = list(zip(parameters.cells, layered_shares(parameters), strict=True))
    return Spread(sum(cells * x for cells, x in floors), sum(cells * x * (1 - x) for cells, x in floors))


def layered_mean_after(parameters: Layered, cubes: int, casts: int) -> float:
    """The mean contents after `casts` casts of `cubes` cubes into an empty tower, in mean field.

    Every thrown cube counts as one arrival on each floor, although lower floors get fewer at first. ValueError as for
    `layered_shares`.
    """
    floors = zip(parameters.cells, layered_shares(parameters), _turnover(parameters), strict=True)
    filled = (cells * x * (1 - max(0.0, 1 - rate / cells) ** (cubes * casts)) for cells, x, rate in floors)
    return float(sum(filled))


def layered_relaxation(parameters: Layered) -> tuple[float, ...]:
    """After how many arrivals a floor's distance from its settled mean has shrunk by e, about: c / (stick + loss).

    One arrival shrinks it by 1 - (stick + loss)/c; exactly so without cascade, in mean field otherwise.
    """
    return tuple(cells / arrivals for cells, arrivals in zip(parameters.cells, _turnover(parameters), strict=True))


def empty_pass(parameters: Layered) -> float:
    """The chance that the first cube thrown into an empty tower falls through: the product of 1 - stick."""
    return prod(1 - stick for stick in parameters.stick)


def settled_pass(parameters: Layered) -> float:
    """The chance that a cube thrown into a settled tower falls through without being held.

    On a floor with the share x taken it is not held with chance 1 - stick (1 - x) - swap knock x; linear in the share,
    so the floor's mean share will do, and floors are independent. Exact where `layered_shares` is. A held cube can
    still fall out in the same cast, knocked loose by a later one.
    """
    floors = zip(parameters.stick, parameters.knock, layered_shares(parameters), strict=True)
    return prod(1 - stick * (1 - x) - parameters.swap * knock * x for stick, knock, x in floors)


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
