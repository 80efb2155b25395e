"""The result tables: what a row of each is, and every column with its kind, unit and meaning.

This is the one place where a column is declared; the kernels of `wallsim.engine.rows`, `wallsim.engine.county_rows` and
`wallsim.engine.plan_rows` fill it by its name, and `wallsim.folder` makes types, files and codebook of it. Kernels
write plain integer matrices, in which -1 stands for "none" in columns that name something.
"""

import re
from collections import namedtuple
from typing import Any, NamedTuple

from wallsim.errors import refuse_twice
from wallsim.rules.terms import ACTIONS, EXPANSIONS, SHOWN_ACTIONS
from wallsim.state import tally

_RULE = re.compile(r"\b[A-Z][0-9]{1,2}(?:\.[0-9]{1,2})?\b")


class Column(NamedTuple):
    """A column of a result table: name, kind (its type or what it names), unit ("" for a name) and meaning."""

    name: str
    kind: str
    unit: str
    meaning: str

    @property
    def rules(self) -> list[str]:
        """The rule numbers that the meaning ends with, as they stand there."""
        begin = self.meaning.rfind("(")
        return _RULE.findall(self.meaning[begin:]) if begin >= 0 else []


class ResultTable(NamedTuple):
    """A table: its name, what a row is, its columns, and whether expansions add columns or it comes on request only."""

    name: str
    row: str
    columns: tuple[Column, ...]
    expands: bool = False
    on_request: bool = False


_GAME = Column("game", "int64", "", "number of the game within the run's seed")
_SEAT = Column("seat", "seat", "", "seat, counted from 0")
_LINEUP = Column("lineup", "lineup", "", "line-up the seat began with (B1.3); none in a draft")
_POLICY = Column("policy", "policy", "", "policy of the seat")
_WIN = Column("win", "win", "wins", "1/k for each of the k seats that share the win, else 0 (B7.6)")
_RANK = Column("rank", "int8", "rank", "1 + the seats that finished strictly before this one")
_VP = Column("vp", "int16", "victory points", "victory points at the end")
_YEAR = Column("year", "int8", "year", "1 or 2")
_SEASON = Column("season", "season", "", "spring, summer, fall or winter")

GAME_COLUMNS = (
    _GAME,
    Column("winner", "seat", "", "the seat that won; none if the win was shared (B7.6)"),
    Column("winners", "int8", "seats", "seats that share the win"),
    Column("vp_best", "int16", "victory points", "victory points of the winner or winners"),
    Column("vp_margin", "int16", "victory points", "victory points of the best seat above the second best, 0 if level"),
    Column("leader_year1", "seat", "", "the seat ahead in victory points after year one; none if level"),
    *(
        Column(
            f"event_{season}_year{year}", "event", "", f"event of {season} of year {year}, cancelled or not (B2.4, E6)"
        )
        for year in (1, 2)
        for season in ("spring", "summer", "fall")
    ),
    *(
        Column(f"winter_event_year{year}", "event", "", f"the event card that took grain in winter {year} (B7.1)")
        for year in (1, 2)
    ),
    Column("casts", "int16", "casts", "casts into the tower, first fill included"),
    Column("cubes_cast", "int16", "cubes", "cubes thrown in all casts"),
    Column("cubes_fallen", "int16", "cubes", "cubes that fell out in all casts"),
    Column("tower_after_fill", "int16", "cubes", "cubes in the tower after the first fill (B1.6)"),
    Column("tower_after_year1", "int16", "cubes", "cubes in the tower after winter of year one"),
    Column("tower_end", "int16", "cubes", "cubes in the tower at the end"),
    Column("tray_end", "int16", "cubes", "cubes in the tray at the end"),
    Column("neutral_end", "int8", "counties", "neutral counties at the end"),
)

_TALLY_COLUMNS = tuple(Column(count.name, "int16", count.unit, count.meaning) for count in tally.BASE)

# What each expansion adds to `seats` and `seasons`, behind their other columns, in the order of EXPANSIONS.
EXPANSION_COLUMNS = {
    expansion: tuple(Column(count.name, "int16", count.unit, count.meaning) for count in counts)
    for expansion, counts in zip(EXPANSIONS, tally.EXPANSION_TALLIES, strict=True)
}

