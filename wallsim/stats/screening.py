"""P-values of estimates, alone or jointly, and their adjustment where a table of many is a screen.

Holm's method bounds the probability of even one false finding, whatever the dependence; Benjamini and Hochberg's bounds
the expected share of false ones among the findings, for independent or positively dependent estimates. A p-value of
nan is that of no test: it stays nan and counts for nothing. Hotelling's T squared tests that means are all zero.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import fdtrc

from wallsim.stats.blocks import Estimate
from wallsim.stats.intervals import Confidence
from wallsim.stats.stages import students_tails


def p_value(estimate: Estimate, confidence: Confidence) -> float:
    """The two-sided p-value of Student's t test that an estimate is zero; nan where `confidence` gives no interval."""
    if estimate.interval(confidence) is None:
        return float("nan")
    return 2 * min(students_tails(estimate.value, estimate.error, estimate.blocks, 0.0))


def holm(p_values: Sequence[float] | np.ndarray) -> np.ndarray:
    """P-values adjusted by Holm's step-down method (1979), float64 [p_values], in the order given.

    Those of at most 0.05 are the findings of a screen in which any is false with probability 0.05 at most.
    """
    adjusted, tested = _tested(p_values)
    order = np.argsort(adjusted[tested])
    raised = adjusted[tested][order] * np.arange(len(order), 0, -1)
    ranked = np.empty(len(order))
    ranked[order] = np.minimum(np.maximum.accumulate(raised), 1.0)
    adjusted[tested] = ranked
    return adjusted


def benjamini_hochberg(p_values: Sequence[float] | np.ndarray) -> np.ndarray:
    """P-values adjusted by Benjamini and Hochberg's step-up method (1995), float64 [p_values], in the order given.

    Of those of at most 0.05, a share of 0.05 at most is false in expectation.
    """
    from scipy.stats import false_discovery_control  # its import takes a second

    adjusted, tested = _tested(p_values)
    if tested.any():
        adjusted[tested] = false_discovery_control(adjusted[tested], method="bh")
    return adjusted


def _tested(p_values: Sequence[float] | np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    values = np.array(p_values, dtype=np.float64)
    tested = ~np.isnan(values)
    if ((values[tested] < 0) | (values[tested] > 1)).any():
        raise ValueError("p-values lie between 0 and 1")
    return values, tested


@dataclass(frozen=True)
class JointTest:
    """Hotelling's T² (1931) of `blocks` blocks, as an F statistic with its degrees of freedom and p-value."""

    blocks: int
    t_squared: float
    f: float
    degrees: tuple[int, int]
    p_value: float


def hotelling(contrasts: np.ndarray) -> JointTest | None:
    """Test jointly that all contrasts have mean zero; `contrasts` has the shape [blocks, contrasts].

    Blocks are independent; the contrasts of a block may be correlated in any way. F = T² (n - p) / (p (n - 1)) has p
    and n - p degrees of freedom for normal values, and approximately so for means of many blocks. Any contrasts that
    span the same space give the same test. None if the test is impossible: there are no more blocks than contrasts,
    or some combination of the contrasts does not vary.
    """
    blocks, count = contrasts.shape
    if blocks <= count:
        return None
    mean = contrasts.mean(axis=0)
    covariance = np.atleast_2d(np.cov(contrasts, rowvar=False))
    if np.linalg.matrix_rank(covariance) < count:
        return None
    t_squared = float(blocks * mean @ np.linalg.solve(covariance, mean))
    return _joint_test(blocks, t_squared, count, blocks - 1)


def hotelling_of_two(first: np.ndarray, second: np.ndarray) -> JointTest | None:
    """Test jointly that the contrasts have the same means in two independent samples, both [blocks, contrasts].

    Each sample has a covariance of its own; Yao (1965) gives the approximate degrees of freedom of T². `blocks` are
    those of the smaller sample. None where a sample has no more blocks than contrasts, or some combination of the
    contrasts varies in neither.
    """
    count = first.shape[1]
    samples = (first, second)
    if min(map(len, samples)) <= count:
        return None
    parts = [np.atleast_2d(np.cov(sample, rowvar=False)) / len(sample) for sample in samples]
    if np.linalg.matrix_rank(parts[0] + parts[1]) < count:
        return None
    apart = first.mean(axis=0) - second.mean(axis=0)
    solved = np.linalg.solve(parts[0] + parts[1], apart)
    t_squared = float(apart @ solved)
    shares = [float(solved @ part @ solved) / t_squared if t_squared > 0 else 0.5 for part in parts]
    degrees = 1 / sum(share**2 / (len(sample) - 1) for share, sample in zip(shares, samples, strict=True))
    return _joint_test(min(map(len, samples)), t_squared, count, degrees)


def _joint_test(blocks: int, t_squared: float, count: int, degrees: float) -> JointTest:
    # `degrees` are those of the covariance.
    left = degrees - count + 1
    f = t_squared * left / (count * degrees)
    return JointTest(blocks, t_squared, f, (count, round(left)), float(fdtrc(count, left, f)))
