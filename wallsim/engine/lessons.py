"""Lessons: plans of a seat, or choices in combat, fixed before any result is seen, and what came of each.

A lesson is one seat before one round of a game. Its planner makes a plan; others follow with errors of judgement, and
by exchanging cards. Or it is one seat before one of its combat cards of a round, with every choice that it has. All are
tried on the same tables, on which what is hidden is dealt again and the other seats plan as those who sit there.
Nothing is chosen by its results, so that means of results have no bias (expert iteration: Anthony, Tian and Barber
2017).
"""

from __future__ import annotations

import numpy as np

from wallsim.engine.actions import perform_action
from wallsim.engine.candidates import become_plain, exchange_cards
from wallsim.engine.decisions import ATTACK, plan_round, try_on_tables
from wallsim.engine.opening import open_game
from wallsim.engine.rollout import deal_table, try_plan
from wallsim.engine.season import carry_out, come_to_actions, end_year, open_round, plan_all, play_winter
from wallsim.jit import copy_record, count_bits, kernel
from wallsim.mechanics.auction import list_agenda
from wallsim.mechanics.combat import legal_targets
from wallsim.policies.balanced import plan as balanced_plan
from wallsim.policies.balanced.attacks import choose_attack, list_choices
from wallsim.policies.correction.attack_features import CHOICE_FEATURES, MAX_CHOICES, SITUATION_FEATURES
from wallsim.policies.correction.features import COUNTY_FEATURES, TABLE_FEATURES
from wallsim.policies.record import NOTES_END
from wallsim.policies.weights import NOISE, TEMPERATURE
from wallsim.rules.terms import BASE_BOXES, COMBAT_A, MONEY_CARDS, ROUNDS, WINTER, YEARS
from wallsim.state.game import is_live
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
ATTACK_LESSON = np.dtype(
    [
        ("moment", np.int8),
        ("counties", np.int8),  # choices
        ("table", np.float32, (len(SITUATION_FEATURES),)),
        ("fact", np.float32, (MAX_CHOICES, len(CHOICE_FEATURES))),
    ]
)


@kernel(apart=True)
def play_lessons(
    game, seed, first, count, rules, players, script, planner, advice, trial, pupils, rounds, plans, tables, spread,
    lessons, columns, results,
):  # fmt: skip
    """Play games `first` to `first + count - 1` of `seed`, a lesson in each of the mask `rounds`; returns how many.

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
                if (rounds >> (season + WINTER * year)) & 1 == 1 and _fits(game, seat):
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
    return count_bits(game.land[seat]) <= MAX_COUNTIES


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
    counties = count_bits(game.land[seat])
    for county in range(counties):
        for feature in range(len(COUNTY_FEATURES)):
            lesson.fact[county, feature] = planner.fact[county, feature]
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


@kernel(apart=True)
def play_attack_lessons(
    game, seed, first, count, rules, players, script, moment, planner, advice, trial, pupils, rounds, choices, came,
    lessons, results,
):  # fmt: skip
    """Play games `first` to `first + count - 1` of `seed` to a combat card of each of `rounds`, and try all choices.

    One of the seats `pupils`, drawn anew each round, and combat A or B. `lessons`, an ATTACK_LESSON array, receives
    what the seat sees of each choice, and `results`, float32 [lessons, MAX_CHOICES, tables], what came of it, nan
    behind the last; its own choice is the first, or the next number of armies that is tried. `moment`, a GAME record,
    `choices`, int64 [MAX_CHOICES, 2], and `came`, float64 [tables, MAX_CHOICES], are scratch. Returns how many lessons
    there are: none where the seat has no such card, or nothing to attack.
    """
    done = 0
    for index in range(count):
        for place in range(ROUNDS):
            if (rounds >> place) & 1 == 0:
                continue
            plan_round(game, seed, first + index, rules, players, script, place, moment)
            key = mix(game.key + np.uint64(1 + place) * GAMMA)
            seat = _pupil(rules, pupils, key)
            come_to_actions(game, rules, players, script, None, None)
            turn = _come_to_combat(
                game, rules, players, seat, COMBAT_A + np.int64((key >> np.uint64(32)) & np.uint64(1))
            )
            if turn < 0:
                continue
            county = game.agenda[turn, 2]
            targets = legal_targets(game, rules, seat, county, game.action_order[game.actions_done])
            if targets & ~game.land[seat] == 0:
                continue
            copy_record(planner, players.seat[seat], NOTES_END)
            become_plain(planner)
            made = _take_attack_lesson(game, rules, planner, seat, county, targets, choices, lessons[done])
            try_on_tables(
                moment, game, rules, players, planner, seat, advice, trial, ATTACK, turn, choices[:made], key, 0, came
            )
            results[done] = np.nan
            for choice in range(made):
                for table in range(len(came)):
                    results[done, choice, table] = came[table, choice]
            done += 1
    return done


@kernel
def _come_to_combat(game, rules, players, seat, action):
    """Play on to the seat's card of an action; returns its place in the agenda, -1 if it cannot move armies."""
    entries, turn = list_agenda(game, rules), -1
    for entry in range(entries):
        if game.agenda[entry, 1] == seat and game.action_order[game.agenda[entry, 0]] == action:
            turn = entry
    for entry in range(turn):
        perform_action(game, rules, players, entry, None, None)
    if turn < 0:
        return -1
    game.actions_done = game.agenda[turn, 0]
    county = game.agenda[turn, 2]
    return turn if is_live(game, seat, county) and game.army[county] > 1 else -1


@kernel
def _take_attack_lesson(game, rules, planner, seat, county, targets, choices, lesson):
    """Write down what the seat sees and its choices, its own one first; returns how many there are."""
    planner.weight[NOISE] = 0.0
    choose_attack(game, rules, planner, seat, county, targets)
    target, armies = planner.target, planner.armies
    made = list_choices(game, rules, planner, seat, county, targets)
    own, least = 0, MAX_CHOICES
    for choice in range(made):
        apart = abs(planner.choice_armies[choice] - armies)
        if planner.choice_county[choice] == target and apart < least:
            own, least = choice, apart
    for place in range(made):
        choice = own if place == 0 else place - (place <= own)
        choices[place, 0], choices[place, 1] = planner.choice_county[choice], planner.choice_armies[choice]
        for feature in range(len(CHOICE_FEATURES)):
            lesson.fact[place, feature] = planner.choice_fact[choice, feature]
    for feature in range(len(SITUATION_FEATURES)):
        lesson.table[feature] = planner.situation[feature]
    lesson.moment, lesson.counties = game.year * WINTER + game.season, made
    return made
