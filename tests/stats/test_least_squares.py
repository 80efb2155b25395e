"""Least squares within blocks: formulas, errors by block, shares whose coefficients add up to 0, products in chunks."""

import numpy as np
import pytest

from wallsim.stats.intervals import LEVEL, Confidence
from wallsim.stats.least_squares import Design, centred, column_products, mean_fit, shrunken

RNG = np.random.default_rng(15)
BLOCKS, ROWS, COUNT = 400, 4, 6


def shares(rng, blocks=BLOCKS):
    """Each row of a block holds one of six things and a number; no two rows hold the same."""
    held = np.argsort(rng.random((blocks, COUNT)), axis=1)[:, :ROWS]
    return np.concatenate([np.eye(COUNT)[held], rng.normal(size=(blocks, ROWS, 1))], axis=2)


def test_coefficients_are_those_of_plain_least_squares():
    regressors = RNG.normal(size=(BLOCKS, ROWS, 3))
    outcomes = regressors @ [1.0, -2.0, 0.5] + RNG.normal(size=(BLOCKS, ROWS))
    fit = Design(regressors).fit(outcomes)
    flat, response = centred(regressors).reshape(-1, 3), centred(outcomes[..., None]).ravel()
    plain, left, *_ = np.linalg.lstsq(flat, response, rcond=None)
    assert np.allclose(fit.values, plain)
    assert np.isclose(fit.explained, 1 - left[0] / (response**2).sum())


def test_errors_are_those_of_the_sandwich_block_by_block():
    regressors = RNG.normal(size=(50, ROWS, 2))
    outcomes = RNG.normal(size=(50, ROWS)) * RNG.uniform(0.2, 3, size=(50, 1))
    fit = Design(regressors).fit(outcomes)
    known, response = centred(regressors), centred(outcomes[..., None])[..., 0]
    bread = np.linalg.inv(sum(block.T @ block for block in known))
    left = response - known @ fit.values
    scores = [block.T @ rest for block, rest in zip(known, left, strict=True)]
    meat = sum(np.outer(score, score) for score in scores)
    assert np.allclose(fit.covariance(), bread @ meat @ bread * 50 / 49)
    assert np.allclose([each.error for each in fit.estimates], np.sqrt(np.diag(fit.covariance())))
    assert np.allclose(fit.influence.sum(axis=0), 0)


def test_the_coefficients_of_shares_add_up_to_nothing():
    regressors = shares(RNG)
    fit = Design(regressors).fit(regressors @ [3, 0, 0, 0, 0, -1, 2] + RNG.normal(size=(BLOCKS, ROWS)))
    assert abs(fit.values[:COUNT].sum()) < 1e-10
    truth = np.array([3, 0, 0, 0, 0, -1]) - 2 / 6
    assert np.abs(fit.values[:COUNT] - truth).max() < 0.5
    assert abs(fit.values[COUNT] - 2) < 0.2


def test_what_is_added_to_a_block_or_a_place_changes_nothing():
    regressors = shares(RNG)
    outcomes = RNG.normal(size=(BLOCKS, ROWS))
    design = Design(regressors)
    one = design.fit(outcomes)
    other = design.fit(outcomes + RNG.normal(size=(BLOCKS, 1)) + np.arange(ROWS) ** 2)
    assert np.allclose(one.values, other.values)
    assert np.allclose(one.influence, other.influence)


def test_simultaneous_intervals_cover_although_rows_of_a_block_depend_on_each_other():
    rng, misses, runs = np.random.default_rng(4), 0, 300
    sure = Confidence(LEVEL, COUNT + 1)
    truth = np.array([1, 1, 0, 0, 0, -2, 0.5])
    for _ in range(runs):
        regressors = shares(rng, 200)
        noise = rng.normal(size=(200, ROWS)) * rng.exponential(1, size=(200, 1))
        fit = Design(regressors).fit(regressors @ truth + noise)
        intervals = [each.interval(sure) for each in fit.estimates]
        misses += any(not low <= each <= high for (low, high), each in zip(intervals, truth, strict=True))
    assert 3 <= misses <= 27  # 5 % of 300, give or take three errors


