"""The event log of one game: integer lines and snapshots of the table, written only in the recording variant.

Every engine kernel takes `log`, which is either a Log or None. Numba compiles the two as different variants
and drops `if log is not None` branches from the second, so a game that is not recorded pays nothing.
`wallsim.engine.log_lines` declares the kinds of lines; `wallsim.trace.decoders` turns lines into the objects of a
trace.
"""

from typing import NamedTuple

import numpy as np

from wallsim.engine.log_lines import (
    ACTION,
    BATTLE,
    CONVERT,
    DEAL,
    EVENT,
    FAVOR,
    FILL,
    INTERVENTION,
    LANDSKNECHTE,
    LEADER,
    ORDER,
    PLAN,
    RECYCLE,
    ROUND,
    SCORE,
    STATE,
    WIDTH,
    WINTER_LINE,
    YEAR,
    line_places,
)
from wallsim.jit import count_bits, kernel, lowest_bit
from wallsim.mechanics.leaders import statues_standing
from wallsim.mechanics.winter import majority_points
from wallsim.rules.terms import (
    ACTION_CARDS,
    BOXES,
    BUILDINGS,
    COLOURS,
    DEPLOY1,
    DONE,
    EVENTS_PER_YEAR,
    MAX_PLAYERS,
    NO_TILE,
    NOWHERE,
    PEASANTS,
    REGIONS,
    SHOWN_FAVORS,
    TIE,
)
from wallsim.state import tally
from wallsim.state.game import GAME

MAX_LINES = 2048
MAX_SNAPSHOTS = 16

# Where the fields of a line lie
_DEAL = line_places(DEAL)
_RECYCLE = line_places(RECYCLE)
_FILL = line_places(FILL)
_YEAR = line_places(YEAR)
_ROUND = line_places(ROUND)
_PLAN = line_places(PLAN)
_EVENT = line_places(EVENT)
_ORDER = line_places(ORDER)
_ACTION = line_places(ACTION)
_BATTLE = line_places(BATTLE)
_WINTER = line_places(WINTER_LINE)
_SCORE = line_places(SCORE)
_LANDSKNECHTE = line_places(LANDSKNECHTE)
_CONVERT = line_places(CONVERT)
_FAVOR = line_places(FAVOR)
_LEADER = line_places(LEADER)
_STATE = line_places(STATE)
_INTERVENTION = line_places(INTERVENTION)


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
        np.zeros((MAX_LINES, WIDTH), np.int64), np.zeros(MAX_SNAPSHOTS, GAME), np.zeros(2, np.int64), np.zeros(1, GAME)
    )


@kernel(apart=True)
def next_line(log, kind):
    """Begin the next line, of a kind; returns its number."""
    number = log.used[0]
    log.used[0] += 1
    log.lines[number, 0] = kind
    return number


@kernel(apart=True)
def remember(log, game):
    """Keep the table as it is now, for a line that says what changed."""
    log.before[0] = game


@kernel(apart=True)
def log_deal(log, game, seat, county, armies, source):
    """A county was handed out (B1.3, B1.4); the open cards are those before the choice."""
    line = log.lines[next_line(log, DEAL)]
    line[_DEAL.seat], line[_DEAL.county] = seat, county
    line[_DEAL.armies], line[_DEAL.source] = armies, source
    for card in range(2):
        line[_DEAL.open_cards + card] = game.open_card[card]


@kernel(apart=True)
def log_recycle(log, game, seat):
    """Both open cards are about to go under the deck (B1.4)."""
    line = log.lines[next_line(log, RECYCLE)]
    line[_RECYCLE.seat] = seat
    for card in range(2):
        line[_RECYCLE.open_cards + card] = game.open_card[card]


@kernel(apart=True)
def log_fill(log, game):
    """The tower was filled (B1.6): cubes dropped and fallen out, by colour."""
    line = log.lines[next_line(log, FILL)]
    for colour in range(COLOURS):
        line[_FILL.dropped + colour] = game.engaged[colour]
        line[_FILL.out + colour] = game.fallen[colour]


@kernel(apart=True)
def log_year(log, game):
    """Four events were laid out (B1.8)."""
    line = log.lines[next_line(log, YEAR)]
    line[_YEAR.year] = game.year
    for index in range(EVENTS_PER_YEAR):
        line[_YEAR.events + index] = game.shown_event[index]


@kernel(apart=True)
def log_round(log, game):
    """Action cards, tiles and favors were laid out (B2.1, B2.2, E2)."""
    line = log.lines[next_line(log, ROUND)]
    line[_ROUND.year], line[_ROUND.season] = game.year, game.season
    for position in range(ACTION_CARDS):
        line[_ROUND.order + position] = game.action_order[position]
    for box in range(MAX_PLAYERS):
        line[_ROUND.tiles + box] = game.tile_on_box[box]
    for space in range(SHOWN_FAVORS):
        line[_ROUND.favors + space] = game.shown_favor[space]


