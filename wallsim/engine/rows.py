"""The kernels that write the rows of games, seats, seasons and battles, as `wallsim.engine.columns` declares them."""

from wallsim.engine.columns import BATTLE_COLUMNS, BOARD_COLUMNS, GAME_COLUMNS, SEASON_COLUMNS, SEAT_COLUMNS, places_of
from wallsim.engine.log_lines import BATTLE, line_places
from wallsim.jit import count_bits, kernel, lowest_bit
from wallsim.mechanics.winter import points_with_board, rank_of
from wallsim.rules.terms import (
    ARMIES_PER_PLAYER,
    AUCTION,
    BUILDINGS,
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
from wallsim.state.game import buildings_in

_GAME, _SEAT, _SEASON = places_of(GAME_COLUMNS), places_of(SEAT_COLUMNS), places_of(SEASON_COLUMNS)
_BATTLE, _BOARD = places_of(BATTLE_COLUMNS), places_of(BOARD_COLUMNS)
_SEAT_BOARD, _SEASON_BOARD = _SEAT.thalers, _SEASON.thalers  # where the columns of the board begin
_SEAT_TALLY = len(SEAT_COLUMNS) - tally.BASE_SIZE
SEASON_TALLY = len(SEASON_COLUMNS) - tally.BASE_SIZE  # first count column: kernels write totals so far
_EXPANSION_SIZES = tuple(len(counts) for counts in tally.EXPANSION_TALLIES)
_LINE = line_places(BATTLE)
_COUNTY_BID = 5  # bids: money 0..4, county 5
_TOWER_BID = 6


@kernel
def _write_board(game, seat, row, column):
    row[column + _BOARD.thalers] = game.thalers[seat]
    row[column + _BOARD.counties] = count_bits(game.land[seat])
    for kind in range(len(BUILDINGS)):
        row[column + _BOARD.palaces + kind] = count_bits(game.land[seat] & game.built[kind])
    on_board = ARMIES_PER_PLAYER - game.supply[seat] - game.tray[seat] - game.tower[seat]  # B0.2
    row[column + _BOARD.armies] = on_board
    row[column + _BOARD.in_tower] = game.tower[seat]
    row[column + _BOARD.in_tray] = game.tray[seat]


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
        row[_SEAT.game] = 0
        row[_SEAT.seat] = seat
        row[_SEAT.lineup] = seat
        row[_SEAT.policy] = seat
        row[_SEAT.win] = winners if rank == 1 else 0
        row[_SEAT.rank] = rank
        row[_SEAT.vp] = game.vp[seat]
        row[_SEAT.vp_year1] = game.vp_year1[seat]
        _write_board(game, seat, row, _SEAT_BOARD)
        _write_tally(game, rules, seat, row, _SEAT_TALLY)


@kernel(apart=True)
def write_season(game, rules, rows, first):
    """Write the rows `first` ... of the seasons table, one per seat, with counts so far.

    The rows of the game's season before stand before them.
    """
    for seat in range(rules.players):
        row = rows[first + seat]
        row[_SEASON.game] = 0
        row[_SEASON.year] = game.year + 1
        row[_SEASON.season] = game.season
        row[_SEASON.seat] = seat
        row[_SEASON.lineup] = seat
        row[_SEASON.policy] = seat
        row[_SEASON.event] = game.used_event[game.year, game.season]
        row[_SEASON.bid], row[_SEASON.choosing_place], row[_SEASON.place], row[_SEASON.tile] = -1, 0, 0, -1
        if game.season != WINTER:
            card = game.card[seat, AUCTION]
            if card != NO_CARD:
                row[_SEASON.bid] = card - MONEY if card >= MONEY else _COUNTY_BID
                row[_SEASON.bid] = _TOWER_BID if card == TOWER_CARD else row[_SEASON.bid]
            row[_SEASON.place] = game.place[seat] + 1
            row[_SEASON.tile] = game.tile_held[seat]
        row[_SEASON.vp] = game.vp[seat]
        row[_SEASON.grain_held] = game.grain[seat]
        _write_board(game, seat, row, _SEASON_BOARD)
        row[_SEASON.free_sites] = _free_sites(game, rules, seat)
        _write_tally(game, rules, seat, row, SEASON_TALLY)
    if game.season != WINTER and not rules.first_edition:
        for turn in range(rules.players):
            rows[first + game.pick[turn], _SEASON.choosing_place] = turn + 1
    points_with_board(game, rules, rows[first:, _SEASON.vp_with_board])
    _write_attacks_on_leaders(game, rules, rows, first)


@kernel
def _free_sites(game, rules, seat):
    sites = 0
    left = game.land[seat]
    while left != 0:
        county = lowest_bit(left)
        left &= left - 1
        sites += rules.sites[county] - buildings_in(game, county)
    return sites


@kernel
def _write_attacks_on_leaders(game, rules, rows, first):
    for seat in range(rules.players):
        rows[first + seat, _SEASON.led] = rows[first + seat, _SEASON.attacks_on_leader] = 0
    if game.year == 0 and game.season == 0:  # there are no rows of a season before
        return
    before = first - rules.players
    best = 0
    for seat in range(rules.players):
        best = max(best, rows[before + seat, _SEASON.vp_with_board])
    for seat in range(rules.players):
        rows[first + seat, _SEASON.led] = rows[before + seat, _SEASON.vp_with_board] == best
    for seat in range(rules.players):
        for victim in range(rules.players):
            if rows[first + victim, _SEASON.led] == 1:
                column = _SEASON.attacks_on_seat_0 + victim
                made = rows[first + seat, column] - rows[before + seat, column]
                rows[first + seat, _SEASON.attacks_on_leader] += made


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
    row[_GAME.game] = 0
    row[_GAME.winner] = winner if winners == 1 else -1
    row[_GAME.winners] = winners
    row[_GAME.vp_best] = best
    row[_GAME.vp_margin] = best - second
    row[_GAME.leader_year1] = leader if best_year1 > second_year1 else -1
    for year in range(2):
        for season in range(WINTER):
            row[_GAME.event_spring_year1 + WINTER * year + season] = game.used_event[year, season]
        row[_GAME.winter_event_year1 + year] = game.used_event[year, WINTER]
    row[_GAME.casts], row[_GAME.cubes_cast], row[_GAME.cubes_fallen] = game.casts, game.cubes_cast, game.cubes_fallen
    row[_GAME.tower_after_fill], row[_GAME.tower_after_year1] = game.tower_after_fill, game.tower_after_year1
    tower, tray = 0, 0
    for colour in range(COLOURS):
        tower += game.tower[colour]
        tray += game.tray[colour]
    row[_GAME.tower_end], row[_GAME.tray_end] = tower, tray
    row[_GAME.neutral_end] = count_bits(game.land[NEUTRAL])


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
        attacker, defender = line[_LINE.attacker], line[_LINE.defender]
        row[_BATTLE.game] = index
        row[_BATTLE.year], row[_BATTLE.season] = line[_LINE.year] + 1, line[_LINE.season]
        row[_BATTLE.kind] = line[_LINE.kind]
        row[_BATTLE.attacker] = attacker if attacker < PEASANTS else -1
        row[_BATTLE.defender] = defender if defender < NEUTRAL else -1
        row[_BATTLE.county], row[_BATTLE.origin] = line[_LINE.county], line[_LINE.origin]
        row[_BATTLE.engaged_attacker] = line[_LINE.engaged + attacker]
        row[_BATTLE.engaged_defender] = line[_LINE.engaged + defender]
        row[_BATTLE.attackers_out] = line[_LINE.fallen + attacker]
        row[_BATTLE.defenders_out] = line[_LINE.fallen + defender] if defender < NEUTRAL else 0
        row[_BATTLE.peasants_out] = line[_LINE.fallen + PEASANTS]
        row[_BATTLE.result], row[_BATTLE.survivors] = line[_LINE.result], line[_LINE.survivors]
        tray, cast, fallen, tower = 0, 0, 0, 0
        for colour in range(COLOURS):
            tray += line[_LINE.tray_before + colour]
            cast += line[_LINE.tray_before + colour] + line[_LINE.engaged + colour]
            fallen += line[_LINE.fallen + colour]
            tower += line[_LINE.tower_after + colour]
        row[_BATTLE.tray_before], row[_BATTLE.tower_after] = tray, tower
        row[_BATTLE.cubes_cast], row[_BATTLE.cubes_fallen] = cast, fallen
    return count
