"""Least squares within blocks: rows of one block, such as the seats of a game, depend on each other, blocks do not."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from wallsim.stats.blocks import Estimate


@dataclass(frozen=True)
class Fit:
    """Coefficients with the influence of each block on them, and the share of the variance that they explain.

    `values` float64 [regressors], `influence` float64 [blocks, regressors]; it adds up to 0 over the blocks.
    """

    values: np.ndarray
    influence: np.ndarray
    explained: float

    def of(self, weights: np.ndarray) -> Estimate:
        """A weighted sum of coefficients; `weights` has the shape [regressors]."""
        return Estimate(float(self.values @ weights), self.influence @ weights)

    @cached_property
    def estimates(self) -> list[Estimate]:
        """Every coefficient, with its error by block."""
        return [Estimate(float(value), each) for value, each in zip(self.values, self.influence.T, strict=True)]

    def covariance(self, places: slice = slice(None)) -> np.ndarray:
        """The covariance matrix of some coefficients, by default all, from the variance between blocks."""
        chosen, blocks = self.influence[:, places], len(self.influence)
        return np.asarray(chosen.T @ chosen / (blocks * (blocks - 1)))


class Design:
    """Regressors, float64 [blocks, rows, regressors], each relative to the mean of its block and of its place there.

    So an outcome is explained relative to the other rows of its block, whatever a block or a place adds to all: a
    table's mean, or a seat's policy. Where regressors add up to a constant, as the shares of a whole do, many
    coefficients fit equally well; those with the least sum of squares are taken, which then add up to 0.
    """

    def __init__(self, regressors: np.ndarray) -> None:
        """Centres the regressors and inverts their products once, for any number of outcomes."""
        self._regressors = centred(regressors)
        blocks, rows, count = self._regressors.shape
        self._flat = self._regressors.reshape(blocks * rows, count)
        self._inverse = np.linalg.pinv(self._flat.T @ self._flat, rcond=1e-10, hermitian=True)

    def fit(self, outcomes: np.ndarray) -> Fit:
        """Least squares of outcomes, float64 [blocks, rows], with errors clustered by block (Liang and Zeger, 1986)."""
        response = centred(outcomes[..., None])[..., 0]
        values = self._inverse @ (self._flat.T @ response.ravel())
        residual = response - (self._flat @ values).reshape(response.shape)
        scores = np.matmul(residual[:, None, :], self._regressors)[:, 0]
        explained = 1 - float((residual**2).sum() / (response**2).sum()) if response.any() else 0.0
        return Fit(values, len(response) * scores @ self._inverse, explained)


def centred(values: np.ndarray) -> np.ndarray:
    """Values [blocks, rows, ...] relative to the mean of their block, and then of their place among the rows."""
    apart = values - values.mean(axis=1, keepdims=True)
    return np.asarray(apart - apart.mean(axis=0, keepdims=True))


def mean_fit(fits: list[Fit]) -> Fit:
    """The mean of fits of the same design on several outcomes of the same blocks, paired by block.

    `explained` is the mean of theirs.
    """
    return Fit(
        np.mean([fit.values for fit in fits], axis=0),
        np.mean([fit.influence for fit in fits], axis=0),
        float(np.mean([fit.explained for fit in fits])),
    )


_WORK = 160_000  # multiplications in a chunk; libraries start threads at about 260,000


def column_products(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """The matrix product one.T @ other, float64 [columns of one, columns of other]; both float64 [rows, columns].

    Long, narrow matrices are multiplied in chunks. A linear algebra library that splits such a product among threads
    makes them wait for each other; on a machine whose cores are busy that takes a thousand times as long.
    """
    rows = max(1, _WORK // max(1, one.shape[1] * other.shape[1]))
    total = np.zeros((one.shape[1], other.shape[1]))
    for first in range(0, len(one), rows):
        total += one[first : first + rows].T @ other[first : first + rows]
    return total
