"""The policies' table of battle odds against exact fractions, and the mean rates it is made with."""

import random
from fractions import Fraction
from functools import cache
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.naive.every_cast import passing_chance
from tests.naive.making import packed
from tests.naive.rng import binomial_distribution
from tests.naive.tower_formulas import contents_moments, layered_contents, release_spread, urn_transition
from wallsim.rules.mean_rates import mean_rates, release_chance, stay_chance
from wallsim.rules.ruleset import Ruleset
from wallsim.rules.tower import Independent, Layered, Urn, load_tower, tower_presets
from wallsim.rules.tower_tables import FOES_INSIDE, FOES_THROWN, INSIDE, THROWN, WHOLE, win_table

SIZES = (INSIDE, FOES_INSIDE, THROWN, FOES_THROWN)  # the table's axes
EDGES = [*product(*((0, 1, size - 1) for size in SIZES))]
PARAMETERS = {name: load_tower(name).parameters for name in tower_presets()}
RATES = [(Fraction(2, 3), Fraction(1, 3)), (Fraction(18, 25), Fraction(11, 100)), (Fraction(1), Fraction(0))]
HALF = 0.5 / WHOLE + 1e-9  # the rounding of an entry


def some_cells(count, seed=1):
    rng = random.Random(seed)
    return [tuple(rng.randrange(size) for size in SIZES) for _ in range(count)]


@cache
def distribution_of(p, q, thrown, inside):
    """The exact distribution of what falls of one side: a coin for every cube."""
    distribution = [Fraction(0)] * (thrown + inside + 1)
    for a, one in enumerate(binomial_distribution(thrown, p)):
        for b, other in enumerate(binomial_distribution(inside, q)):
            distribution[a + b] += one * other
    return distribution


def chance_to_win(p, q, inside, held, thrown, foes):
    """That strictly more of the first side's cubes fall: one outcome of both sides after another (B6.7)."""
    won, below = Fraction(0), Fraction(0)
    against = distribution_of(p, q, foes, held)
    for cubes, chance in enumerate(distribution_of(p, q, thrown, inside)):
        won += chance * below  # so far the chances of fewer than `cubes`
        below += against[cubes] if cubes < len(against) else 0
    return won


@pytest.mark.parametrize(("p", "q"), RATES, ids=str)
def test_the_table_holds_the_exact_odds_to_its_last_digit(p, q):  # B6.7
    table = win_table(float(p), float(q))
    assert table.shape == SIZES
    assert table.dtype == np.uint16
    for cell in [*EDGES, *some_cells(40)]:
        assert abs(float(table[cell]) / WHOLE - float(chance_to_win(p, q, *cell))) < HALF, cell


def test_a_small_fight_by_hand():  # B6.7
    # One cube against one, half of all fall: it wins if it falls and the other does not.
    table = win_table(0.5, 0.25)
    assert table[0, 0, 1, 1] == round(WHOLE / 4)
    assert table[0, 0, 1, 0] == round(WHOLE / 2)
    assert table[1, 0, 0, 0] == round(WHOLE / 4)
    assert table[0, 1, 1, 0] == round(WHOLE * 3 / 8)  # the axes: attacker's cubes inside, then the defenders'
    assert table[1, 0, 0, 1] == round(WHOLE / 8)
    assert not table[0, :, 0, :].any()  # without cubes nobody wins


@pytest.mark.parametrize("name", PARAMETERS)
def test_more_of_ones_own_never_hurts_and_more_of_the_others_never_helps(name):
    table = win_table(*mean_rates(PARAMETERS[name])).astype(int)
    for axis, sign in enumerate((1, -1, 1, -1)):
        assert (sign * np.diff(table, axis=axis) >= 0).all()
    assert table.max() <= WHOLE
    assert table[0, 0, THROWN - 1, 1] > table[0, 0, 1, 1]


@pytest.mark.parametrize("name", PARAMETERS)
def test_the_kernels_get_rates_and_table_of_their_tower(name):
    rules, model = packed(Ruleset(), load_tower(name)), PARAMETERS[name]
    rates = mean_rates(model)
    assert not isinstance(model, Independent) or rates == (model.p, model.q)
    assert (float(rules.pass_rate), float(rules.release_rate)) == rates
    assert (rules.win_table == win_table(*rates).reshape(rules.win_table.shape)).all()
    assert not win_table(*rates).flags.writeable


# ------------------------------------------------------------------------------------------------ mean rates