BOARD_COLUMNS = (
    Column("thalers", "int16", "Thalers", "Thalers held"),
    Column("counties", "int8", "counties", "counties owned"),
    Column("palaces", "int8", "buildings", "palaces in own counties"),
    Column("churches", "int8", "buildings", "churches in own counties"),
    Column("trading_posts", "int8", "buildings", "trading posts in own counties"),
    Column("armies", "int8", "armies", "armies on the board"),
    Column("in_tower", "int8", "cubes", "own cubes in the tower"),
    Column("in_tray", "int8", "cubes", "own cubes in the tray"),
)

SEAT_COLUMNS = (
    _GAME,
    _SEAT,
    _LINEUP,
    _POLICY,
    _WIN,
    _RANK,
    _VP,
    Column("vp_year1", "int16", "victory points", "victory points after year one"),
    *BOARD_COLUMNS,
    *_TALLY_COLUMNS,
)

SEASON_COLUMNS = (
    _GAME,
    _YEAR,
    _SEASON,
    _SEAT,
    _LINEUP,
    _POLICY,
    Column(
        "event",
        "event",
        "",
        "the season's event, cancelled or not; in winter the card that takes grain (B2.4, B7.1, E6)",
    ),
    Column(
        "bid",
        "bid",
        "",
        "card in the auction box, `tower` for a dice-tower card; none in winter and in 1e (B4.2, E3, V1)",
    ),
    Column(
        "choosing_place",
        "int8",
        "place",
        "place in the order of choosing a box, 1 the first to choose; 0 in winter and in 1e (B4.2, V1)",
    ),
    Column(
        "place",
        "int8",
        "place",
        "the box taken: place in the player order, 1 to 5, in the first edition drawn; 0 in winter (B4.3, V1)",
    ),
    Column("tile", "tile", "", "bonus tile of the season; none in winter and in the first edition (B4.4, V1)"),
    Column("vp", "int16", "victory points", "victory points after the season"),
    Column(
        "grain_held",
        "int16",
        "grain",
        "grain after the season; in winter after the loss, before the reset (B7.1, B7.5)",
    ),
    Column(
        "vp_with_board",
        "int16",
        "victory points",
        "victory points after the season, and those that one more winter would bring now for counties, buildings and "
        "majorities (B7.4)",
    ),
    Column(
        "led",
        "int8",
        "",
        "1 if no seat had a higher `vp_with_board` when the season began, else 0; 0 in the first season",
    ),
    Column(
        "attacks_on_leader",
        "int8",
        "battles",
        "attacks made on seats that led when the season began; 0 in the first season (B6)",
    ),
    Column("free_sites", "int8", "sites", "building sites without a building in own counties (B0.3)"),
    *BOARD_COLUMNS,
    *_TALLY_COLUMNS,
)

BATTLE_COLUMNS = (
    _GAME,
    _YEAR,
    _SEASON,
    Column("kind", "battle", "", "on a player, on a neutral county, a revolt, or a revolt in winter (B6)"),
    Column("attacker", "seat", "", "attacking seat; none in a revolt"),
    Column("defender", "seat", "", "defending seat; none for a neutral county"),
    Column("county", "county", "", "county fought for"),
    Column("origin", "county", "", "county attacked from; none in a revolt"),
    Column("engaged_attacker", "int8", "cubes", "cubes the attacker added to the tray's; in a revolt peasants"),
    Column("engaged_defender", "int8", "cubes", "cubes the defender added; against a neutral county peasants"),
    Column("attackers_out", "int8", "cubes", "attacker's cubes in the tray after the drop (B6.5)"),
    Column("defenders_out", "int8", "cubes", "defender's cubes in the tray; against a neutral county 0 (B6.5)"),
    Column("peasants_out", "int8", "cubes", "peasants in the tray, also those standing aside (B6.5)"),
    Column("result", "result", "", "who won, or a tie (B6.7 to B6.10)"),
    Column("survivors", "int8", "cubes", "cubes put into the county"),
    Column("tray_before", "int8", "cubes", "cubes in the tray before the battle"),
    Column("cubes_cast", "int16", "cubes", "cubes thrown"),
    Column("cubes_fallen", "int16", "cubes", "cubes that fell out"),
    Column("tower_after", "int16", "cubes", "cubes in the tower afterwards"),
)

