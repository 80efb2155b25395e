"""Maximum likelihood within bounds: the estimate, its observed information, and profile-likelihood intervals."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable
from math import sqrt

import numpy as np
from scipy.optimize import brentq, minimize

from wallsim.stats.intervals import Confidence

_EDGE = 1e-5  # a coordinate nearer to its bound counts as being at the bound
_SLOPE_STEP, _CURVE_STEP = 1e-5, 1e-3  # steps of finite differences: coordinates are of the order of 1
_AS_HIGH = 1e-6  # log-likelihoods that differ by less count as equal
_HIGHER = 1e-3  # a log-likelihood higher by more shows that the maximum so far was a local one
_FIRST_STEP = 0.5

LogLikelihood = Callable[[np.ndarray], float]
Ends = tuple[float | None, float | None]  # of an interval; None where a bound comes first


class ProfileLikelihood:
    """A log-likelihood within bounds: call `maximise`, then `covariance` and the `interval` of a coordinate.

    `low` and `high`, float64 [coordinates], are the bounds; a coordinate whose bounds are equal is fixed. After
    `maximise`, `point` is the best point and `maximum` its log-likelihood. Where the maximum lies at a bound or, for
    log odds, at infinity, the optimiser stops short of it; so the coordinates `at_bounds` are also tried at their
    bounds. `step` is called after the search from each start and after each end of an interval.
    """

    def __init__(
        self,
        log_likelihood: LogLikelihood,
        low: Iterable[float],
        high: Iterable[float],
        at_bounds: tuple[int, ...] = (),
        step: Callable[[], None] = lambda: None,
    ) -> None:
        self.log_likelihood, self.at_bounds, self.step = log_likelihood, at_bounds, step
        self.low, self.high = np.array([*low], np.float64), np.array([*high], np.float64)
        self.point, self.maximum = self.low, -np.inf

    def maximise(self, starts: Iterable[np.ndarray]) -> None:
        """Search from every start, then move coordinates `at_bounds` to a bound that is as good as the maximum."""
        for start in starts:
            point, maximum = self._ascend(np.asarray(start, np.float64), self.low, self.high)
            if maximum > self.maximum + _AS_HIGH:
                self.point, self.maximum = point, maximum
            self.step()
        for index in self.at_bounds:
            for bound in (self.low[index], self.high[index]):
                moved = self.point.copy()
                moved[index] = bound
                if (value := self.log_likelihood(moved)) >= self.maximum - _AS_HIGH:
                    self.point, self.maximum = moved, value
                    break

    def covariance(self) -> np.ndarray:
        """The inverse of the curvature at the maximum (observed information), float64 [coordinates, coordinates].

        Coordinates at a bound count as known: their rows and columns are 0. All entries are 0 if the point is not a
        strict maximum.
        """
        room = np.minimum(self.point - self.low, self.high - self.point)
        inside = np.flatnonzero(room > _EDGE)
        step = np.minimum(_CURVE_STEP, room / 2)
        curve = np.zeros((len(inside), len(inside)))
        for row, one in enumerate(inside):
            for column, other in enumerate(inside[: row + 1]):
                total = 0.0
                for sign in (1, -1):
                    for turn in (1, -1):
                        moved = self.point.copy()
                        moved[one] += sign * step[one] / 2
                        moved[other] += turn * step[other] / 2
                        total += sign * turn * self.log_likelihood(moved)
                curve[row, column] = curve[column, row] = -total / (step[one] * step[other])
        covariance_matrix = np.zeros((len(self.point), len(self.point)))
        if len(inside) and np.isfinite(curve).all() and np.linalg.eigvalsh(curve)[0] > _EDGE:
            covariance_matrix[np.ix_(inside, inside)] = np.linalg.inv(curve)
        return covariance_matrix

    def interval(self, index: int, error: float) -> Ends:
        """The 95 % profile-likelihood interval of a coordinate: twice the drop of the log-likelihood is below 3.84.

        All other coordinates are maximised at every step. An end is None if the bound comes first. `error` is the
        standard error of the coordinate, which sets the first step, or 0. A higher maximum found on the way replaces
        the maximum.
        """
        if self.low[index] == self.high[index]:
            return None, None
        step = min(max(2.2 * error, 1e-3), 3.0) if error > 0 else _FIRST_STEP
        below = self._end(index, -step, self.low[index])
        self.step()
        above = self._end(index, step, self.high[index])
        self.step()
        return below, above

    def intervals(self, index_errors: Callable[[ProfileLikelihood], list[tuple[int, float]]]) -> list[Ends]:
        """The intervals of the coordinates that `index_errors` lists, recomputed if a higher maximum was found."""
        for _ in range(5):
            maximum = self.maximum
            ends = [self.interval(index, error) for index, error in index_errors(self)]
            if self.maximum <= maximum + _HIGHER:
                break
        return ends

    def _end(self, index: int, step: float, bound: float) -> float | None:
        base, log_likelihood, limit = self.point, self.maximum, Confidence().z
        known = {float(base[index]): base}

        def drop(at: float) -> float:
            nearest = known[min(known, key=lambda other: abs(other - at))].copy()
            nearest[index] = at
            low, high = self.low.copy(), self.high.copy()
            low[index] = high[index] = at
            known[at], maximum = self._ascend(nearest, low, high)
            if maximum > self.maximum + _HIGHER:
                self.point, self.maximum = known[at], maximum
            return sqrt(2 * max(0.0, log_likelihood - maximum)) - limit

        if abs(bound - base[index]) < _EDGE:
            return None
        inside, outside = float(base[index]), float(base[index] + step)
        while True:
            outside = max(outside, bound) if step < 0 else min(outside, bound)
            if drop(outside) > 0:
                return float(brentq(drop, inside, outside, xtol=1e-3 * abs(step)))
            if outside == bound:
                return None
            inside, outside = outside, outside + 2 * (outside - float(base[index]))

    def _ascend(self, start: np.ndarray, low: np.ndarray, high: np.ndarray) -> tuple[np.ndarray, float]:
        def slope(point: np.ndarray) -> np.ndarray:
            gradient = np.zeros(len(point))
            for index in np.flatnonzero(high > low):
                ahead, behind = point.copy(), point.copy()
                ahead[index] = min(point[index] + _SLOPE_STEP, high[index])
                behind[index] = max(point[index] - _SLOPE_STEP, low[index])
                drop = self.log_likelihood(behind) - self.log_likelihood(ahead)
                gradient[index] = drop / (ahead[index] - behind[index])
            return gradient

        start = np.clip(start, low, high)
        if not (high > low).any():
            return start, self.log_likelihood(start)
        with warnings.catch_warnings():
            # SLSQP warns if rounding takes it just outside the bounds; it comes back by itself.
            warnings.filterwarnings("ignore", "Values in x were outside bounds", RuntimeWarning)
            result = minimize(
                lambda point: -self.log_likelihood(point),
                start,
                jac=slope,
                method="SLSQP",
                bounds=list(zip(low, high, strict=True)),
                options={"ftol": 1e-10, "maxiter": 100},
            )
        point = np.clip(result.x, low, high)
        return point, self.log_likelihood(point)
