"""What policies know of battles: the chance to win, in and beyond the table's range, and what a tower will drop."""

from functools import cache
from itertools import product
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.naive.making import packed
from tests.naive.scene import Scene
from wallsim.policies.odds import look_at_spread, look_into_tower, win_chance
from wallsim.rules.mean_rates import mean_rates, pass_chance, release_chance
from wallsim.rules.ruleset import Ruleset
from wallsim.rules.terms import NEUTRAL, PEASANTS
from wallsim.rules.tower import load_tower, tower_presets
from wallsim.rules.tower_tables import FOES_INSIDE, FOES_THROWN, INSIDE, THROWN, WHOLE

HALF = 0.5 / WHOLE + 1e-9
PRESETS = {name: load_tower(name) for name in tower_presets()}
ROOM = (INSIDE, FOES_INSIDE, THROWN, FOES_THROWN)


@cache
def distribution_of(p, q, thrown, inside):
    def coins(cubes, chance):
        return [comb(cubes, k) * chance**k * (1 - chance) ** (cubes - k) for k in range(cubes + 1)]

    return np.convolve(coins(thrown, p), coins(inside, q))


def exact(p, q, thrown, inside, foes, held):
    """That strictly more of the attacker's cubes fall (B6.7)."""
    one, other = distribution_of(p, q, thrown, inside), distribution_of(p, q, foes, held)
    fewer = np.concatenate(([0.0], np.cumsum(other)))
    return float(sum(chance * fewer[min(cubes, len(other))] for cubes, chance in enumerate(one)))


def estimated(game, rules, *battle):
    return float(win_chance(game, rules, *battle))


def scene_of(tray, tower, name="spielbyweb"):
    scene = Scene.start(5, tower=PRESETS[name])
    scene.game.tray[:], scene.game.tower[:] = tray, tower
    return scene.game, scene.rules


few = st.lists(st.integers(0, 4), min_size=6, max_size=6)
seats = st.permutations(range(5)).map(lambda order: tuple(order[:2]))
presets = st.sampled_from([*PRESETS])
plain = st.sampled_from([name for name, tower in PRESETS.items() if tower.model == "independent"])


# ------------------------------------------------------------------------------------------ within the table


@given(few, few, seats, st.integers(1, 8), st.integers(1, 8), st.booleans(), plain)
def test_the_odds_against_a_player_are_exact_with_or_without_peasants(tray, tower, pair, armies, foes, join, name):
    """B6.6, B6.7: cubes of the tray are thrown again; the peasants' fall for the defender if they join."""
    attacker, defender = pair
    game, rules = scene_of(tray, tower, name)
    p, q = mean_rates(PRESETS[name].parameters)
    against = (tray[defender] + foes + join * tray[5], tower[defender] + join * tower[5])
    expected = exact(p, q, tray[attacker] + armies, tower[attacker], *against)
    assert abs(estimated(game, rules, attacker, armies, defender, foes, join) - expected) < HALF


@given(few, few, st.integers(0, 4), st.integers(1, 8), st.integers(0, 8), st.booleans(), plain)
def test_the_odds_against_peasants_count_them_once(tray, tower, attacker, armies, peasants, join, name):
    """B6.5, B7.2: a neutral county, or a revolt, which nobody joins whatever is asked."""
    game, rules = scene_of(tray, tower, name)
    p, q = mean_rates(PRESETS[name].parameters)
    expected = exact(p, q, tray[attacker] + armies, tower[attacker], tray[5] + peasants, tower[5])
    assert abs(estimated(game, rules, attacker, armies, NEUTRAL, peasants, join) - expected) < HALF
    assert NEUTRAL == PEASANTS


filled = st.sampled_from([name for name, tower in PRESETS.items() if tower.model != "independent"])


@given(few, few, seats, st.integers(1, 8), st.integers(1, 8), filled)
def test_elsewhere_counts_are_those_that_do_the_same_in_a_tower_with_mean_rates(tray, tower, pair, armies, foes, name):
    """A fuller tower lets more cubes through, and more cubes thrown knock more loose."""
    attacker, defender = pair
    game, rules = scene_of(tray, tower, name)
    model = PRESETS[name].parameters
    p, q = mean_rates(model)
    passing = pass_chance(model, sum(tower)) / p
    thrown = (tray[attacker] + armies, tray[defender] + foes)
    loose = release_chance(model, sum(thrown)) / q if PRESETS[name].model == "urn" else 1.0
    a, b = (int(passing * count + 0.5) for count in thrown)
    c, d = (int(loose * tower[seat] + 0.5) for seat in pair)
    if max(a, b) < ROOM[2] and max(c, d) < ROOM[0]:
        expected = rules.win_table.reshape(ROOM)[c, d, a, b] / WHOLE
        assert estimated(game, rules, attacker, armies, defender, foes, False) == pytest.approx(expected)


@pytest.mark.parametrize("name", ["spielbyweb-urn", "mid-layered"])
def test_the_fuller_a_tower_the_more_falls_through(name):
    model = PRESETS[name].parameters
    chances = [pass_chance(model, inside) for inside in range(0, 60, 5)]
    assert chances == sorted(chances)
    assert chances[0] < mean_rates(model)[0] < chances[-1]


