"""Benchmarks, run on demand with `-m bench`: they report and never judge, for machines are shared and noisy."""

import numpy as np
import pytest

from tests.policies.seating import arena_under
from wallsim.jit import kernel
from wallsim.play.speed import standard_arena, xoshiro_sum
from wallsim.policies.balanced.assignment import assign
from wallsim.policies.catalogue import load_policy
from wallsim.policies.record import MIND
from wallsim.rules.ruleset import Ruleset
from wallsim.rules.terms import EXPANSIONS

pytestmark = pytest.mark.bench
GAMES = 2000
GAMES_OF = {
    "base": Ruleset(),
    "all expansions": Ruleset(expansions=EXPANSIONS),
    "first edition": Ruleset(edition="1e"),
    "both": Ruleset(edition="1e", expansions=EXPANSIONS),
}


@pytest.mark.parametrize("policy", ["random", "balanced"])
@pytest.mark.parametrize("kind", GAMES_OF)
def test_two_thousand_four_player_games(benchmark, kind, policy):
    arena = arena_under(GAMES_OF[kind], load_policy(policy), seed=1)
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
    boxes, cards = worths.shape[1], worths.shape[2]
    for turn in range(times):
        for box in range(boxes):
            for column in range(cards):
                mind.value[box, column] = worths[turn % len(worths), box, column]
        assign(mind, boxes, cards)


@pytest.mark.parametrize(("boxes", "cards"), [(11, 16), (14, 19)])
def test_ten_thousand_assignments_of_cards_to_boxes(benchmark, boxes, cards):
    worths = np.random.default_rng(1).normal(size=(256, boxes, cards))
    worths[:, :10, :5] = 0.0  # money cards are worth nothing on an action
    mind = np.zeros(1, MIND)[0]
    assign_many(mind, worths, 1)
    benchmark(assign_many, mind, worths, 10_000)
