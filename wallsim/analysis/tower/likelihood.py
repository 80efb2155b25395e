"""The exact likelihood of a log of casts by colour, for the models `independent` and `urn`.

The cubes inside are known from conservation, so only one thing is hidden: which of the fallen cubes of a colour were
thrown and which were knocked loose. Both likelihoods sum over it. All that does not depend on a model's parameters is
computed once per log, because a fit needs thousands of likelihoods of the same log.

Equal parts of a log count once, with the number of times that they occur: for `independent` equal colours of all casts;
for `urn` equal casts, whatever the order of their colours, and in different casts equal chances that cubes come loose
or stay. A layered tower permits no such grouping, since its floors remember the order of the casts.
"""

from __future__ import annotations

import math
from collections import Counter
from functools import lru_cache
from math import comb

import numpy as np
from scipy.linalg import eigh_tridiagonal

from wallsim.analysis.tower.casts import CastLog
from wallsim.jit import kernel
from wallsim.rules.tower import Independent, Layered, TowerParameters

# Nodes of the quadrature over a cast's force. A chance errs by less than 1e-8 of itself up to phi 0.2, 1e-5 at phi 1.
FEW_NODES, MANY_NODES, UNEVEN = 32, 64, 0.2

Numbers = tuple[float, float, float, float, float, float]  # retention, capacity, kappa, beta, alpha, phi

# The kernels of this file use nothing from other files of the package; compiled code is cached by this file's text.


class PreparedLog:
    """The casts of a log, counted and arranged for `log_likelihood`; rows that are no cast are left out.

    Attributes: `casts`, their number; `cubes` int64 [casts, 3], cubes thrown, held and fallen of each cast, all
    colours together. ValueError if a colour lets out more cubes than were thrown and held, or a number is negative.
    """

    def __init__(self, log: CastLog) -> None:
        rows = log.casts()
        thrown, held, fallen = rows.thrown, rows.held, rows.fallen
        colours = np.stack((thrown, held, fallen), axis=-1)
        if colours.size and (colours.min() < 0 or (fallen > thrown + held).any()):
            raise ValueError(
                "a cast lets out more cubes of a colour than were thrown and held, or a number is negative"
            )
        self.cubes = colours.sum(axis=1)
        self.casts = len(self.cubes)
        most = int(self.cubes[:, :2].sum(axis=1).max(initial=0))
        self.log_factorials = np.array([math.lgamma(number + 1) for number in range(most + 1)])
        triples, self.times = np.unique(colours.reshape(-1, 3), axis=0, return_counts=True)
        self.triples = np.ascontiguousarray(triples)
        self._arrange_terms(colours)

    def _arrange_terms(self, colours: np.ndarray) -> None:
        # A term is a number D of cubes knocked loose in a cast. It takes P(D), the chance that D of the S cubes held
        # come loose; the chance that N - T of N thrown cubes stay with S - D inside, T = Y - D; and the share of the
        # ways to choose T of N and D of S cubes which give each colour its fallen ones. C(S, D) cancels with P(D)'s.
        first, loose, shares, births = [0], [], [], []
        counted = Counter(tuple(sorted(map(tuple, cast))) for cast in colours.tolist())
        for cast in counted:
            thrown, held, fallen = map(sum, zip(*cast, strict=True))
            ways = _ways(cast)
            for freed in range(max(0, fallen - thrown), min(held, fallen) + 1):
                through = fallen - freed
                if ways[through]:
                    loose.append((thrown, held, freed))
                    shares.append(math.log(ways[through]) - math.log(comb(thrown, through)))
                    births.append((held - freed, thrown, thrown - through))
            first.append(len(loose))
        self.first, self.shares = np.array(first), np.array(shares)
        self.cast_times = np.array([*counted.values()], dtype=np.int64)
        self.loose, self.loose_of_term = _distinct(loose)
        self.births, self.birth_of_term = _distinct(births)


def _distinct(rows: list[tuple[int, int, int]]) -> tuple[np.ndarray, np.ndarray]:
    # The distinct rows in order, int64 [distinct, 3], and which of them each row is.
    distinct, which = np.unique(np.array(rows, dtype=np.int64).reshape(-1, 3), axis=0, return_inverse=True)
    return np.ascontiguousarray(distinct), which.ravel()


