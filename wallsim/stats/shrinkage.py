"""Empirical Bayes: estimates shrunken towards what given properties of each of them predict (Fay and Herriot, 1979)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import cho_factor, cho_solve, helmert
from scipy.optimize import minimize_scalar


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
