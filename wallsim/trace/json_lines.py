"""The trace of a game as JSON Lines: every change of the game's state by chance or by a player, in order.

Names are those of the board's files, seats count from 0, amounts are integers. Cubes are objects keyed by
seat plus `peasants`; cards are `county:NAME`, `money:V`, `blank` (the first edition's), `tower` (a dice-tower card) or
null for a box that is not covered.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import numpy as np

from wallsim.engine.log import Log
from wallsim.engine.log_lines import LINE_KINDS, STATE, read_line
from wallsim.rules.board import printed_board
from wallsim.rules.terms import BUILDINGS, NEUTRAL
from wallsim.trace.decoders import DECODERS
from wallsim.trace.match import Match


def describe_table(match: Match, table: np.record) -> dict[str, Any]:
    """The `state` object: owned counties, holdings of the seats, cubes, tiles and markers left, and expansions."""
    # A field of a record is looked up slowly, so each is read once, as plain numbers.
    owners, armies, markers = (table[field].tolist() for field in ("owner", "army", "marker"))
    built = dict(zip(BUILDINGS, table["built"].tolist(), strict=False))
    counties = {}
    for county, owner in enumerate(owners):
        if owner != NEUTRAL:
            counties[match.board.counties[county]] = {
                "owner": owner,
                "armies": armies[county],
                "buildings": [kind for kind in BUILDINGS if built[kind] >> county & 1],
                "markers": markers[county],
            }
    stock = ((kind, match.ruleset.amount(f"{kind}_tiles")) for kind in BUILDINGS)
    text = {
        "t": "state",
        "counties": counties,
        "thalers": _by_seat(match, table.thalers),
        "grain": _by_seat(match, table.grain),
        "vp": _by_seat(match, table.vp),
        "supply": match.cubes(table.supply),
        "tray": match.cubes(table.tray),
        "tower": match.cubes(table.tower),
        "stock": {kind: tiles - built[kind].bit_count() for kind, tiles in stock},
        "markers": int(table.markers_left),
        "hall": _by_seat(match, table.hall),
    }
    if match.plays("leaders"):
        text["leaders"] = [match.county(place.bit_length() - 1) for place in _by_seat(match, table.leader)]
        text["statues"] = [[match.county(place) for place in row if place >= 0] for row in _statues(match, table)]
        text["trophies"] = _by_seat(match, table.trophies)
    if match.plays("landsknechte"):
        text["top"] = [card + 1 for card in _by_seat(match, table.banner)]
    if match.plays("court"):
        text["parry"] = _by_seat(match, table.parry)
    return text


def describe_end(match: Match, table: np.record) -> dict[str, Any]:
    """The `end` object: points, Thalers, and who won: most points, then by [A9] most Thalers (B7.6)."""
    points, thalers = _by_seat(match, table.vp), _by_seat(match, table.thalers)
    by_thalers = match.ruleset.final_tie == "thalers"
    standing = [(points[seat], thalers[seat] if by_thalers else 0) for seat in range(match.players)]
    winners = [seat for seat, reached in enumerate(standing) if reached == max(standing)]
    return {"t": "end", "vp": points, "thalers": thalers, "winners": winners}


def _statues(match: Match, table: np.record) -> list[list[int]]:
    return [[int(place) for place in row] for row in table.statue[: match.players]]


def _by_seat(match: Match, values: np.ndarray) -> list[int]:
    return [int(value) for value in values[: match.players]]


TRACE_VERSION = 1


def trace_lines(match: Match, log: Log) -> Iterator[dict[str, Any]]:
    """The objects of a trace in order, each with its kind under `t`, from `game` to `end`.

    `log` is that of `Arena.trace` for the match's game. All values are plain Python.
    """
    yield _opening(match)
    for row in log.lines.tolist():
        kind, line = row[0], read_line(row)
        if kind == STATE:
            yield describe_table(match, log.snapshots[line["snapshot"]])
        else:
            yield {"t": LINE_KINDS[kind].name, **DECODERS[kind](match, line)}
    yield describe_end(match, log.snapshots[-1])


def json_line(line: dict[str, Any]) -> str:
    """A trace object as a line of JSON, compact and without escapes."""
    return json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n"


def _opening(match: Match) -> dict[str, Any]:
    ruleset = match.ruleset
    edits: dict[str, Any] = {}
    if match.board.digest != printed_board().digest:
        edits["board"] = {"name": match.board.name, "digest": match.board.digest}
    if ruleset.thalers:
        edits["start"] = {"thalers": list(ruleset.starting_thalers())}
    if ruleset.without:
        edits["without"] = list(ruleset.without)
    if ruleset.lineup_edits:
        edits["lineup_edits"] = {letter: dict(groups) for letter, groups in ruleset.lineup_edits}
    if ruleset.amounts:
        edits["amounts"] = dict(ruleset.amounts)
    return {
        "t": "game",
        "version": TRACE_VERSION,
        "edition": ruleset.edition,
        "expansions": list(ruleset.expansions),
        "players": match.players,
        "setup": ruleset.setup,
        "lineups": list(ruleset.letters()),
        "options": ruleset.options(),
        "seed": match.seed,
        "game": match.number,
        "policies": list(match.policies),
        "tower": {"model": match.tower.model, "name": match.tower.name, **match.tower.numbers()},
        **edits,
    }
