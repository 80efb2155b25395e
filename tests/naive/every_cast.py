"""Every way a cast can go, cube by cube, with its chance, most as an exact fraction: small towers only."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable
from fractions import Fraction
from types import SimpleNamespace

from wallsim.rules.tower import Independent, Layered, Urn

Cubes = tuple[int, ...]  # by colour
Floors = tuple[Cubes, ...]
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


# --------------------------------------------------------------------------------------- layered, clumps of one


def layered_chances(model: Layered, cubes: int, floors: tuple[int, ...]) -> Chances:
    """Cubes on each floor after a cast, whatever their colours."""
    chances = coloured_chances(model, (cubes,), tuple((number,) for number in floors), exact)
    return {tuple(number for (number,) in after): chance for after, chance in chances.items()}


def passing_chance(model: Layered, floors: tuple[int, ...]) -> Fraction:
    """The chance that a cube falls through all floors."""
    chances = coloured_chances(model, (1, 0), tuple((0, number) for number in floors), exact)
    return sum((chance for after, chance in chances.items() if not inside(after)[0]), Fraction(0))


def coloured_chances(model: Layered, thrown: Cubes, floors: Floors, number: Callable = float) -> Chances:
    """What lies on the floors after a cast, as tuples of cubes by colour; fractions where `number` is `exact`.

    A thrown cube falls as deep as it comes before the next one does.
    """
    law = SimpleNamespace(
        one=number(1), cells=model.cells, stick=[*map(number, model.stick)], knock=[*map(number, model.knock)],
        cascade=number(model.cascade), swap=number(model.swap),
    )  # fmt: skip
    chances: Chances = {(thrown, floors): law.one}
    for left in range(sum(thrown), 0, -1):
        chances = after_each(chances, lambda state, left=left: _next_cube(law, *state, left))
    return {floors: chance for (_, floors), chance in chances.items()}


def chances_in_a_row(model: Layered, casts: list[Cubes]) -> Chances:
    """What falls out of each of several casts into an empty tower."""
    nothing = (0,) * len(casts[0])
    chances: Chances = {((), (nothing,) * len(model.cells)): 1.0}
    for thrown in casts:

        def step(state, thrown=thrown):
            counts, floors = state
            before, following = inside(floors), Counter()
            for after, chance in coloured_chances(model, thrown, floors).items():
                kept = zip(before, thrown, inside(after), strict=True)
                following[(*counts, tuple(b + n - a for b, n, a in kept)), after] += chance
            return following

        chances = after_each(chances, step)
    result: Chances = Counter()
    for (counts, _), chance in chances.items():
        result[counts] += chance
    return result


def inside(floors: Floors) -> Cubes:
    """Cubes by colour on all floors."""
    return tuple(map(sum, zip(*floors, strict=True)))


def _next_cube(law: SimpleNamespace, hand: Cubes, floors: Floors, left: int) -> Chances:
    result: Chances = Counter()
    for colour, number in enumerate(hand):
        if number:
            for after, chance in _falls(law, floors, 0, colour).items():
                result[_with(hand, colour, -1), after] += law.one * number / left * chance
    return result


def _falls(law: SimpleNamespace, floors: Floors, floor: int, colour: int) -> Chances:
    # A cube comes to a floor, where it stays, knocks others loose, or falls on.
    if floor == len(floors):
        return {floors: law.one}
    held, result = sum(floors[floor]), Counter()
    share = law.one * held / law.cells[floor]
    stays, knocks = law.stick[floor] * (1 - share), law.knock[floor] * share
    _add(result, stays, {_changed(floors, floor, colour, 1): law.one})
    _add(result, 1 - stays - knocks, _falls(law, floors, floor + 1, colour))
    states: Chances = {floors: knocks} if knocks else {}
    for loose in range(1, held + 1):
        states = after_each(states, lambda state: _one_loose(law, state, floor))
        ends = law.cascade ** (loose - 1) * (1 - law.cascade if loose < held else 1)
        for state, chance in states.items():
            _add(result, chance * ends * law.swap, {_changed(state, floor, colour, 1): law.one})
            if law.swap < 1:
                _add(result, chance * ends * (1 - law.swap), _falls(law, state, floor + 1, colour))
    return result


def _one_loose(law: SimpleNamespace, floors: Floors, floor: int) -> Chances:
    # Any of the floor's cubes, which falls on before anything else happens.
    result: Chances = Counter()
    for colour, number in enumerate(floors[floor]):
        if number:
            freed = _changed(floors, floor, colour, -1)
            _add(result, law.one * number / sum(floors[floor]), _falls(law, freed, floor + 1, colour))
    return result


def _add(result: Chances, chance, outcomes: Chances) -> None:
    for outcome, share in outcomes.items():
        result[outcome] += chance * share


def _changed(floors: Floors, floor: int, colour: int, change: int) -> Floors:
    return (*floors[:floor], _with(floors[floor], colour, change), *floors[floor + 1 :])


def _with(cubes: Cubes, colour: int, change: int) -> Cubes:
    return (*cubes[:colour], cubes[colour] + change, *cubes[colour + 1 :])


# ------------------------------------------------------------------------------------- what a tower settles to


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
