"""The result tables: every column with its kind and meaning, and the kernels that write the rows.

Kernels write plain integer matrices whose columns stand in the order of these tuples; `wallsim.runs` turns them
into typed, named Parquet columns and the codebook. -1 stands for "none" in columns that name something.
"""

from typing import NamedTuple

from wallsim.engine.log import BATTLE
from wallsim.jit import count_bits, kernel
from wallsim.mechanics.scoring import rank_of
from wallsim.rules.terms import (
    ARMIES_PER_PLAYER,
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


class Column(NamedTuple):
    """A column of a result table: name, kind (its type or what it names) and meaning."""

    name: str
    kind: str
    meaning: str


GAME_COLUMNS = (
    Column("game", "int64", "number of the game within the run's seed"),
    Column("winner", "seat", "the seat that won; none if the win was shared (B7.6)"),
    Column("winners", "int8", "seats that share the win"),
    Column("vp_best", "int16", "victory points of the winner or winners"),
    Column("vp_margin", "int16", "victory points of the best seat above the second best, 0 if level"),
    Column("leader_year1", "seat", "the seat ahead in victory points after year one; none if level"),
    *(
        Column(
            f"event_{season}_year{year}",
            "event",
            f"event of {season} of year {year}, cancelled or not (B2.4, E6)",
        )
        for year in (1, 2)
        for season in ("spring", "summer", "fall")
    ),
    *(
        Column(f"winter_event_year{year}", "event", f"the event card that took grain in winter {year} (B7.1)")
        for year in (1, 2)
    ),
    Column("casts", "int16", "casts into the tower, first fill included"),
    Column("cubes_cast", "int16", "cubes thrown in all casts"),
    Column("cubes_fallen", "int16", "cubes that fell out in all casts"),
    Column("tower_after_fill", "int16", "cubes in the tower after the first fill (B1.6)"),
    Column("tower_after_year1", "int16", "cubes in the tower after winter of year one"),
    Column("tower_end", "int16", "cubes in the tower at the end"),
    Column("tray_end", "int16", "cubes in the tray at the end"),
    Column("neutral_end", "int8", "neutral counties at the end"),
)

_TALLY_COLUMNS = tuple(Column(count.name, "int16", count.meaning) for count in tally.BASE)

# What each expansion adds to `seats` and `seasons`, behind their other columns, in the order of EXPANSIONS.
EXPANSION_COLUMNS = {
    expansion: tuple(Column(count.name, "int16", count.meaning) for count in counts)
    for expansion, counts in zip(EXPANSIONS, tally.EXPANSION_TALLIES, strict=True)
}

_BOARD_COLUMNS = (
    Column("thalers", "int16", "Thalers held"),
    Column("counties", "int8", "counties owned"),
    Column("palaces", "int8", "palaces in own counties"),
    Column("churches", "int8", "churches in own counties"),
    Column("trading_posts", "int8", "trading posts in own counties"),
    Column("armies", "int8", "armies on the board"),
    Column("in_tower", "int8", "own cubes in the tower"),
    Column("in_tray", "int8", "own cubes in the tray"),
)

SEAT_COLUMNS = (
    Column("game", "int64", "number of the game within the run's seed"),
    Column("seat", "seat", "seat, counted from 0"),
    Column("lineup", "lineup", "line-up the seat began with (B1.3); none in a draft"),
    Column("policy", "policy", "policy of the seat"),
    Column("win", "win", "1/k for each of the k seats that share the win, else 0 (B7.6)"),
    Column("rank", "int8", "1 + the seats that finished strictly before this one"),
    Column("vp", "int16", "victory points at the end"),
    Column("vp_year1", "int16", "victory points after year one"),
    *_BOARD_COLUMNS,
    *_TALLY_COLUMNS,
)

SEASON_COLUMNS = (
    Column("game", "int64", "number of the game within the run's seed"),
    Column("year", "int8", "1 or 2"),
    Column("season", "season", "spring, summer, fall or winter"),
    Column("seat", "seat", "seat, counted from 0"),
    Column("lineup", "lineup", "line-up the seat began with (B1.3); none in a draft"),
    Column("policy", "policy", "policy of the seat"),
    Column(
        "event",
        "event",
        "the season's event, cancelled or not; in winter the card that takes grain (B2.4, B7.1, E6)",
    ),
    Column(
        "bid", "bid", "card in the auction box, `tower` for a dice-tower card; none in winter and in 1e (B4.2, E3, V1)"
    ),
    Column("place", "int8", "place in the player order, 1 to 5, in the first edition drawn; 0 in winter (B4.3, V1)"),
    Column("tile", "tile", "bonus tile of the season; none in winter and in the first edition (B4.4, V1)"),
    Column("vp", "int16", "victory points after the season"),
    Column("grain_held", "int16", "grain after the season; in winter after the loss, before the reset (B7.1, B7.5)"),
    *_BOARD_COLUMNS,
    *_TALLY_COLUMNS,
)

BATTLE_COLUMNS = (
    Column("game", "int64", "number of the game within the run's seed"),
    Column("year", "int8", "1 or 2"),
    Column("season", "season", "spring, summer, fall or winter"),
    Column("kind", "battle", "on a player, on a neutral county, a revolt, or a revolt in winter (B6)"),
    Column("attacker", "seat", "attacking seat; none in a revolt"),
    Column("defender", "seat", "defending seat; none for a neutral county"),
    Column("county", "county", "county fought for"),
    Column("origin", "county", "county attacked from; none in a revolt"),
    Column("engaged_attacker", "int8", "cubes the attacker added to the tray's; in a revolt peasants"),
    Column("engaged_defender", "int8", "cubes the defender added; against a neutral county peasants"),
    Column("attackers_out", "int8", "attacker's cubes in the tray after the drop (B6.5)"),
    Column("defenders_out", "int8", "defender's cubes in the tray; against a neutral county 0 (B6.5)"),
    Column("peasants_out", "int8", "peasants in the tray, also those standing aside (B6.5)"),
    Column("result", "result", "who won, or a tie (B6.7 to B6.10)"),
    Column("survivors", "int8", "cubes put into the county"),
    Column("tray_before", "int8", "cubes in the tray before the battle"),
    Column("cubes_cast", "int16", "cubes thrown"),
    Column("cubes_fallen", "int16", "cubes that fell out"),
    Column("tower_after", "int16", "cubes in the tower afterwards"),
)

_TABLES = {"games": GAME_COLUMNS, "seats": SEAT_COLUMNS, "seasons": SEASON_COLUMNS, "battles": BATTLE_COLUMNS}
_EXPANSION_SIZES = tuple(len(counts) for counts in tally.EXPANSION_TALLIES)
_SEAT_HEAD = 8
_SEASON_HEAD = 12
_BOARD_SIZE = len(_BOARD_COLUMNS)
SEASON_TALLY = _SEASON_HEAD + _BOARD_SIZE  # first count column: kernels write totals so far
_COUNTY_BID = 5  # bids: money 0..4, county 5
_TOWER_BID = 6
BIDS = ("0", "1", "2", "3", "4", "county", "tower")


def columns_of(table: str, expansions: tuple[str, ...] = ()) -> tuple[Column, ...]:
    """The columns of a table where these expansions are in play. KeyError for a table that is not one."""
    columns = _TABLES[table]
    if table not in ("seats", "seasons"):
        return columns
    return (*columns, *(column for name in EXPANSIONS if name in expansions for column in EXPANSION_COLUMNS[name]))


@kernel
def _write_board(game, seat, row, column):
    row[column] = game.thalers[seat]
    row[column + 1] = count_bits(game.land[seat])
    for kind in range(3):
        row[column + 2 + kind] = count_bits(game.land[seat] & game.built[kind])
    row[column + 5] = ARMIES_PER_PLAYER - game.supply[seat] - game.tray[seat] - game.tower[seat]  # B0.2
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
        _write_board(game, seat, row, _SEAT_HEAD)
        _write_tally(game, rules, seat, row, _SEAT_HEAD + _BOARD_SIZE)


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
        _write_board(game, seat, row, _SEASON_HEAD)
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
