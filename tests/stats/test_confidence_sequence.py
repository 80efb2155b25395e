"""A confidence sequence holds its level however often one looks, and is shortest where it was planned."""

import numpy as np
import pytest
from scipy.special import lambertw

from wallsim.stats.intervals import Confidence, sequence_errors

STREAMS, LOOKS = 1000, 3000


def missed_at_some_look(values, truth, errors, first):
    """Which streams ever miss when looked at after every block from `first` on; `values` [streams, blocks]."""
    count = np.arange(1, values.shape[1] + 1)
    means = values.cumsum(axis=1) / count
    squares = (values**2).cumsum(axis=1) - count * means**2
    error = np.sqrt(np.maximum(squares, 0) / (count * np.maximum(count - 1, 1)))
    return (np.abs(means - truth) > errors * error)[:, first - 1 :].any(axis=1).mean()


@pytest.mark.parametrize("draw", ["normal", "skew", "wins"])
def test_it_holds_its_level_under_continuous_looking(draw):
    rng = np.random.default_rng(11)
    values, truth = {
        "normal": (rng.normal(3, 2, (STREAMS, LOOKS)), 3.0),
        "skew": (rng.exponential(1, (STREAMS, LOOKS)), 1.0),
        "wins": (rng.binomial(1, 0.25, (STREAMS, LOOKS)).astype(float), 0.25),
    }[draw]
    confidence = Confidence()
    errors = np.array([sequence_errors(confidence, 1000, count) for count in range(1, LOOKS + 1)])
    assert missed_at_some_look(values, truth, errors, confidence.min_blocks) <= 0.05
    # An interval for one look, looked at as often, misses several times as often as it says.
    assert missed_at_some_look(values, truth, confidence.z, confidence.min_blocks) > 0.25


def test_several_sequences_hold_together():
    rng, confidence = np.random.default_rng(12), Confidence(n_comparisons=5)
    errors = np.array([sequence_errors(confidence, 500, count) for count in range(1, 1001)])
    together = np.zeros(300, bool)
    for stream in range(300):
        missed = missed_at_some_look(rng.normal(0, 1, (5, 1000)), 0.0, errors, confidence.min_blocks)
        together[stream] = missed == 0
    assert together.mean() > 0.95


def test_it_is_narrowest_at_the_planned_number_of_blocks():
    planned = sequence_errors(Confidence(), 1000, 1000)
    assert all(planned < sequence_errors(Confidence(), other, 1000) for other in (300, 900, 1100, 3000))
    assert planned == pytest.approx(3.04, abs=0.01)  # that of one look has 1.96
    assert sequence_errors(Confidence(), 1, 1) < sequence_errors(Confidence(), 2, 1)


def test_the_errors_are_the_theorems():
    n, squared = 200, (-lambertw(-(0.05**2) / np.e, -1).real - 1) / 400  # rho²
    half = np.sqrt(2 * (n * squared + 1) / (n**2 * squared) * np.log(np.sqrt(n * squared + 1) / 0.05))
    assert sequence_errors(Confidence(), 400, n) / np.sqrt(n) == pytest.approx(half)
