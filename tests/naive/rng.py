"""Random numbers for tests: the word generator in plain integers, exact distributions, tests of fit."""

from __future__ import annotations

import os
from collections.abc import Iterable
from fractions import Fraction
from math import comb, sqrt

import pytest

WORD = 1 << 64
GAMMA = 0x9E3779B97F4A7C15
_STEPS = ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB), (31, 1))

JIT = os.environ.get("NUMBA_DISABLE_JIT", "0") in ("", "0")
many_draws = pytest.mark.many_draws


def mix(word: int) -> int:
    """The finaliser of SplitMix64."""
    for shift, factor in _STEPS:
        word = (word ^ (word >> shift)) * factor % WORD
    return word


def unmix(word: int) -> int:
    """The word that `mix` turns into this one."""
    for shift, factor in reversed(_STEPS):
        word = word * pow(factor, -1, WORD) % WORD
        unshifted = word
        for _ in range(64 // shift):
            unshifted = word ^ (unshifted >> shift)
        word = unshifted
    return word


def state_before(word: int) -> int:
    """The state of a stream whose next draw is this word."""
    return (unmix(word) - GAMMA) % WORD


def binomial_distribution(cubes: int, chance: float) -> list[Fraction]:
    """The exact chances of 0 ... `cubes` successes for the exact value of the float `chance`."""
    p = Fraction(chance)
    return [comb(cubes, k) * p**k * (1 - p) ** (cubes - k) for k in range(cubes + 1)]


def chi_square_z(counts: Iterable[int], chances: Iterable[float] | None = None) -> float:
    """Pearson's statistic as a standard normal value (Wilson and Hilferty 1931); equal chances by default."""
    counts = list(counts)
    whole = sum(counts)
    chances = [1 / len(counts)] * len(counts) if chances is None else list(chances)
    assert min(chances) * whole >= 5, "too few draws for Pearson's statistic"
    statistic = sum((n - whole * p) ** 2 / (whole * p) for n, p in zip(counts, chances, strict=True))
    freedom = len(counts) - 1
    spread = 2 / (9 * freedom)
    return ((statistic / freedom) ** (1 / 3) - (1 - spread)) / sqrt(spread)
