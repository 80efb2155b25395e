"""A claim is robust only where every interval says so; else the verdict names the cells where it is not."""

import numpy as np
import pytest

from wallsim.analysis.claims.cells import Cell
from wallsim.analysis.claims.verdicts import Claim, judge
from wallsim.stats.blocks import Estimate, block_mean, block_ratio
from wallsim.stats.intervals import Confidence

CLAIM = Claim("It is more than 50.", "it", 50)
NOISE = np.tile([-1.0, 1.0], 50)
ONE = Confidence()
TOWERS = ("spielbyweb", "mid", "rulebook", "rulebook-urn")


def arms(*values):
    """Estimates, a tower each, whose intervals reach some 0.2 to either side."""
    return {Cell("middling", tower, "lineup"): Estimate(v, NOISE) for tower, v in zip(TOWERS, values, strict=False)}


def test_a_claim_that_holds_everywhere_is_robust():
    verdict = judge(CLAIM, arms(51, 50.3), ONE)
    assert verdict.robust
    assert verdict.where("holds") == tuple(arms(51, 50.3))
    assert verdict.in_words() == "robust: holds in all 2 cells"


def test_failures_and_open_questions_are_named():
    verdict = judge(CLAIM, arms(51, 49, 50.1, 49.9), ONE)
    assert not verdict.robust
    assert [cell.tower for cell in verdict.where("fails")] == ["mid"]
    assert verdict.in_words() == (
        "not robust: holds in 1 of 4 cells; fails in 1 (`mid`); is open in 2 (`rulebook`, `rulebook-urn`)"
    )


def test_a_claim_that_fails_everywhere_is_called_false():
    verdict = judge(CLAIM, arms(49, 1), ONE)
    assert not verdict.robust
    assert verdict.in_words() == "false: fails in all 2 cells"


def test_a_claim_that_is_open_everywhere_is_not_robust():
    verdict = judge(CLAIM, arms(50, 50.01), ONE)
    assert verdict.in_words() == "not robust: holds in 0 of 2 cells; is open in 2"


def test_a_limit_of_the_cells_keeps_a_claim_from_being_called_robust():
    verdict = judge(CLAIM, arms(51, 52), ONE, "not judged for weak play")
    assert not verdict.robust
    assert verdict.in_words() == "holds in all 2 cells; not judged for weak play"
    assert judge(CLAIM, arms(51, 49), ONE, "not judged for weak play").in_words().endswith("; not judged for weak play")
    everywhere = judge(CLAIM, arms(49, 48), ONE, "of `conqueror` and `builder` alone")
    assert everywhere.in_words() == "false: fails in all 2 cells; of `conqueror` and `builder` alone"


@pytest.mark.parametrize("estimate", [block_mean(np.full(100, 99.0)), block_ratio(np.zeros(9), np.zeros(9))])
def test_an_estimate_without_an_interval_proves_nothing(estimate):
    cell = Cell("middling", "mid", "lineup")
    assert judge(CLAIM, {**arms(51), cell: estimate}, ONE).where("open") == (cell,)


def test_nothing_is_judged_by_no_cell():
    with pytest.raises(ValueError, match="no cell"):
        judge(CLAIM, {}, ONE)


def test_wider_intervals_leave_more_open():
    assert judge(CLAIM, arms(50.3), ONE).robust
    verdict = judge(CLAIM, arms(50.3), Confidence(0.95, 1000))
    assert len(verdict.where("open")) == 1
    assert not verdict.robust


def test_a_level_claim_is_seldom_decided():
    """Nine cells exactly at the number: the simultaneous level bounds how often any of them is decided."""
    rng, confidence = np.random.default_rng(9), Confidence(n_comparisons=9)
    wrong = 0
    for _ in range(400):
        cells = {Cell(str(k), "mid", "lineup"): block_mean(rng.normal(50, 3, 200)) for k in range(9)}
        wrong += len(judge(CLAIM, cells, confidence).where("open")) < 9
    assert 0.01 < wrong / 400 < 0.085
