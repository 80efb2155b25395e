"""The block bootstrap: blocks are drawn again with replacement, all their games together."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.special import ndtr, stdtrit

from wallsim.stats.intervals import NO_ERROR, Confidence, Interval

_PIECE = 100  # resamples held in memory at a time


def block_weights(blocks: int, resamples: int, seed: int) -> Iterator[np.ndarray]:
    """How often each resample drew each block, float64 [some resamples, blocks]; all pieces together have `resamples`.

    The same for the same arguments, so that estimates of one resample can be compared.
    """
    rng = np.random.default_rng(seed)
    for first in range(0, resamples, _PIECE):
        count = min(_PIECE, resamples - first)
        drawn = rng.integers(0, blocks, (count, blocks)) + blocks * np.arange(count)[:, None]
        yield np.bincount(drawn.ravel(), minlength=count * blocks).reshape(count, blocks).astype(np.float64)


def standard_errors(samples: np.ndarray, blocks: int | np.ndarray) -> np.ndarray:
    """Standard errors from the spread of resamples of `blocks` blocks, float64 [estimates].

    A resample draws from the blocks as if they were all there are, whose variance has the divisor `blocks`; the factor
    blocks / (blocks - 1) makes up for it.
    """
    return np.asarray(samples.std(axis=0, ddof=1) * np.sqrt(blocks / (np.asarray(blocks) - 1.0)))


def simultaneous_half_widths(
    samples: np.ndarray, values: np.ndarray, level: float, blocks: int | np.ndarray
) -> np.ndarray:
    """How far intervals reach to either side that hold simultaneously for all estimates, float64 [estimates].

    `samples`, float64 [resamples, estimates]; `values` are the estimates themselves, `blocks` from how many blocks
    they come, one number or one per estimate. The largest deviation of each resample in standard errors gives the one
    quantile that all share (max-|t|, single-step). The errors of the resamples are held fixed, so this is a quantile of
    normal deviations: how far they reach together for errors that are known. Since they come from few blocks, the t
    quantile with the same tail (blocks - 1 degrees) takes its place. 0 where no resample differs.
    """
    errors = standard_errors(samples, blocks)
    moves = errors > NO_ERROR
    if not moves.any():
        return np.zeros(len(values))
    spread = samples.std(axis=0, ddof=1)
    largest = np.abs((samples[:, moves] - values[moves]) / spread[moves]).max(axis=1)
    tail = ndtr(-np.quantile(largest, level))
    return np.where(moves, -stdtrit(np.asarray(blocks) - 1.0, tail) * errors, 0.0)


def percentiles(samples: np.ndarray, confidence: Confidence, blocks: int) -> Interval | None:
    """The expanded percentile interval of one estimate, of those that hold simultaneously.

    Percentile intervals of few blocks are too narrow for the same two reasons as normal ones; their tails are therefore
    taken further out, at the normal tail of sqrt(blocks / (blocks - 1)) times the t quantile (Hesterberg 2015). None
    where a resample has no value, and where no resample differs from another. `samples`, float64 [resamples].
    """
    if not np.isfinite(samples).all() or np.ptp(samples) <= NO_ERROR:
        return None
    tail = float(ndtr(-confidence.t(blocks) * np.sqrt(blocks / (blocks - 1))))
    low, high = np.quantile(samples, [tail, 1 - tail])
    return float(low), float(high)
