"""What must hold for the default line-ups of a board folder (B1.2, B1.3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from wallsim.rules.board_cells import Cell, OneOf, Whole, Word
from wallsim.rules.board_table import Row, Table
from wallsim.rules.terms import ARMY_GROUPS, MAX_PLAYERS

LETTERS = ("A", "B", "C", "D", "E")
ASSUMED = "assumed"

LINEUP_COLUMNS: Mapping[str, Cell] = {
    "players": Whole(min(ARMY_GROUPS), MAX_PLAYERS),
    "lineup": OneOf(LETTERS),
    "county": Word(),
    "armies": Whole(min(map(min, ARMY_GROUPS.values())), max(map(max, ARMY_GROUPS.values()))),
    "provenance": OneOf(("rulebook", ASSUMED)),
}


def check_lineups(table: Table, counties: Table | None) -> None:
    """Notes missing and surplus line-ups, wrong army groups, and counties that cannot stand in a line-up.

    A number of players without any line-up can be played from a draft, and is no error.
    """
    _check_counties(table, counties)
    lineups: dict[tuple[int, str], list[Row]] = {}
    for row in table.rows:
        if row["players"] is not None and row["lineup"] is not None:
            lineups.setdefault((row["players"], row["lineup"]), []).append(row)
    if table.rows and not lineups:
        return  # a column is missing: that is error enough
    for players, groups in ARMY_GROUPS.items():
        allowed = LETTERS[:players]
        has_any = any((players, letter) in lineups for letter in allowed)
        for letter in LETTERS:
            rows = lineups.get((players, letter), [])
            if letter in allowed and rows:
                _check_groups(table, rows, groups)
            elif letter in allowed and has_any:
                table.refuse(1, "lineup", f"line-up {letter!r} for {players} players is missing")
            for row in rows if letter not in allowed else ():
                text = f"line-up {letter!r} for {players} players; allowed are {', '.join(allowed)}"
                table.refuse(row.line, "lineup", text)


def _check_groups(table: Table, rows: list[Row], groups: tuple[int, ...]) -> None:
    armies = [row["armies"] for row in rows]
    if None in armies or Counter(armies) == Counter(groups):
        return
    # The first group too many is the one to name; where there is none, some are missing at the end.
    row = rows[-1]
    left = Counter(groups)
    for candidate in rows:
        left[candidate["armies"]] -= 1
        if left[candidate["armies"]] < 0:
            row = candidate
            break
    result, allowed = (",".join(map(str, sorted(numbers, reverse=True))) for numbers in (armies, groups))
    text = (
        f"line-up {row['lineup']} for {row['players']} players has the army groups {result};"
        f" allowed are exactly {allowed}"
    )
    table.refuse(row.line, "armies", text)


def _check_counties(table: Table, counties: Table | None) -> None:
    least = {row["county"]: row["min_players"] for row in counties.rows if row["county"]} if counties else {}
    lines: dict[tuple[int, str], int] = {}
    for row in table.rows:
        county, players = row["county"], row["players"]
        if county is None:
            continue
        if least and county not in least:
            table.refuse(row.line, "county", f"unknown county {county!r}; it must be in counties.csv")
        if players is None:
            continue
        if (least.get(county) or 0) > players:
            text = f"{county!r} is out of the game with {players} players; it needs {least[county]} or more"
            table.refuse(row.line, "county", text)
        if (players, county) in lines:
            text = f"{county!r} duplicates line {lines[players, county]} for {players} players"
            table.refuse(row.line, "county", text)
        lines.setdefault((players, county), row.line)
