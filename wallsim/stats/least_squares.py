"""Least squares: within blocks, whose rows depend on each other, and as the prior of an empirical Bayes estimate."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.linalg import cho_factor, cho_solve, helmert
from scipy.optimize import minimize_scalar

from wallsim.stats.blocks import Estimate

_WORK = 160_000  # multiplications in a chunk; libraries start threads at about 260,000


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


@dataclass(frozen=True)
class Shrunken:
    """What facts predict for each value, and the values shrunken towards it; all relative to their mean.

    `weights` are the coefficients of the facts. `unexplained` is the variance of the true values around the prediction,
    `explained` the share of the variance of true values that the facts explain, at least 0.
    """

    values: np.ndarray
    predicted: np.ndarray
    weights: np.ndarray
    unexplained: float
    explained: float


def shrunken(values: np.ndarray, covariance: np.ndarray, facts: np.ndarray) -> Shrunken:
    """Shrink `values` [values] with the `covariance` matrix of their errors towards a regression on `facts`.

    Empirical Bayes (Fay and Herriot, 1979): estimates move towards what given properties of each of them predict.

    `facts` has the shape [values, facts], without a constant: only differences between values count, so a covariance
    without a say on their mean may be singular. True values are taken to lie normally around the prediction; their
    variance is estimated by restricted likelihood.
    """
    basis = helmert(len(values))  # differences: orthonormal, and all orthogonal to the constant
    response, errors, design = basis @ values, basis @ covariance @ basis.T, basis @ facts
    top = 4 * float(response @ response) / len(response)
    around = _variance(response, errors, design, top)
    alone = _variance(response, errors, design[:, :0], top)
    weights, spread = _generalised(response, errors, design, around)
    predicted = design @ weights
    moved = predicted + around * cho_solve(spread, response - predicted)
    explained = max(0.0, 1 - around / alone) if alone > 0 else 0.0
    return Shrunken(basis.T @ moved, basis.T @ predicted, weights, around, explained)


def _variance(response: np.ndarray, errors: np.ndarray, design: np.ndarray, top: float) -> float:
    """The variance of true values around the regression with the highest restricted likelihood, from 0 to `top`."""

    def minus_two_log_likelihood(deviation: float) -> float:
        weights, spread = _generalised(response, errors, design, deviation**2)
        residual = response - design @ weights
        inner = design.T @ cho_solve(spread, design)
        logs = 2 * float(np.log(np.diag(spread[0])).sum()) + float(np.linalg.slogdet(inner)[1] if design.size else 0.0)
        return logs + float(residual @ cho_solve(spread, residual))

    result = minimize_scalar(
        minus_two_log_likelihood, bounds=(0.0, float(np.sqrt(top))), method="bounded", options={"xatol": 1e-7}
    )
    return float(result.x) ** 2 if result.fun < minus_two_log_likelihood(0.0) else 0.0


def _generalised(
    response: np.ndarray, errors: np.ndarray, design: np.ndarray, variance: float
) -> tuple[np.ndarray, tuple[np.ndarray, bool]]:
    """The weights of generalised least squares at a variance, and the response covariance's Cholesky factor."""
    jitter = 1e-12 * max(1e-12, float(np.trace(errors)))  # errors without any variance have no factor
    spread = cho_factor(errors + (variance + jitter) * np.eye(len(response)), lower=True)
    solved = cho_solve(spread, design)
    return np.linalg.lstsq(design.T @ solved, solved.T @ response, rcond=None)[0], spread
