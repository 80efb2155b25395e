"""Lists of interventions for the games that the tests of traces and stories share, by name."""

from typing import Any

from wallsim.rules.board import load_board
from wallsim.rules.terms import SEASONS

_ROUNDS = [f"{season} {year}" for year in (1, 2) for season in SEASONS]
_ANYWHERE = ["start", *_ROUNDS]


def _dealt(players: int, letter: str) -> str:
    board = load_board()
    return board.counties[board.lineups[players, letter][0][0]]


HANDS: list[dict[str, Any]] = [
    {"do": "hand", "seat": 0, "round": _ANYWHERE, "thalers": 5, "grain": 9, "vp": 2, "armies": 3},
    {"do": "hand", "seat": 1, "round": _ANYWHERE, "thalers": -4, "grain": -3, "vp": -2, "armies": -2},
    {"do": "hand", "seat": 2, "round": ["spring 1", "winter 2"], "thalers": 1, "armies": 1},
]
PLACES: list[dict[str, Any]] = [
    {"do": "place", "seat": 1, "to": "last", "round": "every"},
    {"do": "place", "seat": "turn", "to": 1, "round": ["fall 1", "summer 2"]},
]
TILES: list[dict[str, Any]] = [
    {"do": "tile", "seat": 0, "to": "none", "round": ["spring 1", "summer 1"]},
    {"do": "tile", "seat": 1, "to": "attack", "round": ["summer 1", "fall 1"]},
    {"do": "tile", "seat": 2, "to": "of seat 0", "round": "every"},
]
EVENTS: list[dict[str, Any]] = [
    {"do": "event", "to": "tax_max_5", "round": "summer 1"},
    {"do": "event", "to": "small_levies", "round": "winter 1"},
    {"do": "event", "to": "cancelled", "round": ["summer 1", "fall 2"]},
    {"do": "event", "to": "absent", "card": "tax_min_6", "round": "year 2"},
]
CARDS: list[dict[str, Any]] = [
    {"do": "plan", "seat": 0, "box": "taxes", "card": _dealt(4, "A"), "round": "every"},
    {"do": "plan", "seat": "turn", "box": "palace", "card": "pass", "round": ["spring 1", "fall 2"]},
    {"do": "plan", "seat": 1, "box": "combat_a", "card": _dealt(4, "B"), "round": "every"},
]
TRADE: list[dict[str, Any]] = [{"do": "trade", "counties": [_dealt(4, "A"), _dealt(4, "C")]}]

SCRIPTS: dict[str, list[dict[str, Any]]] = {
    "": [],
    "hands": HANDS,
    "places": PLACES,
    "tiles": [*TILES, *PLACES],
    "events": EVENTS,
    "trade": [*TRADE, *HANDS],
    "cards": CARDS,
    "all": [*TRADE, *HANDS, *TILES, *PLACES, *EVENTS, *CARDS],
    "all without tiles": [*HANDS, *PLACES, *EVENTS],
}
