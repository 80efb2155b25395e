"""A finding is called robust only where it holds in every cell of play, tower and set-up, not factor by factor."""

from itertools import product

import numpy as np
import pytest

from tests.refusals import assert_names, refused
from wallsim.analysis.claims.cells import Cell, default_plays
from wallsim.analysis.claims.verdicts import Claim, robustness
from wallsim.stats.blocks import Estimate
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
