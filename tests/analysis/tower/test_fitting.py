"""A fit finds the numbers that made a log, as closely as it says, and says what a log cannot tell."""

from collections import namedtuple
from dataclasses import asdict, fields
from math import inf, isfinite, sqrt

import numpy as np
import pytest

from tests.naive.rng import binomial_distribution, many_draws
from tests.naive.tower import bench_log, game_log, independent_cast, urn_cast
from tests.refusals import assert_names, refused
from wallsim.analysis.tower.casts import CastLog
from wallsim.analysis.tower.fitting import NO_LIMIT, fit_independent, fit_urn, likelihood_ratio
from wallsim.analysis.tower.likelihood import PreparedLog, log_likelihood
from wallsim.rules.tower import BOUNDS, Independent, Urn, load_tower

LEVEL = 0.95
SPIELBYWEB, MID = Independent(2 / 3, 1 / 3), Independent(0.72, 0.11)

Recovery = namedtuple("Recovery", "fits truth ratios")


def games(parameters, seed, number=1):
    rng = np.random.default_rng(seed)
    cast = independent_cast if isinstance(parameters, Independent) else urn_cast
    return game_log(rng, lambda thrown, held: cast(rng, parameters, thrown, held), number)


def bench(parameters, seed, casts=200):
    rng = np.random.default_rng(seed)
    cast = independent_cast if isinstance(parameters, Independent) else urn_cast
    return bench_log(rng, lambda thrown, held: cast(rng, parameters, thrown, held), casts)


def numbers(parameters):
    """The true numbers by the names of the estimates."""
    known = asdict(parameters)
    return known | {"h8": parameters.kappa * 8**parameters.beta} if isinstance(parameters, Urn) else known


def urn_recovery(parameters, logs):
    """Fits of the urn to many logs, the numbers planted, and the statistics of the test against `independent`."""
    prepared = [PreparedLog(log) for log in logs]
    fits = [fit_urn(log) for log in prepared]
    for log, fit in zip(prepared, fits, strict=True):
        # The planted model is one of those compared, up to a phi that was not included.
        assert fit.log_likelihood > log_likelihood(parameters, log) - (0 if parameters.phi == 0 else 1.36) - 1e-6
    tests = [
        likelihood_ratio(fit_independent(log, intervals=False), fit) for log, fit in zip(prepared, fits, strict=True)
    ]
    return Recovery(fits, numbers(parameters), tests)


def covered(recovery, name):
    """How many of the intervals of a number hold the one planted."""
    estimates = [next(e for e in fit.estimates if e.name == name) for fit in recovery.fits]
    return sum(e.low <= recovery.truth[name] <= e.high for e in estimates)


def chance_of_at_most(hits, trials, chance):
    """The binomial chance of so few hits or fewer."""
    return float(sum(binomial_distribution(trials, chance)[: hits + 1]))


def assert_covers(recovery, name, two_sided=True):
    """So few hits (or, two-sided, so many) must not have a chance below 0.0005 if every interval covers with 0.95."""
    hits, trials = covered(recovery, name), len(recovery.fits)
    assert chance_of_at_most(hits, trials, LEVEL) > 5e-4, f"{name}: only {hits} of {trials}"
    if two_sided:
        assert 1 - chance_of_at_most(hits - 1, trials, LEVEL) > 5e-4, f"{name}: as many as {hits} of {trials}"


def assert_spread_as_stated(recovery, name, tolerance):
    """The estimates' standard deviation is the root of the mean squared error stated, give or take."""
    estimates = [next(e for e in fit.estimates if e.name == name) for fit in recovery.fits]
    stated = sqrt(np.mean([e.error**2 for e in estimates]))
    assert np.std([e.value for e in estimates]) == pytest.approx(stated, rel=tolerance), name


# ------------------------------------------------------------------------------------------ planted numbers return


@pytest.mark.one_in(4)
@pytest.mark.slow
@many_draws
@pytest.mark.parametrize("parameters", [SPIELBYWEB, MID], ids=["spielbyweb", "mid"])
def test_planted_p_and_q_return_from_two_hundred_games(parameters):
    fits = [fit_independent(games(parameters, (1, seed))) for seed in range(200)]
    recovery = Recovery(fits, numbers(parameters), None)
    for name in ("p", "q"):
        assert_covers(recovery, name)
        assert_spread_as_stated(recovery, name, 0.2)  # four standard errors of a deviation from 200 values
        estimates = [next(e for e in fit.estimates if e.name == name) for fit in fits]
        bias = np.mean([e.value for e in estimates]) - recovery.truth[name]
        assert abs(bias) < 4 * np.mean([e.error for e in estimates]) / sqrt(len(fits))


