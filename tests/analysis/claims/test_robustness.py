"""A finding is called robust only where it holds in every cell of play, tower and set-up, not factor by factor."""

from itertools import product

import numpy as np
import pytest

from tests.refusals import assert_names, refused
from wallsim.analysis.claims.cells import Cell, default_plays
from wallsim.analysis.claims.verdicts import Claim, judge, robustness
from wallsim.stats.blocks import Estimate, block_mean, block_ratio
from wallsim.stats.intervals import Confidence

NOISE = np.tile([-1.0, 1.0], 100)
CLAIM = Claim("It is more than 50.", "it", 50)
PLAYS = default_plays(second="banker")
NAMES, TOWERS, SETUPS = [play.name for play in PLAYS], ("spielbyweb", "mid", "rulebook"), ("lineup", "draft")
BASELINE = Cell("middling", "spielbyweb", "lineup")


def known(value):
    """What a cell says; the interval of `it` reaches some 0.2 to either side."""
    return {"it": Estimate(value, NOISE)}


def crossed(values=None, plays=NAMES):
    """All cells with an outcome of 51, but for some given values."""
    return {cell: known((values or {}).get(cell, 51.0)) for cell in map(Cell._make, product(plays, TOWERS, SETUPS))}


@pytest.mark.parametrize(("value", "side"), [(49.0, "fails"), (50.1, "open")])
def test_a_finding_that_does_not_hold_in_one_combination_is_not_robust(value, side):
    """One factor at a time, with the others as in the baseline, it holds everywhere; in one corner it does not."""
    corner = Cell("strong", "mid", "draft")
    cells = crossed({corner: value})
    one_factor = {
        cell: outcomes
        for cell, outcomes in cells.items()
        if sum(a != b for a, b in zip(cell, BASELINE, strict=True)) <= 1
    }
    assert len(one_factor) == 1 + 4 + 2 + 1
    assert all(each.robust for each in robustness([CLAIM], one_factor, PLAYS).verdicts)
    assert all(each.robust for each in robustness([CLAIM], crossed(), PLAYS).verdicts)
    (verdict,) = robustness([CLAIM], cells, PLAYS).verdicts
    assert not verdict.robust
    assert verdict.where(side) == (corner,)
    assert_names(verdict.in_words(), "29 of 30", f"{side} in 1", "`mid` under strong (draft)")


@pytest.mark.parametrize(
    ("names", "plays", "missing"),
    [
        (NAMES[:4], PLAYS[:4], "two independent lines"),
        (NAMES[:4], PLAYS, "two independent lines"),  # known, but in no cell
        (NAMES[2:], PLAYS, "weak and casual"),
    ],
)
def test_what_was_not_judged_for_all_strengths_is_not_called_robust(names, plays, missing):
    (verdict,) = robustness([CLAIM], crossed(plays=names), plays).verdicts
    assert not verdict.robust
    assert missing in verdict.in_words()


def test_intervals_hold_for_all_claimed_outcomes_and_cells_simultaneously():
    two = [CLAIM, Claim("It is more than 40.", "it", 40), Claim("That is more than 1.", "that", 1)]
    cells = crossed()
    for cell, outcomes in cells.items():
        outcomes["other"] = Estimate(1.0, NOISE)
        if cell.setup == "lineup":
            outcomes["that"] = Estimate(3.0, NOISE)
    result = robustness(two, cells, PLAYS)
    assert result.confidence == Confidence(0.95, 30 + 15)
    assert set(result.estimates) == {"it", "that"}
    assert [len(verdict.sides) for verdict in result.verdicts] == [30, 30, 15]
    two_cells = dict([*crossed().items()][:2])  # which are enough
    assert robustness([CLAIM], two_cells, PLAYS).confidence == Confidence(0.95, 2)


@pytest.mark.parametrize(
    ("claims", "cells", "plays", "names"),
    [
        ([CLAIM], {BASELINE: known(1.0)}, PLAYS, ["two cells"]),
        ([], crossed(), PLAYS, ["one claim"]),
        ([Claim("No.", "luck", 1)], crossed(), PLAYS, ["outcome luck", "they have it"]),
        ([CLAIM], crossed(plays=["weak", "odd"]), PLAYS, ["play odd", "weak, casual"]),
        ([CLAIM], crossed(), [*PLAYS, PLAYS[3]._replace(name="sixth", line="third")], ["more than once"]),
    ],
)
def test_what_cannot_be_judged_is_refused(claims, cells, plays, names):
    with refused(*names):
        robustness(claims, cells, plays)


# ------------------------------------------------------------------------------------------------ one claim

ONE = Confidence()
PRESETS = (*TOWERS, "rulebook-urn")


def arms(*values):
    """Estimates, a tower each, whose intervals reach some 0.2 to either side."""
    return {Cell("middling", tower, "lineup"): Estimate(v, NOISE) for tower, v in zip(PRESETS, values, strict=False)}


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
        ((49, 48), LIMIT, "false:", ["all 2 cells", LIMIT]),
    ],
)  # fmt: skip
def test_a_claim_is_robust_only_where_it_holds_in_all_cells_and_else_they_are_named(values, limit, begun, names):
    verdict = judge(CLAIM, arms(*values), ONE, limit)
    assert verdict.robust == (begun == "robust:")
    assert verdict.in_words().startswith(begun)
    assert_names(verdict.in_words(), *names)
    holds, fails, still_open = (verdict.where(side) for side in ("holds", "fails", "open"))
    assert sorted(cell.tower for cell in (*holds, *fails, *still_open)) == sorted(PRESETS[: len(values)])
    some = any(0 < len(side) < len(values) for side in (fails, still_open))
    assert ("(" in verdict.in_words()) == some  # all cells need not be named


@pytest.mark.parametrize("estimate", [block_mean(np.full(100, 99.0)), block_ratio(np.zeros(9), np.zeros(9))])
def test_an_estimate_without_an_interval_proves_nothing(estimate):
    cell = Cell("middling", "mid", "lineup")
    assert judge(CLAIM, {**arms(51), cell: estimate}, ONE).where("open") == (cell,)


def test_wider_intervals_leave_more_open_and_nothing_is_judged_by_no_cell():
    assert len(judge(CLAIM, arms(50.3), Confidence(0.95, 1000)).where("open")) == 1
    assert judge(CLAIM, arms(50.3), ONE).robust
    with refused("no cell", by=ValueError):
        judge(CLAIM, {}, ONE)
