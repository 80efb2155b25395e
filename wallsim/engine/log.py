"""The event log of one game: integer lines and snapshots of the table, written only in the recording variant.

Every engine kernel takes `log`, which is either a Log or None. Numba compiles the two as different variants
and drops `if log is not None` branches from the second, so a game that is not recorded pays nothing. Each kind of line
is declared once, with its fields in order; `wallsim.trace.decoders` turns lines into the objects of a trace.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from wallsim.jit import count_bits, kernel, lowest_bit
from wallsim.mechanics.scoring import majority_points
from wallsim.rules.terms import (
    ACTION_CARDS,
    BOXES,
    BUILDINGS,
    COLOURS,
    DEPLOY1,
    DONE,
    EVENTS_PER_YEAR,
    MAX_PLAYERS,
    MAX_REVOLTS,
    NOWHERE,
    PEASANTS,
    REGIONS,
    SHOWN_FAVORS,
    TIE,
)
from wallsim.state import tally
from wallsim.state.game import GAME

WIDTH = 48
MAX_LINES = 2048
MAX_SNAPSHOTS = 16


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
    "score",
    seat=1,
    counties=1,
    buildings=1,
    total=1,
    vp=1,
    majorities=REGIONS * len(BUILDINGS),
    statues=1,
    trophies=1,
)
STATE = _line("state", snapshot=1)
LANDSKNECHTE = _line("landsknechte", seat=1, card=1, benefit=1, amount=1)
CONVERT = _line("convert", seat=1, box=1, card=1, done=1)
FAVOR = _line("favor", seat=1, number=1, space=1, county=1, amount=1, cancelled=1, calmed=1)
LEADER = _line("leader", seat=1, origin=1, county=1, statue=1, losers=1)

LINE_KINDS = tuple(_declared)


def place_of(kind: int, field: str) -> int:
    """The first place of a field in a line of a kind; place 0 holds the kind. ValueError if it has no such field."""
    fields = LINE_KINDS[kind].fields
    return 1 + sum(list(fields.values())[: list(fields).index(field)])


def read_line(numbers: Sequence[int]) -> dict[str, Any]:
    """The fields of a line by name: an int, or a list where a field has several numbers."""
    read: dict[str, Any] = {}
    place = 1
    for field, count in LINE_KINDS[numbers[0]].fields.items():
        read[field] = numbers[place] if count == 1 else list(numbers[place : place + count])
        place += count
    return read


_TRAY_BEFORE, _ENGAGED, _FALLEN = (place_of(BATTLE, field) for field in ("tray_before", "engaged", "fallen"))
_TOWER_AFTER, _TRAY_AFTER, _WHEN = (place_of(BATTLE, field) for field in ("tower_after", "tray_after", "year"))
_MAJORITIES, _STATUES = place_of(SCORE, "majorities"), place_of(SCORE, "statues")
SOURCE_LINEUP, SOURCE_SHOWN, SOURCE_DECK = range(3)


class Log(NamedTuple):
    """`lines` int64 [MAX_LINES, WIDTH], first number the kind; `snapshots` GAME array; `used` int64 [2] of both.

    `before` is a GAME array of one element: the table as it was when an action or battle began.
    """

    lines: np.ndarray
    snapshots: np.ndarray
    used: np.ndarray
    before: np.ndarray


def new_log() -> Log:
    """An empty log with room for any one game."""
    return Log(
        np.zeros((MAX_LINES, WIDTH), np.int64),
        np.zeros(MAX_SNAPSHOTS, GAME),
        np.zeros(2, np.int64),
        np.zeros(1, GAME),
    )


@kernel
def next_line(log, kind):
    """Begin the next line, of a kind; returns its number."""
    number = log.used[0]
    log.used[0] += 1
    log.lines[number, 0] = kind
    return number


@kernel
def remember(log, game):
    """Keep the table as it is now, for a line that says what changed."""
    log.before[0] = game


@kernel
def log_deal(log, game, seat, county, armies, source):
    """A county was handed out (B1.3, B1.4); the open cards are those before the choice."""
    line = log.lines[next_line(log, DEAL)]
    line[1], line[2], line[3], line[4] = seat, county, armies, source
    line[5], line[6] = game.open_card[0], game.open_card[1]


@kernel
def log_recycle(log, game, seat):
    """Both open cards are about to go under the deck (B1.4)."""
    line = log.lines[next_line(log, RECYCLE)]
    line[1], line[2], line[3] = seat, game.open_card[0], game.open_card[1]


@kernel
def log_fill(log, game):
    """The tower was filled (B1.6): cubes dropped and fallen out, by colour."""
    line = log.lines[next_line(log, FILL)]
    for colour in range(COLOURS):
        line[1 + colour] = game.engaged[colour]
        line[1 + COLOURS + colour] = game.fallen[colour]


@kernel
def log_year(log, game):
    """Four events were laid out (B1.8)."""
    line = log.lines[next_line(log, YEAR)]
    line[1] = game.year
    for index in range(EVENTS_PER_YEAR):
        line[2 + index] = game.shown_event[index]


@kernel
def log_round(log, game):
    """Action cards, tiles and favors were laid out (B2.1, B2.2, E2)."""
    line = log.lines[next_line(log, ROUND)]
    line[1], line[2] = game.year, game.season
    for position in range(ACTION_CARDS):
        line[3 + position] = game.action_order[position]
    for box in range(MAX_PLAYERS):
        line[3 + ACTION_CARDS + box] = game.tile_on_box[box]
    for space in range(SHOWN_FAVORS):
        line[3 + ACTION_CARDS + MAX_PLAYERS + space] = game.shown_favor[space]


@kernel
def log_plan(log, game, seat):
    """A seat has planned (B2.3): a card per box."""
    line = log.lines[next_line(log, PLAN)]
    line[1] = seat
    for box in range(BOXES):
        line[2 + box] = game.card[seat, box]


@kernel
def log_event(log, game):
    """The round's event was drawn (B2.4)."""
    log.lines[next_line(log, EVENT), 1] = game.event


