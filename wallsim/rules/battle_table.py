"""The chance to win a battle, for policies: exact for the model `independent`, by its mean rates for the others."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from wallsim.rules.tower_tables import binomial_distribution, sum_distribution

# How far the table reaches, exclusive: cubes thrown and cubes inside, of the attacker and of all defenders.
THROWN, INSIDE, FOES_THROWN, FOES_INSIDE = 20, 16, 20, 24
WHOLE = 65535  # the entry of a sure victory


@lru_cache(maxsize=64)
def win_table(p: float, q: float) -> np.ndarray:
    """Chances in units of 1/65535 that more cubes of the attacker fall than of the defenders, uint16 [16, 24, 20, 20].

    Thrown cubes fall with chance p, cubes inside with q, each by itself; the axes are the cubes inside, of the attacker
    and of the defenders together (owner and peasants on its side, B6.6), then the cubes thrown. So the battles that a
    player compares are neighbours in memory.
    """
    most = FOES_THROWN + FOES_INSIDE - 1
    attacker = _distributions(p, q, THROWN, INSIDE, most)
    fewer = np.zeros((FOES_THROWN * FOES_INSIDE, most))  # column k: the chance of at most k - 1
    fewer[:, 1:] = np.cumsum(_distributions(p, q, FOES_THROWN, FOES_INSIDE, most), axis=1)[:, :-1]
    chances = np.rint(attacker @ fewer.T * WHOLE).clip(0, WHOLE)
    table = chances.astype(np.uint16).reshape(INSIDE, THROWN, FOES_INSIDE, FOES_THROWN).swapaxes(1, 2).copy()
    table.setflags(write=False)
    return table


def _distributions(p: float, q: float, thrown: int, inside: int, width: int) -> np.ndarray:
    # A row for every number inside and, within it, every number thrown.
    distributions = np.zeros((inside * thrown, width))
    falling = [binomial_distribution(cubes, p) for cubes in range(thrown)]
    for held in range(inside):
        released = binomial_distribution(held, q)
        for cubes in range(thrown):
            distribution = sum_distribution(falling[cubes], released)
            distributions[held * thrown + cubes, : len(distribution)] = distribution
    return distributions
