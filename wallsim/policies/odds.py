"""Chances of battle, fast: what tray and tower hold, and a bell curve for what will lie in the tray (B6)."""

from wallsim.jit import kernel
from wallsim.rules.terms import COLOURS, NEUTRAL, PEASANTS


@kernel
def look_into_tower(game, rules, mind):
    """Note mean and variance of what tray and tower alone will drop, by colour, in `mind.out` and `mind.spread`."""
    passing, loose = rules.pass_rate, rules.release_rate
    for colour in range(COLOURS):
        tray, inside = float(game.tray[colour]), float(game.tower[colour])
        mind.out[colour] = passing * tray + loose * inside
        mind.spread[colour] = passing * (1.0 - passing) * tray + loose * (1.0 - loose) * inside


@kernel
def chance_above(mean, variance):
    """The chance that a difference with this mean and variance is at least one half, by a rational sigmoid.

    The spread is a line through the square root near the usual variances of 1 to 6: no square root is taken.
    """
    score = mean - 0.5
    return 0.5 + 0.5 * score / (abs(score) + 0.5 + 0.17 * variance)


@kernel
def win_chance(rules, mind, attacker, armies, defender, defenders, peasants_join):
    """The chance that `armies` of a colour beat `defenders` of another, with or without the tray's peasants (B6.6).

    For a neutral county, or a revolt, the defender is NEUTRAL and `defenders` are peasants. Needs `look_into_tower`.
    """
    passing = rules.pass_rate
    mean = mind.out[attacker] - mind.out[defender] + passing * (armies - defenders)
    variance = mind.spread[attacker] + mind.spread[defender] + passing * (1.0 - passing) * (armies + defenders)
    if peasants_join and defender != NEUTRAL:
        mean -= mind.out[PEASANTS]
        variance += mind.spread[PEASANTS]
    return chance_above(mean, variance)
