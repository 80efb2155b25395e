"""Games played for what the table shows at the end of each season, and for how they end: what values learn from."""

from __future__ import annotations

import numpy as np

from wallsim.engine.opening import open_game
from wallsim.engine.season import end_year, play_round, play_winter
from wallsim.jit import kernel
from wallsim.mechanics.scoring import rank_of
from wallsim.policies.value.features import FEATURES, MOMENTS, TABLE_FEATURES
from wallsim.policies.value.position import look_at_standing
from wallsim.rules.terms import WINTER, YEARS
from wallsim.state.setup import show_events

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
    return (
        np.empty((count, len(MOMENTS), seats, WIDTH), np.float32),
        np.empty((count, seats, 2), np.float32),
    )