@lru_cache(maxsize=100_000)
def _ways(cast: tuple[tuple[int, int, int], ...]) -> tuple[int, ...]:
    """The number of ways in which T of the thrown and Y - T of the held cubes give the fallen colours, for T from 0."""
    ways = [1]
    for thrown, held, fallen in cast:
        own = [comb(thrown, through) * comb(held, fallen - through) for through in range(fallen + 1)]
        product = [0] * (len(ways) + fallen)
        for one, left in enumerate(ways):
            for other, right in enumerate(own):
                product[one + other] += left * right
        ways = product
    return tuple(ways)


def log_likelihood(parameters: TowerParameters, log: CastLog | PreparedLog) -> float:
    """The log-likelihood of the fallen cubes of a log's casts, given those thrown and held.

    For `independent` a product over casts and colours: of n thrown and s held cubes of a colour, y fall if d come
    loose and y - d fall through, two binomial distributions summed over d. For `urn`, which looks at all colours
    together, the sum over the number D of cubes knocked loose of three chances: that D come loose (binomial, with `phi`
    mixed over the Gamma distribution), that as many thrown cubes stay as did (a pure-birth distribution: each cube that
    stays changes the chance of the next), and that the colours come out so, all choices of cubes equally likely. Minus
    infinity if the casts are impossible under the model. ValueError for `layered`, whose floors are hidden, and for an
    urn with clumps.
    """
    prepared = log if isinstance(log, PreparedLog) else PreparedLog(log)
    if isinstance(parameters, Independent):
        return float(
            _independent(prepared.triples, prepared.times, prepared.log_factorials, parameters.p, parameters.q)
        )
    if isinstance(parameters, Layered):
        raise ValueError("layered: what lies on which floor is hidden, so there is no exact likelihood of its casts")
    if parameters.clump != 1:
        raise ValueError(f"urn: clump {parameters.clump:g} has no exact likelihood here; only clump 1 has")
    p, terms = parameters, prepared
    force, weight = gamma_nodes(p.phi)
    rows = np.empty((3, len(terms.log_factorials) + 1))
    return float(
        _urn(
            terms.cast_times, terms.first, terms.shares, terms.loose, terms.loose_of_term, terms.births,
            terms.birth_of_term, (p.retention, p.capacity, p.kappa, p.beta, p.alpha, p.phi), force, weight, rows,
            np.empty(len(terms.loose)), np.empty(len(terms.births)),
        )
    )  # fmt: skip


@lru_cache(maxsize=64)
def gamma_nodes(phi: float) -> tuple[np.ndarray, np.ndarray]:
    """Nodes and weights, float64 [nodes], of the quadrature for the Gamma distribution of mean 1 and variance `phi`.

    Eigenvalues of the tridiagonal matrix of the generalised Laguerre polynomials, in units of the mean (Golub and
    Welsch 1969). It has a limit where phi goes to 0 and the shape to infinity: every node is 1.
    """
    if phi == 0:
        return np.ones(1), np.ones(1)
    order = np.arange(FEW_NODES if phi <= UNEVEN else MANY_NODES)
    beside = np.sqrt(order[1:] * phi * (order[1:] * phi + 1 - phi))
    nodes, vectors = eigh_tridiagonal(1 + 2 * order * phi, beside)
    return nodes, vectors[0] ** 2


@kernel
def _log(number: float) -> float:
    """The logarithm, minus infinity of 0."""
    return math.log(number) if number > 0 else -np.inf


@kernel
def _times(count: int, logarithm: float) -> float:
    """`count` times a logarithm that may be minus infinity; 0 if `count` is 0."""
    return count * logarithm if count > 0 else 0.0


@kernel
def _log_of_sum(one: float, other: float) -> float:
    """The logarithm of a sum from the logarithms of its terms."""
    high, low = max(one, other), min(one, other)
    return high if low == -np.inf else high + math.log1p(math.exp(low - high))


