"""Empirical Bayes: estimates shrunken towards what known facts about each of them predict (Fay and Herriot, 1979)."""

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
    variance is found by restricted likelihood.
    """
    basis = helmert(len(values))  # differences: orthonormal, and all orthogonal to the constant
    told, errors, known = basis @ values, basis @ covariance @ basis.T, basis @ facts
    top = 4 * float(told @ told) / len(told)
    around = _variance(told, errors, known, top)
    alone = _variance(told, errors, known[:, :0], top)
    weights, spread = _generalised(told, errors, known, around)
    predicted = known @ weights
    moved = predicted + around * cho_solve(spread, told - predicted)
    explained = max(0.0, 1 - around / alone) if alone > 0 else 0.0
    return Shrunken(basis.T @ moved, basis.T @ predicted, weights, around, explained)


def _variance(told: np.ndarray, errors: np.ndarray, known: np.ndarray, top: float) -> float:
    """The variance of true values around the regression with the highest restricted likelihood, from 0 to `top`."""

    def unlikely(deviation: float) -> float:
        weights, spread = _generalised(told, errors, known, deviation**2)
        left = told - known @ weights
        inner = known.T @ cho_solve(spread, known)
        logs = 2 * float(np.log(np.diag(spread[0])).sum()) + float(np.linalg.slogdet(inner)[1] if known.size else 0.0)
        return logs + float(left @ cho_solve(spread, left))

    found = minimize_scalar(unlikely, bounds=(0.0, float(np.sqrt(top))), method="bounded", options={"xatol": 1e-7})
    return float(found.x) ** 2 if found.fun < unlikely(0.0) else 0.0


def _generalised(
    told: np.ndarray, errors: np.ndarray, known: np.ndarray, variance: float
) -> tuple[np.ndarray, tuple[np.ndarray, bool]]:
    """The weights of generalised least squares at a variance, and the factor of the covariance of what is told."""
    tiny = 1e-12 * max(1e-12, float(np.trace(errors)))  # errors without any variance have no factor
    spread = cho_factor(errors + (variance + tiny) * np.eye(len(told)), lower=True)
    solved = cho_solve(spread, known)
    return np.linalg.lstsq(known.T @ solved, solved.T @ told, rcond=None)[0], spread
