"""A fit finds the numbers that made a log, as closely as it says, and says what a log cannot tell."""

from dataclasses import asdict, fields
from math import inf, isfinite, sqrt

import numpy as np
import pytest
from scipy.stats import binom

from tests.analysis.tower.short_logs import ALL_PASSES, ONE_SIZE, SHORT, one_colour
from tests.naive.planting import planted_games
from tests.naive.rng import many_draws
from tests.naive.tower import bench_log, urn_cast
from tests.refusals import assert_names, refused
from wallsim.analysis.tower.fitting import NO_LIMIT, fit_independent, fit_urn, likelihood_ratio
from wallsim.analysis.tower.likelihood import PreparedLog, log_likelihood
from wallsim.rules.tower import BOUNDS, Independent, Urn, load_tower

SPIELBYWEB, MID = Independent(2 / 3, 1 / 3), Independent(0.72, 0.11)
URN = load_tower("spielbyweb-urn").parameters
RARE = 5e-4


def game(parameters, seed):
    return planted_games(parameters, 1, seed)


def bench(parameters, seed, casts=200):
    rng = np.random.default_rng(seed)
    return bench_log(rng, lambda thrown, held: urn_cast(rng, parameters, thrown, held), casts)


def numbers(parameters):
    """The true numbers by the names of the estimates."""
    known = asdict(parameters)
    return known | {"h8": parameters.kappa * 8**parameters.beta} if isinstance(parameters, Urn) else known


# ------------------------------------------------------------------------------------------ planted numbers return


@pytest.mark.one_in(4)
@pytest.mark.slow
@many_draws
@pytest.mark.parametrize(
    ("parameters", "make", "logs", "tolerance"),  # four standard errors of a deviation from so many values
    [(SPIELBYWEB, game, 200, 0.2), (MID, game, 200, 0.2), (URN, game, 60, 0.4), (URN, bench, 60, 0.4)],
    ids=["spielbyweb", "mid", "urn by a game", "urn by a bench"],
)
def test_planted_numbers_return_in_their_intervals_with_the_errors_stated(parameters, make, logs, tolerance):
    """So few hits, and of p and q so many, must not have a chance below 0.0005 if every interval covers with 0.95."""
    fit_one = fit_urn if parameters is URN else fit_independent
    fits, truth = [fit_one(make(parameters, (2, seed))) for seed in range(logs)], numbers(parameters)
    for name in truth.keys() - {"alpha", "clump"}:
        estimates = [next(e for e in fit.estimates if e.name == name) for fit in fits]
        hits = sum(e.low <= truth[name] <= e.high for e in estimates)
        assert binom.cdf(hits, logs, 0.95) > RARE, name
        if name in ("capacity", "kappa", "phi"):
            continue  # at the ends, 1/capacity = 0 and phi = 0, intervals hold more, and errors are no deviations
        stated = sqrt(np.mean([e.error**2 for e in estimates]))
        assert np.std([e.value for e in estimates]) == pytest.approx(stated, rel=tolerance), name
        if parameters is not URN:
            assert binom.sf(hits - 1, logs, 0.95) > RARE, name
            assert abs(np.mean([e.value for e in estimates]) - truth[name]) < 4 * stated / sqrt(logs)


@pytest.mark.one_in(4)
@pytest.mark.slow
@many_draws
@pytest.mark.parametrize(
    ("parameters", "make", "logs", "least", "most"),  # the power of the test, which has a level of 5 %
    [(URN, game, 60, 0.8, 1), (URN, bench, 60, 0.99, 1), (SPIELBYWEB, game, 100, 0, 0.05), (MID, game, 100, 0, 0.05)],
    ids=["urn by a game", "urn by a bench", "spielbyweb", "mid"],
)
def test_urns_are_told_from_independent_towers_as_often_as_stated(parameters, make, logs, least, most):
    prepared = [PreparedLog(make(parameters, (3, seed))) for seed in range(logs)]
    tests = [likelihood_ratio(*(fit(log, intervals=False) for fit in (fit_independent, fit_urn))) for log in prepared]
    found = sum(test.prefers_larger for test in tests)
    assert binom.cdf(found, logs, least) > RARE
    assert binom.sf(found - 1, logs, most) > RARE
    assert all(test.freedom == 2 and test.limit == pytest.approx(5.991, abs=1e-3) for test in tests)
    assert all(test.prefers_larger == (test.p_value < 0.05) for test in tests)


def test_one_bench_session_tells_an_urn():
    log = PreparedLog(bench(URN, 5))
    fit = fit_urn(log)
    assert fit.log_likelihood > log_likelihood(URN, log)
    for estimate in fit.estimates:
        assert estimate.low <= numbers(URN)[estimate.name] <= estimate.high
        assert estimate.low <= estimate.value <= estimate.high
    assert fit.notes == ()


