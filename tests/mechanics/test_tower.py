"""The dice tower: what is thrown, what falls out, and the distribution of the model `independent`."""

from collections import Counter
from math import sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.mechanics.casts import assert_follows, seen
from tests.naive.making import JAMMED, LOOSE, SHUT, SURE, TOWERS, USUAL, tables
from tests.naive.rng import binomial_distribution, chi_square_z, many_draws
from tests.naive.scene import Scene
from tests.naive.table import PEASANTS
from wallsim.mechanics.tower import cast, fill_tower
from wallsim.rules.tower import Independent, TowerModel
from wallsim.state.random import key_game, key_streams


@given(tables(), st.sampled_from(TOWERS), st.integers(0, 10**6))
def test_a_cast_keeps_every_cube_in_the_tower_or_the_tray(table, tower, number):  # B0.2 B6.1
    scene = Scene(table, tower, number)
    scene.game.engaged[:] = 0
    before = {colour: table.tray[colour] + table.tower[colour] for colour in table.tray}
    scene.do(cast)
    after = scene.table
    assert {colour: after.tray[colour] + after.tower[colour] for colour in after.tray} == before
    assert after.tray == scene.fallen()
    assert min(*after.tray.values(), *after.tower.values()) >= 0
    assert scene.game.cubes_cast == sum(table.tray.values())
    assert scene.game.cubes_fallen == sum(after.tray.values())
    assert scene.game.casts == 1


@pytest.mark.parametrize(("players", "cubes"), [(3, 31), (4, 38), (5, 45)])
def test_the_first_fill_drops_seven_armies_a_player_and_ten_peasants(players, cubes):  # B1.6
    scene = Scene.start(players, tower=SHUT)
    scene.do(fill_tower)
    assert scene.table.tower == {**dict.fromkeys(range(players), 7), PEASANTS: 10}
    assert scene.game.cubes_cast == scene.game.tower_after_fill == cubes


@pytest.mark.parametrize("tower", [SURE, JAMMED, LOOSE, USUAL])
def test_what_falls_out_at_the_first_fill_goes_back_to_its_supply(tower):  # B1.6
    scene = Scene.start(4, tower=tower)
    scene.do(fill_tower)
    assert sum(scene.table.tray.values()) == 0
    assert sum(scene.table.tower.values()) == 38 - sum(scene.fallen().values())


# The distribution of the model: every thrown cube falls with chance p, every cube inside with chance q.


@many_draws
@pytest.mark.parametrize("tower", [USUAL, LOOSE])
def test_what_falls_of_thrown_and_held_cubes_is_the_sum_of_two_binomials(tower):
    scene, seen = Scene.start(4, tower=tower), Counter()
    game, thrown, held = scene.game, 5, 4
    for number in range(8000):
        game.tray[:], game.engaged[:], game.tower[:] = 2, thrown - 2, held
        key_game(game, 3, number)
        key_streams(game, 1)
        cast(game, scene.rules)
        seen[int(game.fallen[(0, 1, 2, 3, 5)[number % 5]])] += 1  # colours are equivalent
    passed, released = (
        binomial_distribution(thrown, tower.parameters.p),
        binomial_distribution(held, tower.parameters.q),
    )
    expected = np.convolve(np.array(passed, dtype=float), np.array(released, dtype=float))
    counts, chances = _pool([seen[cubes] for cubes in range(len(expected))], expected, 8000)
    assert abs(chi_square_z(counts, chances)) < 4


@many_draws
@pytest.mark.parametrize(
    ("thrown", "held"), [(7, 7), (7, 8), (6, 8), (8, 7), (8, 0), (0, 8), (31, 31), (62, 0), (0, 62)]
)
def test_the_law_is_the_same_on_either_side_of_where_one_draw_serves_for_both(thrown, held):
    """Fewer than eight thrown and fewer than eight inside share a draw."""
    model = Independent(0.6, 0.2)
    passed, released = (
        np.array(binomial_distribution(*coins), dtype=float) for coins in ((thrown, model.p), (held, model.q))
    )
    chances = np.convolve(passed, released)
    assert_follows(seen(model, (thrown,), (held,)), {(cubes,): chance for cubes, chance in enumerate(chances)})


def _pool(counts, chances, draws):
    """Put outcomes expected fewer than ten times together with their neighbour towards the middle."""
    counts, chances = [*counts], [*map(float, chances)]
    for end in (0, -1):
        while chances[end] * draws < 10:
            count, chance = counts.pop(end), chances.pop(end)
            counts[end] += count
            chances[end] += chance
    return counts, chances


@many_draws
@pytest.mark.parametrize(("p", "q", "cubes"), [(2 / 3, 1 / 3, 8), (0.72, 0.11, 8), (0.5, 0.6, 12)])
def test_occupancy_after_many_casts_has_the_closed_forms_mean_variance_and_memory(p, q, cubes):
    """|z| < 4 each for mean, variance and lag-1 correlation of six independent series of 4000 casts."""
    scene = Scene.start(5, tower=TowerModel("test", Independent(p, q)))
    game, casts, warm_up = scene.game, 4000, 100
    series = np.empty((warm_up + casts, 6))
    game.tower[:] = 0
    game.engaged[:] = cubes
    for step in range(warm_up + casts):
        game.tray[:] = 0
        cast(game, scene.rules)
        series[step] = game.tower
    series = series[warm_up:]

    r, memory = 1 - p, 1 - q
    mean, variance = cubes * r / q, cubes * (r / q - r**2 / (q * (2 - q)))
    deviations = series - mean
    lag = (deviations[1:] * deviations[:-1]).mean() / variance
    draws = series.size
    mean_error = sqrt(variance / draws * (1 + memory) / (1 - memory))
    variance_error = variance * sqrt(2 / draws * (1 + memory**2) / (1 - memory**2))
    lag_error = sqrt((1 - memory**2) / draws + 2 * memory**2 * (1 + memory**2) / (1 - memory**2) / draws)
    assert abs(series.mean() - mean) < 4 * mean_error
    assert abs((deviations**2).mean() - variance) < 4 * variance_error
    assert abs(lag - memory) < 4 * lag_error


@many_draws
def test_colours_fall_independently_of_each_other():
    scene = Scene.start(5)
    scene.rules = Scene.start(5, tower=USUAL).rules
    game, casts = scene.game, 6000
    fallen = np.empty((casts, 6))
    game.tower[:] = 5
    for step in range(casts):
        game.tray[:], game.engaged[:] = 0, 6
        cast(game, scene.rules)
        fallen[step] = game.fallen
    correlation = np.corrcoef(fallen.T)[np.triu_indices(6, 1)]
    assert np.abs(correlation).max() < 4.5 / sqrt(casts)
