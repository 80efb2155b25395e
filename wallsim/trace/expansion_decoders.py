"""A decoder for each kind of log line that only the expansions have: Landsknechte, court and leaders (E, L, M)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from wallsim.engine import log as recorder
from wallsim.mechanics.court import courtiers_of
from wallsim.rules.terms import (
    BENEFITS,
    BUILDINGS,
    CALM,
    CANCEL_EVENT,
    FAVOR_KINDS,
    FAVOR_PRICE,
    FREE_ARMIES,
    FREE_BUILDING,
    NO_ATTACK,
    TRADING_POST,
)
from wallsim.trace.match import Match

Numbers = list[int]
Object = dict[str, Any]


def _landsknechte(match: Match, numbers: Numbers) -> Object:
    seat, card, benefit, amount = numbers[:4]
    return {"seat": seat, "card": card, "benefit": BENEFITS[benefit], "amount": amount}


def _convert(match: Match, numbers: Numbers) -> Object:
    seat, box, card, done = numbers[:4]
    return {"seat": seat, "box": courtiers_of(box), "card": match.card(card), "done": bool(done)}


def _favor(match: Match, numbers: Numbers) -> Object:
    seat, number, space, county, amount, cancelled, calmed = numbers[:7]
    text: Object = {"seat": seat, "number": number, "cost": FAVOR_PRICE[space]}
    favor = match.favor(number)
    kind = FAVOR_KINDS.index(favor["kind"])
    if kind == CANCEL_EVENT:
        text["cancelled"] = bool(cancelled)
    elif kind == CALM:
        text["county"] = match.county(county)
    elif kind == FREE_BUILDING:
        text["county"], text["building"] = match.county(county), favor["value"]
        if favor["value"] == BUILDINGS[TRADING_POST]:
            text["calmed"] = calmed > 0
    elif kind == FREE_ARMIES:
        text["county"], text["amount"] = match.county(county), amount
    elif kind != NO_ATTACK:
        text["amount"] = amount
    return text


def _leader(match: Match, numbers: Numbers) -> Object:
    seat, origin, county, statue, losers = numbers[:5]
    taken = [other for other in range(match.players) if losers >> other & 1]
    return {
        "seat": seat,
        "county": match.county(county),
        "from": match.county(origin),
        "statue": bool(statue),
        "trophy": taken[0] if taken else None,
        "trophies": taken,
    }


EXPANSION_DECODERS: dict[int, Callable[[Match, Numbers], Object]] = {
    recorder.LANDSKNECHTE: _landsknechte,
    recorder.CONVERT: _convert,
    recorder.FAVOR: _favor,
    recorder.LEADER: _leader,
}
