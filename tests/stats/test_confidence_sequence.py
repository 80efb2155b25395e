"""A confidence sequence holds its level however often one looks, and is shortest where it was planned."""

import numpy as np
import pytest

from wallsim.stats.blocks import block_mean, block_ratio
from wallsim.stats.confidence_sequence import ConfidenceSequence
from wallsim.stats.intervals import Confidence

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
    sequence = ConfidenceSequence(confidence, planned=1000)
    errors = np.array([sequence.errors(count) for count in range(1, LOOKS + 1)])
    assert missed_at_some_look(values, truth, errors, confidence.min_blocks) <= 0.05
    # An interval for one look, looked at as often, misses several times as often as it says.
    assert missed_at_some_look(values, truth, confidence.z, confidence.min_blocks) > 0.25


def test_several_sequences_hold_together():
    rng, confidence = np.random.default_rng(12), Confidence(n_comparisons=5)
    sequence = ConfidenceSequence(confidence, planned=500)
    errors = np.array([sequence.errors(count) for count in range(1, 1001)])
    together = np.zeros(300, bool)
    for stream in range(300):
        missed = missed_at_some_look(rng.normal(0, 1, (5, 1000)), 0.0, errors, confidence.min_blocks)
        together[stream] = missed == 0
    assert together.mean() > 0.95


def test_it_is_narrowest_at_the_planned_number_of_blocks():
    planned = ConfidenceSequence(Confidence(), 1000)
    others = [ConfidenceSequence(Confidence(), count) for count in (300, 900, 1100, 3000)]
    assert all(planned.errors(1000) < other.errors(1000) for other in others)
    assert planned.errors(1000) == pytest.approx(3.04, abs=0.01)  # that of one look has 1.96
    assert planned.rho == pytest.approx(np.sqrt((-2 * np.log(0.05) + np.log(-2 * np.log(0.05) + 1)) / 1000), rel=0.02)


def test_the_interval_is_the_theorem_for_means_and_ratios():
    values = np.random.default_rng(13).normal(5, 3, 200)
    sequence = ConfidenceSequence(Confidence(), 400)
    n, rho = 200, sequence.rho
    variance = values.var(ddof=1)
    half = np.sqrt(variance * 2 * (n * rho**2 + 1) / (n * rho) ** 2 * np.log(np.sqrt(n * rho**2 + 1) / 0.05))
    assert sequence.interval(block_mean(values)) == pytest.approx((values.mean() - half, values.mean() + half))
    assert sequence.interval(block_ratio(values, np.ones(n))) == pytest.approx(sequence.interval(block_mean(values)))


def test_no_interval_from_too_little_and_no_plan_of_nothing():
    sequence = ConfidenceSequence(Confidence(), 100)
    assert sequence.interval(block_mean(np.arange(29.0))) is None
    assert sequence.interval(block_mean(np.ones(100))) is None
    with pytest.raises(ValueError, match="planned: 0"):
        ConfidenceSequence(Confidence(), 0)
    assert ConfidenceSequence(Confidence(), 1).errors(1) < ConfidenceSequence(Confidence(), 2).errors(1)
