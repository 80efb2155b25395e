"""Simultaneous intervals of all lines of a comparison from the block bootstrap, whose blocks are the game numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from wallsim.analysis.contrasts.contrast import Contrast
from wallsim.analysis.contrasts.game_sums import Lines
from wallsim.errors import InputError
from wallsim.runs.keys import shown
from wallsim.stats.bootstrap import largest_deviation_tail, part_weights
from wallsim.stats.intervals import NO_ERROR, Confidence

BONFERRONI, BOOTSTRAP = "bonferroni", "bootstrap"
METHODS = (BONFERRONI, BOOTSTRAP)
RESAMPLES = 1000
SEED = 1
_CELLS = 4_000_000  # numbers of games by lines held in memory at a time
_FEWEST = 1024  # games of a batch


@dataclass(frozen=True)
class Resampling:
    """Resamples of the games of a comparison, drawn with `seed`.

    `miss` is the probability with which each interval alone may miss so that all hold simultaneously.
    """

    resamples: int
    seed: int
    miss: float


def check_intervals(method: str, resamples: int, seed: int) -> None:
    """InputError unless `method` is one of METHODS, with 100 resamples or more and a seed of 0 or more."""
    errors = []
    if method not in METHODS:
        errors.append(f"intervals: {shown(method)} is not one of {', '.join(METHODS)}")
    if resamples < 100:
        errors.append(f"resamples: {resamples} is not a whole number from 100 on")
    if seed < 0:
        errors.append(f"resampling seed: {seed} is not a whole number from 0 on")
    if errors:
        raise InputError(errors)


def resampled(
    lines: Lines, contrasts: Sequence[Contrast], confidence: Confidence, resamples: int, seed: int
) -> Resampling | None:
    """Resample the games of two runs together, and find how far the largest change of any line deviates.

    `contrasts` are those of `lines`; the ones without an interval at `confidence`, or without variance, are left out.
    In each resample the deviation of every change from that of all games is taken in its standard deviations over the
    resamples, and the largest of these decides (max-|t|, `largest_deviation_tail`). A resample without cases of a line
    has the change of all games there. None where no line is left. RunError if rows are missing or damaged.
    """
    values = {
        (each.column, each.who, each.group): each.change.value
        for each in contrasts
        if each.counted >= confidence.min_blocks and each.change.error > NO_ERROR
    }
    if not values:
        return None
    games = len(lines.pairing.games)
    size = min(lines.batch, max(_FEWEST, _CELLS // len(values)))
    parts = [min(size, games - start) for start in range(0, games, size)]
    residuals = np.zeros((resamples, len(values)))
    cases = np.zeros_like(residuals)
    for pieces, chunks in zip(lines.batches(size), part_weights(parts, resamples, seed), strict=True):
        columns: list[np.ndarray] = []
        kinds: list[np.ndarray] = []  # of cases, which many lines share
        kind_of: list[int] = []
        for piece in pieces:
            if piece.key not in values:
                continue
            columns.append(piece.second - piece.first - values[piece.key] * piece.cases)
            if not kinds or kinds[-1] is not piece.cases:
                kinds.append(piece.cases)
            kind_of.append(len(kinds) - 1)
        numbers, counts = np.stack(columns, axis=1), np.stack(kinds, axis=1)
        first = 0
        for weights in chunks:
            rows = slice(first, first + len(weights))
            residuals[rows] += weights @ numbers
            cases[rows] += (weights @ counts)[:, kind_of]
            first += len(weights)
    deviations = np.divide(residuals, cases, out=np.zeros_like(residuals), where=cases > 0)
    tail = largest_deviation_tail(deviations, np.zeros(len(values)), confidence.level)
    return Resampling(resamples, seed, 2 * tail)