@pytest.mark.parametrize(
    ("model", "close"),
    [
        (PARAMETERS["mid-urn"], 1e-9),
        (Urn(0.8, 40, 0.1, -0.5, phi=1.0), 1e-9),
        (Urn(0.6, 30, 0.05, 1, alpha=0.5), 0.02),  # not linear in its contents
        (Urn(0.6, 30, 0.05, 1, alpha=2.0), 0.02),
        (Layered((16, 16, 16), (0.95,) * 3, (0.271,) * 3), 1e-9),
        (Layered((12, 30), (0.4, 0.2), (0.3, 0.6), swap=0.7), 1e-9),
        (PARAMETERS["mid-layered"], 0.02),  # with cascade: mean field
        (PARAMETERS["rulebook-layered"], 0.02),
    ],
    ids=repr,
)
def test_a_towers_rates_keep_its_settled_contents(model, close):
    """Settled casts of eight: as many cubes are kept as are released, of the mean contents before the cast."""
    settled, (passing, loose) = contents_moments(model, 8), mean_rates(model)
    assert 8 * (1 - passing) == pytest.approx(settled.mean * loose, rel=close)
    if close < 0.01 and isinstance(model, Urn):
        assert loose == pytest.approx(release_spread(model, 8).mean, rel=1e-12)
    elif close < 0.01:
        assert 8 * (1 - passing) == pytest.approx(layered_contents(model).mean * loose, rel=1e-12)


def test_an_urn_takes_two_hundred_casts_to_settle_at_most():
    """One that hardly moves is left where it then is: the rate of keeping is that of play, not of eternity."""
    model = Urn(0.01, 100, 0.0, 1)
    contents = np.eye(101)[0] @ np.linalg.matrix_power(urn_transition(model, 8), 199)
    inside = float(contents @ np.arange(101))
    kept = float(contents @ urn_transition(model, 8) @ np.arange(101)) - inside
    assert mean_rates(model)[0] == pytest.approx(1 - kept / 8, rel=1e-9)
    assert mean_rates(model)[1] == 0


@pytest.mark.parametrize("swap", [0.0, 0.5])
def test_a_cube_passes_a_layered_tower_with_its_mean_chance(swap):
    """Over all contents by their chances, each floor a binomial by itself, a thrown cube tried out."""
    model = Layered((3, 2), (0.2, 0.1), (0.3, 0.25), swap=swap)
    taken = [a / (a + k * (1 - swap)) for a, k in zip(model.stick, model.knock, strict=True)]
    first, second = (binomial_distribution(cells, share) for cells, share in zip(model.cells, taken, strict=True))
    exact = sum(
        float(one * other * passing_chance(model, (a, b)))
        for a, one in enumerate(first)
        for b, other in enumerate(second)
    )
    wide = Layered((300, 200), model.stick, model.knock, swap=swap)  # so wide that none leaves in the cast it came with
    assert mean_rates(wide)[0] == pytest.approx(exact, rel=1e-12)


@pytest.mark.parametrize(("stick", "knock"), [((0.5, 0.5), (0.0, 0.0)), ((0.0, 0.0), (0.5, 1.0)), ((0.0,) * 2,) * 2])
def test_a_floor_that_fills_for_good_neither_keeps_nor_releases(stick, knock):
    assert mean_rates(Layered((5, 5), stick, knock)) == (1.0, 0.0)


floors = st.lists(st.tuples(st.integers(1, 1000), st.floats(0, 1), st.floats(0, 1)), min_size=1, max_size=4)
chance = st.sampled_from((0.0, 0.3, 1.0))


@given(floors, st.sampled_from((0.0, 0.5, 0.99)), chance)
def test_a_layered_towers_rates_are_chances_in_balance(drawn, cascade, swap):
    """However few cells there are: three that are always filled and knocked free again release all they hold."""
    cells, stick, knock = zip(*drawn, strict=True)
    for few in (cells, tuple(min(number, 3) for number in cells)):
        model = Layered(few, stick, knock, cascade, swap)
        passing, loose = mean_rates(model)
        assert 0 <= passing <= 1
        assert 0 <= loose <= 1
        assert 8 * (1 - passing) <= sum(few) * loose + 1e-9  # what is kept comes loose, of at most so many


@given(
    st.floats(0, 1), st.floats(1, 300), st.floats(0, 10), st.floats(-1, 3), st.sampled_from((0.1, 1.0, 10.0)), chance
)
def test_an_urns_rates_are_chances(retention, capacity, kappa, beta, alpha, phi):
    model = Urn(retention, capacity, kappa, beta, alpha=alpha, phi=phi)
    passing, loose = mean_rates(model)
    assert 0 <= passing <= 1
    assert 0 <= loose <= 1


def test_chances_of_release_and_of_staying():
    model = Urn(0.5, 10, 0.2, 2, alpha=2, phi=0.5)
    assert release_chance(model, 3) == pytest.approx(1 - (1 + 0.5 * 0.2 * 9) ** -2)
    assert release_chance(Urn(0.5, 10, 0.2, 2), 3) == pytest.approx(1 - np.exp(-1.8))
    assert release_chance(model, 0) == 0
    assert release_chance(Urn(0.5, 10, 0.2, -1), 0) == 0
    assert [stay_chance(model, inside) for inside in (0, 5, 10, 11)] == [0.5, 0.375, 0, 0]
