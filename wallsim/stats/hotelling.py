"""One joint test that several means are all zero: Hotelling's T squared over blocks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import fdtrc


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
    f = t_squared * (blocks - count) / (count * (blocks - 1))
    return JointTest(blocks, t_squared, f, (count, blocks - count), float(fdtrc(count, blocks - count, f)))


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
    left = degrees - count + 1
    f = t_squared * left / (count * degrees)
    return JointTest(min(map(len, samples)), t_squared, f, (count, round(left)), float(fdtrc(count, left, f)))
