"""A decoder for each kind of log line that only the expansions have: Landsknechte, court and leaders (E, L, M)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from wallsim.engine import log_lines as recorder
from wallsim.mechanics.court import courtiers_of
from wallsim.rules.terms import (
    BENEFITS,
    BUILDINGS,
    CALM,
    CANCEL_EVENT,
    FAVOR_KINDS,
    FREE_ARMIES,
    FREE_BUILDING,
    NO_ATTACK,
    TRADING_POST,
)
from wallsim.trace.match import Match

Line = dict[str, Any]
Object = dict[str, Any]


def _landsknechte(match: Match, line: Line) -> Object:
    return {
        "seat": line["seat"],
        "card": line["card"],
        "benefit": BENEFITS[line["benefit"]],
        "amount": line["amount"],
    }


def _convert(match: Match, line: Line) -> Object:
    return {
        "seat": line["seat"],
        "box": courtiers_of(line["box"]),
        "card": match.card(line["card"]),
        "done": bool(line["done"]),
    }


def _favor(match: Match, line: Line) -> Object:
    shown: Object = {"seat": line["seat"], "number": line["number"], "cost": match.favor_prices()[line["space"]]}
    favor, county = match.favor(line["number"]), match.county(line["county"])
    kind = FAVOR_KINDS.index(favor["kind"])
    if kind == CANCEL_EVENT:
        shown["cancelled"] = bool(line["cancelled"])
    elif kind == CALM:
        shown["county"] = county
    elif kind == FREE_BUILDING:
        shown["county"], shown["building"] = county, favor["value"]
        if favor["value"] == BUILDINGS[TRADING_POST]:
            shown["calmed"] = line["calmed"] > 0
    elif kind == FREE_ARMIES:
        shown["county"], shown["amount"] = county, line["amount"]
    elif kind != NO_ATTACK:
        shown["amount"] = line["amount"]
    return shown


def _leader(match: Match, line: Line) -> Object:
    taken = [other for other in range(match.players) if line["losers"] >> other & 1]
    return {
        "seat": line["seat"],
        "county": match.county(line["county"]),
        "from": match.county(line["origin"]),
        "statue": bool(line["statue"]),
        "trophy": taken[0] if taken else None,
        "trophies": taken,
    }


EXPANSION_DECODERS: dict[int, Callable[[Match, Line], Object]] = {
    recorder.LANDSKNECHTE: _landsknechte,
    recorder.CONVERT: _convert,
    recorder.FAVOR: _favor,
    recorder.LEADER: _leader,
}
