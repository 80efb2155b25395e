"""What the tower holds: over a game, battle by battle, after a first fill, and after many casts."""

import dataclasses
from collections import defaultdict
from statistics import fmean

import numpy as np
import pytest

from tests.naive.rng import binomial_distribution, chi_square_z, many_draws
from tests.naive.tower_formulas import contents_distribution
from wallsim.analysis.tower.closed_forms import fill_distribution
from wallsim.analysis.tower.contents import contents_over_games, first_fill, series
from wallsim.engine.casting import CastingBench
from wallsim.experiment.experiment import Experiment
from wallsim.play.play import play_run
from wallsim.rules.tower import TowerModel, load_tower, tower_presets


def test_battles_are_counted_game_by_game_in_their_order():
    fills = np.array([10, 20, 30])
    game, after = np.array([0, 0, 1, 2, 2, 2]), np.array([11, 12, 21, 31, 32, 33])
    result = series(fills, game, after)
    # The third battle is left out: one game of three came so far.
    assert result["battle"].to_list() == [0, 1, 2]
    assert result["games"].to_list() == [3, 3, 2]
    assert result["mean"].to_list() == [20, 21, 22]
    assert result.select("low", "high").rows() == [(10, 30), (11, 31), (12, 32)]


def test_a_game_without_battles_counts_for_the_fill_alone():
    result = series(np.array([10, 14]), np.array([1]), np.array([9]))
    assert result.select("battle", "games", "mean").rows() == [(0, 2, 12.0), (1, 1, 9.0)]
    assert series(np.array([10]), np.array([], int), np.array([], int))["battle"].to_list() == [0]


def test_rows_in_any_order_of_games_are_the_same_series():
    fills, game, after = np.array([5, 6]), np.array([1, 0, 1, 0]), np.array([1, 2, 3, 4])
    assert series(fills, game, after).equals(series(fills, np.array([0, 0, 1, 1]), np.array([2, 4, 1, 3])))


@many_draws
def test_games_played_here_hold_what_a_run_of_the_same_games_wrote(tmp_path):
    experiment = Experiment(policies="random", games=60, seed=1, battles=True)
    run = play_run(experiment, tmp_path / "run", workers=1)
    here = contents_over_games(load_tower(), policy="random", games=60, seed=1)
    seen = defaultdict(list)
    for row in run.scan("games").collect().iter_rows(named=True):
        seen[row["game"]].append(row["tower_after_fill"])
    for row in run.scan("battles").collect().iter_rows(named=True):
        seen[row["game"]].append(row["tower_after"])
    for row in here.iter_rows(named=True):
        cubes = [contents[row["battle"]] for contents in seen.values() if len(contents) > row["battle"]]
        assert row["games"] == len(cubes)
        assert row["mean"] == pytest.approx(fmean(cubes))
        assert sum(cube < row["low"] for cube in cubes) <= 0.1 * len(cubes) + 1
        assert sum(cube > row["high"] for cube in cubes) <= 0.1 * len(cubes) + 1
    assert here["battle"].to_list() == list(range(here.height))
    assert here.height > 5


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


def assert_drawn_from(counts, chances):
    """Pearson's test, in which what is rare at either end goes to its last likely neighbour."""
    likely = np.flatnonzero(chances * counts.sum() >= 10)
    ends = [0, *likely[1:]]
    assert abs(chi_square_z(np.add.reduceat(counts, ends), np.add.reduceat(chances, ends))) < 4


@pytest.mark.parametrize("name", ["spielbyweb-urn", "mid-layered"])
def test_clumps_are_simulated_and_fills_without_them_agree(name):
    tower = load_tower(name)
    nearly = TowerModel("clumps", dataclasses.replace(tower.parameters, clump=1 + 1e-9))  # no exact form
    exact, result = first_fill(tower), first_fill(nearly, fills=8000)
    assert set(result["fills"]) == {8000}
    assert_drawn_from(np.rint(result["chance"].to_numpy() * 8000).astype(int), exact["chance"].to_numpy())


def test_clumps_make_fills_vary_more():
    parameters = dataclasses.replace(load_tower("mid-urn").parameters, clump=3.0)
    spreads = []
    for tower in (load_tower("mid-urn"), TowerModel("clumps", parameters)):
        result = first_fill(tower, fills=8000)
        out, chance = result["out"].to_numpy(), result["chance"].to_numpy()
        spreads.append(chance @ (out - chance @ out) ** 2)
    assert spreads[1] > 2 * spreads[0]


# ---------------------------------------------------------------------------------- long series of compiled casts


def kept(tower, thrown, emptied=None):
    """How many cubes of each cast more than fell out of the compiled tower stay inside, int64 [casts]."""
    return (thrown - CastingBench(tower).throw(thrown, emptied, seed=1)).sum(axis=1)


@many_draws
@pytest.mark.parametrize("name", tower_presets())
def test_compiled_towers_settle_as_the_formulas_say(name):
    """Every 60th cast of a long series, since hardly anything of a cast is remembered as long."""
    tower, hand = load_tower(name), (2, 1, 1, 1, 1, 2)
    inside = kept(tower, np.tile(hand, (304_000, 1))).cumsum()[4000::60]
    chances = contents_distribution(tower.parameters, sum(hand))
    assert_drawn_from(np.bincount(inside, minlength=len(chances)), chances)


@many_draws
@pytest.mark.parametrize("name", tower_presets())
def test_compiled_towers_keep_of_a_first_fill_what_the_exact_law_says(name):  # B1.6
    tower, fill = load_tower(name), (7, 7, 7, 7, 0, 10)
    chances = fill_distribution(tower.parameters, sum(fill))
    counts = np.bincount(kept(tower, np.tile(fill, (20_000, 1)), np.ones(20_000, bool)), minlength=len(chances))
    assert_drawn_from(counts, chances)
