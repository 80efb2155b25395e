"""The dice tower: drop cubes, see what falls out, keep the rest (B1.6, B6.1).

One interface for every model: `cast` throws all that lies in the tray and in `game.engaged`, leaves in the
tray what fell out (also in `game.fallen`) and the rest in the tower. Another model is a kernel like
`_cast_independent` with the same signature, and a branch of `cast`.

In the model `independent` the cubes of a colour that fall are drawn from alias tables, one look-up a colour or two;
the other models draw for every cube, because there one cube's fate depends on the others. In a saturating `urn` larger
casts knock more loose, and a fuller tower keeps less; in a `layered` tower cubes stick in the cells of floors, or knock
others loose, which fall on.
"""

import math

import numpy as np

from wallsim.jit import kernel
from wallsim.rules.terms import COLOURS, PEASANTS
from wallsim.rules.tower import INDEPENDENT, LAYERED
from wallsim.rules.tower_tables import FEW_CUBES, NARROW, WIDE
from wallsim.state.elementary import cos_of_turns, exp, log
from wallsim.state.random import TOWER, below, draw, skip, word_after

WORDS_PER_CAST = 1 << 15  # a cast always moves the stream by this many words; it uses far fewer
_53_BITS = 1.0 / (1 << 53)
_11 = np.uint64(11)


@kernel
def uniform(word):
    """A random word as a number from 0 up to 1, 53 bits."""
    return np.float64(word >> _11) * _53_BITS


@kernel
def next_colour(cubes, place):
    """The colour of cube number `place` among those that `cubes` counts by colour."""
    colour = 0
    while place >= cubes[colour]:
        place -= cubes[colour]
        colour += 1
    return colour


@kernel
def throw_in(game):
    """Begin a cast: tray and engaged cubes are thrown, counted in `tray`; nothing has fallen yet. Returns how many."""
    thrown = 0
    for colour in range(COLOURS):
        game.tray[colour] += game.engaged[colour]
        game.fallen[colour] = 0
        thrown += game.tray[colour]
    return thrown


@kernel
def pick_up(game, thrown):
    """End a cast: what fell out lies in the tray, and is counted."""
    game.cubes_cast += thrown
    for colour in range(COLOURS):
        game.tray[colour] = game.fallen[colour]
        game.cubes_fallen += game.fallen[colour]


@kernel(apart=True)
def _frailty(game, variance):
    """A Gamma number with mean 1 and a variance from above 0 to 1 (Marsaglia and Tsang 2000)."""
    shape = 1.0 / variance
    shift = shape - 1.0 / 3.0
    scale = 1.0 / math.sqrt(9.0 * shift)
    while True:
        length = math.sqrt(-2.0 * log(1.0 - uniform(draw(game, TOWER))))  # a normal number (Box and Muller 1958)
        normal = length * cos_of_turns(uniform(draw(game, TOWER)))
        root = 1.0 + scale * normal
        cube = root * root * root
        if cube > 0.0:
            number, square = 1.0 - uniform(draw(game, TOWER)), normal * normal
            # What passes the first test passes the second one as well, and nearly all does.
            if number < 1.0 - 0.0331 * square * square or log(number) < 0.5 * square + shift * (1.0 - cube + log(cube)):
                return shift * cube * variance


@kernel(apart=True)
def cast_urn(game, rules):
    """Release cubes inside, then let the thrown ones stay or fall in random order; one random decision per cube."""
    start = game.random[TOWER]
    thrown = throw_in(game)
    loose = rules.release[thrown]
    if rules.frailty > 0.0:
        loose = 1.0 - exp(-rules.hazard[thrown] * _frailty(game, rules.frailty))
    inside = 0
    for colour in range(COLOURS):
        for _ in range(game.tower[colour]):
            game.fallen[colour] += uniform(draw(game, TOWER)) < loose
        game.tower[colour] -= game.fallen[colour]
        inside += game.tower[colour]

    number, alone = 0.0, True  # the uniform number that decides, and whether no cube came before
    for left in range(thrown, 0, -1):
        colour = next_colour(game.tray, below(game, TOWER, left))
        if alone or rules.clump == 0.0 or uniform(draw(game, TOWER)) >= rules.clump:
            number = uniform(draw(game, TOWER))
        alone = False
        game.tray[colour] -= 1
        stays = number < rules.stay[inside]
        inside += stays
        game.tower[colour] += stays
        game.fallen[colour] += not stays
    game.random[TOWER] = start
    skip(game, TOWER, WORDS_PER_CAST)
    pick_up(game, thrown)


