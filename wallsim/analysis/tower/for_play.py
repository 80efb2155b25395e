"""Towers for play: fitted towers that a prior pulls to the presets, and how many cubes a log allows inside.

The most likely tower of a short log is often at an edge, such as a tower that never releases a cube, and games with it
end with a hundred cubes inside. So the tower for play is the most likely one by the log and the prior of
`presets_prior` together; of a layered tower, which is fitted by simulation, the median. The longer the log, the less
the prior changes: estimates of a bench session by less than a fifth of their standard error.

What a log allows: drawn from the distribution of towers by the log and the prior, 97.5 % hold fewer cubes than
`ForPlay.most` after 200 casts of 8 cubes into an empty tower, in the mean of many sessions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import exp, log

import numpy as np
from scipy.special import expit

from wallsim.analysis.tower.casts import CastLog
from wallsim.analysis.tower.fitting import Fit, least_capacity
from wallsim.analysis.tower.floors import LayeredFit, parameters_from
from wallsim.analysis.tower.likelihood import PreparedLog, log_likelihood
from wallsim.analysis.tower.posterior import Posterior
from wallsim.analysis.tower.presets_prior import TYPICAL_CAST, Pull, log_contents, mean_contents, place_of, prior_of
from wallsim.rules.tower import BOUNDS, Independent, TowerParameters, Urn
from wallsim.stats.intervals import LEVEL
from wallsim.stats.likelihood import ProfileLikelihood

_DRAWS = 400
_TAILS = 5  # degrees of freedom of the draws' multivariate t distribution
_FARTHEST = log(1e6 - 1)  # log odds
_WEAKEST = log(1e-6)  # strength of a cast


@dataclass(frozen=True)
class ForPlay:
    """A tower for play, and its mean contents after 200 casts of 8 cubes.

    `least` and `most` are the ends of the 95 % interval of these contents by the log and the prior.
    """

    parameters: TowerParameters
    prior: tuple[Pull, ...]
    contents: float
    least: float
    most: float


def independent_for_play(log_of_casts: CastLog, fit: Fit, seed: int = 1) -> ForPlay:
    """The tower for play of the model `independent`; `fit` is the fit to the same log."""

    def tower(place: np.ndarray) -> Independent:
        return Independent(float(expit(place[0])), float(expit(place[1])))

    return _pulled("independent", tower, PreparedLog(log_of_casts), [(-_FARTHEST, _FARTHEST)] * 2, fit, seed)


def urn_for_play(log_of_casts: CastLog, fit: Fit, seed: int = 1) -> ForPlay:
    """The same of the model `urn`; phi is estimated only if the fit has it."""
    prepared = PreparedLog(log_of_casts)
    kappas, capacities = BOUNDS["kappa"], BOUNDS["capacity"]

    def tower(place: np.ndarray) -> Urn:
        kappa = exp(place[2] - place[3] * log(TYPICAL_CAST))
        capacity = min(capacities.high, exp(place[1]))
        return Urn(float(expit(place[0])), capacity, min(kappas.high, kappa), float(place[3]), phi=float(place[4]))

    assert isinstance(fit.parameters, Urn)
    bounds = [
        (-_FARTHEST, _FARTHEST),
        (log(least_capacity(prepared)), log(capacities.high)),
        (_WEAKEST, log(kappas.high)),
        (BOUNDS["beta"].low, BOUNDS["beta"].high),
        (0.0, 1.0 if fit.parameters.phi else 0.0),
    ]
    return _pulled("urn", tower, prepared, bounds, fit, seed)


def layered_for_play(fit: LayeredFit) -> ForPlay:
    """The same of the model `layered`, from the draws of the fit."""
    prior, posterior = prior_of("layered"), fit.posterior
    floors = len(fit.parameters.cells)
    towers = [parameters_from(row, floors) for row in posterior.numbers]
    pulls = np.array([_log_prior(prior, place_of(tower), tower) for tower in towers])
    weights = posterior.weights * np.exp(pulls - pulls.max())
    pulled = Posterior(posterior.ranges, posterior.numbers, weights / weights.sum(), posterior.simulations)
    numbers = [pulled.quantiles(values, (0.5,))[0] for values in pulled.numbers.T]
    return _for_play(parameters_from(numbers, floors), prior, towers, pulled.weights)


def _pulled(
    model: str,
    tower: Callable[[np.ndarray], TowerParameters],
    prepared: PreparedLog,
    bounds: Sequence[tuple[float, float]],
    fit: Fit,
    seed: int,
) -> ForPlay:
    prior = prior_of(model)

    def by_both(place: np.ndarray) -> float:
        parameters = tower(place)
        return log_likelihood(parameters, prepared) + _log_prior(prior, place, parameters)

    low, high = zip(*bounds, strict=True)
    likelihood = ProfileLikelihood(by_both, low, high)
    usual = np.array([pull.mean for pull in prior[:-1]])
    far = 3 * np.array([pull.deviation for pull in prior[:-1]])
    likelihood.maximise([usual, np.clip(place_of(fit.parameters), usual - far, usual + far)])
    places, weights = _draws(likelihood, prior, seed)
    return _for_play(tower(likelihood.point), prior, [tower(place) for place in places], weights)


def _log_prior(prior: Sequence[Pull], place: np.ndarray, parameters: TowerParameters) -> float:
    """The log density of a tower with its numbers at `place` on their scales; the prior's last part is of contents."""
    places = (*place, log_contents(parameters))
    return sum(pull.log_density(at) for pull, at in zip(prior, places, strict=True))


def _draws(likelihood: ProfileLikelihood, prior: Sequence[Pull], seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Places drawn around the maximum, float64 [draws, numbers], with importance weights that add to 1."""
    rng, count = np.random.default_rng(seed), len(likelihood.point)
    spread = likelihood.covariance()
    if not spread.any():
        spread = np.diag([pull.deviation**2 for pull in prior[:-1]])
    free = (likelihood.high > likelihood.low) & (spread.diagonal() > 0)  # others stay where they are
    root = np.zeros((count, count))
    root[np.ix_(free, free)] = np.linalg.cholesky(spread[np.ix_(free, free)])
    normal = rng.standard_normal((_DRAWS, count)) * free
    steps = normal * np.sqrt(_TAILS / rng.chisquare(_TAILS, _DRAWS))[:, None]
    places = likelihood.point + steps @ root.T
    inside = ((places >= likelihood.low) & (places <= likelihood.high)).all(axis=1)
    places, steps = places[inside], steps[inside]
    heights = np.array([likelihood.log_likelihood(place) for place in places]) - likelihood.maximum
    drawn = -0.5 * (_TAILS + free.sum()) * np.log1p((steps * steps).sum(axis=1) / _TAILS)
    ratio = heights - drawn
    weights = np.exp(ratio - ratio.max())
    return places, weights / weights.sum()


def _for_play(
    parameters: TowerParameters, prior: tuple[Pull, ...], towers: Sequence[TowerParameters], weights: np.ndarray
) -> ForPlay:
    draws = Posterior((), np.empty((0, 0)), weights, len(towers))
    tail = (1 - LEVEL) / 2
    least, most = draws.quantiles(np.array([mean_contents(each) for each in towers]), (tail, 1 - tail))
    return ForPlay(parameters, prior, mean_contents(parameters), float(least), float(most))
