"""Summary statistics of simulated logs of one design, and the distance of a log from them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import islice

import numpy as np

from wallsim.analysis.tower.casts import CastLog, Replay
from wallsim.analysis.tower.summaries import Summaries
from wallsim.engine.casting import CastingBench

_BATCH = 100  # logs whose statistics are worked out in one go, fewer if they are long
_SIMULTANEOUS_CELLS = 500_000  # casts by colours that are held for it
SEEDS_APART = 1 << 32  # between a user's seed and that of simulations, so that none repeats a log made with the seed
_SHRINKAGE = 0.1  # of correlations towards none: they are estimated from few logs
_SMALLEST = 1e-3  # standard deviation that a statistic counts with at least


class Simulator:
    """A log and the statistics of simulated logs of its design; `observed` are those of the log, `names` their names.

    `casts` counts those of the log; `of_games` says whether some are of games.
    """

    def __init__(self, log: CastLog, seed: int) -> None:
        """Take a whole log. ValueError as for `Replay`."""
        self._replay = Replay(log)
        self.of_games = self._replay.of_games
        self.casts = len(self._replay.thrown)
        # Those of memory only where no cube was thrown again by a rule.
        self._summaries = Summaries(self._replay.thrown, self._replay.emptied, memory=not self.of_games)
        self._seed = seed + SEEDS_APART
        self.names = self._summaries.names
        self.observed = self._summaries.of(self._replay.fallen)

    def statistics(
        self, benches: Iterable[CastingBench], first: int = 0, ready: Callable[[int], None] | None = None
    ) -> np.ndarray:
        """Statistics of a log simulated on each bench as it stands when it comes, float64 [logs, statistics].

        The first has number `first`. A row of nan is a log that no box has the cubes for. `ready` is called, now and
        then, how many more logs are done.
        """
        numbered, rows = enumerate(benches, start=first), [np.empty((0, len(self.names)))]
        size = max(1, min(_BATCH, _SIMULTANEOUS_CELLS // self._replay.thrown.size))
        while batch := [self._replay.throw(bench, self._seed, number) for number, bench in islice(numbered, size)]:
            result = np.full((len(batch), len(self.names)), np.nan)
            possible = [place for place, fallen in enumerate(batch) if fallen is not None]
            if possible:
                result[possible] = self._summaries.of(np.stack([fallen for fallen in batch if fallen is not None]))
            rows.append(result)
            if ready:
                ready(len(batch))
        return np.concatenate(rows)


class StatisticsDistribution:
    """The normal approximation to the statistics of simulated logs, float64 [logs, statistics].

    Correlations are shrunk a little towards none.
    """

    def __init__(self, statistics: np.ndarray) -> None:
        """Estimate it from at least two logs."""
        self._mean = statistics.mean(axis=0)
        self._scale = np.maximum(statistics.std(axis=0), _SMALLEST)
        off = (statistics - self._mean) / self._scale
        batch = off.T @ off / len(off)
        self._correlation = (1 - _SHRINKAGE) * batch + _SHRINKAGE * np.eye(len(batch))

    def distance(self, statistics: np.ndarray) -> np.ndarray:
        """Squared Mahalanobis distances from the mean, float64 [logs]; about chi-square, one degree per statistic."""
        off = (np.atleast_2d(statistics) - self._mean) / self._scale
        result: np.ndarray = (off * np.linalg.solve(self._correlation, off.T).T).sum(axis=1)
        return result

    def score(self, observed: np.ndarray) -> float:
        """Minus twice the log density at a log's statistics, without a constant."""
        _, log_volume = np.linalg.slogdet(self._correlation)
        return float(self.distance(observed)[0] + log_volume + 2 * np.log(self._scale).sum())


def unusualness(statistics: np.ndarray, observed: np.ndarray) -> tuple[float, float]:
    """The distance of a log from the simulated logs of a tower, and its p-value.

    The squared distance by the distribution of half of the simulated logs, and the share of the other half that is as
    far away. Infinity and 0 if fewer than four logs could be simulated.
    """
    half = len(statistics) // 2
    if half < 2:
        return np.inf, 0.0
    distribution = StatisticsDistribution(statistics[:half])
    distance = float(distribution.distance(observed)[0])
    farther = int((distribution.distance(statistics[half:]) >= distance).sum())
    return distance, (1 + farther) / (1 + len(statistics) - half)
