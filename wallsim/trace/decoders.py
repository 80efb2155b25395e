"""A decoder for each kind of log line: the integers of `wallsim.engine.log` become the object of a trace.

Every decoder takes the match and the line's integers after its kind.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from wallsim.engine import log as recorder
from wallsim.mechanics.court import courtiers_of
from wallsim.rules.terms import (
    ACTION_CARDS,
    ACTIONS,
    AUCTION,
    BATTLE_KINDS,
    BUILDINGS,
    COLOURS,
    COURT_1,
    COURT_2,
    COURT_3,
    DEPLOY1,
    DEPLOY5,
    DONE,
    GRAIN,
    MAX_PLAYERS,
    NEUTRAL,
    NO_TILE,
    OUTCOMES,
    PEASANTS,
    REGIONS,
    RESULTS,
    SEASONS,
    SHOWN_FAVORS,
    TAXES,
    TILES,
    TRADING_POST,
)
from wallsim.trace.expansion_decoders import EXPANSION_DECODERS
from wallsim.trace.match import Match

Numbers = list[int]
Object = dict[str, Any]

_SOURCES = {recorder.SOURCE_LINEUP: "lineup", recorder.SOURCE_SHOWN: "shown", recorder.SOURCE_DECK: "deck"}


def _deal(match: Match, numbers: Numbers) -> Object:
    seat, county, armies, source = numbers[:4]
    deal: Object = {
        "seat": seat,
        "county": match.county(county),
        "armies": armies,
        "source": _SOURCES[source],
    }
    if source != recorder.SOURCE_LINEUP:
        deal["shown"] = [match.county(card) for card in numbers[4:6]]
    elif match.is_assumed(seat, county):
        deal["source"] = "lineup-assumed"
    return deal


def _recycle(match: Match, numbers: Numbers) -> Object:
    return {"seat": numbers[0], "counties": [match.county(card) for card in numbers[1:3]]}


def _fill(match: Match, numbers: Numbers) -> Object:
    return {"dropped": match.cubes(numbers[:COLOURS]), "out": match.cubes(numbers[COLOURS:])}


def _year(match: Match, numbers: Numbers) -> Object:
    return {"year": numbers[0] + 1, "events": [match.board.events[event] for event in numbers[1:5]]}


def _round(match: Match, numbers: Numbers) -> Object:
    actions, rest = numbers[2 : 2 + ACTION_CARDS], numbers[2 + ACTION_CARDS :]
    tiles, favors = rest[:MAX_PLAYERS], rest[MAX_PLAYERS:][:SHOWN_FAVORS]
    return {
        "year": numbers[0] + 1,
        "season": SEASONS[numbers[1]],
        "order": [ACTIONS[action] for action in actions],
        "tiles": [TILES[tile] for tile in tiles if tile != NO_TILE],  # none in the first edition
        "favors": [favor for favor in favors if favor > 0],
    }


def _plan(match: Match, numbers: Numbers) -> Object:
    seat, *cards = numbers
    boxes = {name: match.card(cards[action]) for action, name in enumerate(ACTIONS)}
    plan: Object = {"seat": seat, "boxes": boxes, "bid": match.card(cards[AUCTION])}
    if match.plays("court"):
        plan["court"] = {str(courtiers_of(box)): match.card(cards[box]) for box in (COURT_3, COURT_2, COURT_1)}
    return plan


def _event(match: Match, numbers: Numbers) -> Object:
    return {"event": match.board.events[numbers[0]]}


def _order(match: Match, numbers: Numbers) -> Object:
    starts = range(0, 4 * MAX_PLAYERS, MAX_PLAYERS)
    seats, places, tiles, paid = (numbers[start:][: match.players] for start in starts)
    named = [TILES[tile] if tile != NO_TILE else None for tile in tiles]
    return {"picks": [[seat, places[seat] + 1, named[seat]] for seat in seats], "paid": paid}


def _action(match: Match, numbers: Numbers) -> Object:
    seat, action, county, outcome, paid, gain, armies, goal, moved, attacked, placed, removed, parried = numbers[:13]
    forced = numbers[13]
    text: Object = {
        "seat": seat,
        "action": ACTIONS[action],
        "county": match.county(county),
        "done": outcome == DONE,
    }
    if outcome != DONE:
        return {**text, "why": OUTCOMES[outcome]}
    if action <= TRADING_POST or DEPLOY5 <= action <= DEPLOY1:
        text["paid"] = paid
    if action == TRADING_POST:
        text["calmed"] = removed > 0
    if action in (GRAIN, TAXES):
        text["gain"], text["marker"] = gain, placed > 0
        if parried:
            text["parried"] = True
    if DEPLOY5 <= action <= DEPLOY1:
        text["armies"] = armies
    if goal >= 0:
        text["target" if attacked else "to"], text["moved"] = match.county(goal), moved
        if forced:
            text["forced"] = True
    return text


def _battle(match: Match, numbers: Numbers) -> Object:
    kind, attacker, defender, county, origin, result, survivors = numbers[:7]
    before, engaged, fallen, tower, after = (numbers[7 + part * COLOURS :][:COLOURS] for part in range(5))
    on_neutral = defender == NEUTRAL
    return {
        "kind": BATTLE_KINDS[kind],
        "attacker": "peasants" if attacker == PEASANTS else attacker,
        "defender": "neutral" if on_neutral else defender,
        "county": match.county(county),
        "tray_before": match.cubes(before),
        "engaged": match.cubes(engaged),
        "tray_after_drop": match.cubes(fallen),
        "tower_after": match.cubes(tower),
        "a": fallen[attacker],  # in a revolt the peasants', as p
        "d": 0 if on_neutral else fallen[defender],
        "p": fallen[PEASANTS],
        "result": RESULTS[result],
        "survivors": survivors,
        "tray_after": match.cubes(after),
        "from": match.county(origin),
    }


def _winter(match: Match, numbers: Numbers) -> Object:
    seat, loss, grain, counties, shortage, count = numbers[:6]
    return {
        "seat": seat,
        "loss": loss,
        "grain": grain,
        "counties": counties,
        "shortage": shortage,
        "revolting": [match.county(county) for county in numbers[6 : 6 + count]],
    }


def _score(match: Match, numbers: Numbers) -> Object:
    seat, counties, buildings, total, points = numbers[:5]
    statues, trophies = numbers[5 + len(BUILDINGS) * REGIONS :][:2]
    majorities: dict[str, dict[str, int]] = {}
    for index, region in enumerate(match.board.regions):
        shares = numbers[5 + index * len(BUILDINGS) :][: len(BUILDINGS)]
        won = {kind: share for kind, share in zip(BUILDINGS, shares, strict=True) if share > 0}
        if won:
            majorities[region] = won
    return {
        "seat": seat,
        "counties": counties,
        "buildings": buildings,
        "majorities": majorities,
        "statues": statues,
        "trophies": trophies,
        "total": total,
        "vp": points,
    }


DECODERS: dict[int, Callable[[Match, Numbers], Object]] = {
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
    **EXPANSION_DECODERS,
}
