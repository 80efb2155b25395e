"""Stages: p-values and intervals that stay valid although earlier games decide on later ones."""

from dataclasses import dataclass
from math import nan, sqrt

import numpy as np
import pytest
from scipy.stats import norm, t

from tests.refusals import refused
from wallsim.stats.blocks import Measurement
from wallsim.stats.intervals import Confidence
from wallsim.stats.stages import SHARES, WEIGHTS, Staged, pooled, students_tails

MANY = 10**7  # blocks with which Student's t is normal


@dataclass(frozen=True)
class Known(Measurement):
    blocks: int = MANY


def test_a_single_stage_has_students_p_value_over_its_share():
    above, below = Staged((Known(2.0, 1.0, 11),)).tails(0.0)
    assert above == pytest.approx(t.sf(2.0, 10) / SHARES[0])
    assert below == 1.0  # a p-value is never above 1


def test_stages_are_combined_by_weights_that_their_sizes_do_not_change():
    """Scores of 1 and 2 with weights 1 and 4: (1 + 2 × 2) / √5, however many games each had."""
    for errors in ((1.0, 1.0), (1.0, 0.01), (0.01, 1.0)):
        first, second = (Known(score * error, error) for score, error in zip((1.0, 2.0), errors, strict=True))
        above, _ = Staged((first, second)).tails(0.0)
        alone, both = norm.sf(1.0) / SHARES[0], norm.sf((1.0 + 2.0 * 2.0) / sqrt(5.0)) / SHARES[1]
        assert above == pytest.approx(min(alone, both), rel=1e-4)


def test_what_an_early_stage_showed_stays_shown():
    first = Staged((Known(6.0, 1.0),)).tails(0.0)[0]
    assert Staged((Known(6.0, 1.0), Known(-1.0, 1.0))).tails(0.0)[0] <= first


@pytest.mark.parametrize("stage", [Known(nan, 1.0), Known(1.0, nan)])
def test_a_stage_of_which_nothing_is_known_is_no_evidence(stage):
    assert Staged((stage,)).tails(0.0) == (1.0, 1.0)
    known = Known(5.0, 1.0)
    assert Staged((known, stage)).tails(0.0)[0] == Staged((known,)).tails(0.0)[0]


def test_without_an_error_a_value_is_known_exactly():
    assert students_tails(1.0, 0.0, 5, 0.0) == (0.0, 1.0)
    assert students_tails(0.0, 0.0, 5, 0.0) == (1.0, 1.0)
    assert Staged((Known(1.0, 0.0),)).tails(0.0)[0] < 1e-9
    assert Staged((Known(1.0, 0.0),)).interval(Confidence()) is None


@pytest.mark.parametrize("count", [0, len(SHARES) + 1])
def test_another_number_of_stages_is_an_error(count):
    assert sum(SHARES) == pytest.approx(1.0)
    assert len(SHARES) == len(WEIGHTS)
    with refused(f"stages: {count}", f"1 to {len(SHARES)}", by=ValueError):
        Staged((Known(1.0, 1.0),) * count)


def test_the_interval_ends_where_the_p_values_do():
    every = Staged((Known(0.3, 0.2, 400), Known(0.5, 0.1, 900), Known(0.4, 0.06, 2_000)))
    low, high = every.interval(Confidence(n_comparisons=20))
    assert low < every.value < high
    assert every.tails(low)[0] == pytest.approx(0.05 / 40, rel=1e-3)
    assert every.tails(high)[1] == pytest.approx(0.05 / 40, rel=1e-3)
    assert Staged((Known(0.3, 0.2, 20),)).interval(Confidence()) is None


def test_two_estimates_are_pooled_by_their_precision():
    """Errors of 1 and 2 weigh 4 to 1: the variance is 0.8; 0.64 and 0.16 of it have 10 and 40 degrees of freedom."""
    for pair in ((Known(1.0, 1.0, 11), Known(6.0, 2.0, 41)), (Known(6.0, 2.0, 41), Known(1.0, 1.0, 11))):
        result = pooled(*pair)
        assert (result.value, result.error) == pytest.approx((2.0, 0.8**0.5))
        assert result.blocks == 1 + int(0.64 / (0.64**2 / 10 + 0.16**2 / 40))  # Satterthwaite (1946): 15.4
        assert result.interval(Confidence()) is None  # too few blocks
    many = pooled(Known(1.0, 1.0, 1_001), Known(6.0, 2.0, 1_001))
    assert many.interval(Confidence()) == pytest.approx(Confidence().students(2.0, 0.8**0.5, many.blocks))
    assert pooled(Known(1.0, 0.5, 21), Known(3.0, 0.5, 21)).blocks == 41


def test_an_estimate_without_an_error_leaves_the_other_alone():
    one, other = Known(1.0, 0.5, 21), Known(3.0, 0.0, 21)
    assert pooled(one, other) is one
    assert pooled(other, one) is one
    assert Staged((one, other)).value == 1.0


def _misses(sizes_of, level=0.05, times=4_000):
    """How often a value of 0 is said to be above 0, by all games as one sample and by stages."""
    rng = np.random.default_rng(6)
    naive = staged = 0
    for _ in range(times):
        stages, total, games = [Known(rng.normal(), 1.0)], 0.0, 1.0
        total = stages[0].value
        said = total > norm.isf(level)
        while len(stages) < len(SHARES) and (size := sizes_of(total / sqrt(games))) > 0:
            gained = rng.normal(0.0, sqrt(size))
            stages.append(Known(gained / size, 1.0 / sqrt(size)))
            total, games = total + gained, games + size
            said |= total / sqrt(games) > norm.isf(level)
        naive += said
        staged += Staged(tuple(stages)).tails(0.0)[0] <= level
    return naive / times, staged / times


def test_who_adds_games_until_it_pleases_is_wrong_no_more_often_than_it_says():
    """Games are added where the value is nearly shown, few if near and many if far: one sample errs too often."""
    naive, staged = _misses(lambda score: 0.0 if score > 1.65 or score < 0.0 else max(0.2, 4.0 * (1.65 - score)))
    assert staged <= 0.05 + 3 * sqrt(0.05 * 0.95 / 4_000)
    assert naive > 0.06


@pytest.mark.parametrize("size", [1.0, 4.0, 40.0])
def test_a_planted_value_is_shown_by_the_later_stages(size):
    first = Known(0.25, 0.25)
    assert Staged((first,)).tails(0.0)[0] > 0.05
    assert Staged((first, Known(0.25, 0.25 / sqrt(4 * size)))).tails(0.0)[0] < 0.05
