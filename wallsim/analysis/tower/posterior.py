"""Estimation of parameters by simulation, without a likelihood: sequential ABC with regression adjustment.

Approximate Bayesian computation (ABC): parameters are drawn, data are simulated with them, and those draws are accepted
whose summary statistics are near the observed ones. Each round draws near the best draws of the round before, with
importance weights (Beaumont, Cornuet, Marin and Robert 2009). The distance of statistics is that of the parameters
predicted from them by a regression (Fearnhead and Prangle 2012). The accepted draws are adjusted by that
regression to the observed statistics (Beaumont, Zhang and Balding 2002).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import lgamma, log, pi

import numpy as np

_DEFENCE = 0.05  # share of the draws of a round that come from the prior
_WIDER = 2.0  # how much wider than the last round's numbers a round's draws lie, in variance
_TAILS = 5  # degrees of freedom of their multivariate t distribution
_RIDGE = 1e-3
_FARTHEST = 12.0  # log odds: positions nearer to an end of a range than this say nothing

MIN_ACCEPTED = 100  # possible simulations that a regression takes

Simulate = Callable[[np.ndarray, int], np.ndarray]
_Proposal = tuple[np.ndarray, np.ndarray]  # mean and covariance of the draws of a round


@dataclass(frozen=True)
class Range:
    """A parameter to estimate and its prior: uniform from low to high, or uniform in its logarithm."""

    name: str
    low: float
    high: float
    by_ratio: bool = False

    def at(self, position: np.ndarray) -> np.ndarray:
        """The numbers at positions from 0, the low end, to 1."""
        if self.by_ratio:
            return np.asarray(self.low * np.exp(position * log(self.high / self.low)))
        return np.asarray(self.low + position * (self.high - self.low))

    def position(self, numbers: np.ndarray) -> np.ndarray:
        """The positions of numbers: the inverse of `at`."""
        if self.by_ratio:
            return np.asarray(np.log(numbers / self.low) / log(self.high / self.low))
        return np.asarray((numbers - self.low) / (self.high - self.low))


@dataclass(frozen=True)
class Posterior:
    """Draws of numbers with weights: float64 [draws, numbers] and [draws], the weights adding to 1."""

    ranges: tuple[Range, ...]
    numbers: np.ndarray
    weights: np.ndarray
    simulations: int

    @property
    def effective(self) -> float:
        """Kish's effective sample size: the number of equally weighted draws with the same information."""
        return float(1 / (self.weights**2).sum())

    def quantiles(self, values: np.ndarray, chances: Sequence[float]) -> np.ndarray:
        """Quantiles of values that belong to the draws, float64 [draws]."""
        order = np.argsort(values, kind="stable")
        upto = np.cumsum(self.weights[order]) - self.weights[order] / 2
        result: np.ndarray = np.interp(chances, upto, values[order])
        return result

    def deviation(self, values: np.ndarray) -> float:
        """The standard deviation of values that belong to the draws, float64 [draws]."""
        mean = self.weights @ values
        return float(np.sqrt(self.weights @ (values - mean) ** 2))


