"""Winter: grain losses, shortages and the counties that revolt (B7.1 to B7.3, B7.5)."""

from wallsim.jit import count_bits, kernel, lowest_bit
from wallsim.mechanics.combat import revolt
from wallsim.rules.record import SHORTAGES
from wallsim.rules.terms import COUNTIES
from wallsim.state import tally
from wallsim.state.random import WINTER_DRAWS, below


@kernel
def eat_grain(game, rules, seat, loss):
    """Lose the remaining event's grain and find the shortage (B7.1, B7.2): sets `game.shortage`, at least 0."""
    lost = min(loss, game.grain[seat])
    game.grain[seat] -= lost
    game.tally[seat, tally.GRAIN_WINTER] += lost
    shortage = max(0, count_bits(game.land[seat]) - game.grain[seat])
    game.shortage = shortage
    if shortage > 0:
        game.tally[seat, tally.SHORTAGES] += 1
        game.tally[seat, tally.SHORTAGE_UNITS] += shortage


@kernel
def draw_revolting(game, rules, seat):
    """Draw the revolting counties at random from the seat's own into `game.revolting`; returns their number (B7.2)."""
    number = min(rules.revolting[min(game.shortage, SHORTAGES - 1)], count_bits(game.land[seat]))
    left = game.land[seat]
    for drawn in range(number):
        mask = left
        for _ in range(below(game, WINTER_DRAWS, count_bits(left))):
            mask &= mask - 1
        county = lowest_bit(mask)
        game.revolting[drawn] = county
        left ^= 1 << county
    return number


@kernel
def winter_peasants(game, rules, county, shortage):
    """The peasants of a winter revolt: those of its markers and the chart's extra ones (B6.4)."""
    return rules.revolt_peasants * game.marker[county] + rules.extra_peasants[min(shortage, SHORTAGES - 1)]


@kernel
def winter_revolt(game, rules, county, peasants, defenders):
    """Fight one winter revolt against so many peasants; no marker follows (B7.3). Returns whether it is held."""
    seat = game.owner[county]
    held = revolt(game, rules, county, peasants, defenders)
    game.tally[seat, tally.WINTER_REVOLTS] += 1
    game.tally[seat, tally.WINTER_REVOLTS_LOST] += not held
    return held


@kernel
def clear_year(game, rules):
    """After the first winter: grain to 0, all revolt markers off the board (B7.5)."""
    for seat in range(rules.players):
        game.grain[seat] = 0
    for county in range(COUNTIES):
        game.markers_left += game.marker[county]
        game.marker[county] = 0
