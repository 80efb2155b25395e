"""What falls out of a first fill: exact where it can be, simulated where cubes come in clumps."""

import dataclasses

import numpy as np
import pytest

from tests.naive.rng import binomial_distribution, chi_square_z, many_draws
from wallsim.analysis.tower.fills import first_fill
from wallsim.rules.tower import TowerModel, load_tower, tower_presets


@pytest.mark.parametrize(("players", "cubes"), [(3, 31), (4, 38), (5, 45)])
def test_a_fill_of_an_independent_tower_is_binomial(players, cubes):  # B1.6
    tower = load_tower("rulebook")
    result = first_fill(tower, players)
    assert result["out"].to_list() == list(range(cubes + 1))
    assert result["chance"].to_list() == pytest.approx(
        [float(p) for p in binomial_distribution(cubes, tower.parameters.p)], abs=1e-12
    )
    assert result["fills"].null_count() == result.height


@pytest.mark.parametrize("name", tower_presets())
def test_the_chances_of_a_fill_add_up(name):
    assert first_fill(load_tower(name))["chance"].sum() == pytest.approx(1, abs=1e-12)


@many_draws
@pytest.mark.parametrize("name", ["spielbyweb-urn", "mid-layered"])
def test_clumps_are_simulated_and_fills_without_them_agree(name):
    tower = load_tower(name)
    nearly = TowerModel("clumps", dataclasses.replace(tower.parameters, clump=1 + 1e-9))  # no exact form
    exact, result = first_fill(tower), first_fill(nearly, fills=8000)
    assert set(result["fills"]) == {8000}
    chances = exact["chance"].to_numpy()
    likely = np.flatnonzero(chances * 8000 >= 10)
    ends = [0, *likely[1:]]
    counts = np.rint(result["chance"].to_numpy() * 8000).astype(int)
    assert abs(chi_square_z(np.add.reduceat(counts, ends), np.add.reduceat(chances, ends))) < 4


@many_draws
def test_clumps_make_fills_vary_more():
    parameters = dataclasses.replace(load_tower("mid-urn").parameters, clump=3.0)
    spreads = []
    for tower in (load_tower("mid-urn"), TowerModel("clumps", parameters)):
        result = first_fill(tower, fills=8000)
        out, chance = result["out"].to_numpy(), result["chance"].to_numpy()
        spreads.append(chance @ (out - chance @ out) ** 2)
    assert spreads[1] > 2 * spreads[0]