@pytest.mark.parametrize("edge", [*range(16)])
def test_the_corners_of_the_table_are_exact(edge):
    inside, held, thrown, foes = (size - 1 if edge >> axis & 1 else 0 for axis, size in enumerate(ROOM))
    game, rules = scene_of(0, [inside, held, 0, 0, 0, 0])
    expected = exact(2 / 3, 1 / 3, thrown, inside, foes, held)
    assert abs(estimated(game, rules, 0, thrown, 1, foes, False) - expected) < HALF


# ------------------------------------------------------------------------------------------ beyond the table


def places(thrown, inside, foes, held):
    """Where the table is read: cubes that it has no room for are left out on both sides, as many on each."""
    over = max(0, thrown - 19, foes - 19)
    above = max(0, inside - 15, held - 23)
    return max(0, thrown - over), max(0, inside - above), max(0, foes - over), max(0, held - above)


def at(rules, thrown, inside, foes, held):
    """The estimated chance, with cubes of each side in tray and tower, and the peasants' share of the defence."""
    game = Scene.start(5, tower=PRESETS["spielbyweb"]).game
    game.tray[:], game.tower[:] = 0, 0
    game.tray[0], game.tower[0] = thrown // 2, inside
    game.tray[5], game.tower[5] = min(20, foes // 2), min(20, held)
    game.tower[1] = held - game.tower[5]
    return estimated(game, rules, 0, thrown - thrown // 2, 1, foes - int(game.tray[5]), True)


cubes = st.integers(0, 62)
defence = st.integers(0, 82)


@given(cubes, cubes, defence, defence)
def test_beyond_the_table_as_many_cubes_are_left_out_on_both_sides(thrown, inside, foes, held):
    rules = packed(Ruleset(players=5), PRESETS["spielbyweb"])
    a, b, c, d = places(thrown, inside, foes, held)
    assert (b, d, a, c) == tuple(min(place, size - 1) for place, size in zip((b, d, a, c), ROOM, strict=True))
    assert at(rules, thrown, inside, foes, held) == float(rules.win_table.reshape(ROOM)[b, d, a, c]) * (1.0 / WHOLE)


@given(cubes, cubes, defence, defence, plain)
def test_one_more_never_hurts_and_one_more_foe_never_helps(thrown, inside, foes, held, name):
    rules = packed(Ruleset(players=5), PRESETS[name])
    here = at(rules, thrown, inside, foes, held)
    assert 0 <= here <= 1
    assert at(rules, thrown + 1, inside, foes, held) >= here
    assert at(rules, thrown, inside + 1, foes, held) >= here
    assert at(rules, thrown, inside, foes + 1, held) <= here
    assert at(rules, thrown, inside, foes, held + 1) <= here


@pytest.mark.parametrize("name", ["spielbyweb", "mid", "rulebook"])
@pytest.mark.parametrize(("share", "even", "uneven"), [(1.1, 0.015, 0.085), (1.25, 0.045, 0.20), (1.5, 0.07, 0.41)])
def test_beyond_the_table_the_odds_are_near_where_both_sides_have_what_is_left_out(name, share, even, uneven):
    """Within seven points with half as many more; a side that lacks the cubes makes it a rough guess."""
    rules, (p, q) = packed(Ruleset(players=5), PRESETS[name]), mean_rates(PRESETS[name].parameters)
    axes = [(5, 15, 19, int(19 * share)), (0, 7, 15, int(15 * share)), (5, 15, 19, int(19 * share))]
    near, all_errors = [], []
    for thrown, inside, foes, held in product(*axes, (0, 10, 23, int(23 * share))):
        a, b, c, d = places(thrown, inside, foes, held)
        all_errors.append(
            abs(rules.win_table.reshape(ROOM)[b, d, a, c] / WHOLE - exact(p, q, thrown, inside, foes, held))
        )
        if (thrown - a, inside - b) == (foes - c, held - d):
            near.append(all_errors[-1])
    assert 0.003 < max(near) < even
    assert max(all_errors) < uneven


# ------------------------------------------------------------------------------------- what falls by itself


@given(few, few, presets)
def test_tray_and_tower_drop_by_their_mean_rates(tray, tower, name):
    scene = Scene.start(5, tower=PRESETS[name])
    scene.game.tray[:], scene.game.tower[:] = tray, tower
    mind = scene.players.seat[2]
    look_into_tower(scene.game, scene.rules, mind)
    look_at_spread(scene.game, scene.rules, mind)
    p, q = mean_rates(PRESETS[name].parameters)
    now = pass_chance(PRESETS[name].parameters, sum(tower))
    for colour in range(6):
        distribution = distribution_of(p, q, tray[colour], tower[colour])
        mean = distribution @ np.arange(len(distribution))
        assert mind.out[colour] == pytest.approx(now * tray[colour] + q * tower[colour], abs=1e-9)
        assert mind.spread[colour] == pytest.approx(distribution @ (np.arange(len(distribution)) - mean) ** 2, abs=1e-9)
