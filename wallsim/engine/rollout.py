"""Search: a plan is chosen by playing candidates out, many times, on tables that might be the real one.

At planning time the seat makes some candidate plans: that of its weights, and others that the same weights make when
they judge with errors. All are tried on the same tables: what is hidden is dealt again at random, and all seats play by
the searcher's weights, with small errors, to the end of the year or of the game. The better half of the plans is tried
on more tables, until one is left (sequential halving: Karnin, Koren and Somekh 2013). Within a round the seat decides
by its weights.

A search looks at nothing that the seat may not know (B3.5): it never reads the others' minds, and draws random numbers
from its own stream.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from wallsim.engine.hidden import deal_hidden
from wallsim.engine.season import carry_out, end_year, moment_of, play_round, play_winter, put_cards
from wallsim.jit import copy_record, entry_point, kernel, record_at
from wallsim.mechanics.scoring import rank_of
from wallsim.policies.balanced import plan as balanced_plan
from wallsim.policies.custom.guards import guards
from wallsim.policies.questions import PLAN
from wallsim.policies.record import (
    BALANCED,
    MAX_WIDTH,
    MIND,
    NOTES_END,
    PLAYERS,
    SEARCH_ERROR,
    SEARCH_MARGIN,
    SEARCH_PLAYOUTS,
    SEARCH_SPREAD,
    SEARCH_TO_THE_END,
    SEARCH_WIDTH,
)
from wallsim.policies.weights import NOISE
from wallsim.rules.record import RULES
from wallsim.rules.terms import BOXES, MAX_PLAYERS, WINTER, YEARS
from wallsim.state.game import GAME, GAME_SIZE
from wallsim.state.random import GAMMA, SEAT, draw, key_streams, mix
from wallsim.state.setup import show_events

_THOUSANDTH = 0.001

TRIAL = np.dtype(
    (
        np.record,
        [
            ("dealt", GAME),  # what is hidden dealt again, the others' cards on their mats
            ("game", GAME),  # on which one plan is played out
            ("ready", PLAYERS),  # minds after planning
            ("players", PLAYERS),
            ("plan", np.int64, (MAX_WIDTH, BOXES)),
            ("score", np.float64, (MAX_WIDTH,)),  # sum over the tables on which the plan was tried
            ("order", np.int64, (MAX_WIDTH,)),  # plans still in question, best first
        ],
    ),
    align=True,
)
_trial_at = record_at(TRIAL)


@kernel(apart=True)
def search_plan(game, rules, mind, seat):
    """Fill `mind.plan` with the plan that did best when played out."""
    trial = _trial_at(mind.scratch)
    key = draw(game, SEAT + seat)
    plans = _make_candidates(game, rules, mind, seat, trial)
    _seat_searcher_everywhere(rules, mind, seat, trial)
    stages = 0
    while 1 << stages < plans:
        stages += 1
    tables, left = 0, plans
    for _ in range(stages):
        more = max(1, mind.search[SEARCH_PLAYOUTS] // (stages * left))
        for number in range(tables, tables + more):
            _deal(game, rules, seat, trial, mix(key + np.uint64(number) * GAMMA))
            for place in range(left):
                plan = trial.order[place]
                trial.score[plan] += _try(rules, mind, seat, trial, trial.plan[plan])
        tables += more
        _sort(trial, left)
        left = (left + 1) // 2
    mind.plan[:] = trial.plan[trial.order[0]]


@kernel
def _make_candidates(game, rules, mind, seat, trial):
    """Fill `trial.plan` with different plans, that of the weights first; returns how many."""
    plans, noise = 0, mind.weight[NOISE]
    width = min(mind.search[SEARCH_WIDTH], MAX_WIDTH)
    for number in range(width):
        mind.weight[NOISE] = _THOUSANDTH * mind.search[SEARCH_SPREAD] * number / width
        balanced_plan.choose_plan(game, rules, mind, seat)
        trial.plan[plans] = mind.plan
        if not _is_known(rules, trial, plans):
            trial.score[plans] = 0.0
            trial.order[plans] = plans
            plans += 1
    mind.weight[NOISE] = noise
    return plans


@kernel
def _is_known(rules, trial, plan):
    """Whether an earlier plan is the same."""
    for other in range(plan):
        same = True
        for box in range(rules.boxes):
            same &= trial.plan[other, box] == trial.plan[plan, box]
        if same:
            return True
    return False


@kernel
def _seat_searcher_everywhere(rules, mind, seat, trial):
    """Give every seat of the trial table the searcher's weights, its own seat also the searcher's notes."""
    for other in range(rules.players):
        there = trial.ready.seat[other]
        if other == seat:
            copy_record(there, mind, NOTES_END)
        there.kind = BALANCED
        there.custom = 0
        there.custom_answer[:] = 0
        there.weight[:] = mind.weight
        there.weight[NOISE] = _THOUSANDTH * mind.search[SEARCH_ERROR]


@kernel
def _deal(game, rules, seat, trial, key):
    """Deal the hidden parts of the table again, and let the others plan."""
    dealt = trial.dealt
    copy_record(dealt, game, GAME_SIZE)
    dealt.key = key
    key_streams(dealt, moment_of(dealt))
    deal_hidden(dealt, rules)
    for other in range(rules.players):
        dealt.lost[other] = 0
        if other != seat:
            balanced_plan.choose_plan(dealt, rules, trial.ready.seat[other], other)
            put_cards(dealt, rules, other, trial.ready.seat[other].plan)


@kernel
def _try(rules, mind, seat, trial, plan):
    """Play one plan out on the table as it was dealt; returns what came of it."""
    game, players = trial.game, trial.players
    copy_record(game, trial.dealt, GAME_SIZE)
    for other in range(rules.players):
        copy_record(players.seat[other], trial.ready.seat[other], NOTES_END)
    players.seat[seat].plan[:] = plan
    put_cards(game, rules, seat, plan)
    carry_out(game, rules, players, None)
    last = YEARS - 1 if mind.search[SEARCH_TO_THE_END] else game.year
    while True:
        while game.season < WINTER - 1:
            game.season += 1
            play_round(game, rules, players, None)
        play_winter(game, rules, players, None)
        end_year(game, rules, None)
        if game.year == last:
            break
        game.year += 1
        game.season = -1
        show_events(game)
    return _success(game, rules, seat, _THOUSANDTH * mind.search[SEARCH_MARGIN])


@kernel
def _success(game, rules, seat, margin):
    """The share in the win, and so much for each victory point ahead of the best other seat (B7.6)."""
    best, winners = -1, 0
    for other in range(rules.players):
        winners += rank_of(game, rules, other) == 1
        best = max(best, game.vp[other] if other != seat else -1)
    share = 1.0 / winners if rank_of(game, rules, seat) == 1 else 0.0
    return share + margin * (game.vp[seat] - best)


@kernel
def _sort(trial, count):
    """Put the first `count` plans in question into the order of their scores, the best first."""
    for last in range(1, count):
        plan = trial.order[last]
        place = last
        while place > 0 and trial.score[trial.order[place - 1]] < trial.score[plan]:
            trial.order[place] = trial.order[place - 1]
            place -= 1
        trial.order[place] = plan


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
