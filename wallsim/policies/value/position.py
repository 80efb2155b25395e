"""The standing of all seats at the end of a season, as the table shows it: the features of `features.py`."""

import numpy as np

from wallsim.jit import count_bits, kernel, lowest_bit
from wallsim.mechanics.winter import majority_points
from wallsim.policies.odds import pass_chance
from wallsim.policies.value import features as of
from wallsim.rules.record import SHORTAGES
from wallsim.rules.terms import (
    ARMIES_PER_PLAYER,
    BUILDINGS,
    COLOURS,
    MAX_PLAYERS,
    NEUTRAL,
    PEASANTS,
    REGIONS,
    STATUES,
    WINTER,
    YEARS,
)
from wallsim.state.game import buildings_in, peasants_are_loyal, stock

_SEAT, _TABLE = len(of.FEATURES), len(of.TABLE_FEATURES)
_MAX_LOSS = SHORTAGES - 1

STANDING = np.dtype(
    (
        np.record,
        [
            ("seat", np.float64, (MAX_PLAYERS, _SEAT)),
            ("table", np.float64, (_TABLE,)),
            # scratch
            ("open", np.int64, (MAX_PLAYERS,)),  # mask of own counties with a free site
            ("exposed", np.int64, (MAX_PLAYERS,)),  # mask of own counties
            ("targets", np.int64, (MAX_PLAYERS,)),  # mask of rivals' counties
            ("most", np.int64, (MAX_PLAYERS,)),  # buildings of a kind in a region
        ],
    ),
    align=True,
)


@kernel
def look_at_standing(game, rules, standing):
    """Fill `standing` with the features of all seats and of the table; changes nothing on the table."""
    loss = _look_at_table(game, rules, standing)
    for seat in range(rules.players):
        standing.seat[seat, :] = 0.0
        standing.exposed[seat] = 0
        standing.targets[seat] = 0
    for seat in range(rules.players):
        _look_at_land(game, rules, standing, seat)
        _look_beside_the_map(game, rules, standing.seat[seat], seat, loss)
    _look_at_majorities(game, rules, standing)
    for seat in range(rules.players):
        _sum_up(game, rules, standing, seat)


@kernel
def _look_at_table(game, rules, standing):
    """Fill `standing.table`; returns the grain that the events shown will take on average (B7.1)."""
    loss = 0.0
    for index in range(game.shown_events):
        loss += rules.event_loss[game.shown_event[index]]
    loss = loss / game.shown_events if game.season < WINTER and game.shown_events > 0 else 0.0
    tower, tray = 0, 0
    for colour in range(COLOURS):
        tower += game.tower[colour]
        tray += game.tray[colour]
    table = standing.table
    table[of.NEUTRAL_COUNTIES] = count_bits(game.land[NEUTRAL])
    table[of.TOWER] = tower
    table[of.PEASANTS_INSIDE] = game.tower[PEASANTS]
    table[of.TRAY] = tray
    table[of.LOSS] = loss
    table[of.PASSING] = pass_chance(rules, tower)
    return loss


@kernel
def _look_at_land(game, rules, standing, seat):
    """Sum over the seat's counties, and note which ones could be attacked and which of others' it could attack."""
    own, neutral = game.land[seat], game.land[NEUTRAL]
    sites, markers, disloyal, tax, free_tax, grain, bordered = 0, 0, 0, 0, 0, 0, 0
    open_counties, beside, targets = 0, 0, 0
    land = own
    while land != 0:
        county = lowest_bit(land)
        land &= land - 1
        free = rules.sites[county] - buildings_in(game, county)
        sites += free
        open_counties |= np.int64(free > 0) << county
        marked = game.marker[county]
        markers += marked
        disloyal += not peasants_are_loyal(game, rules, county)
        tax += rules.tax[county]
        free_tax += rules.tax[county] if marked == 0 else 0
        grain += rules.grain[county]
        around = rules.neighbours[county] & ~own
        strong = game.army[county] - 1
        beside |= around & neutral if strong > 0 else 0
        around &= ~neutral
        bordered += around != 0
        while around != 0:
            other = lowest_bit(around)
            around &= around - 1
            if strong > game.army[other]:
                targets |= 1 << other
                standing.exposed[game.owner[other]] |= 1 << other
    row = standing.seat[seat]
    row[of.SITES], row[of.OPEN_COUNTIES] = sites, count_bits(open_counties)
    row[of.MARKERS], row[of.DISLOYAL] = markers, disloyal
    row[of.TAX], row[of.FREE_TAX], row[of.GRAIN_YIELD] = tax, free_tax, grain
    row[of.BORDERED], row[of.NEUTRALS] = bordered, count_bits(beside)
    room = 0
    while beside != 0:
        room += rules.sites[lowest_bit(beside)]
        beside &= beside - 1
    row[of.NEUTRAL_SITES] = room
    standing.open[seat] = open_counties
    standing.targets[seat] = targets


