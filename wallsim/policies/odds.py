"""Chances to win a battle, looked up in a table (B6).

The table is exact for the model `independent`. For the other models it is computed with their mean rates; that a
full tower lets more cubes through, and that many cubes knock more loose, is put into the counts it is asked for.
"""

import numpy as np

from wallsim.jit import kernel
from wallsim.rules.terms import COLOURS, CUBES, NEUTRAL, NO_TILE, PEASANTS, TILE_ATTACK, TILE_DEFENCE
from wallsim.rules.tower import INDEPENDENT
from wallsim.rules.tower_tables import FOES_INSIDE, FOES_THROWN, INSIDE, THROWN, WHOLE

_ENTRY = 1.0 / WHOLE


@kernel
def cubes_inside(game):
    """How many cubes lie in the tower."""
    inside = 0
    for colour in range(COLOURS):
        inside += game.tower[colour]
    return inside


@kernel
def pass_chance(rules, inside):
    """The mean chance of a thrown cube to pass a tower with so many cubes inside (B6.1)."""
    return rules.pass_rate * rules.pass_by_inside[inside]


@kernel
def look_into_tower(game, rules, mind):
    """Note how many cubes of tray and tower will fall out on average, by colour, in `mind.out`.

    And the armies that bonus tiles, once they are held, send from the supply into every battle (B4.4, B4.6).
    """
    passing = pass_chance(rules, cubes_inside(game))
    for colour in range(COLOURS):
        mind.out[colour] = passing * float(game.tray[colour]) + rules.release_rate * float(game.tower[colour])
    for seat in range(rules.players):
        tile = game.tile[seat] if (mind.unaware >> max(0, game.tile[seat])) & 1 == 0 else NO_TILE
        mind.helpers[seat] = min(rules.tile_attack_armies, game.supply[seat]) if tile == TILE_ATTACK else 0
        mind.guards[seat] = min(rules.tile_defence_armies, game.supply[seat]) if tile == TILE_DEFENCE else 0


@kernel
def look_at_spread(game, rules, mind):
    """Note the variance of these numbers, by colour, in `mind.spread`."""
    passing, loose = rules.pass_rate, rules.release_rate
    for colour in range(COLOURS):
        tray, inside = float(game.tray[colour]), float(game.tower[colour])
        mind.spread[colour] = passing * (1.0 - passing) * tray + loose * (1.0 - loose) * inside


@kernel
def win_chance(game, rules, attacker, armies, defender, defenders, peasants_join):
    """The chance that `armies` of a colour beat `defenders` of another, with or without the tray's peasants (B6.6).

    For a neutral county, or a revolt, the defender is NEUTRAL and `defenders` are peasants.
    """
    foes, held = cubes_against(game, defender, defenders, peasants_join)
    return chance_against(game, rules, attacker, armies, foes, held)


@kernel
def cubes_against(game, defender, defenders, peasants_join):
    """The cubes that an attack meets: thrown, and inside the tower."""
    foes, held = game.tray[defender] + defenders, game.tower[defender]
    joined = np.int64(peasants_join and defender != NEUTRAL)
    return foes + joined * game.tray[PEASANTS], held + joined * game.tower[PEASANTS]


@kernel
def chance_against(game, rules, attacker, armies, foes, held):
    """The chance that `armies` of a colour beat so many cubes, thrown and inside the tower."""
    page = page_of(game.tower[attacker], held)
    return chance_on_page(game, rules, page, attacker, game.tray[attacker] + armies, foes, held)


@kernel
def chance_on_page(game, rules, page, attacker, thrown, foes, held):
    """The same for all cubes that are thrown, by a page that was found before (`page_of`).

    Where there are more cubes than the table knows, as many are left out on both sides as brings them to its edge.
    """
    if rules.tower_model != INDEPENDENT:
        return _chance_by_fill(game, rules, thrown, game.tower[attacker], foes, held)
    return _look_up(rules, page, thrown, foes)


@kernel
def page_of(inside, held):
    """The page of the table for so many cubes of both sides inside the tower."""
    above = max(0, max(inside - (INSIDE - 1), held - (FOES_INSIDE - 1)))
    return max(0, inside - above) * FOES_INSIDE + max(0, held - above)


@kernel
def _look_up(rules, page, thrown, foes):
    over = max(0, max(thrown - (THROWN - 1), foes - (FOES_THROWN - 1)))
    return _ENTRY * rules.win_table[page, max(0, thrown - over), max(0, foes - over)]


@kernel(apart=True)
def _chance_by_fill(game, rules, thrown, inside, foes, held):
    """The chance with as many cubes of each kind as would do the same in a tower with its mean rates."""
    passing = rules.pass_by_inside[cubes_inside(game)]
    loose = rules.release_by_thrown[min(CUBES, thrown + foes)]
    thrown, foes = np.int64(passing * thrown + 0.5), np.int64(passing * foes + 0.5)
    inside, held = np.int64(loose * inside + 0.5), np.int64(loose * held + 0.5)
    return _look_up(rules, page_of(inside, held), thrown, foes)
