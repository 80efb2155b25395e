"""The top of a smooth function in a box, its curvature there, and how far one may walk before it drops too low."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable
from math import sqrt

import numpy as np
from scipy.optimize import brentq, minimize

from wallsim.stats.intervals import Confidence

_EDGE = 1e-5  # a coordinate nearer to the wall of the box stands at it
_SLOPE_STEP, _CURVE_STEP = 1e-5, 1e-3  # of the differences: coordinates are of the order of 1
_AS_HIGH = 1e-6  # a difference of log-likelihoods that says nothing
_HIGHER = 1e-3  # one that says that the top was not the top
_FIRST_STEP = 0.5

Height = Callable[[np.ndarray], float]


class Hill:
    """A log-likelihood in a box: `climb` it, then ask for `covariance` and for the `interval` of a coordinate.

    `low` and `high`, float64 [coordinates], are the walls; a coordinate whose walls meet is fixed. After `climb`,
    `place` is the highest place found and `top` the height there. Where the top lies at a wall or, for log odds, at
    infinity, a climb stops short of it; so the `drawn` coordinates are tried at their walls.
    """

    def __init__(
        self, height: Height, low: Iterable[float], high: Iterable[float], drawn: tuple[int, ...] = ()
    ) -> None:
        self.height, self.drawn = height, drawn
        self.low, self.high = np.array([*low], np.float64), np.array([*high], np.float64)
        self.place, self.top = self.low, -np.inf

    def climb(self, starts: Iterable[np.ndarray]) -> None:
        """Climb from every start; `drawn` coordinates then go to a wall where that is as high as the top."""
        for start in starts:
            place, top = self._ascend(np.asarray(start, np.float64), self.low, self.high)
            if top > self.top + _AS_HIGH:
                self.place, self.top = place, top
        for index in self.drawn:
            for wall in (self.low[index], self.high[index]):
                moved = self.place.copy()
                moved[index] = wall
                if (height := self.height(moved)) >= self.top - _AS_HIGH:
                    self.place, self.top = moved, height
                    break

    def covariance(self) -> np.ndarray:
        """The inverse of the curvature at the top (observed information), float64 [coordinates, coordinates].

        Coordinates at a wall count as known there: rows and columns of 0. All is 0 where the top is no true one.
        """
        room = np.minimum(self.place - self.low, self.high - self.place)
        inside = np.flatnonzero(room > _EDGE)
        step = np.minimum(_CURVE_STEP, room / 2)
        curve = np.zeros((len(inside), len(inside)))
        for row, one in enumerate(inside):
            for column, other in enumerate(inside[: row + 1]):
                total = 0.0
                for sign in (1, -1):
                    for turn in (1, -1):
                        moved = self.place.copy()
                        moved[one] += sign * step[one] / 2
                        moved[other] += turn * step[other] / 2
                        total += sign * turn * self.height(moved)
                curve[row, column] = curve[column, row] = -total / (step[one] * step[other])
        found = np.zeros((len(self.place), len(self.place)))
        if len(inside) and np.isfinite(curve).all() and np.linalg.eigvalsh(curve)[0] > _EDGE:
            found[np.ix_(inside, inside)] = np.linalg.inv(curve)
        return found

    def interval(self, index: int, error: float) -> tuple[float | None, float | None]:
        """The profile-likelihood interval of a coordinate: where twice the drop of the log-likelihood is below 3.84.

        The other coordinates climb again at every step. None for an end that the box cuts off. `error` is the
        coordinate's standard error, the measure of the first step, or 0. A higher top on the way becomes the top.
        """
        if self.low[index] == self.high[index]:
            return None, None
        step = min(max(2.2 * error, 1e-3), 3.0) if error > 0 else _FIRST_STEP
        below = self._end(index, -step, self.low[index])
        return below, self._end(index, step, self.high[index])

    def settle(
        self, index_errors: Callable[[Hill], list[tuple[int, float]]]
    ) -> list[tuple[float | None, float | None]]:
        """All intervals that `index_errors` asks for at the top, begun anew wherever a higher top was found."""
        for _ in range(5):
            top = self.top
            ends = [self.interval(index, error) for index, error in index_errors(self)]
            if self.top <= top + _HIGHER:
                break
        return ends

    def _end(self, index: int, step: float, wall: float) -> float | None:
        base, height, limit = self.place, self.top, Confidence().z
        known = {float(base[index]): base}

        def drop(at: float) -> float:
            nearest = known[min(known, key=lambda other: abs(other - at))].copy()
            nearest[index] = at
            low, high = self.low.copy(), self.high.copy()
            low[index] = high[index] = at
            known[at], top = self._ascend(nearest, low, high)
            if top > self.top + _HIGHER:
                self.place, self.top = known[at], top
            return sqrt(2 * max(0.0, height - top)) - limit

        if abs(wall - base[index]) < _EDGE:
            return None
        inside, outside = float(base[index]), float(base[index] + step)
        while True:
            outside = max(outside, wall) if step < 0 else min(outside, wall)
            if drop(outside) > 0:
                return float(brentq(drop, inside, outside, xtol=1e-3 * abs(step)))
            if outside == wall:
                return None
            inside, outside = outside, outside + 2 * (outside - float(base[index]))

    def _ascend(self, start: np.ndarray, low: np.ndarray, high: np.ndarray) -> tuple[np.ndarray, float]:
        def slope(place: np.ndarray) -> np.ndarray:
            found = np.zeros(len(place))
            for index in np.flatnonzero(high > low):
                ahead, behind = place.copy(), place.copy()
                ahead[index] = min(place[index] + _SLOPE_STEP, high[index])
                behind[index] = max(place[index] - _SLOPE_STEP, low[index])
                found[index] = (self.height(behind) - self.height(ahead)) / (ahead[index] - behind[index])
            return found

        start = np.clip(start, low, high)
        if not (high > low).any():
            return start, self.height(start)
        with warnings.catch_warnings():
            # SLSQP says so when rounding carries it out of the box by a hair; it goes back by itself.
            warnings.filterwarnings("ignore", "Values in x were outside bounds", RuntimeWarning)
            result = minimize(
                lambda place: -self.height(place),
                start,
                jac=slope,
                method="SLSQP",
                bounds=list(zip(low, high, strict=True)),
                options={"ftol": 1e-10, "maxiter": 100},
            )
        place = np.clip(result.x, low, high)
        return place, self.height(place)
