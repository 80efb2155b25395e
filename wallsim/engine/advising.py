"""Advice on a plan: the round after a state of the table, and plans that a seat may make.

What comes of plans on dealt tables is tried in `decisions.py`, with the other decisions.
"""

from wallsim.engine.candidates import become_plain, exchange_cards
from wallsim.engine.rollout import AS_WEIGHTS
from wallsim.engine.season import moment_of, open_round
from wallsim.jit import copy_record, kernel
from wallsim.policies.balanced import plan as balanced_plan
from wallsim.policies.balanced.chance import is_listed
from wallsim.policies.record import NOTES_END, SEARCH_ERROR
from wallsim.policies.weights import NOISE, TEMPERATURE
from wallsim.rules.terms import WINTER
from wallsim.state.game import GAME_SIZE
from wallsim.state.random import SEAT, below, key_streams


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