@many_draws
def test_one_bench_session_tells_an_urn():
    fit = fit_urn(bench(load_tower("spielbyweb-urn").parameters, 5))
    truth = numbers(load_tower("spielbyweb-urn").parameters)
    for estimate in fit.estimates:
        assert estimate.low <= truth[estimate.name] <= estimate.high
        assert estimate.low <= estimate.value <= estimate.high
    assert fit.notes == ()


@many_draws
def test_uneven_casts_show_as_phi():
    parameters = Urn(0.457, 24, 0.0507, 1.0, phi=0.5)
    fit = fit_urn(bench(parameters, 3))
    phi = fit.estimates[-1]
    assert fit.parameters.phi == phi.value
    assert 0 < phi.low < parameters.phi < phi.high < 1
    assert fit.log_likelihood > fit.tested_log_likelihood + 1.355
    assert fit.log_likelihood == pytest.approx(log_likelihood(fit.parameters, bench(parameters, 3)), abs=1e-9)


@pytest.mark.one_in(4)
@pytest.mark.slow
@many_draws
@pytest.mark.parametrize(("make", "spread"), [(games, 0.4), (bench, 0.4)], ids=["one game", "bench"])
def test_planted_urns_return_from_sixty_logs(make, spread):
    parameters = load_tower("spielbyweb-urn").parameters
    recovery = urn_recovery(parameters, [make(parameters, (2, seed)) for seed in range(60)])
    for name in recovery.truth.keys() - {"alpha", "clump"}:
        assert_covers(recovery, name, two_sided=False)  # at the ends, 1/capacity = 0 and phi = 0, intervals hold more
    for name in ("retention", "h8", "beta"):
        assert_spread_as_stated(recovery, name, spread)  # four standard errors of a deviation from 60 values
    # The power of the test at 5 %: 0.8 with one game, all but certain with a bench session.
    result = sum(test.prefers_larger for test in recovery.ratios)
    assert chance_of_at_most(result, 60, 0.8 if make is games else 0.99) > 5e-4


@pytest.mark.one_in(4)
@pytest.mark.slow
@many_draws
def test_an_independent_tower_is_seldom_taken_for_an_urn():
    logs = [PreparedLog(games(parameters, (3, seed))) for parameters in (SPIELBYWEB, MID) for seed in range(100)]
    tests = [likelihood_ratio(fit_independent(log, intervals=False), fit_urn(log, intervals=False)) for log in logs]
    wrong = sum(test.prefers_larger for test in tests)
    assert 1 - chance_of_at_most(wrong - 1, len(logs), 0.05) > 5e-4
    assert all(test.freedom == 2 and test.limit == pytest.approx(5.991, abs=1e-3) for test in tests)
    assert all(test.prefers_larger == (test.p_value < 0.05) for test in tests)


# -------------------------------------------------------------------------------------------------- a fit's parts


@many_draws
def test_the_fit_is_the_highest_place_and_its_interval_ends_where_the_profile_has_dropped():
    log = PreparedLog(games(SPIELBYWEB, 8))
    fit = fit_independent(log)
    p, q = fit.estimates
    assert fit.log_likelihood == log_likelihood(fit.parameters, log)
    grid = np.linspace(0.2, 0.5, 3001)
    for end in (p.low, p.high):
        profile = max(log_likelihood(Independent(end, float(other)), log) for other in grid)
        assert 2 * (fit.log_likelihood - profile) == pytest.approx(3.841, abs=0.01)
    for step in (-1e-3, 1e-3):
        assert log_likelihood(Independent(p.value + step, q.value), log) < fit.log_likelihood
        assert log_likelihood(Independent(p.value, q.value + step), log) < fit.log_likelihood


@many_draws
def test_an_urn_without_load_and_limit_ends_as_a_tower_file_takes_it():
    fit = fit_urn(games(SPIELBYWEB, 1))
    named = {e.name: e for e in fit.estimates}
    assert named["h8"].value == pytest.approx(fit.parameters.kappa * 8**fit.parameters.beta)
    assert (named["capacity"].value, named["capacity"].error, named["capacity"].high) == (NO_LIMIT, None, inf)
    assert_fits_a_tower_file(fit)


