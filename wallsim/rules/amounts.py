"""The amounts: numbers of the game that a designer may change, each with its printed value and bounds.

Winter losses, the supply chart, favors and Landsknechte cards are data of the board's folder and not amounts. An amount
of what is not in the game changes nothing.

`FIXED` has what no experiment changes, by the names that a designer may try for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from wallsim.errors import refuse_twice
from wallsim.rules.suggestions import did_you_mean
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


class Amount(NamedTuple):
    """A number of the game: its name, rule, printed value, bounds, meaning, and its place in RULES.

    `field` names the field of RULES and `place` the element, where the field has one for each building or action.
    """

    name: str
    rule: str
    printed: int
    low: int
    high: int
    meaning: str
    field: str
    place: int | None = None


def _row(
    rules: str | Sequence[str], field: str, entries: Mapping[str, int], low: int, high: int, meanings: Iterable[str]
) -> Iterator[Amount]:
    each = [rules] * len(entries) if isinstance(rules, str) else rules
    for place, (rule, (name, printed), meaning) in enumerate(zip(each, entries.items(), meanings, strict=True)):
        yield Amount(name, rule, printed, low, high, meaning, field, place)


def _single(name: str, rule: str, printed: int, low: int, high: int, meaning: str) -> Amount:
    return Amount(name, rule, printed, low, high, meaning, name)


AMOUNTS: tuple[Amount, ...] = (
    _single("tile_taxes_thalers", "B4.4", 1, 0, 9, "Thalers more of collect taxes with the tile `thaler`"),
    _single("tile_grain_grain", "B4.4", 1, 0, 9, "grain more of collect grain with the tile `grain`"),
    _single(
        "tile_deploy5_armies",
        "B4.4, B4.5",
        6,
        0,
        12,
        "armies of deploy 5 with the tile `six_armies`, but never fewer than without it",
    ),
    _single("tile_attack_armies", "B4.4", 1, 0, 6, "armies of the supply that join an attack with the tile `attack`"),
    _single("tile_defence_armies", "B4.4", 1, 0, 6, "armies of the supply that join a defence with the tile `defence`"),
    *_row(
        "B5.3",
        "building_price",
        {"palace_price": 3, "church_price": 2, "trading_post_price": 1},
        0,
        9,
        ("Thalers for a palace", "Thalers for a church", "Thalers for a trading post"),
    ),
    *_row(
        "B7.4",
        "building_points",
        {"palace_points": 1, "church_points": 1, "trading_post_points": 1},
        0,
        9,
        (
            "VP of each palace in each winter",
            "VP of each church in each winter",
            "VP of each trading post in each winter",
        ),
    ),
    *_row(
        "B7.4",
        "majority_points",
        {"palace_majority_points": 3, "church_majority_points": 2, "trading_post_majority_points": 1},
        0,
        9,
        (
            "VP for the most palaces in a region",
            "VP for the most churches in a region",
            "VP for the most trading posts in a region",
        ),
    ),
    _single("majority_tie_deduction", "B7.4", 1, 0, 9, "VP that each of several tied leaders loses, down to 0"),
    _single("county_points", "B7.4", 1, 0, 9, "VP of each county in each winter"),
    *_row(
        ("B5.6", "B5.6", "B5.7, V3"),
        "deploy_armies",
        {"deploy5_armies": 5, "deploy3_armies": 3, "deploy1_armies": 1},
        1,
        12,
        (
            "armies of deploy 5, which must be in the supply [A6]",
            "armies of deploy 3, which must be in the supply [A6]",
            "armies of deploy 1, which must be in the supply [A6]; in the first edition those of recruiting",
        ),
    ),
    *_row(
        ("B5.6", "B5.6", "B5.7, V3"),
        "deploy_price",
        {"deploy5_price": 3, "deploy3_price": 2, "deploy1_price": 1},
        0,
        9,
        ("Thalers for deploy 5", "Thalers for deploy 3", "Thalers for deploy 1"),
    ),
    *_row(
        "B1.1",
        "",
        {"start_thalers_3_players": 18, "start_thalers_4_players": 15, "start_thalers_5_players": 12},
        0,
        60,
        tuple(f"starting Thalers of a seat in games of {number}" for number in ("three", "four", "five")),
    ),
    _single("first_fill_armies", "B1.6", 7, 0, 20, "armies of each seat in the first fill of the tower"),
    _single("first_fill_peasants", "B1.6", 10, 0, 20, "peasants in the first fill of the tower"),
    _single("neutral_peasants", "B6.3", 1, 0, 10, "peasants that defend a neutral county [A8]"),
    _single("revolt_peasants", "B5.5, B6.4", 1, 1, 5, "peasants for each marker in a revolt, in winter too [A8, A16]"),
    _single("food_track_end", "B0.6", 18, 1, 99, "end of the food track; grain above it is lost [A1]"),
    _single("revolt_markers", "B0.4", 42, 0, 99, "revolt markers in the game"),
    *_row(
        "B0.3",
        "building_tiles",
        {"palace_tiles": 28, "church_tiles": 26, "trading_post_tiles": 26},
        0,
        45,
        ("palaces in the game", "churches in the game", "trading posts in the game"),
    ),
    _single(
        "event_tax_max_thalers", "B4.5", 5, 0, 9, "most that taxes bring under `tax_max_5`, before tile and leader"
    ),
    _single("event_tax_min_thalers", "B4.5", 6, 0, 9, "least that taxes bring under `tax_min_6`"),
    _single("event_grain_max_grain", "B4.5", 3, 0, 9, "most that grain collecting brings under `grain_max_3`"),
    _single("event_grain_min_grain", "B4.5", 4, 0, 9, "least that grain collecting brings under `grain_min_4`"),
    _single(
        "event_palace_guard_armies",
        "B6.2, B6.4",
        1,
        0,
        6,
        "armies of the supply that join the defence of a palace under `palace_guard` [A15]",
    ),
    _single(
        "event_neutral_guard_peasants", "B6.3", 2, 0, 10, "peasants that defend a neutral county under `neutral_guard`"
    ),
    *_row(
        "B5.6",
        "levy_armies",
        {"event_small_levies_deploy5_armies": 3, "event_small_levies_deploy3_armies": 2},
        1,
        12,
        ("armies of deploy 5 under `small_levies`", "armies of deploy 3 under `small_levies`"),
    ),
    _single(
        "leader_building_discount", "M2", 1, 0, 9, "Thalers off each building in the leader's county, to 0 at most"
    ),
    _single("leader_taxes_thalers", "M2", 1, 0, 9, "Thalers more of collect taxes in the leader's county"),
    _single("leader_grain_grain", "M2", 1, 0, 9, "grain more of collect grain in the leader's county"),
    _single("leader_deploy_armies", "M2", 1, 0, 9, "armies more of deploy 5, 3 and 1 in the leader's county [A6]"),
    _single("statue_points", "M5", 1, 0, 9, "VP of each own statue on the board [A12]"),
    _single("trophy_points", "M5", 1, 0, 9, "VP of each trophy [A12]"),
    *_row(
        "E2",
        "favor_price",
        {"favor_price_first": 4, "favor_price_second": 3, "favor_price_third": 2},
        0,
        7,
        ("courtiers for the highest number shown", "for the next", "for the lowest of three"),
    ),
    _single("favors_shown", "E2", 3, 1, 3, "favors a round; with fewer the cheaper spaces stay empty"),
    _single("landsknechte_regions", "L1", 4, 1, 5, "regions in which a player must hold counties"),
)
PRINTED = {amount.name: amount.printed for amount in AMOUNTS}
refuse_twice("amounts", (amount.name for amount in AMOUNTS))
_BY_NAME = {amount.name: amount for amount in AMOUNTS}


def start_thalers_name(players: int) -> str:
    """The name of the amount of starting Thalers with so many players."""
    return f"start_thalers_{players}_players"


def amount_errors(amounts: Iterable[tuple[str, Any]]) -> Iterator[tuple[str, Any, str]]:
    """What is wrong with pairs of a name and a number: (name, value, what is allowed); an unknown name has no value."""
    for name, value in amounts:
        if name not in _BY_NAME:
            why = f" ({fixed})" if (fixed := fixed_words(name)) else did_you_mean(name, PRINTED)
            yield name, None, f"an amount; `wallsim rules` lists them{why}"
            continue
        low, high = _BY_NAME[name].low, _BY_NAME[name].high
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            yield name, value, f"a whole number from {low} to {high}"
