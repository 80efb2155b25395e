"""The event log of one game: integer lines and snapshots of the table, written only in the recording variant.

Every engine kernel takes `log`, which is either a Log or None. Numba compiles the two as different variants
and drops `if log is not None` branches from the second, so a game that is not recorded pays nothing.
`wallsim.trace.json_lines` decodes the lines.
"""

from typing import NamedTuple

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

KINDS = (
    "deal",
    "recycle",
    "fill",
    "year",
    "round",
    "plan",
    "event",
    "order",
    "action",
    "battle",
    "winter",
    "score",
    "state",
    "landsknechte",
    "convert",
    "favor",
    "leader",
)
(
    DEAL,
    RECYCLE,
    FILL,
    YEAR,
    ROUND,
    PLAN,
    EVENT,
    ORDER,
    ACTION,
    BATTLE,
    WINTER_LINE,
    SCORE,
    STATE,
    LANDSKNECHTE,
    CONVERT,
    FAVOR,
    LEADER,
) = range(17)
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
    """An empty log with room for one game of any length that the rules allow."""
    return Log(
        np.zeros((MAX_LINES, WIDTH), np.int64),
        np.zeros(MAX_SNAPSHOTS, GAME),
        np.zeros(2, np.int64),
        np.zeros(1, GAME),
    )


@kernel
def next_line(log, kind):
    """Claim the next line for a kind; returns its number."""
    number = log.used[0]
    log.used[0] += 1
    log.lines[number, 0] = kind
    return number


@kernel
def remember(log, game):
    """Keep the table as it is now, for a line that tells what changed."""
    log.before[0] = game


@kernel
def log_deal(log, game, seat, county, armies, source):
    """A county was handed out (B1.3, B1.4): seat, county, armies, source, the two open cards before the choice."""
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
    """The tower was filled (B1.6): dropped and out by colour."""
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
    """A seat has planned (B2.3): a card a box."""
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
    """Boxes were picked (B4): seats in order of picking, box and tile by seat, Thalers paid since `remember`."""
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
    """A battle was fought (B6), against the table at `remember`; see `wallsim.trace.json_lines` for the columns."""
    before = log.before[0]
    line = log.lines[next_line(log, BATTLE)]
    if attacker == PEASANTS and game.fallen[PEASANTS] == game.fallen[defender]:
        result = TIE  # a revolt that ends level loses the county as well (B6.10)
    line[1], line[2], line[3], line[4], line[5] = kind, attacker, defender, county, origin
    line[6], line[7] = result, game.survivors
    for colour in range(COLOURS):
        line[8 + colour] = before.tray[colour]
        line[8 + COLOURS + colour] = game.engaged[colour]
        line[8 + 2 * COLOURS + colour] = game.fallen[colour]
        line[8 + 3 * COLOURS + colour] = game.tower[colour]
        line[8 + 4 * COLOURS + colour] = game.tray[colour]
    line[8 + 5 * COLOURS] = game.year
    line[9 + 5 * COLOURS] = game.season


@kernel
def log_winter(log, game, seat, loss, count):
    """A seat met winter (B7.1, B7.2): loss, grain, counties, shortage and the revolting counties."""
    line = log.lines[next_line(log, WINTER_LINE)]
    line[1], line[2], line[3], line[4] = seat, loss, game.grain[seat], count_bits(game.land[seat])
    line[5], line[6] = game.shortage, count
    for index in range(count):
        line[7 + index] = game.revolting[index]


@kernel
def log_scores(log, game, rules):
    """A winter was scored (B7.4, M5), a line a seat.

    Counties, buildings, total, VP so far, points by region and kind, then those for statues and trophies.
    """
    for seat in range(rules.players):
        line = log.lines[next_line(log, SCORE)]
        line[1], line[2] = seat, count_bits(game.land[seat])
        for kind in range(len(BUILDINGS)):
            line[3] += count_bits(game.land[seat] & game.built[kind])
        statues = game.tally[seat, tally.VP_STATUES + game.year]
        trophies = game.tally[seat, tally.VP_TROPHIES + game.year]
        line[4], line[5] = line[2] + line[3] + statues + trophies, game.vp[seat]
        line[6 + REGIONS * len(BUILDINGS)], line[7 + REGIONS * len(BUILDINGS)] = statues, trophies
        for region in range(REGIONS):
            for kind in range(len(BUILDINGS)):
                leaders = game.leaders[region, kind]
                if (leaders >> seat) & 1:
                    points = majority_points(leaders, kind)
                    line[6 + region * len(BUILDINGS) + kind] = points
                    line[4] += points


@kernel
def log_landsknechte(log, game, seat, benefit, amount):
    """A Landsknechte card gave a benefit (L1): seat, number of the card from 1, benefit, amount."""
    line = log.lines[next_line(log, LANDSKNECHTE)]
    line[1], line[2], line[3], line[4] = seat, game.banner[seat] + 1, benefit, amount


@kernel
def log_convert(log, game, seat, box, done):
    """A petition on a court box was carried out, or not (E4): seat, box, card, whether it was done."""
    line = log.lines[next_line(log, CONVERT)]
    line[1], line[2], line[3], line[4] = seat, box, game.card[seat, box], done


@kernel
def log_favor(log, game, seat, space, favor, county, amount, cancelled):
    """A favor was taken (E5, E6), against the table at `remember`.

    Seat, number, space, county or NOWHERE, what was gained, whether the event was cancelled, and whether a trading
    post removed a revolt marker.
    """
    line = log.lines[next_line(log, FAVOR)]
    line[1], line[2], line[3], line[4], line[5], line[6] = seat, favor, space, county, amount, cancelled
    line[7] = _counted(log.before[0], game, seat, tally.MARKERS_REMOVED)


@kernel
def log_leader(log, seat, origin, county, statue, losers):
    """A leader was placed, moved or lost (M1, M3, M4): seat, counties or NOWHERE, statue left, who lost statues."""
    line = log.lines[next_line(log, LEADER)]
    line[1], line[2], line[3], line[4], line[5] = seat, origin, county, statue, losers


@kernel
def log_lost_leaders(log, game, rules):
    """A line for each leader that left the board with its county since `remember` (M4)."""
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