@kernel
def log_order(log, game, rules):
    """Boxes were picked (B4): seats in order of picking; box, tile and Thalers paid since `remember` by seat."""
    line = log.lines[next_line(log, ORDER)]
    for seat in range(rules.players):
        line[1 + seat] = game.pick[seat]
        line[1 + MAX_PLAYERS + seat] = game.place[seat]
        line[1 + 2 * MAX_PLAYERS + seat] = game.tile[seat]
        line[1 + 3 * MAX_PLAYERS + seat] = log.before[0].thalers[seat] - game.thalers[seat]


@kernel
def log_action(log, game, mind, seat, action, county, outcome):
    """A county card was resolved (B5): what changed for the seat since `remember`, and where armies went."""
    before = log.before[0]
    line = log.lines[next_line(log, ACTION)]
    line[1], line[2], line[3], line[4] = seat, action, county, outcome
    line[5] = max(0, before.thalers[seat] - game.thalers[seat])
    line[6] = _counted(before, game, seat, tally.TAXES_GAINED) + _counted(before, game, seat, tally.GRAIN_GAINED)
    line[7] = _counted(before, game, seat, tally.ARMIES_DEPLOYED)
    line[8] = NOWHERE
    if outcome == DONE and action >= DEPLOY1 and mind.armies > 0:
        line[8], line[9] = mind.target, mind.armies
        line[10] = before.owner[mind.target] != seat
    line[11] = _counted(before, game, seat, tally.MARKERS_PLACED)
    line[12] = _counted(before, game, seat, tally.MARKERS_REMOVED)
    line[13] = _counted(before, game, seat, tally.FAVOR_PARRIED)
    line[14] = _counted(before, game, seat, tally.FORCED_MOVES)


@kernel
def _counted(before, game, seat, column):
    return game.tally[seat, column] - before.tally[seat, column]


