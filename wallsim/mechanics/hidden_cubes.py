"""Where the cubes inside a layered tower stick, which nobody sees: dealt again at random."""

from wallsim.jit import kernel
from wallsim.rules.terms import COLOURS
from wallsim.state.random import TOWER, below


@kernel
def deal_floors(game, rules):
    """Put every cube inside on a floor, each free cell as likely as any other: nobody sees the floors.

    That is only roughly how cubes lie, since floors differ in how they hold them.
    """
    free = 0
    for floor in range(rules.floors):
        free += rules.cells[floor]
        for colour in range(COLOURS):
            game.floor[floor, colour] = 0
    for colour in range(COLOURS):
        for _ in range(game.tower[colour]):
            cell = below(game, TOWER, free)
            floor = 0
            while cell >= _room(game, rules, floor):
                cell -= _room(game, rules, floor)
                floor += 1
            game.floor[floor, colour] += 1
            free -= 1


@kernel
def _room(game, rules, floor):
    """The free cells of a floor."""
    held = 0
    for colour in range(COLOURS):
        held += game.floor[floor, colour]
    return rules.cells[floor] - held
