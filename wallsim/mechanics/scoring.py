"""Victory points in winter and the end of the game (B7.4, B7.6)."""

from wallsim.jit import count_bits, kernel
from wallsim.rules.terms import BUILDINGS, REGIONS
from wallsim.state import tally

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
