"""Benchmarks, run on demand with `-m bench`: they report and never judge, for machines are shared and noisy."""

import numpy as np
import pytest

from tests.naive.making import packed
from tests.policies.seating import arena_under
from wallsim.jit import kernel
from wallsim.policies.catalogue import load_policy
from wallsim.policies.value.model import OUTLOOK, look_ahead
from wallsim.policies.value.position import STANDING, look_at_standing
from wallsim.policies.value.value_file import load_value, value_names
from wallsim.rules.ruleset import Ruleset
from wallsim.rules.terms import EXPANSIONS

pytestmark = pytest.mark.bench
GAMES = TIMES = 2000
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


# What it costs to look at a standing and to value it, beside a plan of `balanced` in the same run.


@kernel
def look_often(games, rules, standing, times):
    for turn in range(times):
        look_at_standing(games[turn % len(games)], rules, standing)


@kernel
def value_often(games, rules, values, outlook, times):
    for turn in range(times):
        look_ahead(games[turn % len(games)], rules, values, outlook)


@pytest.fixture(scope="module")
def arena():
    return arena_under(Ruleset(), load_policy("balanced"), seed=1)


@pytest.fixture(scope="module")
def season_ends(arena):
    return np.concatenate([arena.trace(number).snapshots[[1, 2, 3, 5, 6, 7]] for number in range(8)])


def test_two_thousand_looks_at_a_standing(benchmark, arena, season_ends):
    standing = np.zeros(1, STANDING)[0]
    look_often(season_ends, packed(Ruleset()), standing, 1)
    benchmark(look_often, season_ends, packed(Ruleset()), standing, TIMES)


def test_two_thousand_values_of_four_seats(benchmark, arena, season_ends):
    values, outlook = load_value(value_names()[0]).packed()[0], np.zeros(1, OUTLOOK)[0]
    value_often(season_ends, packed(Ruleset()), values, outlook, 1)
    benchmark(value_often, season_ends, packed(Ruleset()), values, outlook, TIMES)


def test_about_two_thousand_plans_of_balanced(benchmark, arena):
    snapshots = arena.trace(0).snapshots
    arena.plan_again(snapshots, 1)
    benchmark(arena.plan_again, snapshots, TIMES // 24)