@kernel(apart=True)
def log_plan(log, game, seat):
    """A seat has planned (B2.3): a card per box."""
    line = log.lines[next_line(log, PLAN)]
    line[_PLAN.seat] = seat
    for box in range(BOXES):
        line[_PLAN.cards + box] = game.card[seat, box]


@kernel(apart=True)
def log_event(log, game):
    """The round's event was drawn (B2.4)."""
    log.lines[next_line(log, EVENT), _EVENT.event] = game.event


@kernel(apart=True)
def log_order(log, game, rules):
    """Boxes were picked (B4): seats in order of picking; box, tile and Thalers paid since `remember` by seat."""
    line = log.lines[next_line(log, ORDER)]
    for seat in range(rules.players):
        line[_ORDER.picks + seat] = game.pick[seat]
        line[_ORDER.places + seat] = game.place[seat]
        line[_ORDER.tiles + seat] = game.tile[seat]
        line[_ORDER.paid + seat] = log.before[0].thalers[seat] - game.thalers[seat]


@kernel(apart=True)
def log_action(log, game, mind, seat, action, county, outcome):
    """A county card was resolved (B5): what changed for the seat since `remember`, and where armies went."""
    before = log.before[0]
    line = log.lines[next_line(log, ACTION)]
    line[_ACTION.seat], line[_ACTION.action] = seat, action
    line[_ACTION.county], line[_ACTION.outcome] = county, outcome
    line[_ACTION.paid] = max(0, before.thalers[seat] - game.thalers[seat])
    line[_ACTION.gain] = _counted(before, game, seat, tally.TAXES_GAINED)
    line[_ACTION.gain] += _counted(before, game, seat, tally.GRAIN_GAINED)
    line[_ACTION.armies] = _counted(before, game, seat, tally.ARMIES_DEPLOYED)
    line[_ACTION.target] = NOWHERE
    if outcome == DONE and action >= DEPLOY1 and mind.armies > 0:
        line[_ACTION.target], line[_ACTION.moved] = mind.target, mind.armies
        line[_ACTION.attacked] = before.owner[mind.target] != seat
    line[_ACTION.markers_placed] = _counted(before, game, seat, tally.MARKERS_PLACED)
    line[_ACTION.markers_removed] = _counted(before, game, seat, tally.MARKERS_REMOVED)
    line[_ACTION.parried] = _counted(before, game, seat, tally.FAVOR_PARRIED)
    line[_ACTION.forced] = _counted(before, game, seat, tally.FORCED_MOVES)


@kernel(apart=True)
def _counted(before, game, seat, column):
    return game.tally[seat, column] - before.tally[seat, column]


@kernel(apart=True)
def log_battle(log, game, kind, attacker, defender, county, origin, result):
    """A battle was fought (B6), against the table at `remember`."""
    before = log.before[0]
    line = log.lines[next_line(log, BATTLE)]
    if attacker == PEASANTS and game.fallen[PEASANTS] == game.fallen[defender]:
        result = TIE  # a revolt that ends level loses the county as well (B6.10)
    line[_BATTLE.kind], line[_BATTLE.attacker], line[_BATTLE.defender] = kind, attacker, defender
    line[_BATTLE.county], line[_BATTLE.origin] = county, origin
    line[_BATTLE.result], line[_BATTLE.survivors] = result, game.survivors
    for colour in range(COLOURS):
        line[_BATTLE.tray_before + colour] = before.tray[colour]
        line[_BATTLE.engaged + colour] = game.engaged[colour]
        line[_BATTLE.fallen + colour] = game.fallen[colour]
        line[_BATTLE.tower_after + colour] = game.tower[colour]
        line[_BATTLE.tray_after + colour] = game.tray[colour]
    line[_BATTLE.year], line[_BATTLE.season] = game.year, game.season


@kernel(apart=True)
def log_winter(log, game, seat, loss, count):
    """A seat lost grain and saw its shortage (B7.1, B7.2); only the first `count` revolting counties are written."""
    line = log.lines[next_line(log, WINTER_LINE)]
    line[_WINTER.seat], line[_WINTER.loss], line[_WINTER.grain] = seat, loss, game.grain[seat]
    line[_WINTER.counties] = count_bits(game.land[seat])
    line[_WINTER.shortage], line[_WINTER.revolts] = game.shortage, count
    for index in range(count):
        line[_WINTER.revolting + index] = game.revolting[index]


