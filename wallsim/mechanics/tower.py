"""The dice tower: drop cubes, see what falls out, keep the rest (B1.6, B6.1).

One interface for every model: `cast` throws all that lies in the tray and in `game.engaged`, leaves in the
tray what fell out (also in `game.fallen`) and the rest in the tower. A further model is a kernel beside
`_cast_independent` with the same signature, and a line in `cast`.
"""

import numpy as np

from wallsim.jit import kernel
from wallsim.rules.terms import COLOURS, FILL_ARMIES, FILL_PEASANTS, PEASANTS
from wallsim.rules.tower import NARROW_ROWS, WIDE_OFFSET
from wallsim.state.random import TOWER, skip, word_after

_SIX = np.uint64(6)
_ALIAS_BITS = np.uint64(63)


@kernel
def _sample(word, table, cubes):
    """How many of `cubes` fall, from a random word and an alias table of binomial laws (Walker 1977).

    A table entry holds a 58-bit threshold and a 6-bit alias; the word's low bits choose the column.
    """
    narrow = cubes < NARROW_ROWS
    column = word & np.uint64(15 if narrow else 63)
    entry = table[(16 * cubes if narrow else 64 * cubes - WIDE_OFFSET) + np.int64(column)]
    return np.int64(column if (word >> _SIX) < (entry >> _SIX) else entry & _ALIAS_BITS)


@kernel
def _drop(game, rules, colour, start):
    """Throw one colour's cubes: each falls with chance p, each inside with chance q; returns thrown and fallen."""
    thrown = game.tray[colour] + game.engaged[colour]
    inside = game.tower[colour]
    out = _sample(word_after(start, 2 * colour), rules.pass_table, thrown)
    out += _sample(word_after(start, 2 * colour + 1), rules.release_table, inside)
    game.tower[colour] = thrown + inside - out
    game.tray[colour] = out
    game.fallen[colour] = out
    return thrown, out


@kernel
def _cast_independent(game, rules):
    """The model `independent`: all colours alike, every cube by itself.

    Every colour in the game takes two words, also where it has no cubes: without branches this is faster, and
    a cast always moves the stream by the same number.
    """
    start = game.random[TOWER]
    cubes_cast, cubes_fallen = _drop(game, rules, PEASANTS, start)
    for seat in range(rules.players):
        thrown, out = _drop(game, rules, seat, start)
        cubes_cast += thrown
        cubes_fallen += out
    skip(game, TOWER, 2 * COLOURS)
    game.cubes_cast += cubes_cast
    game.cubes_fallen += cubes_fallen
    game.casts += 1


@kernel
def cast(game, rules):
    """Drop tray and engaged cubes into the tower; the tray holds what falls out."""
    _cast_independent(game, rules)


@kernel
def fill_tower(game, rules):
    """Drop seven armies a player and ten peasants from the supplies; what falls out goes back (B1.6)."""
    game.engaged[:] = 0
    for seat in range(rules.players):
        game.engaged[seat] = FILL_ARMIES
        game.supply[seat] -= FILL_ARMIES
    game.engaged[PEASANTS] = FILL_PEASANTS
    game.supply[PEASANTS] -= FILL_PEASANTS
    cast(game, rules)
    for colour in range(COLOURS):
        game.supply[colour] += game.tray[colour]
        game.tray[colour] = 0
        game.tower_after_fill += game.tower[colour]