def test_the_mean_of_fits_is_the_fit_of_the_mean():
    regressors, outcomes = shares(RNG), RNG.normal(size=(3, BLOCKS, ROWS))
    design = Design(regressors)
    mean, whole = mean_fit([design.fit(each) for each in outcomes]), design.fit(outcomes.mean(axis=0))
    assert np.allclose(mean.values, whole.values)
    assert np.allclose(mean.influence, whole.influence)
    assert np.isclose(mean.of(np.ones(7)).value, mean.values.sum())


@pytest.mark.parametrize(("rows", "columns"), [(0, 20), (1, 20), (399, 20), (401, 20), (5000, 20), (3, 500)])
def test_a_product_in_pieces_is_the_product(rows, columns):
    one, other = (np.random.default_rng(k).normal(size=(rows, wide)) for k, wide in ((1, columns), (2, columns + 10)))
    assert column_products(one, other) == pytest.approx(one.T @ other)


PRIOR_RNG = np.random.default_rng(7)
VALUES = 45
FACTS = PRIOR_RNG.normal(size=(VALUES, 3))
WEIGHTS = np.array([1.0, -0.5, 0.0])


def drawn(rng, around, error):
    truth = FACTS @ WEIGHTS + around * rng.normal(size=VALUES)
    return truth - truth.mean(), truth + error * rng.normal(size=VALUES)


def test_values_without_errors_stay_and_worthless_ones_become_the_prediction():
    _, response = drawn(PRIOR_RNG, 0.5, 0.0)
    sharp = shrunken(response, 1e-8 * np.eye(VALUES), FACTS)
    assert np.allclose(sharp.values, response - response.mean(), atol=1e-4)
    blunt = shrunken(response, 1e3 * np.eye(VALUES), FACTS)
    assert blunt.unexplained == 0
    assert np.allclose(blunt.values, blunt.predicted)


def test_shrunken_values_lie_nearer_to_the_truth_and_add_up_to_nothing():
    gains = []
    for seed in range(100):
        truth, response = drawn(np.random.default_rng(seed), 0.4, 0.6)
        result = shrunken(response, 0.36 * np.eye(VALUES), FACTS)
        assert abs(result.values.sum()) < 1e-9
        raw = ((response - response.mean() - truth) ** 2).mean()
        gains.append(1 - ((result.values - truth) ** 2).mean() / raw)
    assert 0.5 < np.mean(gains) < 0.75  # 1 - 0.4²/(0.4² + 0.6²) = 0.69, less what the weights cost


def test_variances_are_found_without_the_errors_of_estimates():
    result = [
        shrunken(drawn(np.random.default_rng(seed), 0.5, 0.3)[1], 0.09 * np.eye(VALUES), FACTS) for seed in range(80)
    ]
    assert abs(np.mean([each.unexplained for each in result]) - 0.25) < 0.03
    fraction = np.var(FACTS @ WEIGHTS) / (np.var(FACTS @ WEIGHTS) + 0.25)
    assert abs(np.mean([each.explained for each in result]) - fraction) < 0.03
    assert np.allclose(np.mean([each.weights for each in result], axis=0), WEIGHTS, atol=0.05)


def test_facts_that_say_nothing_explain_nothing():
    shares = [
        shrunken(np.random.default_rng(seed).normal(size=VALUES), 0.01 * np.eye(VALUES), FACTS).explained
        for seed in range(60)
    ]
    assert np.mean(shares) < 0.06


def test_only_differences_between_values_count():
    """A covariance without a say on the mean, as of values that add up to 0, may be singular."""
    _, response = drawn(PRIOR_RNG, 0.5, 0.3)
    centring = np.eye(VALUES) - 1 / VALUES
    one = shrunken(response, 0.09 * np.eye(VALUES), FACTS)
    other = shrunken(response + 5, 0.09 * centring, FACTS)
    assert np.allclose(one.values, other.values)
