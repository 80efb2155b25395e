"""A claim is robust only where every interval says so; else the verdict names the cells where it is not."""

import numpy as np
import pytest

from tests.refusals import assert_names, refused
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


LIMIT = "not judged for weak play"


@pytest.mark.parametrize(
    ("values", "limit", "begun", "names"),
    [
        ((51, 50.3), "", "robust:", ["all 2 cells"]),
        ((51, 49, 50.1, 49.9), "", "not robust:",
         ["holds in 1 of 4", "fails in 1 (`mid`)", "open in 2 (`rulebook`, `rulebook-urn`)"]),
        ((49, 1), "", "false:", ["all 2 cells"]),
        ((50, 50.01), "", "not robust:", ["holds in 0 of 2", "open in 2"]),
        ((51, 52), LIMIT, "holds", ["all 2 cells", LIMIT]),
        ((51, 49), LIMIT, "not robust:", ["fails in 1", LIMIT]),
        ((49, 48), LIMIT, "false:", ["all 2 cells", LIMIT]),
    ],
)  # fmt: skip
def test_a_claim_is_robust_only_where_it_holds_in_all_cells_and_else_they_are_named(values, limit, begun, names):
    verdict = judge(CLAIM, arms(*values), ONE, limit)
    assert verdict.robust == (begun == "robust:")
    assert verdict.in_words().startswith(begun)
    assert_names(verdict.in_words(), *names)
    holds, fails, still_open = (verdict.where(side) for side in ("holds", "fails", "open"))
    assert sorted(cell.tower for cell in (*holds, *fails, *still_open)) == sorted(TOWERS[: len(values)])
    some = any(0 < len(side) < len(values) for side in (fails, still_open))
    assert ("(" in verdict.in_words()) == some  # all cells need not be named


@pytest.mark.parametrize("estimate", [block_mean(np.full(100, 99.0)), block_ratio(np.zeros(9), np.zeros(9))])
def test_an_estimate_without_an_interval_proves_nothing(estimate):
    cell = Cell("middling", "mid", "lineup")
    assert judge(CLAIM, {**arms(51), cell: estimate}, ONE).where("open") == (cell,)


def test_nothing_is_judged_by_no_cell():
    with refused("no cell", by=ValueError):
        judge(CLAIM, {}, ONE)


def test_wider_intervals_leave_more_open():
    assert len(judge(CLAIM, arms(50.3), Confidence(0.95, 1000)).where("open")) == 1
    assert judge(CLAIM, arms(50.3), ONE).robust


def test_a_level_claim_is_seldom_decided():
    """Nine cells exactly at the number: the simultaneous level bounds how often any of them is decided."""
    rng, confidence = np.random.default_rng(9), Confidence(n_comparisons=9)
    wrong = 0
    for _ in range(400):
        cells = {Cell(str(k), "mid", "lineup"): block_mean(rng.normal(50, 3, 200)) for k in range(9)}
        wrong += len(judge(CLAIM, cells, confidence).where("open")) < 9
    assert 0.01 < wrong / 400 < 0.085