@kernel
def log_battle(log, game, kind, attacker, defender, county, origin, result):
    """A battle was fought (B6), against the table at `remember`."""
    before = log.before[0]
    line = log.lines[next_line(log, BATTLE)]
    if attacker == PEASANTS and game.fallen[PEASANTS] == game.fallen[defender]:
        result = TIE  # a revolt that ends level loses the county as well (B6.10)
    line[1], line[2], line[3], line[4], line[5] = kind, attacker, defender, county, origin
    line[6], line[7] = result, game.survivors
    for colour in range(COLOURS):
        line[_TRAY_BEFORE + colour] = before.tray[colour]
        line[_ENGAGED + colour] = game.engaged[colour]
        line[_FALLEN + colour] = game.fallen[colour]
        line[_TOWER_AFTER + colour] = game.tower[colour]
        line[_TRAY_AFTER + colour] = game.tray[colour]
    line[_WHEN], line[_WHEN + 1] = game.year, game.season


@kernel
def log_winter(log, game, seat, loss, count):
    """A seat lost grain and saw its shortage (B7.1, B7.2); only the first `count` revolting counties are written."""
    line = log.lines[next_line(log, WINTER_LINE)]
    line[1], line[2], line[3], line[4] = seat, loss, game.grain[seat], count_bits(game.land[seat])
    line[5], line[6] = game.shortage, count
    for index in range(count):
        line[7 + index] = game.revolting[index]


@kernel
def log_scores(log, game, rules):
    """A winter was scored (B7.4, M5): one line per seat, majority points by region and kind of building."""
    for seat in range(rules.players):
        line = log.lines[next_line(log, SCORE)]
        line[1], line[2] = seat, count_bits(game.land[seat])
        for kind in range(len(BUILDINGS)):
            line[3] += count_bits(game.land[seat] & game.built[kind])
        statues = game.tally[seat, tally.VP_STATUES + game.year]
        trophies = game.tally[seat, tally.VP_TROPHIES + game.year]
        line[4], line[5] = line[2] + line[3] + statues + trophies, game.vp[seat]
        line[_STATUES], line[_STATUES + 1] = statues, trophies
        for region in range(REGIONS):
            for kind in range(len(BUILDINGS)):
                leaders = game.leaders[region, kind]
                if (leaders >> seat) & 1:
                    points = majority_points(leaders, kind)
                    line[_MAJORITIES + region * len(BUILDINGS) + kind] = points
                    line[4] += points


@kernel
def log_landsknechte(log, game, seat, benefit, amount):
    """A Landsknechte card gave a benefit (L1); cards are numbered from 1."""
    line = log.lines[next_line(log, LANDSKNECHTE)]
    line[1], line[2], line[3], line[4] = seat, game.banner[seat] + 1, benefit, amount


@kernel
def log_convert(log, game, seat, box, done):
    """A petition on a court box was carried out, or not (E4)."""
    line = log.lines[next_line(log, CONVERT)]
    line[1], line[2], line[3], line[4] = seat, box, game.card[seat, box], done


@kernel
def log_favor(log, game, seat, space, favor, county, amount, cancelled):
    """A favor was taken (E5, E6), against the table at `remember`; `calmed`: a trading post removed a revolt marker."""
    line = log.lines[next_line(log, FAVOR)]
    line[1], line[2], line[3], line[4], line[5], line[6] = seat, favor, space, county, amount, cancelled
    line[7] = _counted(log.before[0], game, seat, tally.MARKERS_REMOVED)


@kernel
def log_leader(log, seat, origin, county, statue, losers):
    """A leader was placed, moved or lost (M1, M3, M4); `losers` is the mask of seats that lost a statue."""
    line = log.lines[next_line(log, LEADER)]
    line[1], line[2], line[3], line[4], line[5] = seat, origin, county, statue, losers


@kernel
def log_lost_leaders(log, game, rules):
    """One line per leader that left the board with its county since `remember` (M4)."""
    before = log.before[0]
    for seat in range(rules.players):
        if before.leader[seat] != 0 and game.leader[seat] == 0:
            log_leader(log, seat, lowest_bit(before.leader[seat]), NOWHERE, False, 0)


@kernel
def log_state(log, game):
    """Keep a snapshot of the whole table."""
    line = next_line(log, STATE)
    log.lines[line, 1] = log.used[1]
    log.snapshots[log.used[1]] = game
    log.used[1] += 1
