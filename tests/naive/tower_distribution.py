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
    """What falls out: first a coin for each held cube, then the thrown ones in every order and in any clumps."""
    inside = [colour for colour, number in enumerate(held) for _ in range(number)]
    of_thrown = [_falling(model, thrown, left) for left in range(len(inside) + 1)]
    result: Chances = Counter()
    for loose in product((False, True), repeat=len(inside)):
        given = release(model, sum(thrown), loose.count(True), loose.count(False))
        freed = Counter(colour for colour, falls in zip(inside, loose, strict=True) if falls)
        for fallen, chance in of_thrown[loose.count(False)].items():
            result[tuple(number + freed[colour] for colour, number in enumerate(fallen))] += given * chance
    return {fallen: chance for fallen, chance in result.items() if chance}


def _falling(model: Urn, thrown: Cubes, occupied: int) -> Chances:
    """What of the thrown cubes falls, with so many inside.

    A clump's cubes share one number, and none stays more easily than the one before it; so the first few stay.
    """
    orders = Counter(permutations([colour for colour, number in enumerate(thrown) for _ in range(number)]))
    apart, result = 1 / Fraction(model.clump), Counter()
    for (order, times), joins in product(orders.items(), product((False, True), repeat=max(0, sum(thrown) - 1))):
        clumps = [list(order[:1])]
        for colour, joined in zip(order[1:], joins, strict=True):
            clumps = [*clumps[:-1], [*clumps[-1], colour]] if joined else [*clumps, [colour]]
        chance = Fraction(times, orders.total()) * apart ** joins.count(False) * (1 - apart) ** joins.count(True)
        states = {(occupied, (0,) * len(thrown)): chance} if chance else {}
        for clump in clumps:
            following: Counter = Counter()
            for (held, out), share in states.items():
                odds = [1, *(_stay(model, held + before) for before in range(len(clump))), 0]
                for staying in range(len(clump) + 1):
                    now = tuple(number + clump[staying:].count(colour) for colour, number in enumerate(out))
                    following[held + staying, now] += share * (odds[staying] - odds[staying + 1])
            states = following
        for (_, out), share in states.items():
            result[out] += share
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
