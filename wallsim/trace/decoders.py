"""A decoder for each kind of log line: the integers of `wallsim.engine.log` become the object of a trace.

Every decoder takes the match and the line's fields by name, as `read_line` returns them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from wallsim.engine import log_lines as recorder
from wallsim.mechanics.court import courtiers_of
from wallsim.rules.intervention_step import GIFTS
from wallsim.rules.script import CANCEL, HAND, SWAP_TILES, TRADE_COUNTIES, TRADE_PLACES
from wallsim.rules.terms import (
    ACTIONS,
    AUCTION,
    BATTLE_KINDS,
    BENEFITS,
    BUILDINGS,
    COURT_1,
    COURT_2,
    COURT_3,
    DEPLOY1,
    DEPLOY5,
    DONE,
    GRAIN,
    NEUTRAL,
    NO_TILE,
    OUTCOMES,
    PEASANTS,
    RESULTS,
    SEASONS,
    TAXES,
    TILES,
    TRADING_POST,
)
from wallsim.trace.match import Match

Line = dict[str, Any]
Object = dict[str, Any]

_SOURCES = {
    recorder.SOURCE_LINEUP: "lineup",
    recorder.SOURCE_SHOWN: "shown",
    recorder.SOURCE_DECK: "deck",
    recorder.SOURCE_EDITED: "edited",
    recorder.SOURCE_DEALT: "dealt",
}


def _deal(match: Match, line: Line) -> Object:
    seat, county, source = line["seat"], line["county"], line["source"]
    deal: Object = {"seat": seat, "county": match.county(county), "armies": line["armies"], "source": _SOURCES[source]}
    if source in (recorder.SOURCE_SHOWN, recorder.SOURCE_DECK):
        deal["shown"] = [match.county(card) for card in line["open_cards"]]
    elif source == recorder.SOURCE_LINEUP and match.is_assumed(seat, county):
        deal["source"] = "lineup-assumed"
    return deal


def _recycle(match: Match, line: Line) -> Object:
    return {"seat": line["seat"], "counties": [match.county(card) for card in line["open_cards"]]}


def _fill(match: Match, line: Line) -> Object:
    return {"dropped": match.cubes(line["dropped"]), "out": match.cubes(line["out"])}


def _year(match: Match, line: Line) -> Object:
    return {"year": line["year"] + 1, "events": [match.board.events[event] for event in line["events"]]}


def _round(match: Match, line: Line) -> Object:
    return {
        "year": line["year"] + 1,
        "season": SEASONS[line["season"]],
        "order": [ACTIONS[action] for action in line["order"]],
        "tiles": [TILES[tile] for tile in line["tiles"] if tile != NO_TILE],  # none in the first edition
        "favors": [favor for favor in line["favors"] if favor > 0],
    }


def _plan(match: Match, line: Line) -> Object:
    cards = line["cards"]
    boxes = {name: match.card(cards[action]) for action, name in enumerate(ACTIONS)}
    plan: Object = {"seat": line["seat"], "boxes": boxes, "bid": match.card(cards[AUCTION])}
    if match.plays("court"):
        plan["court"] = {str(courtiers_of(box)): match.card(cards[box]) for box in (COURT_3, COURT_2, COURT_1)}
    return plan


def _event(match: Match, line: Line) -> Object:
    return {"event": match.board.events[line["event"]]}


def _order(match: Match, line: Line) -> Object:
    named = [TILES[tile] if tile != NO_TILE else None for tile in line["tiles"]]
    picks = line["picks"][: match.players]
    return {
        "picks": [[seat, line["places"][seat] + 1, named[seat]] for seat in picks],
        "paid": line["paid"][: match.players],
    }


def _action(match: Match, line: Line) -> Object:
    action, outcome = line["action"], line["outcome"]
    shown: Object = {
        "seat": line["seat"],
        "action": ACTIONS[action],
        "county": match.county(line["county"]),
        "done": outcome == DONE,
    }
    if outcome != DONE:
        return {**shown, "why": OUTCOMES[outcome]}
    if action <= TRADING_POST or DEPLOY5 <= action <= DEPLOY1:
        shown["paid"] = line["paid"]
    if action == TRADING_POST:
        shown["calmed"] = line["markers_removed"] > 0
    if action in (GRAIN, TAXES):
        shown["gain"], shown["marker"] = line["gain"], line["markers_placed"] > 0
        if line["parried"]:
            shown["parried"] = True
    if DEPLOY5 <= action <= DEPLOY1:
        shown["armies"] = line["armies"]
    if line["target"] >= 0:
        shown["target" if line["attacked"] else "to"] = match.county(line["target"])
        shown["moved"] = line["moved"]
        if line["forced"]:
            shown["forced"] = True
    return shown


def _battle(match: Match, line: Line) -> Object:
    attacker, defender, fallen = line["attacker"], line["defender"], line["fallen"]
    on_neutral = defender == NEUTRAL
    return {
        "kind": BATTLE_KINDS[line["kind"]],
        "attacker": "peasants" if attacker == PEASANTS else attacker,
        "defender": "neutral" if on_neutral else defender,
        "county": match.county(line["county"]),
        "tray_before": match.cubes(line["tray_before"]),
        "engaged": match.cubes(line["engaged"]),
        "tray_after_drop": match.cubes(fallen),
        "tower_after": match.cubes(line["tower_after"]),
        "a": fallen[attacker],  # in a revolt the peasants', as p
        "d": 0 if on_neutral else fallen[defender],
        "p": fallen[PEASANTS],
        "result": RESULTS[line["result"]],
        "survivors": line["survivors"],
        "tray_after": match.cubes(line["tray_after"]),
        "from": match.county(line["origin"]),
    }


def _winter(match: Match, line: Line) -> Object:
    fields = ("seat", "loss", "grain", "counties", "shortage")
    return {
        **{field: line[field] for field in fields},
        "revolting": [match.county(county) for county in line["revolting"][: line["revolts"]]],
    }


def _score(match: Match, line: Line) -> Object:
    majorities: dict[str, dict[str, int]] = {}
    for index, region in enumerate(match.board.regions):
        shares = line["majorities"][index * len(BUILDINGS) :][: len(BUILDINGS)]
        won = {kind: share for kind, share in zip(BUILDINGS, shares, strict=True) if share > 0}
        if won:
            majorities[region] = won
    return {
        "seat": line["seat"],
        "counties": line["counties"],
        "buildings": line["buildings"],
        "majorities": majorities,
        "statues": line["statues"],
        "trophies": line["trophies"],
        "total": line["total"],
        "vp": line["vp"],
    }


def _intervention(match: Match, line: Line) -> Object:
    seat, other, do = line["seat"], line["other"], line["do"]
    if do == CANCEL:
        return {"do": "cancel_event"}
    if do == TRADE_COUNTIES:
        return {"do": "trade", "counties": [match.county(county) for county in line["counties"]]}
    if do == HAND:
        gifts = dict(zip(GIFTS, line["gifts"], strict=True))
        return {"do": "hand", "seat": seat, **gifts, "county": match.county(line["counties"][0])}
    if do == TRADE_PLACES:
        return {"do": "place", "seat": seat, "with": other}
    held = TILES[line["tile"]] if line["tile"] != NO_TILE else None
    return {"do": "tile", "seat": seat, "to": held, "with": other if do == SWAP_TILES else None}


def _landsknechte(match: Match, line: Line) -> Object:
    return {"seat": line["seat"], "card": line["card"], "benefit": BENEFITS[line["benefit"]], "amount": line["amount"]}


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
    kind = favor["kind"]
    if kind == "cancel_event":
        shown["cancelled"] = bool(line["cancelled"])
    elif kind in ("calm", "free_building", "free_armies"):
        shown["county"] = county
    if kind == "free_building":
        shown["building"] = favor["value"]
        if favor["value"] == BUILDINGS[TRADING_POST]:
            shown["calmed"] = line["calmed"] > 0
    elif kind not in ("cancel_event", "calm", "no_attack"):
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


DECODERS: dict[int, Callable[[Match, Line], Object]] = {
    recorder.DEAL: _deal,
    recorder.RECYCLE: _recycle,
    recorder.FILL: _fill,
    recorder.YEAR: _year,
    recorder.ROUND: _round,
    recorder.PLAN: _plan,
    recorder.EVENT: _event,
    recorder.ORDER: _order,
    recorder.ACTION: _action,
    recorder.BATTLE: _battle,
    recorder.WINTER_LINE: _winter,
    recorder.SCORE: _score,
    recorder.INTERVENTION: _intervention,
    recorder.LANDSKNECHTE: _landsknechte,
    recorder.CONVERT: _convert,
    recorder.FAVOR: _favor,
    recorder.LEADER: _leader,
}
