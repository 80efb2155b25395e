"""What must hold for cards, supply chart and line-ups of a board folder (B0.5, B1.2, B1.3, B7.1, B7.2, E2, E6, L1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from wallsim.rules.board_table import Cell, OneOf, Row, Table, Whole, Word
from wallsim.rules.terms import (
    ARMY_GROUPS,
    BUILDINGS,
    EFFECTS,
    EVENT_CARDS,
    FAVOR_KINDS,
    FAVORS,
    LANDSKNECHT_CARDS,
    MAX_PLAYERS,
    MAX_REVOLTS,
    PEASANT_ARMIES,
    PROTECTIONS,
)

CHART_SIZE = 64  # shortages 0..63; nobody can lack more than one grain a county
MAX_AMOUNT = 20  # of a benefit on a card

EVENT_COLUMNS: Mapping[str, Cell] = {
    "event": Word(),
    "effect": OneOf(EFFECTS),
    "winter_grain_loss": Whole(0, 9),
    "meaning": Word(blank=True, lines=True),
}
CHART_COLUMNS: Mapping[str, Cell] = {
    "shortage_from": Whole(1, CHART_SIZE - 1),
    "shortage_to": Whole(1, CHART_SIZE - 1, blank=True),
    "revolting_counties": Whole(0, MAX_REVOLTS),
    "extra_peasants": Whole(0, PEASANT_ARMIES),
}

# E6: what may stand in the column `value`, for each kind of favor.
_AMOUNT = Whole(1, MAX_AMOUNT)
FAVOR_VALUES: Mapping[str, Cell] = {
    "cancel_event": OneOf(("",)),
    "thalers": _AMOUNT,
    "tray_armies": _AMOUNT,
    "calm": _AMOUNT,
    "grain": _AMOUNT,
    "victory_points": _AMOUNT,
    "free_building": OneOf(BUILDINGS),
    "no_attack": OneOf(PROTECTIONS[1:]),
    "free_armies": _AMOUNT,
}
FAVOR_COLUMNS: Mapping[str, Cell] = {
    "number": Whole(1, FAVORS),
    "kind": OneOf(FAVOR_KINDS),
    "value": Word(blank=True),
    "provenance": Word(),
}
LANDSKNECHT_COLUMNS: Mapping[str, Cell] = {
    "card": Whole(1, LANDSKNECHT_CARDS),
    "thalers": Whole(0, MAX_AMOUNT),
    "tray_armies": Whole(0, MAX_AMOUNT),
    "grain": Whole(0, MAX_AMOUNT),
    "victory_points": Whole(0, MAX_AMOUNT),
    "provenance": Word(),
}


def check_events(table: Table) -> None:
    """Notes events that share a name, and any number of them but twelve (B0.5)."""
    table.first_lines("event")
    table.demand_rows("event", EVENT_CARDS)


def check_supply_chart(table: Table) -> None:
    """Notes gaps and overlaps: ranges run on from a shortage of 1, only the last is open (B7.2)."""
    if not table.rows:
        table.refuse(1, "shortage_from", "no rows; ranges from 1 on are allowed, the last open")
        return
    expected: int | None = 1
    for row in table.rows:
        start, end = row["shortage_from"], row["shortage_to"]
        if start is not None and expected is not None and start != expected:
            text = f"the range begins with {start}; {expected} is allowed, next to the range before"
            table.refuse(row.line, "shortage_from", text)
        is_last = row is table.rows[-1]
        if end == "" and not is_last:
            table.refuse(row.line, "shortage_to", "'' leaves the range open; only the last range may be")
        elif end not in (None, "") and is_last:
            table.refuse(row.line, "shortage_to", f"the last range ends with {end}; it must be left empty")
        elif end not in (None, "") and start is not None and end < start:
            table.refuse(row.line, "shortage_to", f"the range ends with {end}; {start} or more is allowed")
        expected = end + 1 if isinstance(end, int) else None


def check_favors(table: Table) -> None:
    """Notes numbers met twice, any count but 21, and values that do not suit the kind.

    What a value may be hangs on its row's kind, so amounts become int only here.
    """
    table.first_lines("number")
    table.demand_rows("number", FAVORS)
    for row in table.rows:
        kind, text = row["kind"], row["value"]
        if kind is None or text is None:
            continue
        cell = FAVOR_VALUES[kind]
        row.cells["value"] = cell.read(text)
        if row["value"] is None:
            allowed = cell.allowed() if kind != "cancel_event" else "left empty"
            text = f"{text!r} is not allowed for the kind {kind}; it must be {allowed}"
            table.refuse(row.line, "value", text)


def check_landsknechte(table: Table) -> None:
    """Notes card numbers met twice, and any number of cards but four (L1)."""
    table.first_lines("card")
    table.demand_rows("card", LANDSKNECHT_CARDS)


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