COUNTY_COLUMNS = (
    _GAME,
    _SEAT,
    Column("county", "county", "", "a county that the seat held at some time of the game"),
    _LINEUP,
    _POLICY,
    _WIN,
    _RANK,
    _VP,
    Column(
        "source",
        "source",
        "",
        "how the seat first got the county: from its line-up, in a draft as one of the two cards shown or from the top "
        "of the deck, by conquest, or by a favor (B1.3, B1.4, B6.7, E6)",
    ),
    Column(
        "pick",
        "int8",
        "place",
        "place among the seat's counties at the start, 1 for its first: order of the line-up, or round of the draft; "
        "0 for a county gained later (B1.3, B1.4)",
    ),
    Column(
        "draft_turn",
        "int8",
        "turn",
        "turn of the draft in which the card was taken, counted over all seats from 1; 0 with line-ups and for a "
        "county gained later (B1.4)",
    ),
    Column(
        "armies_dealt",
        "int8",
        "armies",
        "armies of the group placed there at the start; 0 for a county gained later (B1.2)",
    ),
    Column("taken_year", "int8", "year", "year in which the seat first got the county; 0 at the set-up (B1, B6.7, E6)"),
    Column("taken_season", "season", "", "season of that year; none at the set-up"),
    Column("taken_from", "seat", "", "seat that then lost it; none for a neutral county and at the set-up (B6.7)"),
    Column("conquests", "int8", "times", "times the seat gained the county after the set-up (B6.7, E6)"),
    Column("losses", "int8", "times", "times the seat lost the county (B6.7, B6.9, B6.10)"),
    Column("lost_year", "int8", "year", "year in which the seat first lost the county; 0 if it never did"),
    Column("lost_season", "season", "", "season of that year; none if the seat never lost it"),
    Column("lost_in", "battle", "", "kind of battle in which the seat first lost it; none if it never did (B6)"),
    Column(
        "lost_to",
        "seat",
        "",
        "seat that then conquered it; none if the county became neutral or was never lost (B6.7, B6.9, B6.10)",
    ),
    Column(
        "seasons_held", "int8", "seasons", "seasons at whose end the seat held the county, 0 to 8, winters included"
    ),
    *(
        column
        for year in (1, 2)
        for column in (
            Column(f"held_year{year}", "int8", "", f"1 if the seat held the county after winter {year}, else 0 (B7)"),
            Column(
                f"armies_year{year}",
                "int8",
                "armies",
                f"its armies there after winter {year}, 0 where it did not hold the county (B7)",
            ),
            *(
                Column(
                    f"{kind}_year{year}",
                    "int8",
                    "buildings",
                    f"1 if the seat held the county with a {kind.replace('_', ' ')} after winter {year}, else 0 (B7.4)",
                )
                for kind in ("palace", "church", "trading_post")
            ),
        )
    ),
)

_MOVES = ("deploy1", "combat_a", "combat_b")  # the boxes whose armies go somewhere
_INCOME = ("grain", "taxes")

PLAN_COLUMNS = (
    _GAME,
    _YEAR,
    _SEASON,
    _SEAT,
    _LINEUP,
    _POLICY,
    Column("event", "event", "", "the season's event, cancelled or not (B2.4, E6)"),
    Column(
        "choosing_place", "int8", "place", "place in the order of choosing a box; 0 in the first edition (B4.2, V1)"
    ),
    Column("place", "int8", "place", "the box taken: place in the player order (B4.3, V1)"),
    *(
        Column(f"order_{place}", "action", "", f"action card number {place}, which all saw while they planned (B2.1)")
        for place in range(1, 1 + SHOWN_ACTIONS)
    ),
    *(
        Column(f"{action}_card", "card", "", f"card on the box {action}; none if it is empty (B2.3)")
        for action in ACTIONS
    ),
    Column("auction_card", "card", "", "card in the auction box; none in the first edition (B4.1, V1)"),
    *(
        Column(
            f"{action}_outcome",
            "outcome",
            "",
            f"what became of the county card on {action}, done or why not; none without a county card (B5.1, B5.2)",
        )
        for action in ACTIONS
    ),
    *(
        Column(f"{action}_gain", "int8", action if action == "grain" else "Thalers", f"{action} brought (B5.4, B5.5)")
        if action in _INCOME
        else Column(
            f"{action}_paid", "int8", "Thalers", f"Thalers paid for {action}; 0 if it was not done (B5.3, B5.6)"
        )
        for action in ACTIONS[:8]
    ),
    *(
        Column(
            f"{action}_target", "county", "", f"county moved to or attacked by {action}; none if none was (B5.7, B5.8)"
        )
        for action in _MOVES
    ),
    *(
        Column(f"{action}_moved", "int8", "armies", f"armies that {action} moved there (B5.7, B5.8)")
        for action in _MOVES
    ),
    *(
        Column(
            f"{action}_result",
            "combat",
            "",
            "moved to an own county, or attacked and won, or lost, also by a tie; none if nothing moved (B5.8, B6.7)",
        )
        for action in _MOVES[1:]
    ),
)

