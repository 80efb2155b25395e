"""The block bootstrap: blocks are resampled with replacement, each with all its games."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from scipy.special import ndtr, stdtrit

from wallsim.stats.intervals import NO_ERROR, Confidence, Interval

_CHUNK = 100  # resamples held in memory at a time
_CELLS = 1_000_000  # weights held in memory at a time, where blocks are many


def block_weights(blocks: int, resamples: int, seed: int) -> Iterator[np.ndarray]:
    """How often each resample drew each block, in chunks, float64 [resamples of the chunk, blocks].

    The chunks have `resamples` rows in total. Equal arguments give equal weights, so that estimates can be compared
    resample by resample.
    """
    for part in part_weights([blocks], resamples, seed):
        yield from part


def part_weights(parts: Sequence[int], resamples: int, seed: int) -> Iterator[Iterator[np.ndarray]]:
    """The weights of `block_weights` for blocks in parts of these sizes, which need not be in memory together.

    For each part there is an iterator over its chunks, to be exhausted before the next part: float64 [resamples of the
    chunk, blocks of the part]. How many draws of a resample fall on each part is multinomial, and within a part they
    are equal for each block, so that all blocks together have the weights of one resample. Equal arguments give equal
    weights, a single part those of `block_weights`.
    """
    rng = np.random.default_rng(seed)
    sizes = np.asarray(parts)
    draws = rng.multinomial(sizes.sum(), sizes / sizes.sum(), resamples)
    for place, blocks in enumerate(parts):
        yield _chunks(rng, int(blocks), draws[:, place])


def _chunks(rng: np.random.Generator, blocks: int, draws: np.ndarray) -> Iterator[np.ndarray]:
    # `draws`, int64 [resamples], is how many blocks each resample draws. The number of rows at a time has no effect on
    # the random numbers.
    rows = max(1, min(_CHUNK, _CELLS // blocks))
    for first in range(0, len(draws), rows):
        of_chunk = draws[first : first + rows]
        count = len(of_chunk)
        drawn = rng.integers(0, blocks, of_chunk.sum())
        drawn += np.repeat(blocks * np.arange(count), of_chunk)
        yield np.bincount(drawn, minlength=count * blocks).reshape(count, blocks).astype(np.float64)


def standard_errors(samples: np.ndarray, blocks: int | np.ndarray) -> np.ndarray:
    """Standard errors from the standard deviation of resamples of `blocks` blocks, float64 [estimates].

    A resample treats the blocks as the whole population, whose variance has the divisor `blocks`; the variance is
    therefore multiplied by blocks / (blocks - 1). Resamples of one block are all equal: their standard error is 0.
    """
    return np.asarray(samples.std(axis=0, ddof=1) * np.sqrt(blocks / np.maximum(np.asarray(blocks) - 1.0, 1.0)))


def simultaneous_half_widths(
    samples: np.ndarray, values: np.ndarray, level: float, blocks: int | np.ndarray
) -> np.ndarray:
    """Half-widths of intervals that hold simultaneously for all estimates, float64 [estimates].

    `samples`, float64 [resamples, estimates]; `values` are the estimates themselves; `blocks` is the number of blocks
    behind them, one number or one per estimate. The largest deviation of each resample in standard errors gives one
    quantile for all estimates (max-|t|, single-step). It treats the standard errors as known, so it is a quantile of
    normal deviations; since they are estimated from few blocks, it is replaced by the t quantile with the same tail
    (blocks - 1 degrees of freedom). 0 where all resamples are equal.
    """
    errors = standard_errors(samples, blocks)
    moves = errors > NO_ERROR
    if not moves.any():
        return np.zeros(len(values))
    tail = largest_deviation_tail(samples[:, moves], values[moves], level)
    return np.where(moves, -stdtrit(np.asarray(blocks) - 1.0, tail) * errors, 0.0)


def largest_deviation_tail(samples: np.ndarray, values: np.ndarray, level: float) -> float:
    """The probability of either tail with which intervals of all estimates hold simultaneously (max-|t|, single-step).

    `samples`, float64 [resamples, estimates], vary for each estimate; `values` are the estimates themselves. It is the
    normal tail beyond the quantile `level` of the largest deviation of a resample in standard deviations: about
    (1 - level) / 2 for one estimate or several that move together, and (1 - level) / (2 estimates) for many independent
    ones.
    """
    spread = samples.std(axis=0, ddof=1)
    largest = np.abs((samples - values) / spread).max(axis=1)
    return float(ndtr(-np.quantile(largest, level)))


def percentiles(samples: np.ndarray, confidence: Confidence, blocks: int) -> Interval | None:
    """The expanded percentile interval of one estimate, one of the simultaneous intervals of `confidence`.

    Percentile intervals from few blocks are too narrow for the same two reasons as normal ones. Their ends are
    therefore taken at the normal tail of sqrt(blocks / (blocks - 1)) times the t quantile (Hesterberg 2015). None if
    a resample has no value, or if all resamples are equal. `samples`, float64 [resamples].
    """
    if not np.isfinite(samples).all() or np.ptp(samples) <= NO_ERROR:
        return None
    tail = float(ndtr(-confidence.t(blocks) * np.sqrt(blocks / (blocks - 1))))
    low, high = np.quantile(samples, [tail, 1 - tail])
    return float(low), float(high)
