"""The state of the game as a trace object, and the end of the game, both from snapshots of the GAME record."""

from __future__ import annotations

from typing import Any

import numpy as np

from wallsim.rules.terms import BUILDINGS, NEUTRAL
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
