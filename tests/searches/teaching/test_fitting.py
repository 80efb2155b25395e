"""Fits to lessons: plans add up as the planner adds them, a planted correction is found, and nothing else is."""

import numpy as np
import pytest

from tests.searches.teaching.planted_lessons import (
    CHOICES,
    COUNTIES,
    NAMES,
    OF_TABLE,
    PLANS,
    attack_lessons_of,
    lessons_of,
    nothing,
)
from wallsim.policies.correction import attack_features as choices
from wallsim.policies.correction.features import INPUTS, WORTH_ON_BOX
from wallsim.rules.terms import AUCTION, GRAIN, MONEY_CARDS, TAXES
from wallsim.searches.teaching.fitting import AttackSums, PlanSums, fit_correction
from wallsim.searches.teaching.lessons import joined
from wallsim.searches.teaching.teaching import held_out_gain, model_of, rounded
from wallsim.stats.intervals import Confidence

MARKERS, LEAD = NAMES.index("markers"), OF_TABLE.index("lead")


def planted(box, fact, table):
    """Grain is worth more where markers are, taxes less for who leads."""
    return 1.5 * (box == GRAIN) * fact[..., MARKERS] - 1.0 * (box == TAXES) * np.maximum(0.0, table[..., LEAD])


def test_the_worth_of_a_plan_is_the_sum_of_its_cards():
    lessons = lessons_of(nothing, number=20)
    sums = PlanSums(lessons)
    fact = lessons.fact.reshape(20, COUNTIES, -1)
    for lesson in range(20):
        for plan in range(PLANS):
            expected = 0.0
            for box, card in enumerate(lessons.columns[lesson, plan].tolist()):
                if box < AUCTION and card >= 0:
                    expected += fact[lesson, card, WORTH_ON_BOX[box]]
                elif box == AUCTION:
                    thalers = card - COUNTIES
                    expected += lessons.table[lesson, OF_TABLE.index(f"worth_bid_{thalers}")]
                    expected -= thalers * lessons.table[lesson, OF_TABLE.index("worth_thaler")]
            assert sums.worth[lesson, plan] == pytest.approx(expected, rel=1e-4, abs=1e-4)
    assert sums.weight.sum(axis=1) == pytest.approx(1.0)
    assert sums.inputs.shape == (20 * (COUNTIES + MONEY_CARDS), len(NAMES))


@pytest.fixture(scope="module")
def found():
    """The fits of lessons with the planted correction, and without any."""
    fits = {}
    for true, number in ((planted, 2000), (nothing, 600)):
        sums = PlanSums(lessons_of(true, number))
        fits[true] = rounded(fit_correction(sums, units=4, passes=40, shrink=1.0, seed=1))
    return fits


def test_a_planted_correction_is_found(found):
    exact = PlanSums(lessons_of(planted, number=300, noise=0.0, seed=11))
    cards, table = found[planted].of_rows(exact, 0, 300), exact.table[exact.lesson]
    # What bends is found more slowly than what is linear.
    for box, truth, least in ((GRAIN, exact.inputs[:, MARKERS], 0.9), (TAXES, -np.maximum(0.0, table[:, LEAD]), 0.5)):
        here = exact.open[:, box] > 0
        own = exact.inputs[here, WORTH_ON_BOX[box]]  # of which a correction may be a multiple, too
        left = cards[here, box] - np.polyval(np.polyfit(own, cards[here, box], 1), own)
        assert np.corrcoef(left, truth[here])[0, 1] > least
    worth = exact.worth + exact.of_tried(cards, 0, 300)
    predicted, truth = (exact.centred(numbers, 0, 300).ravel() for numbers in (worth, exact.result))
    assert np.corrcoef(predicted, truth)[0, 1] > 0.85


def test_what_was_planted_is_gained_on_other_lessons_and_nothing_where_nothing_was(found):
    for true, gains in ((planted, True), (nothing, False)):
        other = lessons_of(true, number=600, seed=9)
        sums, confidence = PlanSums(other), Confidence()
        zero = fit_correction(sums, units=0, passes=1, shrink=0.0, seed=1)
        without = held_out_gain(sums, other.block, zero, confidence)
        corrected = held_out_gain(sums, other.block, found[true], confidence)
        assert corrected["lessons"] == 600
        assert corrected["low"] < corrected["gain"] < corrected["high"]
        if gains:
            assert corrected["low"] > without["high"]
        else:
            assert abs(corrected["gain"] - without["gain"]) < 0.2