# A cast always moves the stream by this many words: first those drawn in turn, then a block of words for each floor,
# one for each clump. Cubes knocked loose begin clumps of their own; there are at most (1 + floors) * CUBES of them.
_FLOOR_WORDS = 1 << 11
_FIRST_FLOOR = 1 << 14
_WORDS_PER_CAST = 1 << 15
_COLOUR_BITS = 3
_COLOUR_MASK = (1 << _COLOUR_BITS) - 1


@kernel
def _line_up(game, rules, thrown):
    """Note the thrown cubes in random order in `game.falling[0]`: clump and colour; returns the number of clumps."""
    clumps = 0
    for place in range(thrown):
        colour = next_colour(game.tray, below(game, TOWER, thrown - place))
        game.tray[colour] -= 1
        if place == 0 or rules.clump == 0.0 or uniform(draw(game, TOWER)) >= rules.clump:
            clumps += 1
        game.falling[0, place] = ((clumps - 1) << _COLOUR_BITS) | colour
    return clumps


@kernel
def _pass_floor(game, rules, start, floor, arrivals, clumps):
    """Let the cubes of `falling[floor % 2]` meet a floor; `falling[1 - floor % 2]` are those that fall from it.

    Returns how many fall and the number of clumps by then.
    """
    cells, stick, knock = rules.cells[floor], rules.stick[floor], rules.knock[floor]
    here, below_it = floor % 2, 1 - floor % 2
    held = 0
    for colour in range(COLOURS):
        held += game.floor[floor, colour]
    out = 0
    for place in range(arrivals):
        cube = game.falling[here, place]
        colour = cube & _COLOUR_MASK
        number = uniform(word_after(start, _FIRST_FLOOR + floor * _FLOOR_WORDS + (cube >> _COLOUR_BITS)))
        share = held / cells
        stays = number < stick * (1.0 - share)
        if not stays and number < stick * (1.0 - share) + knock * share:
            stays = rules.swap > 0.0 and uniform(draw(game, TOWER)) < rules.swap
            loose = 1
            while loose < held and rules.cascade > 0.0 and uniform(draw(game, TOWER)) < rules.cascade:
                loose += 1
            for _ in range(loose):
                other = next_colour(game.floor[floor], below(game, TOWER, held))
                held -= 1
                game.floor[floor, other] -= 1
                game.falling[below_it, out] = (clumps << _COLOUR_BITS) | other
                clumps += 1
                out += 1
        if stays:
            held += 1
            game.floor[floor, colour] += 1
        else:
            game.falling[below_it, out] = cube
            out += 1
    return out, clumps


@kernel(apart=True)
def cast_layered(game, rules):
    """Let the thrown cubes fall from floor to floor in random order.

    A floor meets its cubes one after another, those knocked loose above before the cube that did it. Nothing below
    acts on what is above, so that floor after floor comes to the same as cube after cube.
    """
    start = game.random[TOWER]
    thrown = throw_in(game)
    clumps = _line_up(game, rules, thrown)
    falling = thrown
    for floor in range(rules.floors):
        falling, clumps = _pass_floor(game, rules, start, floor, falling, clumps)
    for place in range(falling):
        game.fallen[game.falling[rules.floors % 2, place] & _COLOUR_MASK] += 1
    for colour in range(COLOURS):
        game.tower[colour] = 0
        for floor in range(rules.floors):
            game.tower[colour] += game.floor[floor, colour]
    game.random[TOWER] = start
    skip(game, TOWER, _WORDS_PER_CAST)
    pick_up(game, thrown)


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
