"""The variety of openings: its estimates find the planted entropy, and the plans are those of the traces."""

from math import log2

import numpy as np
import pytest

from tests.refusals import refused
from tests.trace.recorded import record
from wallsim.analysis.behaviour.tables import opening_plans, variety
from wallsim.rules.terms import ACTIONS, BOXES
from wallsim.stats.intervals import Confidence

GAMES = 400


def planted(chances, rng, games=GAMES, seats=2):
    """Plans of one box that differ, drawn with these chances."""
    plans = np.zeros((games, seats, BOXES), np.int64)
    plans[:, :, 3] = rng.choice(len(chances), (games, seats), p=chances)
    return plans


def test_the_openings_are_the_first_plans_of_the_traces():
    recorded = record(4, "lineup", 0)
    plans = opening_plans(recorded.arena, 3)
    assert plans.shape == (3, 4, BOXES)
    first = [line for line in recorded.lines if line["t"] == "plan"][:4]
    for line in first:
        cards = [recorded.match.card(card) for card in plans[0, line["seat"]].tolist()]
        assert dict(zip(ACTIONS, cards, strict=False)) == line["boxes"]
        assert cards[len(ACTIONS)] == line["bid"]


def test_what_never_differs_has_no_entropy_and_is_always_repeated():
    result = variety(np.zeros((50, 3, BOXES), np.int64))
    assert (result.entropy.value, result.least) == (0.0, 0.0)
    assert result.repeated.value == pytest.approx(100)
    assert result.entropy.interval(Confidence()) is None
    assert result.known


def test_what_is_never_repeated_has_no_known_entropy():
    plans = np.zeros((64, 2, BOXES), np.int64)
    plans[:, :, 5] = np.arange(64)[:, None]
    result = variety(plans)
    assert result.repeated.value == 0
    assert not result.known
    assert result.least == pytest.approx(log2(64))


@pytest.mark.parametrize(
    "chances",
    [np.array([0.4, 0.3, 0.2, 0.1]), np.full(300, 1 / 300), 0.8 ** np.arange(60) / sum(0.8 ** np.arange(60))],
    ids=["few", "nearly as many as games", "a few usual and many rare"],
)
def test_estimates_are_unbiased_enough_and_intervals_cover_the_planted_entropy(chances):
    rng, truth = np.random.default_rng(3), -float((chances * np.log2(chances)).sum())
    result = [variety(planted(chances, rng)) for _ in range(60)]
    values = np.array([each.entropy.value for each in result])
    assert abs(values.mean() - truth) < 0.03 * truth + 3 * values.std() / np.sqrt(60)
    assert np.mean([each.least for each in result]) < truth  # which is why the counts are not taken as they are
    covered = [low <= truth <= high for low, high in (each.entropy.interval(Confidence()) for each in result)]
    assert sum(covered) >= 0.75 * 60
    errors = np.array([each.entropy.error for each in result])
    assert values.std() == pytest.approx(errors.mean(), rel=0.4)


def test_the_chance_of_a_repeated_opening_is_that_of_a_further_game():
    rng, chances = np.random.default_rng(4), np.full(300, 1 / 300)
    seen, estimated = [], []
    for _ in range(60):
        plans = planted(chances, rng, seats=1)
        known = set(plans[:-1, 0, 3])
        seen.append(len(known) / 300)
        estimated.append(variety(plans[:-1]).repeated.value / 100)
    assert np.mean(estimated) == pytest.approx(np.mean(seen), abs=0.02)


def test_one_game_has_no_variety():
    with refused("games: 1", "two", by=ValueError):
        variety(np.zeros((1, 4, BOXES), np.int64))
