"""A contrast covers planted effects as often as it says, tells what pairing gains, and claims nothing from nothing."""

from math import isnan

import numpy as np
import pytest

from tests.analysis.contrasts.planted_runs import contrast, wins_of
from wallsim.stats.blocks import block_mean
from wallsim.stats.intervals import Confidence

STUDIES, GAMES, PLAYERS = 2000, 120, 4
ONE = Confidence()


def study(rng, effect):
    """Whole VP of two runs that share their luck, the second with a mean effect on seat 0: two [games, seats]."""
    shared = rng.normal(50, 6, (GAMES, PLAYERS))
    first = np.round(shared + rng.normal(0, 3, shared.shape))
    second = np.round(shared + rng.normal(0, 3, shared.shape))
    second[:, 0] += rng.poisson(effect, GAMES)
    return first, second


@pytest.mark.parametrize(("column", "effect"), [("vp", 1.0), ("win", 0.0)])
def test_a_planted_effect_is_covered_and_its_test_keeps_its_level(column, effect):
    rng, held, claimed = np.random.default_rng(42), 0, 0
    for _ in range(STUDIES):
        first, second = (wins_of(each) if column == "win" else each for each in study(rng, effect))
        made = contrast(column, "", "", first[:, 0] + effect, second[:, 0], np.ones(GAMES))
        low, high = made.interval(ONE)
        held += low <= 0 <= high
        claimed += made.p_value(ONE) <= 0.05
        assert low <= made.change.value <= high
    assert 0.94 <= held / STUDIES <= 0.96
    assert claimed / STUDIES <= 0.065


@pytest.mark.parametrize("column", ["vp", "win"])
def test_games_without_cases_change_neither_value_nor_interval(column):
    rng = np.random.default_rng(44)
    first, second = (rng.integers(0, 2, GAMES).astype(float) for _ in range(2))
    some = rng.random(GAMES) < 0.4
    among = contrast(column, "", "", first * some, second * some, some.astype(float))
    alone = contrast(column, "", "", first[some], second[some], np.ones(some.sum()))
    assert among.counted == some.sum()
    assert among.change.blocks == GAMES
    assert among.change.value == pytest.approx(alone.change.value)
    assert among.error == pytest.approx(block_mean((second - first)[some]).error)
    assert among.interval(ONE) == pytest.approx(alone.interval(ONE))
    assert among.p_value(ONE) == pytest.approx(alone.p_value(ONE))


def test_wins_of_several_seats_are_centred_on_their_mean():
    rng = np.random.default_rng(45)
    cases = rng.integers(0, 3, 400).astype(float)
    first, second = (np.minimum(rng.binomial(1, 0.3, 400), cases) for _ in range(2))
    made = contrast("win", "", "", first, second, cases)
    low, high = made.interval(ONE)
    assert (low + high) / 2 == pytest.approx(made.change.value, abs=2e-3)
    assert high - low == pytest.approx(2 * 1.96 * made.error, rel=0.05)


def test_the_gain_of_pairing_is_the_share_of_variance_saved():
    rng = np.random.default_rng(46)
    luck = rng.normal(0, 1, (3, 50_000))
    gain = [
        contrast("vp", "", "", one, other, np.ones(50_000)).pairing_gain
        for one, other in (
            (luck[0], luck[1]),
            (luck[0] + luck[2], luck[1] + luck[2]),
            (luck[0], luck[0] + 1),
            (luck[0], -luck[0]),
        )
    ]
    assert gain == pytest.approx([0, 0.5, 1, -1], abs=0.02)
    assert isnan(contrast("vp", "", "", np.ones(40), np.ones(40), np.ones(40)).pairing_gain)


def test_nothing_is_claimed_from_nothing():
    ones = np.ones(60)
    constant = contrast("vp", "", "", ones, 2 * ones, ones)
    assert (constant.change.value, constant.same, constant.interval(ONE)) == (1.0, False, None)
    assert isnan(constant.p_value(ONE))
    same = contrast("win", "", "", ones, ones, ones)
    assert same.same
    assert same.interval(ONE)[0] < 0 < same.interval(ONE)[1]
    few = contrast("vp", "", "", np.arange(60.0), ones, (np.arange(60) < 29).astype(float))
    assert few.interval(ONE) is None
    assert contrast("vp", "", "", ones, ones, 0 * ones) is None
    assert isnan(contrast("vp", "", "", ones, ones, np.r_[1.0, np.zeros(59)]).error)
