"""Choosing among whole plans by chance: never a blunder, the better the more often, and the same on every machine."""

import math

import numpy as np
import pytest
from hypothesis import given

from tests.naive.making import BOARD
from tests.naive.rng import many_draws
from tests.policies.seating import (
    begin_round,
    dice_of,
    every_table,
    mind_of,
    plan,
    plan_errors,
    random_round,
    realm,
    weighted,
)
from wallsim.policies.balanced.chance import draw_plan
from wallsim.policies.record import TRIED_PLANS
from wallsim.policies.weights import TEMPERATURE
from wallsim.rules.terms import BASE_BOXES
from wallsim.state.random import key_streams


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
        worths.append(sum(mind.judged[box, cards.index(int(mind.plan[box]))] for box in range(BASE_BOXES)))
    return len(plans), worths


def test_the_colder_the_better_and_the_hotter_the_more_plans():
    cold, warm, hot = (drawn(settled(heat), 40) for heat in (0.001, 0.3, 3.0))
    assert max(cold[1]) - min(cold[1]) < 0.02, "equal plans may change places"
    assert np.mean(cold[1]) >= np.mean(warm[1]) > np.mean(hot[1])
    assert hot[0] >= 20


@given(every_table, dice_of)
def test_plans_drawn_are_legal(table, rng):  # B3.1 B3.2 E3 V1
    scene = random_round(table, rng, weighted(temperature=rng.choice((0.5, 5.0))))
    for seat in table.players:
        assert plan_errors(table, seat, plan(scene, seat)) == []


@many_draws
@pytest.mark.parametrize("temperature", [0.2, 1.0, 4.0])
def test_plans_are_drawn_as_often_as_their_worths_say(temperature):
    scene = settled(temperature)
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
