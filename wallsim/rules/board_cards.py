"""What must hold for the cards and the supply chart of a board folder (B0.5, B7.1, B7.2, E2, E6, L1)."""

from __future__ import annotations

from collections.abc import Mapping

from wallsim.rules.board_cells import Cell, OneOf, Whole, Word
from wallsim.rules.board_table import Table
from wallsim.rules.terms import (
    BUILDINGS,
    EFFECTS,
    EVENT_CARDS,
    FAVOR_KINDS,
    FAVORS,
    LANDSKNECHT_CARDS,
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
