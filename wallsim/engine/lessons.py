"""Lessons: plans of a seat, fixed before any result is seen, and what came of each on tables that might be real.

A lesson is one seat before one round of a game. Its planner makes a plan; others follow with errors of judgement, and
by exchanging cards. All are tried on the same tables, on which what is hidden is dealt again and the other seats plan
as those who sit there. Nothing is chosen by its results, so that means of results have no bias (expert iteration:
Anthony, Tian and Barber 2017).
"""

from __future__ import annotations

import numpy as np

from wallsim.engine.candidates import become_plain, exchange_cards
from wallsim.engine.opening import open_game
from wallsim.engine.rollout import deal_table, try_plan
from wallsim.engine.season import carry_out, end_year, open_round, plan_all, play_winter
from wallsim.jit import copy_record, kernel
from wallsim.policies.balanced import plan as balanced_plan
from wallsim.policies.correction.features import COUNTY_FEATURES, TABLE_FEATURES
from wallsim.policies.record import NOTES_END
from wallsim.policies.weights import NOISE, TEMPERATURE
from wallsim.rules.terms import BASE_BOXES, MONEY_CARDS, WINTER, YEARS
from wallsim.state.random import GAMMA, SEAT, below, mix
from wallsim.state.setup import show_events

MAX_COUNTIES = 24  # of a seat in a lesson; one with more gives none
NO_COLUMN = -1

LESSON = np.dtype(
    [
        ("moment", np.int8),  # the round, 0 to 5
        ("counties", np.int8),
        ("thalers", np.int16),
        ("table", np.float32, (len(TABLE_FEATURES),)),
        ("fact", np.float32, (MAX_COUNTIES, len(COUNTY_FEATURES))),
    ]
)


@kernel(apart=True)
def play_lessons(
    game, seed, first, count, rules, players, script, planner, advice, trial, pupils, plans, tables, spread, lessons,
    columns, results,
):  # fmt: skip
    """Play games `first` to `first + count - 1` of `seed` and take a lesson in each round; returns how many there are.

    `pupils` is a mask of seats; one of these, drawn anew each round, is taught. `lessons`, a LESSON array, receives
    what it sees, `columns`, int8 [lessons, plans, BASE_BOXES], where each card of each plan lies among its cards, and
    `results`, float32 [lessons, plans, tables], what came of it. `spread`: the largest errors of judgement, in VP.
    """
    done = 0
    for index in range(count):
        open_game(game, seed, first + index, rules, players, script, None)
        for year in range(YEARS):
            game.year = year
            show_events(game)
            for season in range(WINTER):
                game.season = season
                open_round(game, rules)
                key = mix(game.key + np.uint64(1 + season + WINTER * year) * GAMMA)
                seat = _pupil(rules, pupils, key)
                if _fits(game, seat):
                    made = _take_lesson(
                        game, rules, players.seat[seat], planner, seat, trial, plans, spread, lessons[done],
                        columns[done],
                    )  # fmt: skip
                    for number in range(tables):
                        table_key = mix(key + np.uint64(number + 1) * GAMMA)
                        deal_table(game, rules, players, planner, seat, advice, trial, number, table_key)
                        for plan in range(made):
                            results[done, plan, number] = try_plan(rules, planner, seat, advice, trial, number, plan)
                    for plan in range(made, plans):
                        columns[done, plan, :] = NO_COLUMN
                        results[done, plan, :] = np.nan
                    done += 1
                plan_all(game, rules, players, script, None)
                carry_out(game, rules, players, script, None, None)
            play_winter(game, rules, players, script, None)
            end_year(game, rules, None)
    return done


@kernel
def _pupil(rules, pupils, key):
    """One of the seats of the mask."""
    seat = np.int64(key % np.uint64(rules.players))
    while (pupils >> seat) & 1 == 0:
        seat = (seat + 1) % rules.players
    return seat


@kernel
def _fits(game, seat):
    land, counties = game.land[seat], 0
    while land != 0:
        land &= land - 1
        counties += 1
    return counties <= MAX_COUNTIES


@kernel
def _take_lesson(game, rules, mind, planner, seat, trial, plans, spread, lesson, columns):
    """Fill `trial.plan` with plans, that of the mind first, and write down what the seat sees; returns how many."""
    place = game.year * WINTER + game.season
    copy_record(planner, mind, NOTES_END)
    become_plain(planner)
    planner.phase_weight[place, TEMPERATURE] = 0.0
    planner.phase_weight[place, NOISE] = 0.0
    balanced_plan.choose_plan(game, rules, planner, seat)
    counties = _write(game, planner, seat, place, lesson)
    trial.plan[0] = planner.plan
    _note_columns(planner, counties, trial.plan[0], columns[0])
    wide = plans // 2
    for number in range(1, wide):
        planner.phase_weight[place, NOISE] = spread * number / wide
        balanced_plan.choose_plan(game, rules, planner, seat)
        trial.plan[number] = planner.plan
        _note_columns(planner, counties, trial.plan[number], columns[number])
    made = wide
    while made < plans:
        base = 0 if below(game, SEAT + seat, 2) == 0 else below(game, SEAT + seat, made)
        if not exchange_cards(game, rules, seat, trial, made, base, below(game, SEAT + seat, made)):
            break
        _note_columns(planner, counties, trial.plan[made], columns[made])
        made += 1
    return made


@kernel
def _write(game, planner, seat, place, lesson):
    counties = 0
    land = game.land[seat]
    while land != 0:
        land &= land - 1
        for feature in range(len(COUNTY_FEATURES)):
            lesson.fact[counties, feature] = planner.fact[counties, feature]
        counties += 1
    for feature in range(len(TABLE_FEATURES)):
        lesson.table[feature] = planner.table_fact[feature]
    lesson.moment, lesson.counties, lesson.thalers = place, counties, game.thalers[seat]
    return counties


@kernel
def _note_columns(planner, counties, plan, columns):
    """Where each card of a plan lies among the cards in hand: counties, then money; NO_COLUMN for no card."""
    for box in range(BASE_BOXES):
        columns[box] = NO_COLUMN
        for column in range(counties + MONEY_CARDS):
            if planner.hand[column] == plan[box]:
                columns[box] = column
