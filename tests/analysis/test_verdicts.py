"""A claim is proof against a change only where every interval says so; else the verdict names where it is not."""

import numpy as np
import pytest

from wallsim.analysis.blocks import Estimate, block_mean, block_ratio
from wallsim.analysis.intervals import normal_quantile
from wallsim.analysis.verdicts import Claim, judge

CLAIM = Claim("It is more than 50.", "it", 50)
NOISE = np.tile([-1.0, 1.0], 50)


def arm(value):
    """An estimate whose interval at z = 2 reaches some 0.2 to either side."""
    return Estimate(value, NOISE)


def test_a_claim_that_holds_everywhere_is_proof():
    verdict = judge(CLAIM, {"one": arm(51), "two": arm(50.3)}, 2.0)
    assert verdict.proof
    assert verdict.holds == ("one", "two")
    assert verdict.in_words("tower") == "tower-proof"


def test_failures_and_open_questions_are_named():
    verdict = judge(CLAIM, {"one": arm(51), "two": arm(49), "three": arm(50.1), "four": arm(49.9)}, 2.0)
    assert not verdict.proof
    assert (verdict.holds, verdict.fails, verdict.open) == (("one",), ("two",), ("three", "four"))
    assert verdict.in_words("tower") == "not tower-proof: fails under two; open under three, four"


def test_a_claim_that_fails_everywhere_is_called_false():
    verdict = judge(CLAIM, {"one": arm(49), "two": arm(1)}, 2.0)
    assert not verdict.proof
    assert verdict.in_words("tower") == "false under every tower"


@pytest.mark.parametrize("estimate", [block_mean(np.full(100, 99.0)), block_ratio(np.zeros(9), np.zeros(9))])
def test_an_estimate_without_an_interval_proves_nothing(estimate):
    assert judge(CLAIM, {"one": arm(51), "two": estimate}, 2.0).open == ("two",)


def test_wider_intervals_leave_more_open():
    assert judge(CLAIM, {"one": arm(50.3)}, 2.0).proof
    verdict = judge(CLAIM, {"one": arm(50.3)}, 4.0)
    assert verdict.open == ("one",)
    assert not verdict.proof


def test_a_level_claim_is_seldom_called_proof_or_false():
    """Nine arms exactly at the number: the joint level bounds how often any of them is decided."""
    dice, z = np.random.default_rng(9), normal_quantile(together=9)
    wrong = 0
    for _ in range(400):
        arms = {str(k): block_mean(dice.normal(50, 3, 200)) for k in range(9)}
        wrong += len(judge(CLAIM, arms, z).open) < 9
    assert 0.01 < wrong / 400 < 0.085
