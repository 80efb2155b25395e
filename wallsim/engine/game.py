"""A whole game: set-up, two years of three rounds and a winter (B0 to B7)."""

from wallsim.engine import log as recorder
from wallsim.engine.county_rows import MAX_COUNTY_ROWS, write_counties
from wallsim.engine.opening import open_game
from wallsim.engine.rows import write_battles, write_game, write_season, write_seats
from wallsim.engine.season import end_year, play_round, play_winter
from wallsim.jit import kernel
from wallsim.rules.terms import COLOURS, ROUNDS, SEASONS, WINTER, YEARS
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
