"""The nearest of several towers to a log of casts, by one measure for models with and without a likelihood.

The measure is the synthetic likelihood (Wood 2010): the design of the log is thrown into each tower many times, and the
summary statistics of the log are compared with the normal distribution fitted to those of the simulated logs. Only this
measure ranks the towers; the exact log-likelihood is reported as well for towers that have one.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import repeat
from typing import NamedTuple

import numpy as np

from wallsim.analysis.tower.casts import CastLog
from wallsim.analysis.tower.likelihood import PreparedLog, log_likelihood
from wallsim.analysis.tower.simulator import Progress, Simulator, StatisticsDistribution, unusualness
from wallsim.engine.casting import CastingBench
from wallsim.rules.tower import Independent, TowerModel, Urn

LOGS = 400  # simulated for each tower


class Nearness(NamedTuple):
    """The distance of a log from a tower."""

    name: str
    misfit: float  # how much lower twice the log of the synthetic likelihood is than that of the nearest; 0 is nearest
    log_likelihood: float | None  # exact; None for `layered` and for an urn with clumps, which have none
    p_value: float  # share of the tower's own logs that are as unusual for it; small: no log of this tower


def nearest_preset(
    log: CastLog, towers: Sequence[TowerModel], *, logs: int = LOGS, seed: int = 1, watch: Progress | None = None
) -> list[Nearness]:
    """Towers in the order of their misfit, the nearest first, from `logs` simulated logs for each.

    The misfit ranks towers of all models by one measure. Differences below about 5 are weak evidence. Even the nearest
    tower may fit badly, as its p-value shows. For logs of games, see `Replay`, p-values are rough. A tower that mostly
    holds more cubes than a box is infinitely far. `watch` receives the number of logs simulated and the total.
    ValueError for what `Replay` refuses, without towers, and for fewer than 40 logs per tower.
    """
    if not towers:
        raise ValueError("no towers to compare the log with")
    if logs < 40:
        raise ValueError(f"{logs} logs per tower; at least 40 are needed")
    simulator, prepared = Simulator(log, seed), PreparedLog(log)
    done = 0

    def count(more: int) -> None:
        nonlocal done
        done += more
        if watch:
            watch(done, logs * len(towers))

    scores = []
    for tower in towers:
        statistics = simulator.statistics(repeat(CastingBench(tower), logs), ready=count)
        statistics = statistics[np.isfinite(statistics).all(axis=1)]
        score, p_value = np.inf, 0.0
        if len(statistics) > logs / 2:
            score = StatisticsDistribution(statistics).score(simulator.observed)
            p_value = unusualness(statistics, simulator.observed)[1]
        scores.append((tower.name, score, _exact(tower, prepared), p_value))
    least = min(score for _, score, _, _ in scores)
    rows = [
        Nearness(name, score - least if np.isfinite(score) else np.inf, exact, p_value)
        for name, score, exact, p_value in scores
    ]
    return sorted(rows, key=lambda row: row.misfit)


def _exact(tower: TowerModel, prepared: PreparedLog) -> float | None:
    parameters = tower.parameters
    if isinstance(parameters, Independent) or (isinstance(parameters, Urn) and parameters.clump == 1):
        return log_likelihood(parameters, prepared)
    return None
