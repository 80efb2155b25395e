"""Winter: grain losses, shortages and the counties that revolt, victory points, and the end of the game (B7)."""

from wallsim.jit import count_bits, kernel, lowest_bit
from wallsim.mechanics.combat import revolt
from wallsim.rules.record import SHORTAGES
from wallsim.rules.terms import BUILDINGS, COUNTIES, REGIONS
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


_VP_WEIGHT = 1 << 20  # above any number of Thalers
_COUNTY_POINTS, _BUILDING_POINTS, _MAJORITIES = 0, 1, 2  # within the tally's five sources of a year


@kernel
def find_leaders(game, rules, region, kind):
    """The mask of seats with the most buildings of a kind in a region, 0 if there are none (B7.4)."""
    counties = game.built[kind] & rules.region_counties[region]
    most = 0
    leaders = 0
    for seat in range(rules.players):
        count = count_bits(game.land[seat] & counties)
        level = leaders | (1 << seat) if count == most else leaders
        leaders = 1 << seat if count > most else level
        most = max(most, count)
    return leaders if most > 0 else 0


@kernel
def majority_points(rules, kind, leaders):
    """What each of this number of leading seats gets: less where several lead, but never below 0 (B7.4)."""
    return max(0, rules.majority_points[kind] - rules.majority_tie_deduction * (leaders > 1))


@kernel
def points_with_board(game, rules, points):
    """Write to `points[seat]` the victory points so far and those of the board if winter came now (B7.4)."""
    for seat in range(rules.players):
        points[seat] = game.vp[seat] + rules.county_points * count_bits(game.land[seat])
        for kind in range(len(BUILDINGS)):
            points[seat] += rules.building_points[kind] * count_bits(game.land[seat] & game.built[kind])
    for region in range(REGIONS):
        for kind in range(len(BUILDINGS)):
            leaders = find_leaders(game, rules, region, kind)
            share = majority_points(rules, kind, count_bits(leaders))
            for seat in range(rules.players):
                points[seat] += share if (leaders >> seat) & 1 else 0


@kernel
def score_winter(game, rules):
    """Add a winter's victory points to `game.vp` and, by source, to the tallies; keeps `game.leaders` (B7.4)."""
    first = tally.VP_YEAR1 + game.year * tally.VP_SOURCES
    for seat in range(rules.players):
        counties = rules.county_points * count_bits(game.land[seat])
        buildings = 0
        for kind in range(len(BUILDINGS)):
            buildings += rules.building_points[kind] * count_bits(game.land[seat] & game.built[kind])
        game.vp[seat] += counties + buildings
        game.tally[seat, first + _COUNTY_POINTS] += counties
        game.tally[seat, first + _BUILDING_POINTS] += buildings
    for region in range(REGIONS):
        for kind in range(len(BUILDINGS)):
            leaders = find_leaders(game, rules, region, kind)
            points = majority_points(rules, kind, count_bits(leaders))
            game.leaders[region, kind] = leaders
            for seat in range(rules.players):
                share = points if (leaders >> seat) & 1 else 0
                game.vp[seat] += share
                game.tally[seat, first + _MAJORITIES + kind] += share


@kernel
def standing(game, rules, seat):
    """One number that orders the seats at the end: victory points, then Thalers unless [A9] shares (B7.6)."""
    return game.vp[seat] * _VP_WEIGHT + (game.thalers[seat] if rules.ties_by_thalers else 0)


@kernel
def rank_of(game, rules, seat):
    """1 + the number of seats that finish strictly before this one (B7.6); the winners have rank 1."""
    own = standing(game, rules, seat)
    rank = 1
    for other in range(rules.players):
        rank += standing(game, rules, other) > own
    return rank
