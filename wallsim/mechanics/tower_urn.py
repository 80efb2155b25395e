"""The tower as a saturating urn: larger casts knock more loose, a fuller tower keeps less (model `urn`)."""

import math

import numpy as np

from wallsim.jit import kernel
from wallsim.rules.terms import COLOURS
from wallsim.state.random import TOWER, below, draw, skip

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


@kernel
def _frailty(game, variance):
    """A Gamma number with mean 1 and a variance from above 0 to 1 (Marsaglia and Tsang 2000)."""
    shape = 1.0 / variance
    shift = shape - 1.0 / 3.0
    scale = 1.0 / math.sqrt(9.0 * shift)
    while True:
        length = math.sqrt(-2.0 * math.log(1.0 - uniform(draw(game, TOWER))))  # a normal number (Box and Muller 1958)
        normal = length * math.cos(2.0 * math.pi * uniform(draw(game, TOWER)))
        cube = (1.0 + scale * normal) ** 3
        if cube > 0.0:
            limit = 0.5 * normal * normal + shift * (1.0 - cube + math.log(cube))
            if math.log(1.0 - uniform(draw(game, TOWER))) < limit:
                return shift * cube * variance


@kernel(apart=True)
def cast_urn(game, rules):
    """Release cubes inside, then let the thrown ones stay or fall in random order; one random decision per cube."""
    start = game.random[TOWER]
    thrown = throw_in(game)
    loose = rules.release[thrown]
    if rules.frailty > 0.0:
        loose = 1.0 - math.exp(-rules.hazard[thrown] * _frailty(game, rules.frailty))
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
