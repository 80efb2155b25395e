"""The tower floor by floor: cubes stick in cells, or knock others loose, which fall on (model `layered`)."""

from wallsim.jit import kernel
from wallsim.mechanics.tower_urn import next_colour, pick_up, throw_in, uniform
from wallsim.rules.terms import COLOURS
from wallsim.state.random import TOWER, below, draw, skip, word_after

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
