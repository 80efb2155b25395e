"""Benchmarks, run on demand with `-m bench`: they report and never judge, for machines are shared and noisy."""

import numpy as np
import pytest

from wallsim.jit import kernel
from wallsim.policies.assignment import assign
from wallsim.policies.record import MIND
from wallsim.runs.bench import standard_arena, xoshiro_sum

pytestmark = pytest.mark.bench
GAMES = 2000


@pytest.mark.parametrize("policy", ["random", "balanced"])
def test_two_thousand_four_player_games(benchmark, policy):
    arena = standard_arena(policy)
    arena.play(0, 1)
    benchmark(arena.play, 0, GAMES)


def test_two_thousand_games_with_the_recorder_on(benchmark):
    arena = standard_arena("random")
    arena.play(0, 1, battles=True)
    benchmark(arena.play, 0, GAMES, battles=True)


def test_ten_million_xoshiro_draws(benchmark):
    words = np.arange(1, 5, dtype=np.uint64)
    xoshiro_sum(1, words)
    benchmark(xoshiro_sum, 10**7, words)


@kernel
def assign_many(mind, worths, times):
    for turn in range(times):
        for box in range(11):
            for column in range(16):
                mind.value[box, column] = worths[turn % len(worths), box, column]
        assign(mind, 11, 16)


def test_ten_thousand_assignments_of_eleven_boxes_to_sixteen_cards(benchmark):
    worths = np.random.default_rng(1).normal(size=(256, 11, 16))
    worths[:, :10, :5] = 0.0  # money cards are worth nothing on an action
    mind = np.zeros(1, MIND)[0]
    assign_many(mind, worths, 1)
    benchmark(assign_many, mind, worths, 10_000)
