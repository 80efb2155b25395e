"""A correction in a kernel: the same numbers as in NumPy, added where a card can do something (B3)."""

import numpy as np
import pytest
from hypothesis import given

from tests.naive.rng import JIT
from tests.policies.planted_models import computed, write_policy
from tests.policies.planted_models import planted as planted_models
from tests.policies.seating import arena_of, dice_of, every_table, mind_of, odd_policy, plan, plan_errors, random_round
from wallsim.policies.catalogue import load_policy, read_policy
from wallsim.policies.correction.features import COUNTY_FEATURES, FIRST_MONEY, MOMENTS
from wallsim.policies.correction.model import correct_worths
from wallsim.rules.terms import AUCTION, COMBAT_A, COMBAT_B, MONEY_CARDS, WINTER

pytestmark = pytest.mark.skipif(not JIT, reason="a correction is read from its address")


@pytest.fixture(scope="module")
def planted(tmp_path_factory):
    """Corrections of every number of players: one with three units, one without."""
    folder = tmp_path_factory.mktemp("planted")
    every = ("3", "4", "5")
    return [
        planted_models("correction", folder / f"{units}.json", seed=units, players=every, units=units)
        for units in (3, 0)
    ]


@given(table=every_table, rng=dice_of)
def test_a_kernel_adds_what_numpy_computes(planted, table, rng):
    correction = planted[rng.randrange(2)]
    scene = random_round(table, rng, *[odd_policy(rng) for _ in table.players])
    scene.game.year = rng.randrange(2)
    plan(scene, 0)
    mind, own = mind_of(scene, 0), len(table.counties_of(0))
    mind.correction = correction.address()
    mind.value.T[: AUCTION + 1, : own + MONEY_CARDS] = np.where(
        np.random.default_rng(rng.randrange(99)).random((AUCTION + 1, own + MONEY_CARDS)) < 0.3, 0.0, 2.5
    )
    before = mind.value.T.copy()
    correct_worths(scene.game, scene.rules, mind, 0, own)
    inputs = np.zeros((own + MONEY_CARDS, len(COUNTY_FEATURES) + mind.table_fact.size + 1))
    inputs[:own, : len(COUNTY_FEATURES)] = mind.fact[:own]
    inputs[range(own, own + MONEY_CARDS), range(FIRST_MONEY, FIRST_MONEY + MONEY_CARDS)] = 1.0
    inputs[:, len(COUNTY_FEATURES) : -1] = mind.table_fact
    inputs[:, -1] = 1.0
    model = correction.contents["models"][str(table.rules.players)]
    moment = MOMENTS[int(scene.game.year) * WINTER + int(scene.game.season)]
    added = computed(model[moment], inputs)
    expected = before.copy()
    for column in range(own + MONEY_CARDS):
        for box in range(AUCTION + 1):
            is_auction = box == AUCTION and not scene.rules.first_edition
            attacks = column < own and COMBAT_A <= box <= COMBAT_B and scene.game.army[mind.hand[column]] > 1
            can = column < own and box < AUCTION and before[box, column] != 0.0
            if is_auction or attacks or can:
                expected[box, column] += added[column, box]
    # float32 adds some eighty products
    assert mind.value.T == pytest.approx(expected, rel=1e-3, abs=2e-3 * np.abs(inputs).max())


@given(table=every_table, rng=dice_of)
def test_corrected_plans_are_legal_on_any_table(planted, table, rng):  # B3.1 B3.2 B3.4 A4 E1 E3 V1
    scene = random_round(table, rng, *[odd_policy(rng) for _ in table.players])
    for seat in table.players:
        mind_of(scene, seat).correction = planted[rng.randrange(2)].address()
        assert plan_errors(table, seat, plan(scene, seat)) == []


def test_a_correction_of_zeros_plays_the_games_of_its_base(tmp_path):
    zero = read_policy(write_policy(tmp_path / "zero.toml", "balanced", size=0.0))
    other = read_policy(write_policy(tmp_path / "other.toml", "balanced"))
    for setup in ("lineup", "draft"):
        games = [arena_of(4, setup, policy).play(0, 20).seats for policy in (load_policy("balanced"), zero, other)]
        assert (games[0] == games[1]).all()
        assert (games[0] != games[2]).any()
