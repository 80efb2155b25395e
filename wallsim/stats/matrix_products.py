"""Products of long, narrow matrices, in chunks that are too small for a library to split among threads.

A linear algebra library that splits such a product makes its threads wait for each other; on a machine whose cores are
busy that is a thousand times slower than a single thread.
"""

from __future__ import annotations

import numpy as np

_WORK = 160_000  # multiplications in a chunk; libraries start threads at about 260,000


def column_products(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """The matrix product one.T @ other, float64 [columns of one, columns of other]; both float64 [rows, columns]."""
    rows = max(1, _WORK // max(1, one.shape[1] * other.shape[1]))
    total = np.zeros((one.shape[1], other.shape[1]))
    for first in range(0, len(one), rows):
        total += one[first : first + rows].T @ other[first : first + rows]
    return total
