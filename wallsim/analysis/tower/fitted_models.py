"""All three models fitted to one log, the tower of a fitted model, and the nearest of several towers.

Towers are ranked by one measure for models with and without a likelihood, the synthetic likelihood (Wood 2010): the
design of the log is thrown into each tower many times, and the summary statistics of the log are compared with the
normal distribution fitted to those of the simulated logs. The exact log-likelihood is reported as well.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import repeat
from typing import NamedTuple

import numpy as np

from wallsim.analysis.tower.casts import CastLog, Replay
from wallsim.analysis.tower.fitting import (
    FRAILTY_RATIO,
    Estimate,
    Fit,
    LikelihoodRatio,
    Progress,
    counter,
    fit_independent,
    fit_urn,
    likelihood_ratio,
)
from wallsim.analysis.tower.floors import LayeredFit, fit_layered
from wallsim.analysis.tower.for_play import ForPlay, independent_for_play, layered_for_play, urn_for_play
from wallsim.analysis.tower.likelihood import PreparedLog, log_likelihood
from wallsim.analysis.tower.presets_prior import CASTS, TYPICAL_CAST
from wallsim.analysis.tower.simulator import Simulator, StatisticsDistribution, unusualness
from wallsim.engine.casting import CastingBench
from wallsim.rules.tower import Independent, TowerModel, Urn


def for_simulation(log: CastLog) -> CastLog | None:
    """The log in a form that simulated towers can replay: without colours if it has more colours or cubes than a box.

    None if it has more cubes than a box even without colours.
    """
    for form in (log, log.totals()):
        try:
            Replay(form)
        except ValueError:
            continue
        return form
    return None


@dataclass(frozen=True)
class Fits:
    """The fits to a log, and by model the tower for play; `layered` is None if it was not requested."""

    independent: Fit
    urn: Fit
    ratio: LikelihoodRatio
    layered: LayeredFit | None
    for_play: Mapping[str, ForPlay]

    def best(self) -> str:
        """The simplest model that the tests do not reject: `urn` if the ratio or unevenness is significant."""
        return "urn" if self.ratio.prefers_larger or self.uneven > FRAILTY_RATIO else "independent"

    @property
    def uneven(self) -> float:
        """The likelihood ratio of phi, the variance from cast to cast, if the urn's fit has one; otherwise 0."""
        return max(0.0, 2 * (self.urn.log_likelihood - self.urn.tested_log_likelihood))

    def of(self, model: str) -> Fit | LayeredFit:
        """The fit of a model. KeyError if there is none."""
        fit = {"independent": self.independent, "urn": self.urn, "layered": self.layered}[model]
        if fit is None:
            raise KeyError(model)
        return fit


def fit_exactly(log: CastLog, watch: Progress | None = None) -> tuple[Fit, Fit]:
    """Fit `independent` and `urn` by maximum likelihood; `watch` and errors are those of `fit_urn`."""
    prepared = PreparedLog(log)
    return fit_independent(prepared), fit_urn(prepared, watch=watch)


def fit_all(
    log: CastLog,
    *,
    floors: int | None = 2,
    seed: int = 1,
    watch: Progress | None = None,
    exact: tuple[Fit, Fit] | None = None,
) -> Fits:
    """Fit `independent` and `urn` by maximum likelihood, and `layered` with `floors` floors, if any, by simulation.

    `exact` is what `fit_exactly` returned, if it was called before; `watch` receives the number of logs simulated and
    the total. There is no layered fit for a log that no simulated tower can replay. ValueError for a log with too
    little information.
    """
    independent, urn = exact or fit_exactly(log)
    simulated = None if floors is None else for_simulation(log)
    layered = None if floors is None or simulated is None else fit_layered(simulated, floors, seed=seed, watch=watch)
    for_play = {
        "independent": independent_for_play(log, independent, seed),
        "urn": urn_for_play(log, urn, seed),
        **({} if layered is None else {"layered": layered_for_play(layered)}),
    }
    return Fits(independent, urn, likelihood_ratio(independent, urn), layered, for_play)


def fitted_tower(name: str, model: str, log: CastLog, fits: Fits, log_name: str) -> TowerModel:
    """The tower for play of a fitted model. KeyError as `Fits.of`.

    Its evidence names the log, the prior and what it changed, the cubes inside, the log's intervals and the test.
    """
    fit = fits.of(model)
    sessions = len(dict.fromkeys(log.session))
    evidence = [
        f"{fit.casts} casts in {sessions} session{'s' if sessions > 1 else ''}",
        *play_texts(fit, fits.for_play[model]),
        "estimates of the log alone:",
        *(_as_text(estimate) for estimate in fit.estimates),
        f"likelihood ratio of urn against independent {fits.ratio.statistic:.2f}, p {fits.ratio.p_value:.3g}",
        f"twice the gain by phi {fits.uneven:.2f}, 5 % point {FRAILTY_RATIO}",
    ]
    if isinstance(fit, LayeredFit):
        evidence.append(
            f"misfit {fit.misfit:.1f} over {fit.statistics} statistics of simulated logs, p {fit.p_value:.3g}"
        )
    evidence += [*fit.notes, *log.notes]
    return TowerModel(name, fits.for_play[model].parameters, f"fitted to the casts of {log_name}", tuple(evidence))


def play_texts(fit: Fit | LayeredFit, play: ForPlay) -> list[str]:
    """What a prior made of a fit: the prior, what the log alone does not determine, and the cubes inside."""
    ranges = "; ".join("{} {:.3g}, {:.3g} to {:.3g}".format(pull.name, *pull.range()) for pull in play.prior)
    open_names = [
        each.name for each in fit.estimates if each.error is None and each.name in {pull.name for pull in play.prior}
    ]
    return [
        f"numbers for play: by the log and a prior from the presets (median and 95 % range: {ranges})",
        *([f"the log alone does not determine {', '.join(open_names)}"] if open_names else []),
        f"after {CASTS} casts of {TYPICAL_CAST} cubes the tower for play holds {play.contents:.3g} cubes; the log and "
        f"the prior allow {play.least:.3g} to {play.most:.3g}",
    ]


def _as_text(estimate: Estimate) -> str:
    error = "" if estimate.error is None else f", standard error {estimate.error:.3g}"
    return f"{estimate.name} {estimate.value:.4g}{error}, 95 % interval {estimate.low:.4g} to {estimate.high:.4g}"


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
    simulator, prepared, count = Simulator(log, seed), PreparedLog(log), counter(watch, logs * len(towers))
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