def test_plans_that_were_not_found_change_nothing():
    lessons = lessons_of(planted, number=300)
    more = lessons._replace(
        columns=np.pad(lessons.columns, ((0, 0), (0, 3), (0, 0)), constant_values=-1),
        result=np.pad(lessons.result, ((0, 0), (0, 3)), constant_values=np.nan),
    )
    fits = [fit_correction(PlanSums(each), units=2, passes=2, shrink=1.0, seed=5) for each in (lessons, more)]
    assert fits[0].linear == pytest.approx(fits[1].linear, abs=1e-4)
    both = joined([lessons, more])
    assert both.result.shape == (600, PLANS + 3)
    assert np.isnan(both.result[:300, PLANS:]).all()


def test_a_fit_is_the_same_every_time_survives_its_file_and_is_multiplied_by_the_shrink():
    sums = PlanSums(lessons_of(planted, number=300))
    first, second, half = (fit_correction(sums, units=2, passes=1, shrink=shrink, seed=8) for shrink in (0.8, 0.8, 0.4))
    assert model_of(first) == model_of(second)
    assert rounded(first).linear == pytest.approx(first.linear, rel=1e-3)
    assert half.of_rows(sums, 0, 50) == pytest.approx(0.5 * first.of_rows(sums, 0, 50))
    assert rounded(fit_correction(sums, units=0, passes=1, shrink=0.7, seed=8)).units.shape == (INPUTS, 0)


# ------------------------------------------------------------------------------------------------- attacks


def planted_attacks(fact, table):
    """Sending armies is worth more where they are many inside the tower, and danger to the origin bends it."""
    inside = table[..., choices.INSIDE]
    return 1.5 * fact[..., choices.SENT] - np.maximum(0.0, fact[..., choices.HARM] + inside)


def no_attacks(fact, table):
    """No correction."""
    return 0.0


def test_each_choice_is_a_sum_of_one_cell():
    lessons = attack_lessons_of(no_attacks, number=20)
    sums, first = AttackSums(lessons), 0
    assert sums.outputs == 1
    assert sums.inputs.shape == (lessons.counties.sum(), len(choices.CHOICE_FEATURES))
    for lesson, count in enumerate(lessons.counties.tolist()):
        own = lessons.fact[first : first + count, choices.WORTH]
        assert (sums.worth[lesson, :count] == own).all()
        assert sums.found[lesson].tolist() == [place < count for place in range(CHOICES)]
        assert not sums.weight[lesson, count:].any()
        first += count
    assert sums.weight.sum(axis=1) == pytest.approx(1.0)


def test_a_planted_correction_of_attacks_is_found_and_gains_on_other_lessons():
    fits = {
        true: rounded(fit_correction(AttackSums(attack_lessons_of(true, number)), 4, 60, 1.0, seed=1))
        for true, number in ((planted_attacks, 3000), (no_attacks, 1000))
    }
    exact = attack_lessons_of(planted_attacks, number=300, noise=0.0, seed=11)
    sums = AttackSums(exact)
    worth = sums.worth + sums.of_tried(fits[planted_attacks].of_rows(sums, 0, 300), 0, 300)
    predicted, truth = (sums.centred(numbers, 0, 300)[sums.found] for numbers in (worth, sums.result))
    assert np.corrcoef(predicted, truth)[0, 1] > 0.9
    assert model_of(fits[planted_attacks])["outward"][0][0] != 0
    for true, gains in ((planted_attacks, True), (no_attacks, False)):
        other = attack_lessons_of(true, number=600, seed=9)
        sums, confidence = AttackSums(other), Confidence()
        zero = fit_correction(sums, units=0, passes=1, shrink=0.0, seed=1)
        without, corrected = (held_out_gain(sums, other.block, fit, confidence) for fit in (zero, fits[true]))
        if gains:
            assert corrected["low"] > without["high"]
        else:
            assert abs(corrected["gain"] - without["gain"]) < 0.2