def test_uneven_casts_show_as_phi():
    parameters = Urn(0.457, 24, 0.0507, 1.0, phi=0.5)
    fit = fit_urn(bench(parameters, 3))
    phi = fit.estimates[-1]
    assert fit.parameters.phi == phi.value
    assert 0 < phi.low < parameters.phi < phi.high < 1
    assert fit.log_likelihood > fit.tested_log_likelihood + 1.355
    assert fit.log_likelihood == pytest.approx(log_likelihood(fit.parameters, bench(parameters, 3)), abs=1e-9)


# -------------------------------------------------------------------------------------------------- a fit's parts


def test_the_fit_is_the_highest_place_and_its_interval_ends_where_the_profile_has_dropped():
    log = PreparedLog(game(SPIELBYWEB, 8))
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


def test_an_urn_without_load_and_limit_ends_as_a_tower_file_takes_it():
    fit = fit_urn(game(SPIELBYWEB, 1))
    named = {e.name: e for e in fit.estimates}
    assert named["h8"].value == pytest.approx(fit.parameters.kappa * 8**fit.parameters.beta)
    assert (named["capacity"].value, named["capacity"].error, named["capacity"].high) == (NO_LIMIT, None, inf)
    assert_fits_a_tower_file(fit)


def test_totals_without_colours_can_be_fitted_too():
    log = planted_games(SPIELBYWEB, 3, 2)
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


@pytest.mark.parametrize("fit", [fit_independent, fit_urn])
@pytest.mark.parametrize(
    ("log", "names"),
    [
        (one_colour((0, 0), (0, 0), event="bump"), ["no cast"]),
        (one_colour((38, 25), event="fill"), ["cube inside", "q, kappa, beta"]),
        (one_colour((5, 5), (3, 3)), ["cube inside", "q, kappa, beta"]),
    ],
)
def test_a_log_without_casts_or_cubes_inside_is_refused(fit, log, names):
    with refused(*names, by=ValueError):
        fit(log)


def test_casts_of_one_size_do_not_tell_beta():
    log = SHORT[ONE_SIZE]
    fit = fit_urn(log)
    beta = next(e for e in fit.estimates if e.name == "beta")
    assert (fit.parameters.beta, beta.error, beta.low, beta.high) == (0, None, -inf, inf)
    (note,) = fit.notes
    assert_names(note, "beta is fixed at 0", "threw 6")
    assert_fits_a_tower_file(fit)
    test = likelihood_ratio(fit_independent(log), fit)
    assert (test.freedom, test.limit) == (1, pytest.approx(3.841, abs=1e-3))


def test_a_log_in_which_nothing_need_have_come_loose_does_not_tell_beta():
    fit = fit_urn(SHORT[ALL_PASSES])
    assert_fits_a_tower_file(fit)
    assert fit.log_likelihood >= fit.tested_log_likelihood > -inf
    assert (fit.parameters.beta, fit.parameters.kappa) == (0, pytest.approx(1e-6))
    (note,) = fit.notes
    assert_names(note, "beta is set to 0")


@pytest.mark.parametrize("name", sorted(SHORT.keys() - {ALL_PASSES, ONE_SIZE}))
def test_logs_at_the_ends_of_what_is_possible_are_fitted_without_a_fuss(name):
    for fit in (fit_independent(SHORT[name]), fit_urn(SHORT[name])):
        assert_fits_a_tower_file(fit)
        assert fit.log_likelihood >= fit.tested_log_likelihood > -inf


def test_short_random_logs_are_fitted_without_a_fuss():
    for seed in range(4):
        rng = np.random.default_rng((9, seed))
        parameters = Urn(rng.random(), rng.uniform(3, 40), rng.uniform(0.001, 0.5), rng.uniform(-0.5, 1.5))
        log = bench_log(rng, lambda thrown, held: urn_cast(rng, parameters, thrown, held), int(rng.integers(0, 6)))  # noqa: B023
        if PreparedLog(log).cubes[:, 1].any():
            for fit in (fit_independent(log), fit_urn(log)):
                assert_fits_a_tower_file(fit)


def test_a_fit_of_the_urn_reports_its_searches_in_order_up_to_all():
    seen = []
    fit_urn(one_colour((20, 12), (6, 6), (5, 5), (7, 8)), watch=lambda done, total: seen.append((done, total)))
    assert len(seen) > 10
    assert seen == sorted(seen)
    assert {total for _, total in seen} == {seen[-1][0]}
