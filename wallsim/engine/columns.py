"""The result tables: every column with its kind and meaning. Importing this compiles nothing.

The kernels of `rows.py` write plain integer matrices whose columns stand in the order of these tuples; `wallsim.runs`
turns them into typed, named Parquet columns and the codebook. -1 stands for "none" in columns that name something.
"""

from typing import NamedTuple

from wallsim.rules.terms import EXPANSIONS
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

_TALLY_COLUMNS = tuple(Column(name, "int16", meaning) for name, meaning in tally.BASE)

# What each expansion adds to `seats` and `seasons`, behind their other columns, in the order of EXPANSIONS.
EXPANSION_COLUMNS = {
    expansion: tuple(Column(name, "int16", meaning) for name, meaning in counts)
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
SEAT_HEAD = 8  # columns of `seats` before those of the board
SEASON_HEAD = 12  # the same of `seasons`
BOARD_SIZE = len(_BOARD_COLUMNS)
SEASON_TALLY = SEASON_HEAD + BOARD_SIZE  # first count column: kernels write totals so far
BIDS = ("0", "1", "2", "3", "4", "county", "tower")


def columns_of(table: str, expansions: tuple[str, ...] = ()) -> tuple[Column, ...]:
    """The columns of a table where these expansions are in play. KeyError for a table that is not one."""
    columns = _TABLES[table]
    if table not in ("seats", "seasons"):
        return columns
    return (*columns, *(column for name in EXPANSIONS if name in expansions for column in EXPANSION_COLUMNS[name]))
