"""The kernel that writes the rows of the table counties, read from the log of a finished game.

Nothing is kept for it while a game is played: deals, battles and favors stand in the log, and a snapshot of the table
at the end of every season.
"""

from wallsim.engine.columns import COUNTY_COLUMNS, SOURCES, places_of
from wallsim.engine.log_lines import BATTLE, DEAL, FAVOR, INTERVENTION, ROUND, line_places
from wallsim.jit import kernel
from wallsim.mechanics.winter import rank_of
from wallsim.rules.script import TRADE_COUNTIES
from wallsim.rules.terms import (
    ATTACKER_WINS,
    BUILDINGS,
    COUNTIES,
    DEFENDER_WINS,
    MAX_PLAYERS,
    NEUTRAL,
    NOWHERE,
    PEASANTS,
    SEASONS,
    YEARS,
)

MAX_COUNTY_ROWS = MAX_PLAYERS * COUNTIES  # of one game: every seat held every county
_ROW = places_of(COUNTY_COLUMNS)
_DEAL, _ROUND, _BATTLE, _TAKEN, _TRADED = map(line_places, (DEAL, ROUND, BATTLE, FAVOR, INTERVENTION))
_YEAR_COLUMNS = _ROW.held_year2 - _ROW.held_year1
_CONQUERED, _FAVOR = SOURCES.index("conquered"), SOURCES.index("favor")
_NOBODY = -1


@kernel
def _row_of(rows, first, count, seat, county):
    """The number of the row of a seat and county among `count` rows from `first` on; -1 if there is none."""
    for number in range(first, first + count):
        if rows[number, _ROW.seat] == seat and rows[number, _ROW.county] == county:
            return number
    return -1


@kernel
def _begin_row(row, index, seat, county, source):
    """Begin the row of a county that a seat gets for the first time."""
    row[:] = 0
    row[_ROW.game] = index
    row[_ROW.seat] = row[_ROW.lineup] = row[_ROW.policy] = seat
    row[_ROW.county] = county
    row[_ROW.source] = source
    row[_ROW.taken_season] = row[_ROW.taken_from] = _NOBODY
    row[_ROW.lost_season] = row[_ROW.lost_in] = row[_ROW.lost_to] = _NOBODY


@kernel
def _gain(rows, first, count, index, seat, county, source, year, season, before):
    """Enter that a seat gained a county after the set-up, from the seat `before` or nobody; returns the rows now."""
    number = _row_of(rows, first, count, seat, county)
    if number < 0:
        number = first + count
        count += 1
        _begin_row(rows[number], index, seat, county, source)
        rows[number, _ROW.taken_year], rows[number, _ROW.taken_season] = year, season
        rows[number, _ROW.taken_from] = before
    rows[number, _ROW.conquests] += 1
    return count


@kernel
def _lose(row, year, season, kind, to):
    """Enter that a seat lost a county in a kind of battle, to a seat or to nobody."""
    if row[_ROW.losses] == 0:
        row[_ROW.lost_year], row[_ROW.lost_season] = year, season
        row[_ROW.lost_in], row[_ROW.lost_to] = kind, to
    row[_ROW.losses] += 1


@kernel
def _holds(rows, number):
    """Whether the seat of a row, if there is one, holds its county by the lines read so far."""
    if number < 0:
        return False
    row = rows[number]
    return (row[_ROW.pick] > 0) + row[_ROW.conquests] - row[_ROW.losses] > 0


@kernel
def _trade(rows, first, count, one, other):
    """Exchange two counties between the rows of their owners, as if they had been dealt so; picks stay."""
    there = here = first
    for number in range(first, first + count):
        if rows[number, _ROW.county] == one:
            there = number
        elif rows[number, _ROW.county] == other:
            here = number
    for place in (_ROW.county, _ROW.source, _ROW.armies_dealt):
        rows[there, place], rows[here, place] = rows[here, place], rows[there, place]


@kernel
def _write_snapshots(log, row, seat):
    """Count the seasons that ended with the county in the seat's hands, and say what stood there after winters."""
    county = row[_ROW.county]
    for number in range(1, 1 + YEARS * len(SEASONS)):  # snapshot 0 was taken after the set-up
        table = log.snapshots[number]
        if table.owner[county] != seat:
            continue
        row[_ROW.seasons_held] += 1
        if number % len(SEASONS) == 0:
            shift = _YEAR_COLUMNS * (number // len(SEASONS) - 1)
            row[shift + _ROW.held_year1] = 1
            row[shift + _ROW.armies_year1] = table.army[county]
            for kind in range(len(BUILDINGS)):
                row[shift + _ROW.palace_year1 + kind] = (table.built[kind] >> county) & 1


@kernel(apart=True)
def write_counties(game, rules, log, index, rows, first):
    """Write a row from `first` on for each county that each seat held in the range's game `index`; returns how many.

    The log holds the finished game, all of it. `win` is written as the number of seats that share it, 0 for no win.
    """
    count, deals, year, season = 0, 0, 0, 0
    for place in range(log.used[0]):
        line = log.lines[place]
        if line[0] == DEAL:
            seat = line[_DEAL.seat]
            _begin_row(rows[first + count], index, seat, line[_DEAL.county], line[_DEAL.source])
            pick = 1
            for number in range(first, first + count):
                pick += rows[number, _ROW.seat] == seat
            deals += 1
            rows[first + count, _ROW.pick] = pick
            rows[first + count, _ROW.draft_turn] = deals if rules.draft else 0
            rows[first + count, _ROW.armies_dealt] = line[_DEAL.armies]
            count += 1
        elif line[0] == INTERVENTION:
            if line[_TRADED.do] == TRADE_COUNTIES:
                _trade(rows, first, count, line[_TRADED.counties], line[_TRADED.counties + 1])
        elif line[0] == ROUND:
            year, season = line[_ROUND.year] + 1, line[_ROUND.season]
        elif line[0] == BATTLE:
            attacker, defender, county = line[_BATTLE.attacker], line[_BATTLE.defender], line[_BATTLE.county]
            kind, result = line[_BATTLE.kind], line[_BATTLE.result]
            year, season = line[_BATTLE.year] + 1, line[_BATTLE.season]
            winner = attacker if result == ATTACKER_WINS and attacker < PEASANTS else _NOBODY
            if defender < NEUTRAL and result != DEFENDER_WINS:
                _lose(rows[_row_of(rows, first, count, defender, county)], year, season, kind, winner)
            if winner != _NOBODY:
                before = defender if defender < NEUTRAL else _NOBODY
                count = _gain(rows, first, count, index, winner, county, _CONQUERED, year, season, before)
        elif line[0] == FAVOR and line[_TAKEN.county] != NOWHERE:
            seat, county = line[_TAKEN.seat], line[_TAKEN.county]
            if not _holds(rows, _row_of(rows, first, count, seat, county)):  # free armies took a neutral county
                count = _gain(rows, first, count, index, seat, county, _FAVOR, year, season, _NOBODY)
    winners = 0
    for seat in range(rules.players):
        winners += rank_of(game, rules, seat) == 1
    for seat in range(rules.players):
        rank = rank_of(game, rules, seat)
        for number in range(first, first + count):
            row = rows[number]
            if row[_ROW.seat] == seat:
                row[_ROW.win] = winners if rank == 1 else 0
                row[_ROW.rank] = rank
                row[_ROW.vp] = game.vp[seat]
                _write_snapshots(log, row, seat)
    return count
