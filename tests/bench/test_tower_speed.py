"""How long towers take, with `-m bench`: casts of each preset, and games under it."""

import numpy as np
import pytest

from wallsim.analysis.tower.protocols import game_log
from wallsim.engine.casting import CastingBench, play_casts
from wallsim.experiment.experiment import Experiment
from wallsim.jit import kernel
from wallsim.rules.terms import COLOURS, PEASANTS
from wallsim.rules.tower import load_tower, tower_presets
from wallsim.state.random import key_game, key_streams

pytestmark = pytest.mark.bench
GAMES, ROUNDS = 150, 20


@kernel(apart=True)
def handle_casts(game, seed, number, emptied, thrown, fallen):
    """What `play_casts` does around its casts: subtract it from a benchmark to have the casts alone."""
    key_game(game, seed, number)
    for row in range(len(thrown)):
        if emptied[row]:
            game.tower[:] = 0
            game.floor[:, :] = 0
        key_streams(game, row)
        for colour in range(COLOURS):
            game.tray[colour] = 0
            game.engaged[colour] = thrown[row, colour]
            fallen[row, colour] = game.fallen[colour]


def casts_of_games(tower):
    """The casts of games among random players: bench, when it was emptied, cubes thrown, room for what falls."""
    log = game_log(Experiment(policies="random", games=GAMES, tower=tower)).log
    casts = log.casts()
    thrown = np.zeros((len(casts.event), COLOURS), np.int64)
    thrown[:, :4], thrown[:, PEASANTS] = casts.thrown[:, :4], casts.thrown[:, 4]
    bench = CastingBench(load_tower(tower))
    bench.rules.players = 4
    emptied = np.array([event == "fill" for event in casts.event])
    return bench, emptied, thrown, np.zeros_like(thrown)


@pytest.mark.parametrize("tower", tower_presets())
def test_twenty_times_the_casts_of_150_games(benchmark, tower):
    bench, emptied, thrown, fallen = casts_of_games(tower)
    game = bench._game

    def throw():
        for number in range(ROUNDS):
            play_casts(game, bench.rules, 1, number, emptied, thrown, fallen)

    benchmark.extra_info["casts"] = ROUNDS * len(thrown)
    benchmark(throw)


def test_the_handling_of_as_many_casts_without_a_tower(benchmark):
    bench, emptied, thrown, fallen = casts_of_games("spielbyweb")

    def handle():
        for number in range(ROUNDS):
            handle_casts(bench._game, 1, number, emptied, thrown, fallen)

    benchmark.extra_info["casts"] = ROUNDS * len(thrown)
    benchmark(handle)


@pytest.mark.parametrize("policy", ["random", "balanced"])
@pytest.mark.parametrize("tower", tower_presets())
def test_a_thousand_games(benchmark, tower, policy):
    arena = Experiment(policies=policy, tower=tower).arena()
    arena.play(0, 1)
    benchmark(arena.play, 0, 1000)
