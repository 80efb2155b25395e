"""The best plan by other exact methods, in whole numbers as docs/policies.md states them."""

from itertools import permutations

import numpy as np
from scipy.optimize import linear_sum_assignment

PRIME = 1048573
COUNTIES = 45


def whole_worths(values, hand):
    """Worths of cards (columns) on boxes (rows) in whole parts of a grain: 2 ** 25 parts, and bonuses of some parts."""
    grains = np.trunc(np.clip(values, -4096, 4096) * 1024).astype(np.int64)
    bonus = np.array([[pow(2, 16 * (int(card) + 1) + box, PRIME) for card in hand] for box in range(len(values))])
    counties = [0 <= card < COUNTIES for card in hand]
    return grains * 2**25 + bonus + PRIME * np.array(counties)


def best_by_scipy(worths) -> list[int]:
    """The card of each box; scipy counts in floating point, which is exact below 2 ** 53."""
    return [int(column) for column in linear_sum_assignment(worths.astype(float), maximize=True)[1]]


def best_of_all(worths) -> list[int]:
    """The same by trying all plans."""
    rows, columns = worths.shape
    return list(max(permutations(range(columns), rows), key=lambda plan: sum(worths[range(rows), plan].tolist())))
