"""Advice on a plan: the moment before a seat plans, plans that it may make, and what comes of them on dealt tables.

Nothing of the real hidden cards is used: each table deals them again, and the other seats plan as the minds that are
given. A plan is played out to the end of the game, and its result is its share in the win, with a margin for points.
"""

import numpy as np

from wallsim.engine.candidates import become_plain, exchange_cards
from wallsim.engine.interventions import fill_hands
from wallsim.engine.opening import open_game
from wallsim.engine.rollout import AS_WEIGHTS, deal_table, try_plan
from wallsim.engine.season import end_year, moment_of, open_round, plan_all, play_round, play_winter
from wallsim.jit import copy_record, kernel
from wallsim.policies.balanced import plan as balanced_plan
from wallsim.policies.balanced.chance import is_listed
from wallsim.policies.record import NOTES_END, SEARCH_ERROR
from wallsim.policies.weights import NOISE, TEMPERATURE
from wallsim.rules.terms import WINTER, YEARS
from wallsim.state.game import GAME_SIZE
from wallsim.state.random import GAMMA, SEAT, below, key_streams, mix
from wallsim.state.setup import show_events


@kernel(apart=True)
def play_to_round(game, seed, number, rules, players, script, place, moment, plans):
    """Play game `number` of `seed` to its round `place`, 0 to 5, and let all seats plan it.

    `moment`, a GAME record, receives the table before they plan, `plans`, int64 [seats, BOXES], their plans.
    """
    plan_round(game, seed, number, rules, players, script, place, moment)
    for seat in range(rules.players):
        plans[seat] = players.seat[seat].plan


@kernel
def plan_round(game, seed, number, rules, players, script, place, moment):
    """Play a game to its round `place` and through its planning; `moment` receives the table before."""
    open_game(game, seed, number, rules, players, script, None)
    for year in range(YEARS):
        game.year = year
        show_events(game)
        for season in range(WINTER):
            game.season = season
            if season + WINTER * year == place:
                open_round(game, rules)
                if script.count > 0:
                    fill_hands(game, rules, script, moment_of(game), None)
                copy_record(moment, game, GAME_SIZE)
                plan_all(game, rules, players, script, None)
                return
            play_round(game, rules, players, script, None, None)
        play_winter(game, rules, players, script, None)
        end_year(game, rules, None)


@kernel(apart=True)
def open_next_round(game, rules, key):
    """Lay out the round after the season that `game` has ended, with random numbers of a key (B2.1, B2.2)."""
    game.year += game.season == WINTER
    game.season = (game.season + 1) % (WINTER + 1)
    game.key = key
    open_round(game, rules)


@kernel(apart=True)
def make_plans(moment, game, rules, advisers, count, planner, seat, trial, width, spread, key):
    """Fill `trial.plan` with up to `width` different plans of a seat; returns how many there are.

    The first one is that of the first of the `count` minds of `advisers`, who then plan in turn, with growing errors of
    judgement of up to `spread` VP. `planner`, a MIND, gets the first one's settings and notes. `game` is scratch.
    """
    place = moment.year * WINTER + moment.season
    copy_record(game, moment, GAME_SIZE)
    game.key = key
    key_streams(game, moment_of(game))
    plans = 0
    for number in range(width):
        mind = trial.planner
        copy_record(mind, advisers.seat[number % count], NOTES_END)
        become_plain(mind)
        mind.phase_weight[place, NOISE] = spread * (number // count) * count / width
        mind.phase_weight[place, TEMPERATURE] = 0.0
        balanced_plan.choose_plan(game, rules, mind, seat)
        trial.plan[plans] = mind.plan
        plans += not is_listed(rules, trial.plan, plans, mind.plan)
        if number == 0:
            copy_record(planner, mind, NOTES_END)
            become_plain(planner)
            planner.phase_weight[:, :] = advisers.seat[0].phase_weight
            planner.weight[:] = planner.phase_weight[place]
            planner.search[SEARCH_ERROR] = AS_WEIGHTS
    return plans


@kernel(apart=True)
def mix_plans(moment, game, rules, seat, trial, plans, best, wanted, key):
    """Add plans in which cards of one of the `best` first ones change places, up to `wanted`; returns how many."""
    copy_record(game, moment, GAME_SIZE)
    game.key = key
    key_streams(game, moment_of(game))
    made = plans
    while made < wanted:
        first = below(game, SEAT + seat, best)
        if not exchange_cards(game, rules, seat, trial, made, first, below(game, SEAT + seat, plans)):
            break
        made += 1
    return made


@kernel(apart=True)
def try_on_tables(moment, rules, players, planner, seat, advice, trial, plans, key, first, results):
    """Try the first `plans` of `trial.plan` on tables from number `first` on; `results`, float64 [tables, plans]."""
    trial.script.count = 0
    for row in range(results.shape[0]):
        table_key = mix(key + np.uint64(first + row + 1) * GAMMA)
        deal_table(moment, rules, players, planner, seat, advice, trial, 0, table_key)
        for plan in range(plans):
            results[row, plan] = try_plan(rules, planner, seat, advice, trial, 0, plan)
