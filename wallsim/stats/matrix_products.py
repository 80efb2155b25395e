"""Products of long, narrow matrices, in pieces that are too small to be shared out among threads.

A library of linear algebra that shares such a product among threads makes them wait for each other; on a machine whose
cores are taken that is a thousand times slower than one thread alone.
"""

from __future__ import annotations

import numpy as np

_WORK = 160_000  # multiplications in a piece; libraries start threads at some 260,000


def column_products(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """The sums over rows of products of columns, one.T @ other; both float64 [rows, columns]."""
    rows = max(1, _WORK // max(1, one.shape[1] * other.shape[1]))
    total = np.zeros((one.shape[1], other.shape[1]))
    for first in range(0, len(one), rows):
        total += one[first : first + rows].T @ other[first : first + rows]
    return total
