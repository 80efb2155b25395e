"""The parameters of a layered tower from a log of its casts, by simulation: the floors of the cubes are hidden.

All floors are assumed equal. A log determines some combinations of the parameters well and others badly: 230 bench
casts determine to about 12 % how easily a cube inside is knocked loose, to about 16 % how fast a floor fills and
empties and how many cells it has, and `cascade` hardly at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import repeat

import numpy as np

from wallsim.analysis.tower.casts import CastLog
from wallsim.analysis.tower.fitting import Estimate, Progress, counter
from wallsim.analysis.tower.posterior import Posterior, Range, Search
from wallsim.analysis.tower.simulator import Simulator, unusualness
from wallsim.engine.casting import CastingBench
from wallsim.rules.record import pack_floors
from wallsim.rules.tower import MAX_FLOORS, Layered, TowerModel
from wallsim.stats.intervals import LEVEL

# The prior. Whole numbers of cells from 5 to 60; the floors of all presets lie inside.
CELLS = Range("cells", 4.5, 60.5, by_ratio=True)
STICK = Range("stick", 0.02, 1.0, by_ratio=True)
KNOCK = Range("knock", 0.02, 1.0, by_ratio=True)
CASCADE = Range("cascade", 0.0, 0.4)
SIMULATIONS = 30_000
MIN_SIMULATIONS = 5_000
CHECKS = 1_000  # logs simulated with the fitted tower for the misfit
_ROUNDS = (2, 3, 4, 6)  # shares of the simulations
_NEAR = 15  # the posterior is one in 15 simulations
_MIN_NEAR = 600  # but at least 600, since a regression on 30 statistics needs many
_AT_AN_END = 0.05  # of a range: an interval that ends nearer to a bound is extended to it
_UNDETERMINED = 0.2  # standard deviation in ranges above which a log does not determine a parameter; a uniform has 0.29
_ROUGH = 100  # effective draws of the posterior below which its intervals are rough


@dataclass(frozen=True)
class LayeredFit:
    """A layered tower fitted to a log.

    `estimates` are of cells, stick, knock and cascade: medians with standard deviations and 95 % intervals of the
    posterior. `combined` are of two combinations that logs determine best: `loosening`, the
    chance knock / (1 - cascade) / cells that a cube arriving on a floor knocks a certain cube there loose, and
    `settling`, the share (stick + knock / (1 - cascade)) / cells by which each arrival brings a floor nearer to its
    usual filling.

    `misfit` is the squared distance of the log's statistics from those of `checks` logs simulated with the fitted
    tower, about as large as their number `statistics` if the tower is such a tower; `p_value` is the share of those
    logs that are as far away. A small one says that no such tower made the log.
    """

    parameters: Layered
    casts: int
    estimates: tuple[Estimate, ...]
    combined: tuple[Estimate, ...]
    misfit: float
    statistics: int
    p_value: float
    simulations: int
    posterior: Posterior = field(repr=False, compare=False)
    notes: tuple[str, ...] = ()  # what the log could not determine


def fit_layered(
    log: CastLog,
    floors: int = 2,
    *,
    simulations: int = SIMULATIONS,
    seed: int = 1,
    watch: Progress | None = None,
) -> LayeredFit:
    """Fit a layered tower of `floors` equal floors to a log; swap is 0 and clump 1.

    The prior: cells 5 to 60, stick and knock 0.02 to 1, all uniform in their logarithms; cascade uniform from 0 to 0.4.
    In four rounds towers are simulated with the design of the log, each time near those towers of
    the last round that resembled the log (`Search`). Towers that hold more cubes than a box count as impossible. The
    thrown cubes are treated as given, including those thrown again from the tray in a game: exact for bench logs, an
    approximation for logs of games, see `Replay`, for which the statistics most affected are left out. The same seed
    gives the same fit.

    `watch` receives the number of logs simulated and the total. ValueError for what `Replay` refuses, not 1 to 4
    floors, fewer than 5000 simulations, or a log for which hardly any tower has enough cubes.
    """
    if not 1 <= floors <= MAX_FLOORS:
        raise ValueError(f"{floors} floors; 1 to {MAX_FLOORS} are allowed")
    if simulations < MIN_SIMULATIONS:
        raise ValueError(f"{simulations} simulations; at least {MIN_SIMULATIONS} are needed")
    simulator = Simulator(log, seed)
    bench = CastingBench(TowerModel("floors", parameters_from((10, 0.5, 0.5, 0.1), floors)))
    total = simulations + CHECKS
    count = counter(watch, total)

    def benches(numbers: np.ndarray) -> Iterator[CastingBench]:
        for row in numbers:
            pack_floors(bench.rules, parameters_from(row, floors))
            yield bench

    def simulate(numbers: np.ndarray, first: int) -> np.ndarray:
        return simulator.statistics(benches(numbers), first, count)

    search = Search((CELLS, STICK, KNOCK, CASCADE), simulate, simulator.observed, seed)
    near = max(simulations // _NEAR, _MIN_NEAR)
    upto = np.cumsum((0, *_ROUNDS)) * simulations // sum(_ROUNDS)
    for draws in np.diff(upto):
        search.round(int(draws), min(near, int(draws) // 3))
    posterior = search.posterior(near)
    estimates, notes = _estimates(posterior)
    parameters = parameters_from([estimate.value for estimate in estimates], floors)
    pack_floors(bench.rules, parameters)
    checks = simulator.statistics(repeat(bench, CHECKS), simulations, count)
    misfit, p_value = unusualness(checks[np.isfinite(checks).all(axis=1)], simulator.observed)
    if posterior.effective < _ROUGH:
        notes.append("few simulated logs were like this one: the intervals are rough; ask for more simulations")
    if simulator.of_games:
        notes.append("cubes that a game threw again count as given, which is an approximation")
    return LayeredFit(
        parameters=parameters,
        casts=simulator.casts,
        estimates=tuple(estimates),
        combined=_combined(posterior),
        misfit=misfit,
        statistics=len(simulator.names),
        p_value=p_value,
        simulations=total,
        posterior=posterior,
        notes=tuple(notes),
    )


def parameters_from(numbers: Iterable[float], floors: int) -> Layered:
    """A tower of equal floors from cells, stick, knock and cascade."""
    cells, stick, knock, cascade = map(float, numbers)
    return Layered((round(cells),) * floors, (stick,) * floors, (knock,) * floors, cascade)


def _estimates(posterior: Posterior) -> tuple[list[Estimate], list[str]]:
    estimates, notes = [], []
    for index, number in enumerate(posterior.ranges):
        values = posterior.numbers[:, index]
        estimate = _estimate(number.name, posterior, values)
        low, high = number.at(np.array([_AT_AN_END, 1 - _AT_AN_END]))
        if estimate.low < low:  # all the uncertainty is at the other end
            estimate = replace(estimate, low=number.low, high=float(posterior.quantiles(values, (LEVEL,))[0]))
        if estimate.high > high:
            least = float(posterior.quantiles(values, (1 - LEVEL,))[0])
            estimate = replace(estimate, low=number.low if estimate.low == number.low else least, high=number.high)
        if number is CELLS:
            whole = (float(np.clip(round(part), 5, 60)) for part in (estimate.value, estimate.low, estimate.high))
            value, least, most = whole
            estimate = replace(estimate, value=value, low=least, high=most)
        if posterior.deviation(number.position(values)) > _UNDETERMINED:
            notes.append(f"the log hardly determines {number.name}: its bounds limit it more than the casts do")
        estimates.append(estimate)
    return estimates, notes


def _combined(posterior: Posterior) -> tuple[Estimate, Estimate]:
    cells, stick, knock, cascade = posterior.numbers.T
    loose = knock / (1 - cascade)
    return (_estimate("loosening", posterior, loose / cells), _estimate("settling", posterior, (stick + loose) / cells))


def _estimate(name: str, posterior: Posterior, values: np.ndarray) -> Estimate:
    tail = (1 - LEVEL) / 2
    low, middle, high = posterior.quantiles(values, (tail, 0.5, 1 - tail)).tolist()
    return Estimate(name, middle, posterior.deviation(values), low, high)