class Search:
    """Rounds of simulations that converge to the parameters behind observed statistics.

    `simulate(numbers, first)` gives the statistics, float64 [draws, statistics], of data simulated with numbers
    [draws, numbers], the first of them being simulation number `first`; a row of nan is data that cannot be. `places`,
    float64 [draws, numbers], are the draws so far whose data can be, as log odds of positions in the ranges.
    """

    def __init__(self, ranges: Sequence[Range], simulate: Simulate, observed: np.ndarray, seed: int) -> None:
        """Start from the prior."""
        self.ranges = tuple(ranges)
        self._simulate, self._observed = simulate, np.asarray(observed, np.float64)
        self._rng = np.random.default_rng(seed)
        count = len(ranges)
        self.places = np.empty((0, count))
        self._statistics = np.empty((0, len(self._observed)))
        self._drawn: list[_Proposal | None] = []  # of each round; None for the prior
        self._sizes: list[int] = []
        self.simulations = 0

    def round(self, draws: int, near: int) -> None:
        """Simulate `draws` draws; from the second round on near the `near` draws that fit best so far."""
        proposal = self._proposal(near) if self._sizes else None
        places = self._draw(draws, proposal)
        numbers = self._numbers(places)
        statistics = self._simulate(numbers, self.simulations)
        self.simulations += draws
        possible = np.isfinite(statistics).all(axis=1)
        self.places = np.concatenate((self.places, places[possible]))
        self._statistics = np.concatenate((self._statistics, statistics[possible]))
        self._drawn.append(proposal)
        self._sizes.append(draws)

    def posterior(self, near: int) -> Posterior:
        """The posterior of the numbers, from the `near` draws that fit best. ValueError if few data were possible."""
        places, weights = self._nearest(near)
        return Posterior(self.ranges, self._numbers(places), weights, self.simulations)

    def importance(self, places: np.ndarray) -> np.ndarray:
        """The prior's density over that of all rounds' draws, float64 [draws]; their mean is about 1."""
        log_prior = -(np.abs(places) + 2 * np.log1p(np.exp(-np.abs(places)))).sum(axis=1)
        ratio = np.zeros(len(places))
        total = sum(self._sizes)
        for draws, proposal in zip(self._sizes, self._drawn, strict=True):
            if proposal is None:
                ratio += draws / total
                continue
            mean, spread = proposal
            root = np.linalg.cholesky(spread)
            off = np.linalg.solve(root, (places - mean).T)
            count = len(mean)
            log_t = -0.5 * (_TAILS + count) * np.log1p((off * off).sum(axis=0) / _TAILS) - np.log(np.diag(root)).sum()
            ratio += draws / total * (_DEFENCE + (1 - _DEFENCE) * np.exp(log_t + _T_SCALE[count] - log_prior))
        return 1 / ratio

    # ------------------------------------------------------------------------------------------------------ draws

    def _numbers(self, places: np.ndarray) -> np.ndarray:
        positions = 1 / (1 + np.exp(-places))
        return np.stack([number.at(positions[:, index]) for index, number in enumerate(self.ranges)], axis=1)

    def _proposal(self, near: int) -> _Proposal:
        places, weights = self._nearest(near)
        mean = weights @ places
        off = places - mean
        return mean, _WIDER * (off.T * weights) @ off + 1e-4 * np.eye(len(mean))

    def _draw(self, draws: int, proposal: _Proposal | None) -> np.ndarray:
        prior = self._rng.logistic(size=(draws, len(self.ranges)))
        if proposal is not None:
            mean, spread = proposal
            normal = self._rng.standard_normal(prior.shape) @ np.linalg.cholesky(spread).T
            far = mean + normal * np.sqrt(_TAILS / self._rng.chisquare(_TAILS, draws))[:, None]
            defended = self._rng.random(draws) < _DEFENCE
            prior = np.where(defended[:, None], prior, far)
        return np.clip(prior, -_FARTHEST, _FARTHEST)

    # ---------------------------------------------------------------------------------------------------- nearness

    def _nearest(self, near: int) -> tuple[np.ndarray, np.ndarray]:
        # Halve the draws repeatedly, each time by a regression among those that are left.
        accepted = np.arange(len(self.places))
        if len(accepted) < MIN_ACCEPTED:
            raise ValueError(
                f"only {len(accepted)} of {self.simulations} simulations were possible; {MIN_ACCEPTED} are needed"
            )
        while True:
            places, statistics = self.places[accepted], self._statistics[accepted]
            moved, distance = self._regress(places, statistics)
            if len(accepted) <= near:
                break
            count = max(near, len(accepted) // 2)
            accepted = accepted[np.sort(np.argpartition(distance, count - 1)[:count])]
        # Without any distance the log determines nothing, and all draws count.
        nearness = 1 - (distance / distance.max()) ** 2 if distance.max() > 0 else np.ones(len(distance))
        weights = self.importance(places) * np.maximum(0, nearness)
        return np.clip(moved, -_FARTHEST, _FARTHEST), weights / weights.sum()

    def _regress(self, places: np.ndarray, statistics: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        # Positions adjusted to the observed statistics, and their predicted distance from it.
        centre, scale = statistics.mean(axis=0), statistics.std(axis=0) + 1e-9
        scaled = (statistics - centre) / scale
        target = np.clip((self._observed - centre) / scale, -8, 8)
        off = places - places.mean(axis=0)
        slopes = np.linalg.solve(scaled.T @ scaled + _RIDGE * len(scaled) * np.eye(scaled.shape[1]), scaled.T @ off)
        shift = (target - scaled) @ slopes
        residual = off - scaled @ slopes
        spread = residual.T @ residual / len(residual) + 1e-9 * np.eye(residual.shape[1])
        distance = np.sqrt(np.einsum("ij,ij->i", shift, np.linalg.solve(spread, shift.T).T))
        return places + shift, distance


def _log_t_scale(count: int) -> float:
    return lgamma((_TAILS + count) / 2) - lgamma(_TAILS / 2) - count / 2 * log(_TAILS * pi)


_T_SCALE = [_log_t_scale(count) for count in range(10)]
