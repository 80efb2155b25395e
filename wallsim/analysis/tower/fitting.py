"""Maximum-likelihood fits of `independent` and `urn` to a log of casts, and the test between them.

Probabilities are fitted between 1e-6 and 1 - 1e-6 on the scale of log odds, strengths on a logarithmic scale.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from math import exp, inf, log, sqrt

import numpy as np
from scipy.special import chdtrc, chdtri, expit, logit

from wallsim.analysis.tower.casts import CastLog
from wallsim.analysis.tower.likelihood import PreparedLog, log_likelihood
from wallsim.analysis.tower.presets_prior import TYPICAL_CAST
from wallsim.rules.tower import BOUNDS, Independent, TowerParameters, Urn
from wallsim.stats.intervals import LEVEL
from wallsim.stats.likelihood import Ends, ProfileLikelihood

NO_LIMIT = BOUNDS["capacity"].high  # the capacity of an urn without a limit
FRAILTY_RATIO = 2.71  # twice the gain that keeps phi: the 5 % point of half a chi-square, as phi cannot be negative
_SUREST = log(1e6 - 1)  # log odds
_WEAKEST = log(1e-6)
_KAPPA, _BETA = BOUNDS["kappa"].high, (BOUNDS["beta"].low, BOUNDS["beta"].high)
_SEARCHES = 20  # of a fit of the urn: 4 + 3 starts, 1 + 2 for kappa, and 10 ends
_CHANCE_SHAPES = ((2 / 3, 1 / 3), (0.2, 0.2), (0.9, 0.05), (0.5, 0.7))

Progress = Callable[[int, int], None]  # receives how much of how much is done


def counter(watch: Progress | None, total: int) -> Callable[[int], None]:
    """What adds up the parts that are done, and reports them; more than `total` count as all."""
    done = 0

    def count(more: int) -> None:
        nonlocal done
        done += more
        if watch:
            watch(min(done, total), total)

    return count


@dataclass(frozen=True)
class Estimate:
    """The estimate of a parameter with its standard error and its 95 % interval by profile likelihood.

    The error is None if the estimate is at a bound, or if the log does not determine the parameter. An open end of the
    interval is the bound: 0 or 1 for a probability, otherwise 0 or infinity.
    """

    name: str
    value: float
    error: float | None
    low: float
    high: float


@dataclass(frozen=True)
class Fit:
    """A model fitted to a log: `estimates` of its numbers, in the model's order, for an urn with h8 before phi."""

    parameters: TowerParameters
    log_likelihood: float
    casts: int
    estimates: tuple[Estimate, ...]
    tested_log_likelihood: float  # with phi = 0: what the test of urn against independent compares
    tested_numbers: int  # numbers that were free in it
    notes: tuple[str, ...] = ()  # what the log could not determine


@dataclass(frozen=True)
class LikelihoodRatio:
    """The likelihood-ratio statistic, its degrees of freedom, and its p-value under the smaller model."""

    statistic: float
    freedom: int
    p_value: float
    limit: float  # 5.99 for two numbers

    @property
    def prefers_larger(self) -> bool:
        """Whether the larger model is significantly better, at a level of 5 %."""
        return self.statistic > self.limit


def likelihood_ratio(smaller: Fit, larger: Fit) -> LikelihoodRatio:
    """Test the fit of `independent` against that of `urn` to the same log, with phi = 0 in both.

    An urn without limit (1/capacity = 0) and with beta = 0 is `independent`: the urn has two more parameters, so the
    statistic is compared with chi-square's 5.99 with two degrees of freedom (3.84 with one if beta was fixed). As
    1/capacity cannot be negative, that is conservative in long logs: the test then wrongly prefers the urn in about 3 %
    of the logs of an independent tower. In the log of a single game, where the asymptotic theory is less accurate, it
    was 6.5 %.
    """
    statistic = max(0.0, 2 * (larger.tested_log_likelihood - smaller.tested_log_likelihood))
    freedom = larger.tested_numbers - smaller.tested_numbers
    return LikelihoodRatio(statistic, freedom, float(chdtrc(freedom, statistic)), float(chdtri(freedom, 1 - LEVEL)))


def fit_independent(log: CastLog | PreparedLog, *, intervals: bool = True) -> Fit:
    """Fit the model `independent` to a log by maximum likelihood; without `intervals` all of them are (0, 1).

    ValueError if the log has no cast, or no cast with a cube inside.
    """
    prepared = _prepared_log(log)
    likelihood = ProfileLikelihood(
        lambda point: log_likelihood(Independent(float(expit(point[0])), float(expit(point[1]))), prepared),
        (-_SUREST, -_SUREST),
        (_SUREST, _SUREST),
        at_bounds=(0, 1),
    )
    likelihood.maximise(logit(shape) for shape in _CHANCE_SHAPES)
    ends = likelihood.intervals(_all_errors) if intervals else [(None, None)] * 2
    variance = likelihood.covariance().diagonal()
    estimates = tuple(_chance(*part) for part in zip(("p", "q"), likelihood.point, variance, ends, strict=True))
    parameters = Independent(*(estimate.value for estimate in estimates))
    return Fit(parameters, likelihood.maximum, prepared.casts, estimates, likelihood.maximum, 2)