RESULT_TABLES = (
    ResultTable("games", "one row per game", GAME_COLUMNS),
    ResultTable("seats", "one row per game and seat", SEAT_COLUMNS, expands=True),
    ResultTable(
        "seasons", "one row per game, season (winters included) and seat; counts are what the season added",
        SEASON_COLUMNS, expands=True, on_request=True,
    ),
    ResultTable("battles", "one row per battle, in the order fought", BATTLE_COLUMNS, on_request=True),
    ResultTable(
        "counties",
        "one row per game, seat and county that the seat ever held, in the order in which counties were first gained",
        COUNTY_COLUMNS, on_request=True,
    ),
    ResultTable(
        "plans", "one row per game, season (without winters) and seat: the plan, and what became of it", PLAN_COLUMNS,
        on_request=True,
    ),
)  # fmt: skip
TABLE_BY_NAME = {table.name: table for table in RESULT_TABLES}
refuse_twice("tables", (table.name for table in RESULT_TABLES))
for _table in RESULT_TABLES:
    _names = [column.name for column in _table.columns]
    _more = [column.name for name in EXPANSIONS for column in EXPANSION_COLUMNS[name] if _table.expands]
    refuse_twice(f"columns of {_table.name}", [*_names, *_more])
ALL = "all"  # the choice of every column; the other one is "lean": who won, and where the points came from
# The lean columns of a table beside those of victory points; other tables are written in full.
_LEAN_NAMES = {
    "games": frozenset({"game", "winner", "winners", "leader_year1"}),
    "seats": frozenset({
        "game", "seat", "lineup", "policy", "win", "rank", "forced_moves",
        # what summaries count of the expansions
        "favors", "courtiers_for_armies", "courtiers_for_cubes", "landsknecht_cards", "statues_left", "trophies",
    }),
}  # fmt: skip
BIDS = ("0", "1", "2", "3", "4", "county", "tower")
CARDS = ("money_0", "money_1", "money_2", "money_3", "money_4", "tower", "blank")  # behind the names of all counties
COMBATS = ("moved", "won", "lost")
# How a seat first got a county; the log's lines of deals have the numbers of all but `conquered` and `favor`.
SOURCES = ("lineup", "shown", "deck", "conquered", "favor")
EDITED_SOURCES = ("edited", "dealt")  # further ones of set-ups that no book has, in files of such games alone


def columns_of(table: str, expansions: tuple[str, ...] = (), choice: str = ALL) -> tuple[Column, ...]:
    """The columns of a table where these expansions are in play; `choice` is "all" or "lean".

    KeyError for a table that is not one.
    """
    known = TABLE_BY_NAME[table]
    added = (name for name in EXPANSIONS if name in expansions) if known.expands else ()
    columns = (*known.columns, *(column for name in added for column in EXPANSION_COLUMNS[name]))
    if choice == ALL or table not in _LEAN_NAMES:
        return columns
    return tuple(each for each in columns if each.unit == "victory points" or each.name in _LEAN_NAMES[table])


def places_of(columns: tuple[Column, ...]) -> Any:
    """The place of each column in a row, as a tuple with the columns' names: constants for the kernels."""
    names = [column.name for column in columns]
    return namedtuple("Places", names)(*range(len(names)))
