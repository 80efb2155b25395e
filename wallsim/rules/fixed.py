"""What no experiment changes, by the names that a designer may try for it, and where else it is set."""

from __future__ import annotations

from collections.abc import Mapping

from wallsim.rules.terms import (
    ACTION_CARDS,
    ARMIES_PER_PLAYER,
    COUNTIES,
    EVENT_CARDS,
    EVENTS_PER_YEAR,
    MONEY_CARDS,
    PEASANT_ARMIES,
    REGIONS,
    TILES,
    WINTER,
    YEARS,
)

_TIME = f"is fixed: {YEARS} years of {WINTER} rounds and a winter"
_LAND = f"is fixed: {COUNTIES} counties in {REGIONS} regions; a board folder (key board) may name and place others"
_GROUPS = "is fixed: army groups by number of players (B1.2); [lineup.LETTER] edits those of a line-up"
FIXED: Mapping[str, str] = {
    **dict.fromkeys(("years", "rounds", "rounds_a_year", "seasons", "turns", "winters", "length"), _TIME),
    **dict.fromkeys(("counties", "regions", "map"), _LAND),
    **dict.fromkeys(("army_groups", "groups", "start_armies", "starting_armies"), _GROUPS),
    **dict.fromkeys(("armies", "cubes", "supply"), f"is fixed: {ARMIES_PER_PLAYER} armies of each player"),
    **dict.fromkeys(("peasants", "peasant_armies"), f"is fixed: {PEASANT_ARMIES} peasants in the game"),
    **dict.fromkeys(("actions", "action_cards"), f"is fixed: {ACTION_CARDS} actions a round, each once"),
    **dict.fromkeys(("tiles", "bonus_tiles"), f"is fixed: {len(TILES)} bonus tiles; what they bring are amounts"),
    **dict.fromkeys(("money", "money_cards", "bids"), f"is fixed: money cards of 0 to {MONEY_CARDS - 1} Thalers"),
    **dict.fromkeys(
        ("events", "event_cards", "winter_losses"),
        f"is fixed: {EVENT_CARDS} event cards, {EVENTS_PER_YEAR} a year; a board folder's events.csv has their effects",
    ),
    **dict.fromkeys(("tax", "taxes", "grain", "sites"), "is set by counties.csv of a board folder (key board)"),
    **dict.fromkeys(("supply_chart", "revolts"), "is set by supply_chart.csv of a board folder (key board)"),
}


def fixed_words(name: object) -> str:
    """Why no experiment has a key of this name, such as `is fixed: 2 years of 3 rounds and a winter`; else nothing."""
    return FIXED.get(name, "") if isinstance(name, str) else ""
