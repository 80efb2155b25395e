"""Search: a plan is chosen by playing candidates out, many times, on tables that might be the real one.

At planning time the seat makes some plans by several policies' weights, then others by exchanging cards of the best
(`candidates.py`). All are tried on the same tables: what is hidden is dealt again at random, and all seats play to the
end of the round, the year or the game; where the game is not over, a learned value says how it stands. Each plan races
against the best one so far, table by table, and is dropped as soon as it falls behind (as in the races of Maron and
Moore 1994, with paired differences). Within a round the seat decides by its weights.

A search looks at nothing that the seat may not know (B3.5): it never reads the others' minds, and draws random numbers
from its own stream.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from wallsim.engine.actions import perform_action
from wallsim.engine.candidates import become_plain, exchange_cards, make_candidates
from wallsim.engine.hidden import deal_hidden
from wallsim.engine.season import come_to_actions, end_round, end_year, moment_of, play_round, play_winter, put_cards
from wallsim.jit import copy_part, copy_record, entry_point, kernel, record_at
from wallsim.mechanics.auction import list_agenda
from wallsim.mechanics.winter import rank_of
from wallsim.policies.advice import ADVICE
from wallsim.policies.balanced import plan as balanced_plan
from wallsim.policies.custom.guards import guards
from wallsim.policies.kinds import MAX_ADVISERS, MAX_TABLES, MAX_WIDTH
from wallsim.policies.questions import PLAN
from wallsim.policies.record import (
    MIND,
    NOTES_END,
    PLAYERS,
    SEARCH_CASTS,
    SEARCH_DEPTH,
    SEARCH_ERROR,
    SEARCH_EXCHANGES,
    SEARCH_FIRST_LOOK,
    SEARCH_MARGIN,
    SEARCH_PATIENCE,
    SEARCH_PLAYOUTS,
    SEARCH_RIVALS,
    SEARCH_TABLES,
    SEARCH_WIDTH,
    SETTINGS_END,
)
from wallsim.policies.search import BY_ACTION, TO_ROUND, TO_YEAR
from wallsim.policies.value.model import LEAD, OUTLOOK, WIN, look_ahead
from wallsim.policies.weights import BID_NOISE, NOISE, TEMPERATURE
from wallsim.rules.record import RULES
from wallsim.rules.script import SCRIPT
from wallsim.rules.terms import ACTION_CARDS, BOXES, MAX_PLAYERS, WINTER, YEARS
from wallsim.state.game import GAME
from wallsim.state.random import GAMMA, SEAT, TOWER, below, draw, key_streams, mix, skip
from wallsim.state.setup import show_events

_THOUSANDTH = 0.001
AS_WEIGHTS = -1  # in place of the search's errors of judgement: each seat has those of its own weights
AS_SEARCHER = -1  # in place of an adviser's number: with the weights that the seat has anyway
_LEAST_RIVALS = 4  # plans for which there are playouts on all tables, that of the weights included
_ONE = np.uint64(1)
_CASTS_OF_ACTION = 1 << 12  # random numbers set aside for the casts of one county card, if it has its own
_STRIDE = 7  # tables between those that two challengers meet first
# A table without its scratch and its counts for the result tables, which nobody reads while a plan is tried.
_TABLE_END, _REST, _REST_END = (GAME.fields[name][1] for name in ("falling", "revolting", "tally"))  # type: ignore[index]

TRIAL = np.dtype(
    (
        np.record,
        [
            ("dealt", GAME, (MAX_TABLES,)),  # what is hidden dealt again, the others' cards on their mats
            ("ready", PLAYERS, (MAX_TABLES,)),  # minds after planning
            ("players", PLAYERS, (MAX_TABLES,)),  # and while a plan is tried
            ("game", GAME),  # on which one plan is tried
            ("script", SCRIPT),  # without steps: who searches knows of no interventions
            ("planner", MIND),
            ("planned", np.int64, (MAX_PLAYERS, MAX_ADVISERS + 1)),  # by seat and weights: 1 + the first such table
            ("outlook", OUTLOOK),
            ("plan", np.int64, (2 * MAX_WIDTH, BOXES)),
            ("result", np.float64, (2 * MAX_WIDTH, MAX_TABLES)),  # of a plan on a table, where it was tried
        ],
    ),
    align=True,
)
_trial_at, _advice_at = record_at(TRIAL), record_at(ADVICE)


@kernel(apart=True)
def search_plan(game, rules, mind, seat):
    """Fill `mind.plan` with the plan that did best when tried."""
    trial, advice = _trial_at(mind.scratch), _advice_at(mind.advice)
    trial.script.count = 0
    trial.planned[:, :] = 0
    key = draw(game, SEAT + seat)
    plans = make_candidates(game, rules, mind, seat, advice, trial)
    playouts = mind.search[SEARCH_PLAYOUTS]
    tables = min(mind.search[SEARCH_TABLES], MAX_TABLES, max(1, playouts // _LEAST_RIVALS))
    for number in range(tables):
        deal_table(game, rules, None, mind, seat, advice, trial, number, mix(key + np.uint64(number) * GAMMA))
        trial.result[0, number] = try_plan(rules, mind, seat, advice, trial, number, 0)
    best, left, ready = 0, playouts - tables, plans
    last = plans + min(mind.search[SEARCH_EXCHANGES], MAX_WIDTH)
    challenger = 1
    while left > 0 and challenger < last:
        if challenger >= ready:
            other = below(game, SEAT + seat, plans)
            if not exchange_cards(game, rules, seat, trial, challenger, best, other):
                last -= 1
                continue
            ready += 1
        tried, better = _race(rules, mind, seat, advice, trial, tables, best, challenger, left)
        left -= tried
        if better:
            best = challenger
        challenger += 1
    mind.plan[:] = trial.plan[best]


@kernel
def _race(rules, mind, seat, advice, trial, tables, best, challenger, left):
    """Try a challenger on the tables, one after the other, as long as it may be better than the best.

    It is dropped once it is behind by more than so many standard errors of its lead as the search has patience, or does
    exactly as well. Returns how many tables it was tried on, and whether it came out ahead on all of them.
    """
    lead, square = 0.0, 0.0
    first_look, patience = mind.search[SEARCH_FIRST_LOOK], _THOUSANDTH * mind.search[SEARCH_PATIENCE]
    for turn in range(tables):
        number = (turn + challenger * _STRIDE) % tables  # so that not the same tables decide about all
        if turn == left:
            return turn, False
        result = try_plan(rules, mind, seat, advice, trial, number, challenger)
        trial.result[challenger, number] = result
        ahead = result - trial.result[best, number]
        lead += ahead
        square += ahead * ahead
        if turn + 1 >= first_look and (square == 0.0 or (lead < 0.0 and lead * lead > patience * patience * square)):
            return turn + 1, False
    return tables, lead > 0.0


@kernel
def deal_table(game, rules, players, mind, seat, advice, trial, number, key):
    """Deal the hidden parts of the table again, as table `number`, and let the others plan.

    They do by the minds of `players` or, where these are None, by those that the searcher supposes. All seats judge
    with the errors of the search, or with those of their own weights for AS_WEIGHTS.

    For None, a seat that judges without errors has the same plan on all tables, since it depends on nothing hidden. It
    plans once for each set of weights, on the first table where it has them; `trial.planned` says which one that is.
    """
    dealt, ready = trial.dealt[number], trial.ready[number]
    copy_part(dealt, game, 0, _TABLE_END)
    copy_part(dealt, game, _REST, _REST_END)
    dealt.key = key
    key_streams(dealt, moment_of(dealt))
    deal_hidden(dealt, rules)
    for other in range(rules.players):
        dealt.lost[other] = 0
        there = ready.seat[other]
        word = mix(key + np.uint64(other + 1))
        adviser = AS_SEARCHER
        if other != seat and mind.search[SEARCH_RIVALS] != 0 and advice.advisers > 0 and word & _ONE == _ONE:
            adviser = np.int64((word >> _ONE) % np.uint64(advice.advisers))
        planned = 0
        if players is None:
            planned = trial.planned[other, adviser + 1]
        if planned > 0:
            _copy_mind(mind, there, trial.ready[planned - 1].seat[other])
        else:
            if players is not None and other != seat:
                copy_record(there, players.seat[other], SETTINGS_END)
            else:
                copy_record(there, mind, NOTES_END if other == seat else SETTINGS_END)
            become_plain(there)
            _judge_as(mind, advice, there, adviser)
            if other != seat:
                balanced_plan.choose_plan(dealt, rules, there, other)
            if players is None and (other == seat or not _errs(there)):
                trial.planned[other, adviser + 1] = number + 1
        if other != seat:
            put_cards(dealt, rules, other, there.plan)
        if _minds_at(mind, number) == number:
            copy_part(trial.players[number].seat[other], there, 0, SETTINGS_END)


@kernel
def _minds_at(mind, number):
    """The place in `trial.players` of the minds that play on table `number`.

    Up to the end of the round all tables share one, so that it stays in the processor's nearest cache: without another
    plan a mind decides by its notes and the weights of the round alone, which `begin_trial` puts there.
    """
    return 0 if mind.search[SEARCH_DEPTH] == TO_ROUND else number


@kernel
def _copy_mind(mind, there, planned):
    """Copy a mind that has planned on another table: all that it plays on by."""
    if mind.search[SEARCH_DEPTH] == TO_ROUND:
        copy_part(there, planned, SETTINGS_END, NOTES_END)
        there.weight[:] = planned.weight
    else:
        copy_record(there, planned, NOTES_END)


@kernel
def _judge_as(mind, advice, there, adviser):
    """Give a mind on a dealt table the weights of an adviser, if it is to have any, and the errors of the search."""
    if adviser != AS_SEARCHER:
        there.phase_weight[:, :] = advice.phase_weight[adviser]
        there.correction = advice.correction[adviser]
    if mind.search[SEARCH_ERROR] != AS_WEIGHTS:
        there.phase_weight[:, NOISE] = _THOUSANDTH * mind.search[SEARCH_ERROR]
        there.phase_weight[:, TEMPERATURE] = 0.0
        there.weight[NOISE], there.weight[TEMPERATURE] = _THOUSANDTH * mind.search[SEARCH_ERROR], 0.0


@kernel
def _errs(mind):
    """Whether a mind that has planned drew random numbers for it."""
    return mind.weight[NOISE] > 0.0 or mind.weight[TEMPERATURE] > 0.0 or mind.weight[BID_NOISE] > 0.0


@kernel
def try_plan(rules, mind, seat, advice, trial, number, plan):
    """Play one plan out on a table as it was dealt; returns what came of it."""
    game, players = trial.game, trial.players[_minds_at(mind, number)]
    begin_trial(rules, mind, trial, number)
    players.seat[seat].plan[:] = trial.plan[plan]
    put_cards(game, rules, seat, trial.plan[plan])
    come_to_actions(game, rules, players, trial.script, None, None)
    start = game.random[TOWER]
    for entry in range(list_agenda(game, rules)):
        if mind.search[SEARCH_CASTS] == BY_ACTION:
            game.random[TOWER] = start
            skip(game, TOWER, _CASTS_OF_ACTION * (MAX_PLAYERS * game.agenda[entry, 0] + game.agenda[entry, 1] + 1))
        perform_action(game, rules, players, entry, None, None)
    game.actions_done = ACTION_CARDS
    end_round(game, rules, players, None)
    return play_on(rules, mind, seat, advice, trial, number)


@kernel
def begin_trial(rules, mind, trial, number):
    """Put the table as it was dealt, and the minds as they were, where one plan is tried; `mind` is the searcher's."""
    game, players = trial.game, trial.players[_minds_at(mind, number)]
    copy_part(game, trial.dealt[number], 0, _TABLE_END)
    copy_part(game, trial.dealt[number], _REST, _REST_END)
    for other in range(rules.players):
        ready = trial.ready[number].seat[other]
        copy_part(players.seat[other], ready, SETTINGS_END, NOTES_END)
        players.seat[other].weight[:] = ready.weight


