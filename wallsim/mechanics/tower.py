"""The dice tower: drop cubes, see what falls out, keep the rest (B1.6, B6.1).

One interface for every model: `cast` throws all that lies in the tray and in `game.engaged`, leaves in the
tray what fell out (also in `game.fallen`) and the rest in the tower. Another model is a kernel like
`_cast_independent` with the same signature, in a file of its own, and a branch of `cast`.

In the model `independent` the cubes of a colour that fall are drawn from alias tables, one look-up a colour or two;
the other models draw for every cube, because there one cube's fate depends on the others.
"""

import numpy as np

from wallsim.jit import kernel
from wallsim.mechanics.tower_layered import cast_layered
from wallsim.mechanics.tower_urn import cast_urn
from wallsim.rules.terms import COLOURS, PEASANTS
from wallsim.rules.tower import INDEPENDENT, LAYERED
from wallsim.rules.tower_tables import FEW_CUBES, NARROW, WIDE
from wallsim.state.random import TOWER, skip, word_after

_SIX = np.uint64(6)
_ALIAS_BITS = np.uint64(63)


@kernel
def _sample(word, row, columns):
    """A draw from one row of an alias table (Walker 1977), from one random word.

    An entry holds a 58-bit threshold and a 6-bit alias; the word's low bits choose the column.
    """
    column = word & np.uint64(columns - 1)
    entry = row[np.int64(column)]
    return np.int64(column if (word >> _SIX) < (entry >> _SIX) else entry & _ALIAS_BITS)


@kernel
def _drop(game, rules, colour, start):
    """Throw one colour's cubes: each falls with chance p, each inside with chance q; returns thrown and fallen."""
    thrown = game.tray[colour] + game.engaged[colour]
    inside = game.tower[colour]
    word = word_after(start, 2 * colour)
    if thrown < FEW_CUBES and inside < FEW_CUBES:
        out = _sample(word, rules.joint_table[thrown, inside], NARROW)
    else:
        out = _sample(word, rules.pass_table[thrown], WIDE)
        out += _sample(word_after(start, 2 * colour + 1), rules.release_table[inside], WIDE)
    game.tower[colour] = thrown + inside - out
    game.tray[colour] = out
    game.fallen[colour] = out
    return thrown, out


@kernel
def _cast_independent(game, rules):
    """Cast in the model `independent`: all colours alike, every cube by itself.

    A cast always moves the stream by the same number of words, however many cubes it throws.
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


@kernel
def cast(game, rules):
    """Drop tray and engaged cubes into the tower; the tray holds what falls out."""
    game.casts += 1
    if rules.tower_model == INDEPENDENT:
        _cast_independent(game, rules)
    elif rules.tower_model == LAYERED:
        cast_layered(game, rules)
    else:
        cast_urn(game, rules)


@kernel
def fill_tower(game, rules):
    """Drop armies of every player and peasants from the supplies; what falls out goes back (B1.6)."""
    game.engaged[:] = 0
    for seat in range(rules.players):
        game.engaged[seat] = rules.first_fill_armies
        game.supply[seat] -= rules.first_fill_armies
    game.engaged[PEASANTS] = rules.first_fill_peasants
    game.supply[PEASANTS] -= rules.first_fill_peasants
    cast(game, rules)
    for colour in range(COLOURS):
        game.supply[colour] += game.tray[colour]
        game.tray[colour] = 0
        game.tower_after_fill += game.tower[colour]
