"""Chances to win a battle, looked up in a table (B6).

The table is exact for the model `independent`. For the other models it is computed with their mean rates, so that
policies know about how much a tower keeps, not how full it is.
"""

import numpy as np

from wallsim.jit import kernel
from wallsim.rules.battle_table import FOES_INSIDE, FOES_THROWN, INSIDE, THROWN, WHOLE
from wallsim.rules.terms import COLOURS, NEUTRAL, PEASANTS

_ENTRY = 1.0 / WHOLE


@kernel
def look_into_tower(game, rules, mind):
    """Note how many cubes of tray and tower will fall out on average, by colour, in `mind.out`."""
    for colour in range(COLOURS):
        mind.out[colour] = rules.pass_rate * float(game.tray[colour]) + rules.release_rate * float(game.tower[colour])


@kernel
def look_at_spread(game, rules, mind):
    """Note the variance of these numbers, by colour, in `mind.spread`."""
    passing, loose = rules.pass_rate, rules.release_rate
    for colour in range(COLOURS):
        tray, inside = float(game.tray[colour]), float(game.tower[colour])
        mind.spread[colour] = passing * (1.0 - passing) * tray + loose * (1.0 - loose) * inside


@kernel(apart=True)
def win_chance(game, rules, attacker, armies, defender, defenders, peasants_join):
    """The chance that `armies` of a colour beat `defenders` of another, with or without the tray's peasants (B6.6).

    For a neutral county, or a revolt, the defender is NEUTRAL and `defenders` are peasants. Where there are more cubes
    than the table knows, as many are left out on both sides as brings them to its edge.
    """
    thrown, inside = game.tray[attacker] + armies, game.tower[attacker]
    foes, held = game.tray[defender] + defenders, game.tower[defender]
    joined = np.int64(peasants_join and defender != NEUTRAL)
    foes += joined * game.tray[PEASANTS]
    held += joined * game.tower[PEASANTS]
    over = max(0, max(thrown - (THROWN - 1), foes - (FOES_THROWN - 1)))
    above = max(0, max(inside - (INSIDE - 1), held - (FOES_INSIDE - 1)))
    thrown, foes = max(0, thrown - over), max(0, foes - over)
    return _ENTRY * rules.win_table[max(0, inside - above), max(0, held - above), thrown, foes]
