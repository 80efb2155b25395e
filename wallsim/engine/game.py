"""Whole games, set-up and two years of three rounds and a winter (B0 to B7); their positions; and planning alone.

Positions are what the table shows at the end of each season, and how games end: what values learn from. Planning alone,
again and again, on tables of real games, is what a plan costs (B2.1 to B2.3).
"""

from __future__ import annotations

import numpy as np

from wallsim.engine import log as recorder
from wallsim.engine.county_rows import MAX_COUNTY_ROWS, write_counties
from wallsim.engine.opening import open_game
from wallsim.engine.rows import write_battles, write_game, write_season, write_seats
from wallsim.engine.season import end_year, open_round, play_round, play_winter
from wallsim.jit import copy_record, kernel
from wallsim.mechanics.winter import rank_of
from wallsim.policies import decide
from wallsim.policies.value.features import FEATURES, MOMENTS, TABLE_FEATURES
from wallsim.policies.value.position import look_at_standing
from wallsim.rules.terms import COLOURS, ROUNDS, SEASONS, WINTER, YEARS
from wallsim.state.game import GAME_SIZE
from wallsim.state.setup import show_events


@kernel(apart=True)
def play_games(
    game, seed, first, count, rules, players, script, games, seats, seasons, plans, log, battles, reserve, counties
):
    """Play games `first` to `first + count - 1` of `seed`, each from set-up to the end.

    `script` has the interventions of the experiment. Each game writes one row of `games` and one row per seat of
    `seats`, in order. `seasons` receives a row for each of a game's eight seasons and each seat, with counts so far,
    and `plans` one for each of its six rounds and each seat; both may have no rows. `log` is None, or a Log that holds
    the last game when all are played. With a Log `battles` receives a row for every battle and `counties` one for
    every county that a seat held, if they have rows at all; the batch then stops early once fewer than `reserve` rows
    of battles or those of one game of counties are free. Returns the games played, and the rows of battles and
    counties written.

    It is one kernel, since Numba optimises a kernel again, with all that it calls, in each kernel that calls it.
    """
    used, held = 0, 0
    for index in range(count):
        if log is not None:
            if battles.shape[0] > 0 and used + reserve > battles.shape[0]:
                return index, used, held
            if counties.shape[0] > 0 and held + MAX_COUNTY_ROWS > counties.shape[0]:
                return index, used, held
            log.used[:] = 0
        open_game(game, seed, first + index, rules, players, script, log)
        row = index * YEARS * len(SEASONS) * rules.players
        plan = index * ROUNDS * rules.players
        for year in range(YEARS):
            game.year = year
            show_events(game)
            if log is not None:
                recorder.log_year(log, game)
            for season in range(WINTER):
                game.season = season
                play_round(game, rules, players, script, log, plans[plan : plan + rules.players])
                plan += rules.players
                if seasons.shape[0] > 0:
                    write_season(game, rules, seasons, row)
                row += rules.players
            play_winter(game, rules, players, script, log)
            if seasons.shape[0] > 0:
                write_season(game, rules, seasons, row)
            row += rules.players
            end_year(game, rules, log)
            if year == 0:
                for colour in range(COLOURS):
                    game.tower_after_year1 += game.tower[colour]
        write_game(game, rules, games[index])
        write_seats(game, rules, seats, index * rules.players)
        if log is not None and battles.shape[0] > 0:
            used += write_battles(log, index, battles, used)
        if log is not None and counties.shape[0] > 0:
            held += write_counties(game, rules, log, index, counties, held)
    return count, used, held


@kernel(apart=True)
def plan_rounds(game, rules, players, snapshots, times):
    """Let every seat plan every round of a game `times` times over; returns how many plans were made.

    `snapshots` are the tables of a recorded game, after set-up and after each season. The first plan of a round is the
    one that was made in the game, unless a policy needs answers of an earlier plan. No card comes to lie on a mat.
    """
    plans = 0
    for season in range(len(snapshots) - 1):
        if season % (WINTER + 1) == WINTER:
            continue
        copy_record(game, snapshots[season], GAME_SIZE)
        game.year = season // (WINTER + 1)
        game.season = season % (WINTER + 1)
        if game.season == 0:
            show_events(game)
        open_round(game, rules)
        for _ in range(times):
            for seat in range(rules.players):
                decide.choose_plan(game, rules, players.seat[seat], seat)
                plans += 1
    return plans


WIDTH = len(FEATURES) + len(TABLE_FEATURES)


@kernel(apart=True)
def play_positions(game, seed, first, count, rules, players, script, standing, positions, ends):
    """Play games `first` to `first + count - 1` of `seed` and write down how they stood and ended.

    `positions`, float32 [games, moments, seats, WIDTH], receives the features of each seat, then those of the table;
    `ends`, float32 [games, seats, 2], the victory points of each seat and its share in the win (B7.6).
    """
    for index in range(count):
        open_game(game, seed, first + index, rules, players, script, None)
        moment = 0
        for year in range(YEARS):
            game.year = year
            show_events(game)
            for season in range(WINTER):
                game.season = season
                play_round(game, rules, players, script, None, None)
                _write(game, rules, standing, positions[index, moment])
                moment += 1
            play_winter(game, rules, players, script, None)
            end_year(game, rules, None)
            if moment < len(MOMENTS):
                _write(game, rules, standing, positions[index, moment])
                moment += 1
        _write_end(game, rules, ends[index])


@kernel(apart=True)
def _write(game, rules, standing, rows):
    look_at_standing(game, rules, standing)
    for seat in range(rules.players):
        for place in range(len(FEATURES)):
            rows[seat, place] = standing.seat[seat, place]
        for place in range(len(TABLE_FEATURES)):
            rows[seat, len(FEATURES) + place] = standing.table[place]


@kernel
def _write_end(game, rules, rows):
    winners = 0
    for seat in range(rules.players):
        winners += rank_of(game, rules, seat) == 1
    for seat in range(rules.players):
        rows[seat, 0] = game.vp[seat]
        rows[seat, 1] = 1.0 / winners if rank_of(game, rules, seat) == 1 else 0.0


def positions_of(count: int, seats: int) -> tuple[np.ndarray, np.ndarray]:
    """The arrays that `play_positions` fills for so many games."""
    return (np.empty((count, len(MOMENTS), seats, WIDTH), np.float32), np.empty((count, seats, 2), np.float32))