@many_draws
def test_totals_without_colours_can_be_fitted_too():
    log = games(SPIELBYWEB, 2, number=3)
    for number, whole in zip(fit_independent(log).estimates, fit_independent(log.totals()).estimates, strict=True):
        assert whole.low < number.value < whole.high
        assert whole.error > number.error  # colours tell which cubes were inside


def assert_fits_a_tower_file(fit):
    for field in fields(fit.parameters):
        assert BOUNDS[field.name].allows(getattr(fit.parameters, field.name)), field.name
    for estimate in fit.estimates:
        assert isfinite(estimate.value)
        assert estimate.error is None or (isfinite(estimate.error) and estimate.error > 0)
        assert estimate.low <= estimate.value <= estimate.high


# -------------------------------------------------------------------------------------- logs that tell too little


def one_colour(casts, event="bench"):
    """A log of one colour from (thrown, fallen) a cast."""
    thrown, fallen = zip(*casts, strict=True)
    return CastLog.of(("red",), ["s"] * len(casts), [event] * len(casts), thrown, fallen)


@pytest.mark.parametrize("fit", [fit_independent, fit_urn])
@pytest.mark.parametrize(
    ("log", "names"),
    [
        (one_colour([(0, 0), (0, 0)], "bump"), ["no cast"]),
        (one_colour([(38, 25)], "fill"), ["cube inside", "q, kappa, beta"]),
        (one_colour([(5, 5), (3, 3)]), ["cube inside", "q, kappa, beta"]),
    ],
)
def test_a_log_without_casts_or_cubes_inside_is_refused(fit, log, names):
    with refused(*names, by=ValueError):
        fit(log)


@many_draws
def test_casts_of_one_size_do_not_tell_beta():
    log = one_colour([(20, 12), (6, 6), (6, 5), (6, 8), (6, 7), (6, 4)])
    fit = fit_urn(log)
    beta = next(e for e in fit.estimates if e.name == "beta")
    assert (fit.parameters.beta, beta.error, beta.low, beta.high) == (0, None, -inf, inf)
    (note,) = fit.notes
    assert_names(note, "beta is fixed at 0", "threw 6")
    assert_fits_a_tower_file(fit)
    test = likelihood_ratio(fit_independent(log), fit)
    assert (test.freedom, test.limit) == (1, pytest.approx(3.841, abs=1e-3))


@many_draws
def test_a_log_in_which_nothing_need_have_come_loose_does_not_tell_beta():
    fit = fit_urn(one_colour([(8, 5), (4, 4), (6, 6), (2, 2)]))
    assert (fit.parameters.beta, fit.parameters.kappa) == (0, pytest.approx(1e-6))
    (note,) = fit.notes
    assert_names(note, "beta is set to 0")


@many_draws
@pytest.mark.parametrize(
    "casts",
    [
        [(8, 0), (5, 0), (3, 0)],  # nothing ever falls
        [(8, 5), (4, 4), (6, 6), (2, 2)],  # one way to read it: all passes, nothing comes loose
        [(8, 5), (4, 7), (6, 6), (2, 2)],  # a cast that empties the tower
        [(1, 0), (1, 1), (1, 1)],
        [(4, 1), (9, 12)],
    ],
)
def test_logs_at_the_ends_of_what_is_possible_are_fitted_without_a_fuss(casts):
    for fit in (fit_independent(one_colour(casts)), fit_urn(one_colour(casts))):
        assert_fits_a_tower_file(fit)
        assert fit.log_likelihood >= fit.tested_log_likelihood > -inf


@many_draws
def test_short_random_logs_are_fitted_without_a_fuss():
    for seed in range(6):
        rng = np.random.default_rng((9, seed))
        parameters = Urn(rng.random(), rng.uniform(3, 40), rng.uniform(0.001, 0.5), rng.uniform(-0.5, 1.5))
        log = bench_log(rng, lambda thrown, held: urn_cast(rng, parameters, thrown, held), int(rng.integers(0, 6)))  # noqa: B023
        if PreparedLog(log).cubes[:, 1].any():
            for fit in (fit_independent(log), fit_urn(log)):
                assert_fits_a_tower_file(fit)


def test_a_fit_of_the_urn_reports_its_searches_in_order_up_to_all():
    seen = []
    fit_urn(one_colour([(20, 12), (6, 6), (5, 5), (7, 8)]), watch=lambda done, total: seen.append((done, total)))
    assert len(seen) > 10
    assert seen == sorted(seen)
    assert {total for _, total in seen} == {seen[-1][0]}
