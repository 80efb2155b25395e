"""The odds of a battle by trying every number of cubes that might fall, with fractions (B6)."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product

from tests.naive.rng import binomial_distribution


def falling(thrown: int, inside: int, p: float, q: float) -> Counter:
    """The chances of how many cubes of a colour fall: thrown ones with p, those inside with q."""
    distribution: Counter = Counter()
    passed, released = binomial_distribution(thrown, p), binomial_distribution(inside, q)
    for (new, chance), (old, other) in product(enumerate(passed), enumerate(released)):
        distribution[new + old] += chance * other
    return distribution


def ending(kind: str, a: int, d: int, p: int, peasants_join: bool) -> tuple[str, int]:
    """How a battle ends with so many cubes in the tray, for the attacker, and the armies left in the county."""
    if kind == "revolt":  # B6.10: the peasants attack
        if d > p:
            return "lose", d - p
        return ("tie" if d == p else "win"), 0
    if kind == "neutral":
        return ("win", a - p) if a > p else ("tie" if a == p else "lose", 0)
    allies = p if peasants_join else 0
    if a > d + allies:
        return "win", a - d - allies  # B6.7
    if a == d + allies or d == 0:
        return "tie", 0  # B6.9, B6.8
    fallen_peasants = min(a, allies)
    return "lose", d - (a - fallen_peasants)  # B6.8: peasants first


def odds(model, thrown, inside, kind="player", peasants_join=True) -> dict[str, Fraction]:
    """Chances to win, tie and lose, and mean armies left of either side in all battles, for `independent`.

    `thrown` and `inside` count the cubes of attacker, defender and peasants.
    """
    distributions = [falling(n, s, model.p, model.q) for n, s in zip(thrown, inside, strict=True)]
    result = dict.fromkeys(("win", "tie", "lose", "attackers_left", "defenders_left"), Fraction(0))
    for (a, x), (d, y), (p, z) in product(*(distribution.items() for distribution in distributions)):
        end, armies = ending(kind, a, d, p, peasants_join)
        result[end] += x * y * z
        if end != "tie":
            result["attackers_left" if end == "win" else "defenders_left"] += armies * x * y * z
    return result
