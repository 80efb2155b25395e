"""The letters of seats on the page, and short texts for steps that the story passes over."""

from __future__ import annotations

from typing import Any

from wallsim.rules.ruleset import LETTERS

Line = dict[str, Any]
PEASANTS = "peasants"


def letter(seat: int) -> str:
    """The letter of a seat: A for seat 0."""
    return LETTERS[seat]


def label(line: Line) -> str:
    """What a line of the trace is about, in a few words."""
    kind = str(line["t"])
    if kind == "state":
        return "The table now"
    if "seat" not in line:
        return kind.capitalize()
    who = f"Seat {line['seat']}"
    if kind == "deal":
        return f"{who} has {line['county']}: {line['armies']} armies"
    if kind == "plan":
        return f"{who} plans in secret"
    if kind == "leader":
        return f"The leader of seat {line['seat']}: {line['county'] or 'off the board'}"
    if kind == "convert":
        return f"{who} petitions the court" + ("" if line["done"] else " in vain")
    if kind == "action":
        return f"{who}: {line['action'].replace('_', ' ')} in {line['county']}, as told before"
    return f"{who}: {kind}"
