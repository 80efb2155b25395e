"""The search: CMA-ES over weights and weights by phase, scaled by their sizes, with bounds and its own random numbers.

Hansen and Ostermeier (2001); the implementation is pycma's, with its BoundTransform for the bounds.
"""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Mapping, Sequence
from math import nan
from typing import Any

import numpy as np

from wallsim.runs.tuning.coordinates import Coordinate

# The scale of a weight is its size, limited to these fractions of its range: weights near 0 can move, and weights with
# wide bounds do not jump.
MIN_UNIT, MAX_UNIT = 0.05, 0.5
# With more coordinates than this only their variances are learned (sep-CMA-ES: Ros and Hansen 2008), which takes of the
# order of n instead of n squared candidates.
MAX_CORRELATED = 60


class Search:
    """CMA-ES over some weights from starting values; scores are maximised.

    `step` is the first standard deviation in units of each weight's size. All random numbers come from
    `seed`, not from NumPy's global state, so a search with the same scores proposes the same weights.
    """

    def __init__(
        self, weights: Sequence[Coordinate], start: Mapping[str, float], *, step: float, population: int, seed: int
    ) -> None:
        """Start a search; the bounds are those of the weights. `start` has a value for each by name."""
        self._names = [weight.name for weight in weights]
        first, low, high = (
            np.array(numbers, dtype=float)
            for numbers in ([start[name] for name in self._names], [w.low for w in weights], [w.high for w in weights])
        )
        self._units = np.clip(np.abs(first), MIN_UNIT * (high - low), MAX_UNIT * (high - low))
        self._low, self._high = low, high
        self._asked: list[Any] = []
        rng = np.random.default_rng(seed)
        options = {
            "bounds": [list(low / self._units), list(high / self._units)],
            "popsize": population,
            "CMA_diagonal": len(self._names) > MAX_CORRELATED,
            "seed": nan,  # does not touch NumPy's global state
            "randn": lambda *shape: rng.standard_normal(shape),
            "verbose": -11,  # no files are read or written
            "verb_log": 0,
        }
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # pycma warns about its own options
            import cma

            self._strategy = cma.CMAEvolutionStrategy(first / self._units, step, options)

    def ask(self) -> list[dict[str, float]]:
        """The weights of a generation's candidates, by name."""
        self._asked = self._strategy.ask()
        return [self._by_name(point) for point in self._asked]

    def tell(self, scores: Sequence[float]) -> None:
        """Update the search with the scores of the last candidates, in their order; higher is better."""
        self._strategy.tell(self._asked, [-score for score in scores])

    def digest(self) -> str:
        """The first 16 hexadecimal digits of the sha256 of the last candidates."""
        return hashlib.sha256(np.array(self._asked).tobytes()).hexdigest()[:16]

    def mean(self) -> dict[str, float]:
        """The mean of the distribution, by name."""
        return self._by_name(self._strategy.result.xfavorite)

    @property
    def step(self) -> float:
        """The current standard deviation of the search, a mean over all directions, in units of the weights' sizes."""
        return float(self._strategy.sigma * np.sqrt(np.mean(self._strategy.sm.variances)))

    def _by_name(self, point: np.ndarray) -> dict[str, float]:
        # Rounding may move a point slightly past its bound.
        values = np.clip(np.asarray(point) * self._units, self._low, self._high)
        return {name: float(value) for name, value in zip(self._names, values, strict=True)}