def fit_urn(log: CastLog | PreparedLog, *, intervals: bool = True, watch: Progress | None = None) -> Fit:
    """Fit the model `urn`, with alpha = 1 and no clumps, to a log by maximum likelihood.

    First with phi = 0, then with phi free; phi is fitted if the likelihood ratio exceeds FRAILTY_RATIO. A capacity that
    the log does not limit is NO_LIMIT. Besides kappa and beta, which lie on a ridge, there is h8 = kappa 8^beta,
    which does not: 1 - exp(-h8) is the chance that a cast of eight knocks a cube loose. If all casts with cubes inside
    were of one size, the log cannot determine beta: it is fixed at 0, with a note. Without `intervals` the widest are
    used. `watch` receives the number of searches for a maximum or an end that are done, and about how many there are.
    ValueError as for `fit_independent`.
    """
    step = partial(counter(watch, _SEARCHES), 1)
    prepared = _prepared_log(log)
    plain = _UrnLikelihood(prepared, TYPICAL_CAST, step=step)
    plain.maximise(plain.starts(fit_independent(prepared, intervals=False)))
    frail = _UrnLikelihood(prepared, TYPICAL_CAST, has_phi=True, step=step)
    frail.maximise([np.append(plain.point[:4], phi) for phi in (0.0, 0.02, 0.2)])
    likelihood = frail if 2 * (frail.maximum - plain.maximum) > FRAILTY_RATIO else plain
    estimates = _urn_estimates(prepared, likelihood, frail, intervals)  # may rise a little higher
    if watch:
        watch(_SEARCHES, _SEARCHES)
    return Fit(
        parameters=likelihood.parameters(likelihood.point),
        log_likelihood=likelihood.maximum,
        casts=prepared.casts,
        estimates=estimates,
        tested_log_likelihood=plain.maximum,
        tested_numbers=4 if likelihood.tells_beta else 3,
        notes=likelihood.notes(),
    )


class _UrnLikelihood(ProfileLikelihood):
    """The log-likelihood over log odds of retention, least capacity / capacity, log strength of a cast, beta, phi.

    The cast is of `size` cubes: 8 for h8, 1 for kappa.
    """

    def __init__(
        self, prepared: PreparedLog, size: int, has_phi: bool = False, step: Callable[[], None] = lambda: None
    ) -> None:
        thrown, held, _ = prepared.cubes.T
        self.least = least_capacity(prepared)
        self.size = size
        sizes = np.unique(thrown[held > 0])
        self.tells_beta = len(sizes) > 1
        self.one_size = f"beta is fixed at 0: all casts that found cubes inside threw {sizes[0]}"
        strongest = log(_KAPPA)
        beta = _BETA if self.tells_beta else (0.0, 0.0)
        phi = (0.0, 1.0 if has_phi else 0.0)
        bounds = ((-_SUREST, _SUREST), (self.least / NO_LIMIT, 1.0), (_WEAKEST, strongest), beta, phi)
        low, high = zip(*bounds, strict=True)
        super().__init__(lambda point: log_likelihood(self.parameters(point), prepared), low, high, (0, 1, 2, 4), step)

    def parameters(self, point: np.ndarray) -> Urn:
        """The urn at a point; beta gives way where kappa would exceed what a tower file takes."""
        beta = float(point[3])
        if self.size > 1:
            beta = max(beta, (float(point[2]) - log(_KAPPA)) / log(self.size))
        kappa = min(_KAPPA, exp(float(point[2])) / self.size**beta)
        return Urn(
            float(expit(point[0])), min(NO_LIMIT, self.least / float(point[1])), kappa, beta, phi=float(point[4])
        )

    def maximise(self, starts: Iterable[np.ndarray]) -> None:
        """As for every likelihood; where nothing comes loose beta means nothing, and becomes 0."""
        super().maximise(starts)
        if self.loosens_nothing:
            self.point = np.array([*self.point[:3], 0.0, self.point[4]])
            self.maximum = self.log_likelihood(self.point)

    @property
    def loosens_nothing(self) -> bool:
        """Whether the maximum is at the weakest possible release."""
        return bool(self.point[2] == self.low[2])

    def notes(self) -> tuple[str, ...]:
        """The parameters that the log could not determine."""
        if not self.tells_beta:
            return (self.one_size,)
        return ("beta is set to 0: no cube need have come loose, so the log leaves it open",) * self.loosens_nothing

    def starts(self, independent: Fit) -> list[np.ndarray]:
        """The independent model itself, and urns that release about as many cubes."""
        pass_, loose = (estimate.value for estimate in independent.estimates)
        stays, strength = float(logit(1 - pass_)), log(-log(1 - loose))
        return [
            np.array([stays, self.least / NO_LIMIT, strength, 0.0, 0.0]),
            np.array([stays + 0.3, 0.3, strength, 0.8, 0.0]),
            np.array([stays + 1.0, 0.8, strength, 1.3, 0.0]),
            np.array([-1.0, 0.1, -2.0, 0.8, 0.0]),
        ]


