"""A whole game: set-up, two years of three rounds and a winter (B0 to B7)."""

from wallsim.engine import log as recorder
from wallsim.engine.columns import write_battles, write_game, write_season, write_seats
from wallsim.engine.opening import set_up
from wallsim.engine.season import end_year, play_round, play_winter
from wallsim.jit import kernel
from wallsim.rules.terms import COLOURS, WINTER, YEARS
from wallsim.state.random import key_game, key_streams
from wallsim.state.setup import show_events


@kernel(apart=True)
def play_game(game, seed, number, rules, players, log, seasons, row):
    """Play game `number` of `seed` from set-up to the end.

    `seasons` is an integer matrix that receives a row for each of the eight seasons and each seat from `row` on,
    with counts so far; it may have no rows. `log` is a Log or None.
    """
    key_game(game, seed, number)
    key_streams(game, 0)
    set_up(game, rules, players, log)
    for year in range(YEARS):
        game.year = year
        show_events(game)
        if log is not None:
            recorder.log_year(log, game)
        for season in range(WINTER):
            game.season = season
            play_round(game, rules, players, log)
            if seasons.shape[0] > 0:
                write_season(game, rules, seasons, row + (4 * year + season) * rules.players)
        play_winter(game, rules, players, log)
        if seasons.shape[0] > 0:
            write_season(game, rules, seasons, row + (4 * year + WINTER) * rules.players)
        end_year(game, rules, log)
        if year == 0:
            for colour in range(COLOURS):
                game.tower_after_year1 += game.tower[colour]


@kernel(apart=True)
def play_games(game, seed, first, count, rules, players, games, seats, seasons):
    """Play games `first` to `first + count - 1` of `seed`, a row of `games` and rows of `seats` each, in order."""
    for index in range(count):
        play_game(game, seed, first + index, rules, players, None, seasons, index * 8 * rules.players)
        write_game(game, rules, games[index])
        write_seats(game, rules, seats, index * rules.players)


@kernel(apart=True)
def play_games_with_battles(game, seed, first, count, rules, players, games, seats, seasons, log, battles, reserve):
    """As `play_games`, with a row of `battles` for every battle; stops early once fewer than `reserve` rows are free.

    Returns the games played and the battle rows written.
    """
    used = 0
    for index in range(count):
        if used + reserve > battles.shape[0]:
            return index, used
        log.used[:] = 0
        play_game(game, seed, first + index, rules, players, log, seasons, index * 8 * rules.players)
        write_game(game, rules, games[index])
        write_seats(game, rules, seats, index * rules.players)
        used += write_battles(log, index, battles, used)
    return count, used
