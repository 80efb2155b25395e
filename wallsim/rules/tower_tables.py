"""Tables of the tower: how many cubes of a colour fall in the model `independent`, and the chances to win a battle.

Alias tables give the cubes that fall with one look-up. The chances are for policies: exact for the model `independent`,
by its mean rates for the others.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from wallsim.rules.terms import ARMIES_PER_PLAYER

WIDE = 64  # columns of a row of an alias table for one distribution: up to 62 cubes
NARROW = 16  # columns of a row for the sum of two distributions: up to 7 and 7 cubes
FEW_CUBES = 8  # below this many, thrown and inside, one look-up serves both
_THRESHOLD_BITS = 58


@lru_cache(maxsize=64)  # the rules of every experiment of a study, and of a test, have the same towers
def binomial_alias_table(chance: float) -> np.ndarray:
    """Alias tables of Binomial(n, chance) for n = 0..62, uint64 [63, 64], read-only (Walker 1977, Vose 1991).

    Each entry is a 58-bit threshold above a 6-bit alias; distributions differ from the exact ones by less than 1e-14.
    """
    return _read_only([_alias_row(distribution, WIDE) for distribution in _distributions(ARMIES_PER_PLAYER, chance)])


@lru_cache(maxsize=64)
def joint_alias_table(p: float, q: float) -> np.ndarray:
    """Alias tables of Binomial(n, p) + Binomial(s, q) for n, s = 0..7, uint64 [8, 8, 16], likewise."""
    thrown, inside = _distributions(FEW_CUBES - 1, p), _distributions(FEW_CUBES - 1, q)
    return _read_only([[_alias_row(sum_distribution(a, b), NARROW) for b in inside] for a in thrown])


def binomial_distribution(cubes: int, chance: float) -> list[float]:
    """Probabilities that 0..cubes of so many cubes fall."""
    return _distributions(cubes, chance)[-1]


def _distributions(most: int, chance: float) -> list[list[float]]:
    """Binomial(n, chance) for n = 0..most, by adding one coin after another."""
    distributions = [[1.0]]
    for _ in range(most):
        pairs = zip([*distributions[-1], 0.0], [0.0, *distributions[-1]], strict=True)
        distributions.append([a * (1 - chance) + b * chance for a, b in pairs])
    return distributions


def sum_distribution(one: list[float], other: list[float]) -> list[float]:
    """The distribution of the sum of two independent counts; plain loops, so that every machine rounds the same way."""
    distribution = [0.0] * (len(one) + len(other) - 1)
    for a, chance in enumerate(one):
        for b, other_chance in enumerate(other):
            distribution[a + b] += chance * other_chance
    return distribution


def _read_only(entries: list) -> np.ndarray:
    table = np.array(entries, dtype=np.uint64)
    table.setflags(write=False)
    return table


def _alias_row(distribution: list[float], columns: int) -> list[int]:
    """Vose's construction in exact integers: columns of weight 2**58, each shared by at most two outcomes."""
    full = 1 << _THRESHOLD_BITS
    weight = [round(float(probability) * columns * full) for probability in distribution]
    weight[max(range(len(weight)), key=weight.__getitem__)] += columns * full - sum(weight)
    weight += [0] * (columns - len(weight))
    alias, threshold = list(range(columns)), [full - 1] * columns
    small = [column for column in range(columns) if weight[column] < full]
    large = [column for column in range(columns) if weight[column] > full]
    while small:
        column = small.pop()
        donor = large[-1]
        threshold[column], alias[column] = weight[column], donor
        weight[donor] -= full - weight[column]
        if weight[donor] <= full:
            large.pop()
            if weight[donor] < full:
                small.append(donor)
    return [(cut << 6) | other for cut, other in zip(threshold, alias, strict=True)]


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
    attacker = _fallen(p, q, THROWN, INSIDE, most)
    fewer = np.zeros((FOES_THROWN * FOES_INSIDE, most))  # column k: the chance of at most k - 1
    fewer[:, 1:] = np.cumsum(_fallen(p, q, FOES_THROWN, FOES_INSIDE, most), axis=1)[:, :-1]
    chances = np.zeros((len(attacker), len(fewer)))
    for fallen in range(most):  # NumPy adds up the product of two matrices in an order that depends on the processor
        chances += attacker[:, fallen, np.newaxis] * fewer[:, fallen]
    chances = np.rint(chances * WHOLE).clip(0, WHOLE)
    table = chances.astype(np.uint16).reshape(INSIDE, THROWN, FOES_INSIDE, FOES_THROWN).swapaxes(1, 2).copy()
    table.setflags(write=False)
    return table


def _fallen(p: float, q: float, thrown: int, inside: int, width: int) -> np.ndarray:
    # A row for every number inside and, within it, every number thrown.
    distributions = np.zeros((inside * thrown, width))
    falling = [binomial_distribution(cubes, p) for cubes in range(thrown)]
    for held in range(inside):
        released = binomial_distribution(held, q)
        for cubes in range(thrown):
            distribution = sum_distribution(falling[cubes], released)
            distributions[held * thrown + cubes, : len(distribution)] = distribution
    return distributions