def least_capacity(prepared: PreparedLog) -> float:
    """The capacity that an urn has at least, whatever its other numbers, if it made a log."""
    thrown, held, fallen = prepared.cubes.T
    # A cube that stayed found less inside than the capacity, and found all but itself of what then lay inside.
    inside = (thrown + held - fallen)[fallen < thrown]
    return max(1.0, (1 + 1e-6) * (int(inside.max(initial=1)) - 1))


def _urn_estimates(
    prepared: PreparedLog, likelihood: _UrnLikelihood, frail: _UrnLikelihood, intervals: bool
) -> tuple[Estimate, ...]:
    free = 4 if likelihood is not frail else 5
    ends: list[Ends] = [(None, None)] * 5
    kappa_ends = ends[0]
    parameters = likelihood.parameters(likelihood.point)
    if intervals:
        by_kappa = _UrnLikelihood(prepared, 1, likelihood is frail, likelihood.step)
        kappa_place = likelihood.point.copy()
        kappa_place[2] = log(max(parameters.kappa, 1e-6))
        by_kappa.maximise([kappa_place])
        kappa_ends = by_kappa.interval(2, sqrt(by_kappa.covariance()[2, 2]))
        ends = likelihood.intervals(lambda at: _all_errors(at)[:free])
        ends += [frail.interval(4, 0.0)] * (5 - free)
        parameters = likelihood.parameters(likelihood.point)
    spread, ridge = likelihood.covariance(), log(TYPICAL_CAST)
    kappa_variance = max(0.0, spread[2, 2] + ridge * ridge * spread[3, 3] - 2 * ridge * spread[2, 3])
    capacity_error = parameters.capacity / float(likelihood.point[1]) * sqrt(spread[1, 1])
    most, least = (None if end is None else likelihood.least / end for end in ends[1])
    return (
        _chance("retention", likelihood.point[0], spread[0, 0], ends[0]),
        _within("capacity", parameters.capacity, capacity_error, (least, most), likelihood.least),
        _strength("kappa", parameters.kappa, kappa_variance if spread[2, 2] > 0 else 0.0, kappa_ends),
        _within("beta", parameters.beta, sqrt(spread[3, 3]), ends[3], -inf),
        _strength("h8", parameters.kappa * TYPICAL_CAST**parameters.beta, spread[2, 2], ends[2]),
        _within("phi", parameters.phi, sqrt(spread[4, 4]), ends[4]),
    )


def _prepared_log(log: CastLog | PreparedLog) -> PreparedLog:
    prepared = log if isinstance(log, PreparedLog) else PreparedLog(log)
    if prepared.casts == 0:
        raise ValueError("the log holds no cast: no fill, battle, revolt or bench row throws a cube")
    if not prepared.cubes[:, 1].any():
        raise ValueError(
            "no cast of the log found a cube inside the tower, so it does not show what a cast knocks loose (q, kappa, "
            "beta); log further casts without emptying the tower"
        )
    return prepared


def _all_errors(likelihood: ProfileLikelihood) -> list[tuple[int, float]]:
    return [(index, sqrt(variance)) for index, variance in enumerate(likelihood.covariance().diagonal())]


def _within(name: str, value: float, error: float, ends: Ends, low: float = 0.0, high: float = inf) -> Estimate:
    """An estimate whose open ends are `low` and `high`."""
    least, most = ends
    return Estimate(name, value, error or None, low if least is None else least, high if most is None else most)


def _chance(name: str, place: float, variance: float, ends: Ends) -> Estimate:
    value = float(expit(place))
    low, high = (None if end is None else float(expit(end)) for end in ends)
    return _within(name, value, value * (1 - value) * sqrt(variance), (low, high), high=1.0)


def _strength(name: str, value: float, variance: float, ends: Ends) -> Estimate:
    low, high = (None if end is None else exp(end) for end in ends)
    return _within(name, value, value * sqrt(variance), (low, high))
