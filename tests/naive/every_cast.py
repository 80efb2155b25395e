"""Every way a cast can go, cube by cube, with its chance as an exact fraction: small towers only."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable
from fractions import Fraction

from wallsim.rules.tower import Independent, Layered, Urn

Chances = dict[Hashable, Fraction]


def exact(number: float) -> Fraction:
    """The simple fraction that a float was meant to be."""
    return Fraction(number).limit_denominator(10_000)


def after_each(chances: Chances, step: Callable[[Hashable], Chances]) -> Chances:
    """The chances of what `step` makes of every state."""
    result: Chances = defaultdict(Fraction)
    for state, chance in chances.items():
        for following, share in step(state).items():
            result[following] += chance * share
    return {state: chance for state, chance in result.items() if chance}


def independent_chances(model: Independent, cubes: int, inside: int) -> Chances:
    """Cubes inside after a cast: a coin for each cube inside, then for each thrown one."""
    chances: Chances = {0: Fraction(1)}
    for stays in [1 - exact(model.q)] * inside + [1 - exact(model.p)] * cubes:
        chances = after_each(chances, lambda kept, stays=stays: {kept + 1: stays, kept: 1 - stays})
    return chances


def urn_chances(model: Urn, release: Fraction, cubes: int, inside: int) -> Chances:
    """Cubes inside after a cast that knocks each cube loose with chance `release`."""
    chances: Chances = {inside: Fraction(1)}
    for _ in range(inside):
        chances = after_each(chances, lambda left: {left - 1: release, left: 1 - release})
    for _ in range(cubes):
        chances = after_each(chances, lambda held: _urn_meets_cube(model, held))
    return chances


def _urn_meets_cube(model: Urn, held: int) -> Chances:
    taken = exact((held / model.capacity) ** model.alpha)
    stays = exact(model.retention) * max(Fraction(0), 1 - taken)
    return {held + 1: stays, held: 1 - stays}


def layered_chances(model: Layered, cubes: int, floors: tuple[int, ...]) -> Chances:
    """Cubes on each floor after a cast: one thrown cube after the other falls as deep as it comes."""
    chances: Chances = {floors: Fraction(1)}
    for _ in range(cubes):
        chances = after_each(chances, lambda held: _cube_falls(model, held, 0))
    return chances


def passing_chance(model: Layered, floors: tuple[int, ...], floor: int = 0) -> Fraction:
    """The chance that a cube that comes to a floor falls through it and all below."""
    if floor == len(floors):
        return Fraction(1)
    chance = Fraction(0)
    for (state, falling, held), share in _meetings(model, floors, floor).items():
        if not held:
            for following, part in _fall_in_turn(model, state, floor + 1, falling).items():
                chance += share * part * passing_chance(model, following, floor + 1)
    return chance


def _cube_falls(model: Layered, floors: tuple[int, ...], floor: int) -> Chances:
    if floor == len(floors):
        return {floors: Fraction(1)}
    chances: Chances = defaultdict(Fraction)
    for (state, falling, held), share in _meetings(model, floors, floor).items():
        for following, part in _fall_in_turn(model, state, floor + 1, falling + (not held)).items():
            chances[following] += share * part
    return dict(chances)


def _fall_in_turn(model: Layered, floors: tuple[int, ...], floor: int, cubes: int) -> Chances:
    chances: Chances = {floors: Fraction(1)}
    for _ in range(cubes):
        chances = after_each(chances, lambda held: _cube_falls(model, held, floor))
    return chances


def _meetings(model: Layered, floors: tuple[int, ...], floor: int) -> Chances:
    # What a cube can do on a floor: floors afterwards, cubes knocked loose, whether it is held.
    held, cells = floors[floor], model.cells[floor]
    stick, knock = exact(model.stick[floor]), exact(model.knock[floor])
    more, swap = exact(model.cascade), exact(model.swap)

    def with_change(change: int) -> tuple[int, ...]:
        return (*floors[:floor], held + change, *floors[floor + 1 :])

    chances: Chances = defaultdict(Fraction)
    sticks, knocks = stick * (1 - Fraction(held, cells)), knock * Fraction(held, cells)
    chances[floors, 0, False] += 1 - sticks - knocks
    if sticks:
        chances[with_change(1), 0, True] += sticks
    left = knocks
    for loose in range(1, held + 1):
        ends = left if loose == held else left * (1 - more)
        left -= ends
        chances[with_change(-loose), loose, False] += ends * (1 - swap)
        chances[with_change(1 - loose), loose, True] += ends * swap
    return dict(chances)


def settled_chances(start: Hashable, step: Callable[[Hashable], Chances]) -> Chances:
    """The stationary distribution of a chain over all states that follow `start`, by elimination in fractions."""
    rows: dict[Hashable, Chances] = {}
    waiting = [start]
    while waiting:
        state = waiting.pop()
        if state not in rows:
            rows[state] = step(state)
            waiting += rows[state]
    states = list(rows)
    # One line a state: what flows in less what is there is nothing; the last line says that all is 1.
    lines = [[rows[source].get(state, Fraction(0)) - (source == state) for source in states] for state in states]
    lines = [[*line, Fraction(0)] for line in lines[:-1]] + [[Fraction(1)] * (len(states) + 1)]
    for column in range(len(states)):
        pivot = next(row for row in range(column, len(states)) if lines[row][column])
        lines[column], lines[pivot] = lines[pivot], lines[column]
        lines[column] = [number / lines[column][column] for number in lines[column]]
        for row in range(len(states)):
            factor = lines[row][column]
            if row != column and factor:
                lines[row] = [a - factor * b for a, b in zip(lines[row], lines[column], strict=True)]
    return {state: line[-1] for state, line in zip(states, lines, strict=True)}


def spread_of(chances: Chances, number: Callable[[Hashable], int] = lambda state: state) -> tuple[Fraction, Fraction]:
    """Mean and variance of a number that depends on the state."""
    mean = sum(chance * number(state) for state, chance in chances.items())
    return mean, sum(chance * (number(state) - mean) ** 2 for state, chance in chances.items())


def correlation_of(chances: Chances, step: Callable[[Hashable], Chances], number=lambda state: state) -> Fraction:
    """The correlation of a number from one step to the next."""
    mean, variance = spread_of(chances, number)
    products = (
        chance * share * (number(state) - mean) * (number(following) - mean)
        for state, chance in chances.items()
        for following, share in step(state).items()
    )
    return sum(products) / variance
