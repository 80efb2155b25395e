"""Errors of judgement: a mean of nothing, the spread that the weight says, and no luck used where there is none."""

import random

import numpy as np
import pytest

from tests.naive.making import BOARD
from tests.naive.rng import GAMMA, WORD, many_draws, mix
from tests.naive.scene import Scene
from tests.policies.seating import begin_round, mind_of, plan, sit, weighted
from wallsim.jit import kernel
from wallsim.policies.balanced.chance import add_noise, error_of, misjudge_bids
from wallsim.rules.terms import AUCTION, BASE_BOXES, BOXES, MONEY_CARDS
from wallsim.state.random import SEAT

DRAWS = 200_000


@kernel
def errors(game, mind, seat, found):
    for place in range(len(found)):
        found[place] = error_of(game, mind, seat)


def scene_of(noise, start=1):
    """A scene whose seats judge with this noise, seat 2's stream at a known place."""
    scene = begin_round(sit(Scene.start(), weighted(noise=noise)))
    scene.game.random[SEAT + 2] = start
    return scene


def drawn(noise, count, start=1):
    """Errors of seat 2."""
    scene, found = scene_of(noise, start), np.zeros(count)
    errors(scene.game, mind_of(scene, 2), 2, found)
    return found


def naive_error(word, noise):
    """The sum of four numbers of 16 bits, shifted and scaled to mean 0 and the given standard deviation."""
    total = sum((word >> (16 * part)) & 0xFFFF for part in range(4))
    variance = 4 * ((1 << 32) - 1) / 12
    return noise * (total - 2 * 0xFFFF) / variance**0.5


def test_an_error_is_that_of_the_word_that_is_drawn():
    state = 1
    for error in drawn(2.5, 50):
        state = (state + GAMMA) % WORD
        assert error == pytest.approx(naive_error(mix(state), 2.5), rel=1e-12)


@many_draws
@pytest.mark.parametrize("noise", [0.25, 1.0, 20.0])
def test_errors_have_mean_nothing_and_the_weights_standard_deviation(noise):
    """Four standard errors; the sum of four uniform numbers has kurtosis 3 - 1.2 / 4 = 2.7."""
    found = drawn(noise, DRAWS) / noise
    assert abs(found.mean()) < 4.0 / np.sqrt(DRAWS)
    assert abs(found.var() - 1.0) < 4.0 * np.sqrt(1.7 / DRAWS)
    assert abs((found**4).mean() - 2.7) < 0.05
    assert abs((found**3).mean()) < 0.05
    assert np.abs(found).max() <= np.sqrt(12.0)
    assert abs(np.corrcoef(found[1:], found[:-1])[0, 1]) < 4.0 / np.sqrt(DRAWS)


def test_every_card_on_every_box_of_the_base_mat_is_misjudged_on_its_own_but_not_one_that_would_do_nothing():
    scene = scene_of(1.0)
    mind = mind_of(scene, 2)
    mind.value[:] = 1.0
    mind.value[3, 4] = 0.0
    add_noise(scene.game, mind, 2, 13, 0.5)
    found = mind.value[:BASE_BOXES, :13]
    assert mind.value[3, 4] == 0.0
    assert len(set(found.ravel().tolist()) - {1.0}) == found.size
    assert (mind.value[:BASE_BOXES, 13:] == 1.0).all()
    assert (mind.value[BASE_BOXES:BOXES] == 1.0).all()


@pytest.mark.parametrize("noise", [0.0, 1.0])
def test_only_who_errs_draws_for_a_plan(noise):
    scene = scene_of(noise)
    for name in random.Random(3).sample(scene.table.board.counties, 8):
        scene.table.give(2, name, 3)
    begin_round(scene)
    before = scene.game.random.copy()
    plan(scene, 2)
    drawn_words = BASE_BOXES * 8 if noise else 0
    assert int(scene.game.random[SEAT + 2]) == (int(before[SEAT + 2]) + drawn_words * GAMMA) % WORD
    before[SEAT + 2] = scene.game.random[SEAT + 2]
    assert (scene.game.random == before).all()


def bid_errors(bid_noise, start=1, counties=8, thalers=3):
    """What is added to the worths of the auction, for each county card and each sum of money, of seat 2."""
    scene = begin_round(sit(Scene.start(), weighted(bid_noise=bid_noise)))
    scene.game.random[SEAT + 2] = start
    scene.game.thalers[2] = thalers
    mind = mind_of(scene, 2)
    mind.value[:] = 0.0
    misjudge_bids(scene.game, mind, 2, counties)
    assert not mind.value[:AUCTION].any()
    assert not mind.value[AUCTION, counties + MONEY_CARDS :].any()
    return mind.value[AUCTION, :counties].copy(), mind.value[AUCTION, counties : counties + MONEY_CARDS].copy()


def test_each_bid_that_can_be_paid_has_an_error_of_its_own_and_county_cards_share_one():  # B4.2
    cards, money = bid_errors(1.5)
    words = [mix((1 + place * GAMMA) % WORD) for place in range(1, 2 + MONEY_CARDS)]
    expected = [naive_error(word, 1.5) for word in words]
    assert cards == pytest.approx(expected[0], rel=1e-12)
    assert money[:4] == pytest.approx(expected[1:5], rel=1e-12)
    assert money[4] == 0.0


def test_bids_that_are_misjudged_are_not_always_the_same():  # B4.2
    bids = set()
    for start in range(60):
        scene = sit(Scene.start(), weighted(bid_noise=2.0))
        for name in BOARD.counties[:12]:
            scene.table.give(2, name, 2)
        scene.table.players[2].thalers = 9
        begin_round(scene)
        scene.game.random[SEAT + 2] = start
        card = plan(scene, 2)["auction"]
        bids.add("county" if isinstance(card, str) else card)
    assert bids >= {0, 1, 2, 3, 4}
