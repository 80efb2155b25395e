"""Fresh, loaded and adverse towers: whose cubes lie inside, and how many."""

import numpy as np
import pytest

from tests.naive.rng import many_draws
from tests.refusals import refused
from wallsim.analysis.battle.odds import Battle, battle_odds, tower_room
from wallsim.analysis.battle.states import STATES, mean_contents, odds_by_state, tower_in
from wallsim.analysis.tower.closed_forms import fill_distribution
from wallsim.rules.tower import Independent, TowerModel, Urn, load_tower, tower_presets


@many_draws
@pytest.mark.parametrize("name", tower_presets())
def test_a_fresh_tower_holds_what_a_fill_leaves_in_proportion_to_what_was_thrown(name):  # B1.6
    tower = load_tower(name)
    chances = fill_distribution(tower.parameters, 38)
    kept = chances @ np.arange(39)
    spread = (chances @ (np.arange(39) - kept) ** 2) ** 0.5
    assert abs(mean_contents(tower)[0] - kept) < 4 * spread / 400**0.5
    fresh = tower_in(tower, "fresh")
    assert sum(fresh) == round(mean_contents(tower)[0])
    for cubes, thrown in zip(fresh, (7, 7, 10, 14), strict=True):
        assert abs(cubes - sum(fresh) * thrown / 38) < 1


@many_draws
@pytest.mark.parametrize("name", tower_presets())
def test_loaded_and_adverse_towers_hold_the_same_number_and_twice_the_share_of_a_side(name):
    tower = load_tower(name)
    inside = mean_contents(tower)[1]
    loaded, adverse = tower_in(tower, "loaded"), tower_in(tower, "adverse")
    assert sum(loaded) == sum(adverse) == round(inside)
    assert abs(loaded.attacker - 0.4 * inside) < 1.5
    assert max(loaded.defender, loaded.peasants) <= 0.15 * inside + 1
    assert abs(adverse.defender - 0.4 * inside) < 1.5
    assert abs(adverse.peasants - 0.4 * inside) < 1.5
    assert adverse.attacker <= inside / 15 + 1
    room = tower_room(tower.parameters)
    assert room is None or max(sum(loaded), sum(adverse)) <= room


@many_draws
@pytest.mark.parametrize(
    ("name", "expected"),
    [("rulebook", 30), ("rulebook-urn", 33), ("rulebook-layered", 37), ("mid", 17.5), ("spielbyweb", 9)],
)
def test_towers_hold_after_15_battles_what_earlier_simulations_found_after_10_and_20(name, expected):
    assert mean_contents(load_tower(name))[1] == pytest.approx(expected, abs=1.5)


def test_a_tower_that_keeps_nearly_all_leaves_cubes_for_the_battle():  # B0.2
    for parameters in (Independent(0.001, 0.001), Urn(1.0, 1e6, 1e-9, 1.0)):
        tower = TowerModel("greedy", parameters)
        for state in STATES:
            cubes = tower_in(tower, state)
            assert cubes.peasants <= 15
            assert max(cubes.attacker, cubes.defender) <= 40
            Battle(10, 4, tower=cubes)
            assert min(cubes) >= 0


def test_other_states_are_refused():
    with refused("state: 'full'", "fresh, loaded, adverse", by=ValueError):
        tower_in(load_tower(), "full")


def test_odds_by_state_are_those_of_each_tower_in_each_state():
    towers = [load_tower("spielbyweb"), load_tower("mid-urn")]
    table = odds_by_state(towers, (3, 5), (2,), battles=300, seed=4)
    assert table.height == 2 * 3 * 2
    for row in table.filter(tower="spielbyweb").rows(named=True):
        battle = Battle(row["attackers"], 2, tower=tower_in(towers[0], row["state"]))
        assert row["win"] == battle_odds(towers[0], battle).win
        assert row["battles"] is None
    loaded, adverse = (table.filter(state=state)["win"].to_numpy() for state in ("loaded", "adverse"))
    assert (loaded > adverse).all()
    assert set(table.filter(tower="mid-urn")["battles"]) == {300}
