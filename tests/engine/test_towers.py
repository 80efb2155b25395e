"""Whole games in every tower: no cube lost, no rule broken, and no game that knows of the one before it."""

import numpy as np
import pytest

from tests.engine.invariants import broken_rules
from tests.naive.making import BOARD
from tests.naive.rng import JIT
from tests.naive.table import read_table
from tests.policies.seating import arena_under
from wallsim.policies.catalogue import load_policy
from wallsim.rules.ruleset import Ruleset
from wallsim.rules.tower import Layered, TowerModel, Urn, load_tower, tower_presets

GAMES = 40 if JIT else 1
TOWERS = {name: load_tower(name) for name in tower_presets()} | {
    "four floors": TowerModel("own", Layered((90, 3, 40, 1), (0.9,) * 4, (0.9,) * 4, 0.5, 0.3, 2.0)),
    "an urn that keeps all": TowerModel("own", Urn(1.0, 1e6, 0.0, 0.0, phi=1.0)),
    "an urn that spills all": TowerModel("own", Urn(1.0, 2, 10.0, 3.0, alpha=0.5, phi=0.5, clump=5.0)),
}
compiled = pytest.mark.skipif(not JIT, reason="many whole games need compiled kernels")
each_tower = pytest.mark.parametrize("tower", TOWERS.values(), ids=TOWERS)


def arena_with(tower, rules, policy="random"):
    """Games of one policy in all seats."""
    return arena_under(rules, load_policy(policy), tower=tower, seed=31)


@each_tower
@pytest.mark.parametrize("players", [3, 4, 5])
def test_games_in_any_tower_keep_all_rules_all_cubes_and_on_floors_those_of_the_tower(tower, players):  # B0.2 B1.6 B6.1
    rules = Ruleset(players=players, setup="draft" if players == 4 else "lineup")
    arena = arena_with(tower, rules)
    assert broken_rules(arena.play(0, GAMES, seasons=True), rules) == []
    cells = getattr(tower.parameters, "cells", ())
    for game in arena.trace(3).snapshots:
        assert read_table(game, BOARD, rules).errors() == []
        assert (game.floor.sum(axis=0) == (game.tower if cells else 0)).all()
        assert (game.floor[: len(cells)].sum(axis=1) <= cells).all()
        assert not game.floor[len(cells) :].any()


@compiled
@each_tower
@pytest.mark.parametrize("policy", ["random", "balanced"])
def test_a_game_is_the_same_whatever_was_played_before_it(tower, policy):  # B1.6
    arena, count = arena_with(tower, Ruleset(players=4), policy), GAMES // 8 or 1
    together = arena.play(0, count)
    for number in reversed(range(count)):
        alone = arena.play(number, 1)
        assert np.array_equal(alone.games[0], together.games[number])
        assert np.array_equal(alone.seats, together.seats[4 * number : 4 * number + 4])


@compiled
def test_each_tower_plays_games_of_its_own():
    rows = {name: arena_with(tower, Ruleset(players=4)).play(0, 4).games.tobytes() for name, tower in TOWERS.items()}
    assert len(set(rows.values())) == len(TOWERS)
