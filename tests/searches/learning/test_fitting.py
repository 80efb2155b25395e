"""Fits to planted games: what is linear is found, the network finds what is not, chances are those of a logit."""

import numpy as np
import pytest

from wallsim.folder.search_kinds import BLOCK
from wallsim.policies.value.features import CONSTANT, FEATURES, INPUTS, OTHERS_MEAN, TABLE_FEATURES
from wallsim.policies.value.model import LEAD, OUTPUTS, POINTS, WIN
from wallsim.searches.learning.fitting import chances_of, fit_linear, fit_network, inputs_of, targets_of
from wallsim.searches.learning.learning import explained

SEATS, GAMES = 4, 4000
WIDTH = len(FEATURES) + len(TABLE_FEATURES)


def positions(seed=1, games=GAMES):
    return np.random.default_rng(seed).normal(2.0, 3.0, (games, SEATS, WIDTH)).astype(np.float32)


def planted(features, points_of, score_of, seed=2):
    """Targets of games whose points and chances to win follow from the features."""
    rng = np.random.default_rng(seed)
    targets = np.zeros((*features.shape[:2], OUTPUTS), np.float32)
    targets[..., POINTS] = points_of(features) + rng.normal(0.0, 0.5, features.shape[:2])
    targets[..., LEAD] = targets[..., POINTS] - 10.0
    chances = chances_of(score_of(features))
    winners = (chances.cumsum(axis=1) < rng.random((len(features), 1))).sum(axis=1).clip(0, SEATS - 1)
    targets[np.arange(len(features)), winners, WIN] = 1.0
    return targets


def test_inputs_are_the_own_features_the_best_others_the_others_means_and_the_tables():
    features = positions(games=50)
    inputs = inputs_of(features)
    assert inputs.shape == (50, SEATS, INPUTS)
    for seat in range(SEATS):
        others = np.delete(features, seat, axis=1)[..., : len(FEATURES)]
        assert (inputs[:, seat, : len(FEATURES)] == features[:, seat, : len(FEATURES)]).all()
        assert (inputs[:, seat, len(FEATURES) : OTHERS_MEAN] == others.max(axis=1)).all()
        assert inputs[:, seat, OTHERS_MEAN : 3 * len(FEATURES)] == pytest.approx(others.mean(axis=1), abs=1e-5)
        assert (inputs[:, seat, 3 * len(FEATURES) : CONSTANT] == features[:, seat, len(FEATURES) :]).all()
    assert (inputs[..., CONSTANT] == 1.0).all()


def test_targets_are_points_lead_over_the_best_other_and_share():
    ends = np.array([[[50, 0.5], [50, 0.5], [30, 0]], [[10, 0], [20, 0], [45, 1]]], np.float32)
    targets = targets_of(ends)
    assert targets[..., POINTS].tolist() == [[50, 50, 30], [10, 20, 45]]
    assert targets[..., LEAD].tolist() == [[0, 0, -20], [-35, -25, 25]]
    assert targets[..., WIN].tolist() == [[0.5, 0.5, 0], [0, 0, 1]]


def test_a_linear_truth_is_found():
    features = positions()
    inputs = inputs_of(features)
    targets = planted(features, lambda f: 2.0 * f[..., 0] - f[..., 5] + 7.0, lambda f: 0.4 * f[..., 3])
    fit = fit_linear(inputs, targets)
    assert fit.linear[0, POINTS] == pytest.approx(2.0, abs=0.05)
    assert fit.linear[5, POINTS] == pytest.approx(-1.0, abs=0.05)
    assert fit.outputs(inputs)[..., POINTS] == pytest.approx(2.0 * features[..., 0] - features[..., 5] + 7.0, abs=0.5)
    true = chances_of(0.4 * features[..., 3])
    assert np.abs(chances_of(fit.outputs(inputs)[..., WIN]) - true).mean() < 0.04


def test_the_network_finds_what_is_not_linear_and_says_so_on_held_out_games():
    features = positions(games=10_000)
    inputs = inputs_of(features)
    targets = planted(features, lambda f: 3.0 * np.maximum(f[..., 1] - 2.0, 0.0), lambda f: np.abs(f[..., 2] - 2.0))
    known = slice(0, 8000)
    linear = explained(fit_linear(inputs[known], targets[known]), inputs[8000:], targets[8000:])
    network = explained(fit_network(inputs[known], targets[known], 6, 20, 1), inputs[8000:], targets[8000:])
    for output in (POINTS, WIN):
        gain = network[0][output] - linear[0][output]
        assert gain.value > 4 * gain.error
    assert network[0][POINTS].value > 0.7
    assert network[1] < 0.03
    assert network[0][WIN].blocks == 2000 // BLOCK


def test_a_fit_is_the_same_each_time():
    features = positions(games=600)
    inputs = inputs_of(features)
    targets = planted(features, lambda f: f[..., 0], lambda f: f[..., 1])
    first, again = (fit_network(inputs, targets, 4, 2, 7) for _ in range(2))
    assert first.linear.tobytes() == again.linear.tobytes()
    assert first.units.tobytes() == again.units.tobytes()