@kernel(apart=True)
def _independent(triples: np.ndarray, times: np.ndarray, log_factorials: np.ndarray, p: float, q: float) -> float:
    """The likelihood of colours (cubes thrown, held, fallen), each occurring `times` times."""
    falls, stays = _log(p), _log(1 - p)
    leaves, remains = _log(q), _log(1 - q)
    total = 0.0
    for row in range(len(triples)):
        thrown, held, fallen = triples[row]
        ways = log_factorials[thrown] + log_factorials[held]
        chance = -np.inf
        for freed in range(max(0, fallen - thrown), min(held, fallen) + 1):
            through = fallen - freed
            term = ways - log_factorials[freed] - log_factorials[held - freed]
            term -= log_factorials[through] + log_factorials[thrown - through]
            term += _times(freed, leaves) + _times(held - freed, remains)
            term += _times(through, falls) + _times(thrown - through, stays)
            chance = _log_of_sum(chance, term)
        total += times[row] * chance
    return total


@kernel
def _log_loose(freed: int, remaining: int, strength: float, phi: float, force: np.ndarray, weight: np.ndarray) -> float:
    """The chance that a certain choice of `freed` cubes comes loose and the `remaining` do not, as a logarithm.

    Given the cast's force G, the remaining ones give exp(-G strength remaining); times the Gamma distribution that is
    another Gamma distribution, with a smaller mean. Only the freed cubes' factor is left to the quadrature, which is
    good at it.
    """
    if strength == 0:
        return 0.0 if freed == 0 else -np.inf
    if phi > 0:
        total = -math.log1p(phi * strength * remaining) / phi
    else:
        total = -strength * remaining
    if freed == 0:
        return total
    smaller = strength / (1 + phi * strength * remaining)
    mean = 0.0
    for node in range(len(force)):
        mean += weight[node] * (-math.expm1(-smaller * force[node]) / smaller) ** freed
    return float(total + freed * math.log(smaller) + _log(mean))


@kernel
def _fill_births(births: np.ndarray, parameters: Numbers, rows: np.ndarray, chances: np.ndarray) -> None:
    """The chances, as logarithms, that M of N cubes thrown with `start` inside stay, for sorted (start, N, M)."""
    retention, capacity, alpha = parameters[0], parameters[1], parameters[4]
    stay, go, kept = rows[0], rows[1], rows[2]
    for inside in range(len(stay)):
        chance = retention * max(0.0, 1 - (inside / capacity) ** alpha)
        stay[inside], go[inside] = _log(chance), _log(1 - chance)
    start, thrown = np.int64(-1), np.int64(0)
    for birth in range(len(births)):
        if births[birth, 0] != start:
            start, thrown = births[birth, 0], np.int64(0)
            kept[0] = 0.0
        while thrown < births[birth, 1]:
            kept[thrown + 1] = -np.inf
            for count in range(thrown + 1, 0, -1):
                kept[count] = _log_of_sum(kept[count] + go[start + count], kept[count - 1] + stay[start + count - 1])
            kept[0] += go[start]
            thrown += 1
        chances[birth] = kept[births[birth, 2]]


@kernel(apart=True)
def _urn(
    times: np.ndarray,
    first: np.ndarray,
    shares: np.ndarray,
    loose: np.ndarray,
    loose_of_term: np.ndarray,
    births: np.ndarray,
    birth_of_term: np.ndarray,
    parameters: Numbers,
    force: np.ndarray,
    weight: np.ndarray,
    rows: np.ndarray,
    freed: np.ndarray,
    stayed: np.ndarray,
) -> float:
    """The likelihood of casts, each occurring `times` times, by the terms `first[cast]` to `first[cast + 1]`.

    `loose` are rows (cubes thrown, held, freed); `freed` and `stayed` receive the chances of its and the births' rows.
    """
    kappa, beta, phi = parameters[2], parameters[3], parameters[5]
    for row in range(len(loose)):
        strength = kappa * np.float64(loose[row, 0]) ** beta
        freed[row] = _log_loose(loose[row, 2], loose[row, 1] - loose[row, 2], strength, phi, force, weight)
    _fill_births(births, parameters, rows, stayed)
    total = 0.0
    for cast in range(len(times)):
        chance = -np.inf
        for term in range(first[cast], first[cast + 1]):
            given = freed[loose_of_term[term]] + shares[term]
            chance = _log_of_sum(chance, given + stayed[birth_of_term[term]])
        total += times[cast] * chance
    return total