@kernel(apart=True)
def log_scores(log, game, rules):
    """A winter was scored (B7.4, M5): one line per seat, majority points by region and kind of building."""
    for seat in range(rules.players):
        line = log.lines[next_line(log, SCORE)]
        line[_SCORE.seat], line[_SCORE.counties] = seat, count_bits(game.land[seat])
        total = rules.county_points * count_bits(game.land[seat])
        for kind in range(len(BUILDINGS)):
            buildings = count_bits(game.land[seat] & game.built[kind])
            line[_SCORE.buildings] += buildings
            total += rules.building_points[kind] * buildings
        if rules.leaders and (game.year > 0 or rules.statue_points_each_winter):
            line[_SCORE.statues], line[_SCORE.trophies] = statues_standing(game, seat), game.trophies[seat]
        total += game.tally[seat, tally.VP_STATUES + game.year] + game.tally[seat, tally.VP_TROPHIES + game.year]
        line[_SCORE.total], line[_SCORE.vp] = total, game.vp[seat]
        for region in range(REGIONS):
            for kind in range(len(BUILDINGS)):
                leaders = game.leaders[region, kind]
                if (leaders >> seat) & 1:
                    points = majority_points(rules, kind, count_bits(leaders))
                    line[_SCORE.majorities + region * len(BUILDINGS) + kind] = points
                    line[_SCORE.total] += points


@kernel(apart=True)
def log_landsknechte(log, game, seat, benefit, amount):
    """A Landsknechte card gave a benefit (L1); cards are numbered from 1."""
    line = log.lines[next_line(log, LANDSKNECHTE)]
    line[_LANDSKNECHTE.seat], line[_LANDSKNECHTE.card] = seat, game.banner[seat] + 1
    line[_LANDSKNECHTE.benefit], line[_LANDSKNECHTE.amount] = benefit, amount


@kernel(apart=True)
def log_convert(log, game, seat, box, done):
    """A petition on a court box was carried out, or not (E4)."""
    line = log.lines[next_line(log, CONVERT)]
    line[_CONVERT.seat], line[_CONVERT.box] = seat, box
    line[_CONVERT.card], line[_CONVERT.done] = game.card[seat, box], done


@kernel(apart=True)
def log_favor(log, game, seat, space, favor, county, amount, cancelled):
    """A favor was taken (E5, E6), against the table at `remember`; `calmed`: a trading post removed a revolt marker."""
    line = log.lines[next_line(log, FAVOR)]
    line[_FAVOR.seat], line[_FAVOR.number], line[_FAVOR.space] = seat, favor, space
    line[_FAVOR.county], line[_FAVOR.amount], line[_FAVOR.cancelled] = county, amount, cancelled
    line[_FAVOR.calmed] = _counted(log.before[0], game, seat, tally.MARKERS_REMOVED)


@kernel(apart=True)
def log_leader(log, seat, origin, county, statue, losers):
    """A leader was placed, moved or lost (M1, M3, M4); `losers` is the mask of seats that lost a statue."""
    line = log.lines[next_line(log, LEADER)]
    line[_LEADER.seat], line[_LEADER.origin], line[_LEADER.county] = seat, origin, county
    line[_LEADER.statue], line[_LEADER.losers] = statue, losers


@kernel(apart=True)
def log_lost_leaders(log, game, rules):
    """One line per leader that left the board with its county since `remember` (M4)."""
    before = log.before[0]
    for seat in range(rules.players):
        if before.leader[seat] != 0 and game.leader[seat] == 0:
            log_leader(log, seat, lowest_bit(before.leader[seat]), NOWHERE, False, 0)


@kernel(apart=True)
def log_intervention(log, do, seat):
    """The experiment changed something; returns the line, for what was changed."""
    number = next_line(log, INTERVENTION)
    line = log.lines[number]
    line[_INTERVENTION.do], line[_INTERVENTION.seat] = do, seat
    line[_INTERVENTION.other], line[_INTERVENTION.tile] = NOWHERE, NO_TILE
    line[_INTERVENTION.counties], line[_INTERVENTION.counties + 1] = NOWHERE, NOWHERE
    return number


@kernel(apart=True)
def name_gifts(log, number, thalers, grain, points, armies):
    """Write the amounts that were really moved into the line of an intervention."""
    line = log.lines[number]
    line[_INTERVENTION.gifts], line[_INTERVENTION.gifts + 1] = thalers, grain
    line[_INTERVENTION.gifts + 2], line[_INTERVENTION.gifts + 3] = points, armies


@kernel(apart=True)
def name_counties(log, number, one, other):
    """Write one or two counties into the line of an intervention."""
    log.lines[number, _INTERVENTION.counties], log.lines[number, _INTERVENTION.counties + 1] = one, other


@kernel(apart=True)
def name_tile(log, number, tile, other):
    """Write a tile or another seat into the line of an intervention."""
    log.lines[number, _INTERVENTION.tile], log.lines[number, _INTERVENTION.other] = tile, other


@kernel(apart=True)
def log_state(log, game):
    """Keep a snapshot of the whole table."""
    line = next_line(log, STATE)
    log.lines[line, _STATE.snapshot] = log.used[1]
    log.snapshots[log.used[1]] = game
    log.used[1] += 1
