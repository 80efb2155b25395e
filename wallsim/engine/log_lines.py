"""The kinds of lines in the event log of a game: each is declared once, with its fields in order.

A line is a row of WIDTH integers: the number of its kind, then its fields, some of several numbers. Kernels read and
write a field at its place; `read_line` returns the fields by name, for the decoders of `wallsim.trace`.
"""

from collections import namedtuple
from collections.abc import Sequence
from itertools import accumulate
from typing import Any, NamedTuple

from wallsim.errors import refuse_twice
from wallsim.rules.terms import (
    ACTION_CARDS,
    BOXES,
    BUILDINGS,
    COLOURS,
    EVENTS_PER_YEAR,
    MAX_PLAYERS,
    MAX_REVOLTS,
    REGIONS,
    SHOWN_FAVORS,
)

WIDTH = 48
# Where a county that is handed out comes from; the numbers are places in `wallsim.engine.columns.SOURCES`.
SOURCE_LINEUP, SOURCE_SHOWN, SOURCE_DECK, SOURCE_EDITED, SOURCE_DEALT = 0, 1, 2, 5, 6


class LineKind(NamedTuple):
    """A kind of line: its name in traces, and the fields after the kind's number, each with its count of numbers."""

    name: str
    fields: dict[str, int]


_declared: list[LineKind] = []


def _line(name: str, **fields: int) -> int:
    _declared.append(LineKind(name, fields))
    return len(_declared) - 1


DEAL = _line("deal", seat=1, county=1, armies=1, source=1, open_cards=2)
RECYCLE = _line("recycle", seat=1, open_cards=2)
FILL = _line("fill", dropped=COLOURS, out=COLOURS)
YEAR = _line("year", year=1, events=EVENTS_PER_YEAR)
ROUND = _line("round", year=1, season=1, order=ACTION_CARDS, tiles=MAX_PLAYERS, favors=SHOWN_FAVORS)
PLAN = _line("plan", seat=1, cards=BOXES)
EVENT = _line("event", event=1)
ORDER = _line("order", picks=MAX_PLAYERS, places=MAX_PLAYERS, tiles=MAX_PLAYERS, paid=MAX_PLAYERS)
ACTION = _line(
    "action",
    seat=1,
    action=1,
    county=1,
    outcome=1,
    paid=1,
    gain=1,
    armies=1,
    target=1,  # county moved to or attacked, or NOWHERE
    moved=1,
    attacked=1,
    markers_placed=1,
    markers_removed=1,
    parried=1,
    forced=1,
)
BATTLE = _line(
    "battle",
    kind=1,
    attacker=1,
    defender=1,
    county=1,
    origin=1,
    result=1,
    survivors=1,
    tray_before=COLOURS,
    engaged=COLOURS,
    fallen=COLOURS,
    tower_after=COLOURS,
    tray_after=COLOURS,
    year=1,
    season=1,
)
WINTER_LINE = _line("winter", seat=1, loss=1, grain=1, counties=1, shortage=1, revolts=1, revolting=MAX_REVOLTS)
SCORE = _line(
    "score", seat=1, counties=1, buildings=1, total=1, vp=1, majorities=REGIONS * len(BUILDINGS), statues=1, trophies=1
)
STATE = _line("state", snapshot=1)
LANDSKNECHTE = _line("landsknechte", seat=1, card=1, benefit=1, amount=1)
CONVERT = _line("convert", seat=1, box=1, card=1, done=1)
FAVOR = _line("favor", seat=1, number=1, space=1, county=1, amount=1, cancelled=1, calmed=1)
LEADER = _line("leader", seat=1, origin=1, county=1, statue=1, losers=1)
INTERVENTION = _line("intervention", do=1, seat=1, other=1, tile=1, gifts=4, counties=2)

LINE_KINDS = tuple(_declared)
refuse_twice("log lines", (line.name for line in LINE_KINDS))


def line_places(kind: int) -> Any:
    """Where each field of a kind begins in a line, as a tuple with the fields' names: constants for the kernels."""
    names, counts = list(LINE_KINDS[kind].fields), list(LINE_KINDS[kind].fields.values())
    places = dict(zip(names, accumulate(counts, initial=1), strict=False))
    return namedtuple("Places", names)(**places)


def read_line(numbers: Sequence[int]) -> dict[str, Any]:
    """The fields of a line by name: an int, or a list where a field has several numbers."""
    read: dict[str, Any] = {}
    place = 1
    for field, count in LINE_KINDS[numbers[0]].fields.items():
        read[field] = numbers[place] if count == 1 else list(numbers[place : place + count])
        place += count
    return read
