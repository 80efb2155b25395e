"""The block bootstrap: blocks are drawn again with replacement, all their games together."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from wallsim.analysis.intervals import Interval

_PIECE = 100  # resamples held in memory at a time
_NOTHING = 1e-12


def block_weights(blocks: int, resamples: int, seed: int) -> Iterator[np.ndarray]:
    """How often each resample drew each block, float64 [some resamples, blocks]; all pieces together have `resamples`.

    The same for the same arguments, so that estimates of one resample can be compared.
    """
    dice = np.random.default_rng(seed)
    for first in range(0, resamples, _PIECE):
        count = min(_PIECE, resamples - first)
        drawn = dice.integers(0, blocks, (count, blocks)) + blocks * np.arange(count)[:, None]
        yield np.bincount(drawn.ravel(), minlength=count * blocks).reshape(count, blocks).astype(np.float64)


def joint_reach(samples: np.ndarray, values: np.ndarray, level: float) -> np.ndarray:
    """How far intervals reach to either side that hold for all estimates at once, float64 [estimates].

    `samples`, float64 [resamples, estimates]; `values` are the estimates themselves. The largest studentised deviation
    of each resample gives the one quantile that all share (max-|t|, single-step), the spread of the resamples the
    standard errors. 0 where no resample differs.
    """
    errors = samples.std(axis=0, ddof=1)
    moves = errors > _NOTHING
    if not moves.any():
        return np.zeros(len(values))
    largest = np.abs((samples[:, moves] - values[moves]) / errors[moves]).max(axis=1)
    return np.where(moves, np.quantile(largest, level) * errors, 0.0)


def percentiles(samples: np.ndarray, level: float, together: int = 1) -> Interval | None:
    """The percentile interval of one estimate, one of `together` that shall hold at once (Bonferroni).

    None where a resample has no value, and where no resample differs from another. `samples`, float64 [resamples].
    """
    if not np.isfinite(samples).all() or np.ptp(samples) <= _NOTHING:
        return None
    tail = (1 - level) / together / 2
    low, high = np.quantile(samples, [tail, 1 - tail])
    return float(low), float(high)
