"""Weights of resamples in parts have the law of a resample of the whole, and tails that of the largest deviation."""

import numpy as np
import pytest

from wallsim.stats import bootstrap
from wallsim.stats.bootstrap import block_weights, largest_deviation_tail, part_weights

ALPHA = 0.05


def in_parts(parts, resamples, seed):
    """The weights of all parts side by side, [resamples, blocks]."""
    return np.concatenate([np.concatenate([*chunks]) for chunks in part_weights(parts, resamples, seed)], axis=1)


def test_a_single_part_has_the_weights_of_the_blocks_whatever_fits_in_memory(monkeypatch):
    whole = np.concatenate([*block_weights(37, 250, 4)])
    assert np.array_equal(in_parts([37], 250, 4), whole)
    monkeypatch.setattr(bootstrap, "_CELLS", 100)
    assert next(block_weights(37, 250, 4)).shape == (2, 37)
    assert np.array_equal(np.concatenate([*block_weights(37, 250, 4)]), whole)
    assert next(block_weights(1000, 3, 1)).shape == (1, 1000)


def test_every_resample_draws_as_many_blocks_as_there_are_from_all_parts_alike():
    resamples, parts = 40_000, (3, 1, 4)
    weights = in_parts(parts, resamples, 7)
    blocks = sum(parts)
    assert (weights.sum(axis=1) == blocks).all()
    # A multinomial of as many draws as blocks: mean 1, variance 1 - 1/n, covariance -1/n, within parts and across.
    assert weights.mean(axis=0) == pytest.approx(np.ones(blocks), abs=0.02)
    assert np.cov(weights.T) == pytest.approx(np.eye(blocks) - 1 / blocks, abs=0.03)
    assert np.array_equal(weights, in_parts(parts, resamples, 7))
    assert not np.array_equal(weights, in_parts(parts, resamples, 8))


@pytest.mark.parametrize(
    ("move", "expected"),
    [
        (lambda drawn: drawn[:, :1], ALPHA / 2),
        (lambda drawn: drawn[:, :1] * [1.0, 5.0, -2.0], ALPHA / 2),  # lines that move together are one
        (lambda drawn: drawn, (1 - (1 - ALPHA) ** (1 / 12)) / 2),  # independent ones: Šidák's correction, exactly
    ],
)
def test_the_tail_is_exact_for_normal_deviations_alike_and_independent(move, expected):
    samples = move(np.random.default_rng(9).normal(0, 1, (200_000, 12)))
    assert largest_deviation_tail(3 + samples, np.full(samples.shape[1], 3.0), 1 - ALPHA) == pytest.approx(
        expected, rel=0.03
    )