@kernel
def play_on(rules, mind, seat, advice, trial, number):
    """Play on after a round, to where the search looks ahead; returns what came of it for the seat."""
    game, players = trial.game, trial.players[_minds_at(mind, number)]
    depth = mind.search[SEARCH_DEPTH]
    last = game.year if depth == TO_YEAR else YEARS - 1
    while depth != TO_ROUND or game.season == WINTER - 1:
        while game.season < WINTER - 1:
            game.season += 1
            play_round(game, rules, players, trial.script, None, None)
        play_winter(game, rules, players, trial.script, None)
        end_year(game, rules, None)
        if game.year == last or depth == TO_ROUND:
            break
        game.year += 1
        game.season = -1
        show_events(game)
    margin = _THOUSANDTH * mind.search[SEARCH_MARGIN]
    if advice.valued != 0 and (game.year < YEARS - 1 or game.season < WINTER):
        look_ahead(game, rules, advice.values, trial.outlook)
        return trial.outlook.outlook[seat, WIN] + margin * trial.outlook.outlook[seat, LEAD]
    return _success(game, rules, seat, margin)


@kernel
def _success(game, rules, seat, margin):
    """The share in the win, and so much for each victory point ahead of the best other seat (B7.6)."""
    best, winners = -1, 0
    for other in range(rules.players):
        winners += rank_of(game, rules, other) == 1
        best = max(best, game.vp[other] if other != seat else -1)
    share = 1.0 / winners if rank_of(game, rules, seat) == 1 else 0.0
    return share + margin * (game.vp[seat] - best)


@cache
def _search_entry():
    return entry_point(search_plan, (GAME, RULES, MIND), 1, False)


def seat_searchers(players: np.ndarray) -> np.ndarray:
    """Give each seat of a PLAYERS array that searches the address of its search and of a table to try plans on.

    Returns the array of one TRIAL, or of none, that the caller must keep while the players play.
    """
    searchers = [mind for mind in (players[0].seat[seat] for seat in range(MAX_PLAYERS)) if mind.search[SEARCH_WIDTH]]
    trials = np.zeros(1 if searchers else 0, TRIAL)
    for mind in searchers:
        mind.custom = 1
        mind.guard[:] = guards()
        mind.custom_answer[PLAN] = _search_entry()
        mind.scratch = trials.ctypes.data
    return trials
