"""Games without interventions say by another way what forced cards bring, and how much of the variance cards bring."""

import numpy as np
import pytest

from tests.analyses.studies import played_by
from wallsim.analyses.events import cards as event_effects
from wallsim.analyses.events import lottery as event_lottery
from wallsim.analyses.events.cards import CARDS
from wallsim.analyses.events.lottery import Lottery, agreement, share_of_variance
from wallsim.rules.terms import SEASON_NAMES
from wallsim.runs.experiment_file import load_experiment
from wallsim.studies import games

BLOCKS = 150
POINTS = "VP of a seat"


def only_points(batch):
    return {POINTS: batch.seats("vp").mean(axis=1)}


@pytest.fixture(scope="module")
def both_ways():
    """Forced cards with `random` in all seats, and games without interventions that follow them."""
    scenarios = {name: lines for name, lines in event_effects.scenarios().items()
                 if not name.endswith(("cancelled", "absent"))}  # fmt: skip
    played = played_by("random", event_effects.EXPERIMENT, scenarios, BLOCKS, only_points, seasons=False)
    experiment = load_experiment(event_effects.EXPERIMENT, {"policies": "random"})
    arena = experiment.components().arena(experiment.seed)
    parts = games.in_batches(arena, range(BLOCKS, 5 * BLOCKS), event_lottery._came, workers=1)
    return played, Lottery(*(np.concatenate([part[name] for part in parts]) for name in ("cards", "points")))


def test_the_lottery_has_the_games_that_follow_and_draws_each_year_four_of_twelve_cards(both_ways):
    _, result = both_ways
    assert result.blocks() == 4 * BLOCKS
    assert result.cards.shape == (4 * BLOCKS * 24, len(SEASON_NAMES))
    assert all(len(set(row)) == len(SEASON_NAMES) for row in result.cards[:500].tolist())
    assert np.bincount(result.cards.ravel(), minlength=12) == pytest.approx(
        np.full(12, result.cards.size / 12), rel=0.05
    )


def test_forced_cards_bring_what_the_games_own_lottery_says(both_ways):
    played, result = both_ways
    test = agreement(result, played, POINTS)
    assert test.degrees[0] == len(SEASON_NAMES) * (len(CARDS) - 1)
    assert test.p_value > 0.01


@pytest.mark.parametrize("scenario", ["{} forced", "{} winter 2"])
def test_two_cards_taken_for_each_other_are_noticed(both_ways, scenario):
    played, result = both_ways
    one, other = scenario.format("tax_max_5"), scenario.format("tax_min_6")
    if scenario.endswith("forced"):  # this policy's rounds hardly differ by card, so a difference is planted
        wrong = {**played, one: {POINTS: played[one][POINTS] + 0.5}}
    else:
        wrong = {**played, one: played[other], other: played[one]}
    assert agreement(result, wrong, POINTS).p_value < 0.001


def test_too_few_blocks_are_not_tested(both_ways):
    played, result = both_ways
    few = {name: {POINTS: counted[POINTS][:40]} for name, counted in played.items()}
    assert agreement(result, few, POINTS) is None


@pytest.mark.parametrize("size", [0.0, 1.5])
def test_a_planted_share_of_the_variance_is_found(size):
    rng = np.random.default_rng(1)
    cards = np.argsort(rng.random((24 * 500, 12)), axis=1)[:, :8].astype(np.int8)
    brings = size * np.arange(12) / np.std(np.arange(12))
    noise = rng.normal(0, 3, (len(cards), 4))
    points = brings[cards[:, 3]][:, None] + noise + 40
    result = share_of_variance(Lottery(cards, points))
    truth = size**2 / (size**2 + 9)
    assert result.blocks == 500
    assert result.value == pytest.approx(truth, abs=4 * result.error + 1e-3)
    assert result.error < 0.01
    alone = share_of_variance(Lottery(cards, points), [3])
    assert alone.value == pytest.approx(truth, abs=4 * alone.error + 1e-3)
    assert share_of_variance(Lottery(cards, points), [0]).value < truth / 4 + 0.002
