"""Empirical Bayes: sharp estimates stay, blunt ones go to the prediction, and the variances are found."""

import numpy as np

from wallsim.stats.least_squares import shrunken

RNG = np.random.default_rng(7)
COUNT = 45
FACTS = RNG.normal(size=(COUNT, 3))
WEIGHTS = np.array([1.0, -0.5, 0.0])


def drawn(rng, around, error):
    truth = FACTS @ WEIGHTS + around * rng.normal(size=COUNT)
    return truth - truth.mean(), truth + error * rng.normal(size=COUNT)


def test_values_without_errors_stay_and_worthless_ones_become_the_prediction():
    _, response = drawn(RNG, 0.5, 0.0)
    sharp = shrunken(response, 1e-8 * np.eye(COUNT), FACTS)
    assert np.allclose(sharp.values, response - response.mean(), atol=1e-4)
    blunt = shrunken(response, 1e3 * np.eye(COUNT), FACTS)
    assert blunt.unexplained == 0
    assert np.allclose(blunt.values, blunt.predicted)


def test_shrunken_values_lie_nearer_to_the_truth_and_add_up_to_nothing():
    gains = []
    for seed in range(100):
        truth, response = drawn(np.random.default_rng(seed), 0.4, 0.6)
        result = shrunken(response, 0.36 * np.eye(COUNT), FACTS)
        assert abs(result.values.sum()) < 1e-9
        raw = ((response - response.mean() - truth) ** 2).mean()
        gains.append(1 - ((result.values - truth) ** 2).mean() / raw)
    assert 0.5 < np.mean(gains) < 0.75  # 1 - 0.4²/(0.4² + 0.6²) = 0.69, less what the weights cost


def test_variances_are_found_without_the_errors_of_estimates():
    result = [
        shrunken(drawn(np.random.default_rng(seed), 0.5, 0.3)[1], 0.09 * np.eye(COUNT), FACTS) for seed in range(80)
    ]
    assert abs(np.mean([each.unexplained for each in result]) - 0.25) < 0.03
    fraction = np.var(FACTS @ WEIGHTS) / (np.var(FACTS @ WEIGHTS) + 0.25)
    assert abs(np.mean([each.explained for each in result]) - fraction) < 0.03
    assert np.allclose(np.mean([each.weights for each in result], axis=0), WEIGHTS, atol=0.05)


def test_facts_that_say_nothing_explain_nothing():
    shares = [
        shrunken(np.random.default_rng(seed).normal(size=COUNT), 0.01 * np.eye(COUNT), FACTS).explained
        for seed in range(60)
    ]
    assert np.mean(shares) < 0.06


def test_only_differences_between_values_count():
    """A covariance without a say on the mean, as of values that add up to 0, may be singular."""
    _, response = drawn(RNG, 0.5, 0.3)
    centring = np.eye(COUNT) - 1 / COUNT
    one = shrunken(response, 0.09 * np.eye(COUNT), FACTS)
    other = shrunken(response + 5, 0.09 * centring, FACTS)
    assert np.allclose(one.values, other.values)
