"""Errors of judgement and plans chosen by chance, both by the seat's own luck alone."""

import math
import random

import numpy as np
import pytest

from tests.naive.making import BOARD
from tests.naive.rng import GAMMA, WORD, many_draws, mix
from tests.naive.scene import Scene
from tests.policies.seating import begin_round, mind_of, plan, realm, sit, weighted
from wallsim.jit import kernel
from wallsim.policies.balanced.chance import add_noise, draw_plan, error_of, misjudge_bids
from wallsim.policies.record import TRIED_PLANS
from wallsim.policies.weights import TEMPERATURE
from wallsim.rules.terms import AUCTION, BASE_BOXES, BOXES, MONEY_CARDS
from wallsim.state.random import SEAT, key_streams


@kernel
def errors(game, mind, seat, found):
    for place in range(len(found)):
        found[place] = error_of(game, mind, seat)


def misjudging(**weights):
    """A scene in which seat 2, whose stream is at a known place, judges with these weights; and its mind."""
    scene = begin_round(sit(Scene.start(), weighted(**weights)))
    scene.game.random[SEAT + 2] = 1
    return scene, mind_of(scene, 2)


def naive_errors(count, noise):
    """Sums of four numbers of 16 bits, shifted and scaled to mean 0 and the given standard deviation."""
    words = [mix((1 + (1 + number) * GAMMA) % WORD) for number in range(count)]
    totals = [sum((word >> (16 * part)) & 0xFFFF for part in range(4)) for word in words]
    return [noise * (total - 2 * 0xFFFF) / (4 * ((1 << 32) - 1) / 12) ** 0.5 for total in totals]


def test_an_error_is_that_of_the_word_that_is_drawn():
    scene, mind = misjudging(noise=2.5)
    found = np.zeros(500)
    errors(scene.game, mind, 2, found)
    assert found == pytest.approx(naive_errors(500, 2.5), rel=1e-12)
    assert abs(found.mean()) < 4.0 * 2.5 / 500**0.5
    assert 2.2 < found.std() < 2.8


def test_every_card_on_every_box_of_the_base_mat_is_misjudged_on_its_own_but_not_one_that_would_do_nothing():
    scene, mind = misjudging(noise=1.0)
    mind.value[:] = 1.0
    mind.value[4, 3] = 0.0
    add_noise(scene.game, mind, 2, 13, 0.5)
    found = mind.value.T[:BASE_BOXES, :13]
    assert mind.value[4, 3] == 0.0
    assert len(set(found.ravel().tolist()) - {1.0}) == found.size
    assert (mind.value.T[:BASE_BOXES, 13:] == 1.0).all()
    assert (mind.value.T[BASE_BOXES:BOXES] == 1.0).all()


def test_each_bid_that_can_be_paid_has_an_error_of_its_own_and_county_cards_share_one():  # B4.2
    scene, mind = misjudging(bid_noise=1.5)
    scene.game.thalers[2], mind.value[:] = 3, 0.0
    misjudge_bids(scene.game, mind, 2, 8)
    of_counties, *of_money = naive_errors(1 + MONEY_CARDS, 1.5)
    assert mind.value.T[AUCTION, : 8 + MONEY_CARDS] == pytest.approx(
        [of_counties] * 8 + of_money[:4] + [0.0], rel=1e-12
    )
    assert not mind.value.T[:AUCTION].any()
    assert not mind.value.T[AUCTION, 8 + MONEY_CARDS :].any()


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


@pytest.mark.parametrize("noise", [0.0, 1.0])
def test_only_who_errs_draws_for_a_plan(noise):
    scene, _ = misjudging(noise=noise)
    for name in random.Random(3).sample(BOARD.counties, 8):
        scene.table.give(2, name, 3)
    begin_round(scene)
    before = scene.game.random.copy()
    plan(scene, 2)
    drawn = BASE_BOXES * 8 if noise else 0
    before[SEAT + 2] = (int(before[SEAT + 2]) + drawn * GAMMA) % WORD
    assert (scene.game.random == before).all()


@many_draws
@pytest.mark.parametrize("temperature", [0.2, 1.0, 4.0])
def test_plans_are_drawn_as_often_as_their_worths_say(temperature):
    scene = begin_round(realm(*BOARD.counties[:12]))
    mind, worths, draws = mind_of(scene, 0), [3.0, 2.0, 2.9, -1.0, 0.0], 20_000
    mind.weight[TEMPERATURE] = temperature
    counts = np.zeros(TRIED_PLANS)
    for _ in range(draws):
        mind.tried_worth[: len(worths)] = worths
        counts[draw_plan(scene.game, mind, 0, len(worths))] += 1
    weights = [math.exp(worth / temperature) for worth in worths]
    for count, weight in zip(counts, weights, strict=False):
        share = weight / sum(weights)
        assert abs(count / draws - share) < 4.5 * math.sqrt(share / draws) + 0.004 * share


def settled(temperature):
    scene = realm(*BOARD.counties[:12], weights={"temperature": temperature})
    scene.table.players[0].thalers, scene.table.players[0].grain = 9, 6
    return begin_round(scene, season=1)


def drawn(scene, count):
    """Plans drawn at other moments, and what each is worth without errors."""
    mind, plans, worths = mind_of(scene, 0), set(), []
    for moment in range(count):
        key_streams(scene.game, moment)
        plans.add(tuple(plan(scene, 0).values()))
        cards = mind.hand[:17].tolist()
        worths.append(sum(mind.judged[cards.index(int(mind.plan[box])), box] for box in range(BASE_BOXES)))
    return len(plans), worths


def test_the_colder_the_better_and_the_hotter_the_more_plans():
    cold, warm, hot = (drawn(settled(heat), 40) for heat in (0.001, 0.3, 3.0))
    assert max(cold[1]) - min(cold[1]) < 0.02, "equal plans may change places"
    assert np.mean(cold[1]) >= np.mean(warm[1]) > np.mean(hot[1])
    assert hot[0] >= 20
