"""Every way a cast can go in a layered tower, cube by cube and colour by colour: a few cubes, clumps of one.

A thrown cube falls as deep as it comes before the next one does. Floors are tuples of cubes by colour.
"""

from __future__ import annotations

from collections import Counter

from tests.naive.every_cast import Chances, after_each
from wallsim.rules.tower import Layered

Cubes = tuple[int, ...]
Floors = tuple[Cubes, ...]


def coloured_chances(model: Layered, thrown: Cubes, floors: Floors) -> Chances:
    """What lies on the floors after a cast."""
    chances: Chances = {(thrown, floors): 1.0}
    for left in range(sum(thrown), 0, -1):
        chances = after_each(chances, lambda state, left=left: _next_cube(model, *state, left))
    return {floors: chance for (_, floors), chance in chances.items()}


def chances_in_a_row(model: Layered, casts: list[Cubes]) -> Chances:
    """What falls out of each of several casts into an empty tower."""
    nothing = (0,) * len(casts[0])
    chances: Chances = {((), (nothing,) * len(model.cells)): 1.0}
    for thrown in casts:

        def step(state, thrown=thrown):
            counts, floors = state
            before = inside(floors)
            following: Chances = Counter()
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


def _next_cube(model: Layered, hand: Cubes, floors: Floors, left: int) -> Chances:
    result: Chances = Counter()
    for colour, number in enumerate(hand):
        if number:
            for after, chance in _falls(model, floors, 0, colour).items():
                result[_with(hand, colour, -1), after] += number / left * chance
    return result


def _falls(model: Layered, floors: Floors, floor: int, colour: int) -> Chances:
    # A cube comes to a floor, where it stays, knocks others loose, or falls on.
    if floor == len(floors):
        return {floors: 1.0}
    held, cells = sum(floors[floor]), model.cells[floor]
    stays, knocks = model.stick[floor] * (1 - held / cells), model.knock[floor] * held / cells
    result: Chances = Counter()
    _add(result, stays, {_changed(floors, floor, colour, 1): 1.0})
    _add(result, 1 - stays - knocks, _falls(model, floors, floor + 1, colour))
    if knocks:
        for loose in range(1, held + 1):
            chance = knocks * model.cascade ** (loose - 1) * (1 - model.cascade if loose < held else 1)
            states: Chances = {floors: 1.0}
            for _ in range(loose):
                states = after_each(states, lambda state: _one_loose(model, state, floor))
            for state, share in states.items():
                _add(result, chance * share * model.swap, {_changed(state, floor, colour, 1): 1.0})
                if model.swap < 1:
                    _add(result, chance * share * (1 - model.swap), _falls(model, state, floor + 1, colour))
    return result


def _one_loose(model: Layered, floors: Floors, floor: int) -> Chances:
    # Any of the floor's cubes, which falls on before anything else happens.
    result: Chances = Counter()
    for colour, number in enumerate(floors[floor]):
        if number:
            _add(
                result,
                number / sum(floors[floor]),
                _falls(model, _changed(floors, floor, colour, -1), floor + 1, colour),
            )
    return result


def _add(result: Chances, chance: float, outcomes: Chances) -> None:
    for outcome, share in outcomes.items():
        result[outcome] += chance * share


def _changed(floors: Floors, floor: int, colour: int, change: int) -> Floors:
    return (*floors[:floor], _with(floors[floor], colour, change), *floors[floor + 1 :])


def _with(cubes: Cubes, colour: int, change: int) -> Cubes:
    return (*cubes[:colour], cubes[colour] + change, *cubes[colour + 1 :])
