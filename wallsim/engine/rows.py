"""The kernels that write the rows of the result tables, in the order of the columns of `columns.py`."""

from wallsim.engine.columns import BOARD_SIZE, SEASON_HEAD, SEASON_TALLY, SEAT_HEAD
from wallsim.engine.log import BATTLE
from wallsim.jit import count_bits, kernel
from wallsim.mechanics.scoring import rank_of
from wallsim.rules.terms import (
    ARMIES_A_PLAYER,
    AUCTION,
    COLOURS,
    EXPANSIONS,
    MONEY,
    NEUTRAL,
    NO_CARD,
    PEASANTS,
    TOWER_CARD,
    WINTER,
)
from wallsim.state import tally

_EXPANSION_SIZES = tuple(len(counts) for counts in tally.EXPANSION_TALLIES)
_COUNTY_BID = 5  # bids: money 0..4, county 5
_TOWER_BID = 6


@kernel
def _write_board(game, seat, row, column):
    row[column] = game.thalers[seat]
    row[column + 1] = count_bits(game.land[seat])
    for kind in range(3):
        row[column + 2 + kind] = count_bits(game.land[seat] & game.built[kind])
    row[column + 5] = ARMIES_A_PLAYER - game.supply[seat] - game.tray[seat] - game.tower[seat]  # B0.2
    row[column + 6] = game.tower[seat]
    row[column + 7] = game.tray[seat]


@kernel
def _write_tally(game, rules, seat, row, column):
    for count in range(tally.BASE_SIZE):
        row[column + count] = game.tally[seat, count]
    if rules.expansions:
        _write_expansions(game, rules, seat, row, column + tally.BASE_SIZE)


@kernel(apart=True)
def _write_expansions(game, rules, seat, row, column):
    """Write the counts of the expansions in play side by side."""
    first = tally.BASE_SIZE
    for expansion in range(len(EXPANSIONS)):
        size = _EXPANSION_SIZES[expansion]
        if rules.expansion[expansion]:
            for count in range(size):
                row[column + count] = game.tally[seat, first + count]
            column += size
        first += size


@kernel(apart=True)
def write_seats(game, rules, rows, first):
    """Write the rows `first` ... of the seats table for a finished game; `win` is written as k, 0 for no win."""
    winners = 0
    for seat in range(rules.players):
        winners += rank_of(game, rules, seat) == 1
    for seat in range(rules.players):
        row = rows[first + seat]
        rank = rank_of(game, rules, seat)
        row[0] = 0
        row[1] = seat
        row[2] = seat
        row[3] = seat
        row[4] = winners if rank == 1 else 0
        row[5] = rank
        row[6] = game.vp[seat]
        row[7] = game.vp_year1[seat]
        _write_board(game, seat, row, SEAT_HEAD)
        _write_tally(game, rules, seat, row, SEAT_HEAD + BOARD_SIZE)


@kernel(apart=True)
def write_season(game, rules, rows, first):
    """Write the rows `first` ... of the seasons table, one a seat, with counts so far."""
    for seat in range(rules.players):
        row = rows[first + seat]
        row[0] = 0
        row[1] = game.year + 1
        row[2] = game.season
        row[3] = seat
        row[4] = seat
        row[5] = seat
        row[6] = game.used_event[game.year, game.season]
        row[7], row[8], row[9] = -1, 0, -1
        if game.season != WINTER:
            card = game.card[seat, AUCTION]
            if card != NO_CARD:
                row[7] = card - MONEY if card >= MONEY else _COUNTY_BID
                row[7] = _TOWER_BID if card == TOWER_CARD else row[7]
            row[8] = game.place[seat] + 1
            row[9] = game.tile_on_box[game.place[seat]]
        row[10] = game.vp[seat]
        row[11] = game.grain[seat]
        _write_board(game, seat, row, SEASON_HEAD)
        _write_tally(game, rules, seat, row, SEASON_TALLY)


@kernel
def _best_and_second(points, players):
    best, second, leader = -1, -1, 0
    for seat in range(players):
        if points[seat] > best:
            best, second, leader = points[seat], best, seat
        elif points[seat] > second:
            second = points[seat]
    return best, second, leader


@kernel(apart=True)
def write_game(game, rules, row):
    """Write the row of the games table for a finished game."""
    winners, winner = 0, -1
    for seat in range(rules.players):
        if rank_of(game, rules, seat) == 1:
            winners += 1
            winner = seat
    best, second, _ = _best_and_second(game.vp, rules.players)
    best_year1, second_year1, leader = _best_and_second(game.vp_year1, rules.players)
    row[0] = 0
    row[1] = winner if winners == 1 else -1
    row[2] = winners
    row[3] = best
    row[4] = best - second
    row[5] = leader if best_year1 > second_year1 else -1
    for year in range(2):
        for season in range(WINTER):
            row[6 + 3 * year + season] = game.used_event[year, season]
        row[12 + year] = game.used_event[year, WINTER]
    row[14], row[15], row[16] = game.casts, game.cubes_cast, game.cubes_fallen
    row[17], row[18] = game.tower_after_fill, game.tower_after_year1
    tower, tray = 0, 0
    for colour in range(COLOURS):
        tower += game.tower[colour]
        tray += game.tray[colour]
    row[19], row[20] = tower, tray
    row[21] = count_bits(game.land[NEUTRAL])


@kernel(apart=True)
def write_battles(log, index, rows, first):
    """Write a row from `first` on for each battle line of the log of the range's game `index`; returns how many."""
    count = 0
    for number in range(log.used[0]):
        line = log.lines[number]
        if line[0] != BATTLE:
            continue
        row = rows[first + count]
        count += 1
        kind, attacker, defender = line[1], line[2], line[3]
        row[0] = index
        row[1], row[2], row[3] = line[8 + 5 * COLOURS] + 1, line[9 + 5 * COLOURS], kind
        row[4] = attacker if attacker < PEASANTS else -1
        row[5] = defender if defender < NEUTRAL else -1
        row[6], row[7] = line[4], line[5]
        row[8] = line[8 + COLOURS + attacker]
        row[9] = line[8 + COLOURS + defender]
        row[10] = line[8 + 2 * COLOURS + attacker]
        row[11] = line[8 + 2 * COLOURS + defender] if defender < NEUTRAL else 0
        row[12] = line[8 + 2 * COLOURS + PEASANTS]
        row[13], row[14] = line[6], line[7]
        tray, cast, fallen, tower = 0, 0, 0, 0
        for colour in range(COLOURS):
            tray += line[8 + colour]
            cast += line[8 + colour] + line[8 + COLOURS + colour]
            fallen += line[8 + 2 * COLOURS + colour]
            tower += line[8 + 3 * COLOURS + colour]
        row[15], row[16], row[17], row[18] = tray, cast, fallen, tower
    return count
