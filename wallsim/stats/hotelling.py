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
