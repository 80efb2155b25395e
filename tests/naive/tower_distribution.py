"""The chances of a cast, exactly, by trying everything: each coin of each cube, each order of the thrown ones.

Laws are those of the rules' tower files; chances are fractions. Fit for a handful of cubes.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import permutations, product
from math import comb, exp

from wallsim.rules.tower import Independent, Urn

Cubes = tuple[int, ...]
Chances = dict[Cubes, Fraction]


def outcomes(thrown: Cubes, held: Cubes) -> list[Cubes]:
    """All that might fall out, as cubes of each colour."""
    return list(product(*(range(n + s + 1) for n, s in zip(thrown, held, strict=True))))


def independent_chances(model: Independent, thrown: Cubes, held: Cubes) -> Chances:
    """What falls out: a coin for each thrown and each held cube."""
    cubes = [(colour, model.p) for colour, number in enumerate(thrown) for _ in range(number)]
    cubes += [(colour, model.q) for colour, number in enumerate(held) for _ in range(number)]
    result: Chances = Counter()
    for coins in product((False, True), repeat=len(cubes)):
        chance, fallen = Fraction(1), [0] * len(thrown)
        for falls, (colour, odds) in zip(coins, cubes, strict=True):
            chance *= Fraction(odds) if falls else 1 - Fraction(odds)
            fallen[colour] += falls
        result[tuple(fallen)] += chance
    return result


def urn_chances(model: Urn, thrown: Cubes, held: Cubes) -> Chances:
    """What falls out: first a coin for each held cube, then the thrown ones in every order, a coin for each."""
    hands = [colour for colour, number in enumerate(thrown) for _ in range(number)]
    inside = [colour for colour, number in enumerate(held) for _ in range(number)]
    orders = list(permutations(hands))
    result: Chances = Counter()
    for loose in product((False, True), repeat=len(inside)):
        freed, left = sum(loose), len(loose) - sum(loose)
        given = release(model, len(hands), freed, left)
        if not given:
            continue
        for order in orders:
            for coins in product((False, True), repeat=len(order)):
                chance, occupied, fallen = given / len(orders), left, [0] * len(thrown)
                for colour, stays in zip(order, coins, strict=True):
                    odds = _stay(model, occupied)
                    chance *= odds if stays else 1 - odds
                    occupied += stays
                    fallen[colour] += not stays
                for colour, falls in zip(inside, loose, strict=True):
                    fallen[colour] += falls
                if chance:
                    result[tuple(fallen)] += chance
    return result


def _stay(model: Urn, occupied: int) -> Fraction:
    share = Fraction(occupied) / Fraction(model.capacity)
    power = share ** int(model.alpha) if model.alpha == int(model.alpha) else Fraction(float(share) ** model.alpha)
    return Fraction(model.retention) * max(Fraction(0), 1 - power)


def release(model: Urn, cubes: int, freed: int, left: int) -> Fraction:
    """That these `freed` cubes come loose and those `left` do not, by inclusion and exclusion over the freed ones.

    That a given m cubes all stay has the chance E exp(-m G h), where h = kappa N^beta: exp(-m h) without the Gamma
    transform of G, (1 + phi h m)^(-1/phi) with it.
    """
    strength = model.kappa * cubes**model.beta
    if model.phi == 0:
        stays = Fraction(exp(-strength))
        return (1 - stays) ** freed * stays**left
    shape = round(1 / model.phi)
    assert Fraction(1, shape) == Fraction(model.phi).limit_denominator(1000), "exact for phi = 1, 1/2, 1/3, ..."
    all_stay = [(1 + Fraction(strength) * m / shape) ** -shape for m in range(freed + left + 1)]
    return sum(((-1) ** j * comb(freed, j) * all_stay[left + j] for j in range(freed + 1)), Fraction(0))