@kernel
def _look_beside_the_map(game, rules, row, seat, loss):
    """What the seat holds beside the map."""
    row[of.POINTS] = game.vp[seat]
    row[of.COUNTIES] = count_bits(game.land[seat])
    row[of.PALACES] = count_bits(game.land[seat] & game.built[0])
    row[of.CHURCHES] = count_bits(game.land[seat] & game.built[1])
    row[of.TRADING_POSTS] = count_bits(game.land[seat] & game.built[2])
    row[of.THALERS] = game.thalers[seat]
    row[of.SPENDABLE] = min(rules.building_price.sum(), game.thalers[seat])
    row[of.GRAIN] = game.grain[seat]
    shortage = max(0.0, row[of.COUNTIES] + loss - game.grain[seat])
    row[of.SHORTAGE] = shortage
    row[of.REVOLTS] = rules.revolting[min(_MAX_LOSS, int(shortage + 0.5))]
    row[of.ARMIES] = ARMIES_PER_PLAYER - game.supply[seat] - game.tray[seat] - game.tower[seat]  # B0.2
    row[of.SUPPLY], row[of.IN_TOWER], row[of.IN_TRAY] = game.supply[seat], game.tower[seat], game.tray[seat]
    if rules.expansions:
        row[of.COURTIERS] = game.hall[seat]
        row[of.LEADER] = game.leader[seat] != 0
        standing_statues = game.trophies[seat]
        for statue in range(STATUES):
            standing_statues += game.statue[seat, statue] >= 0
        row[of.STATUES] = standing_statues if rules.leaders else 0


@kernel
def _look_at_majorities(game, rules, standing):
    """Majority points as they stand, and what one more building would change (B7.4)."""
    for kind in range(len(BUILDINGS)):
        left = stock(game, rules, kind) > 0
        points, tied = majority_points(rules, kind, 1), majority_points(rules, kind, 2)
        for region in range(REGIONS):
            counties = rules.region_counties[region]
            there = counties & game.built[kind]
            sites = counties & ~game.built[kind]
            best, level = 0, 0
            for seat in range(rules.players):
                count = count_bits(game.land[seat] & there)
                standing.most[seat] = count
                level = level + 1 if count == best else 1 if count > best else level
                best = max(best, count)
            level_builders, near_builders = 0, 0  # who can build more than the most, as many as the most
            for seat in range(rules.players):
                can_build = left and standing.open[seat] & sites != 0
                level_builders += can_build and standing.most[seat] == best
                near_builders += can_build and standing.most[seat] == best - 1
            for seat in range(rules.players):
                count = standing.most[seat]
                can_build = left and standing.open[seat] & sites != 0
                leads = count == best and best > 0
                share = (tied if level > 1 else points) if leads else 0
                standing.seat[seat, of.MAJORITIES] += share
                if can_build:
                    more = points if count == best else tied if count + 1 == best else 0
                    standing.seat[seat, of.IN_REACH] += more - share
                if leads and level == 1 and near_builders > 0:
                    standing.seat[seat, of.AT_RISK] += points - tied
                elif leads and level > 1 and level_builders > can_build:
                    standing.seat[seat, of.AT_RISK] += share


@kernel
def _sum_up(game, rules, standing, seat):
    """What follows from the standing of all."""
    row = standing.seat[seat]
    exposed, targets = standing.exposed[seat], standing.targets[seat]
    row[of.EXPOSED], row[of.TARGETS] = count_bits(exposed), count_bits(targets)
    for kind in range(len(BUILDINGS)):
        row[of.EXPOSED_BUILDINGS] += count_bits(exposed & game.built[kind])
        row[of.TARGET_BUILDINGS] += count_bits(targets & game.built[kind])
    winters = YEARS - game.year - (game.season == WINTER)
    points = rules.building_points
    income = rules.county_points * row[of.COUNTIES] + row[of.MAJORITIES]
    income += points[0] * row[of.PALACES] + points[1] * row[of.CHURCHES] + points[2] * row[of.TRADING_POSTS]
    row[of.PROJECTION] = row[of.POINTS] + winters * income
