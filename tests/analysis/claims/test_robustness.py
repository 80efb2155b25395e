"""A finding is called robust only where it holds in every cell of play, tower and set-up, not factor by factor."""

from itertools import product

import numpy as np
import pytest

from wallsim.analysis.claims.cells import Cell, default_plays
from wallsim.analysis.claims.verdicts import Claim, robustness
from wallsim.errors import InputError
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


def test_a_finding_that_holds_in_every_cell_is_robust():
    result = robustness([CLAIM], crossed(), PLAYS)
    assert all(each.robust for each in result.verdicts)
    assert result.verdicts[0].in_words() == "robust: holds in all 30 cells"


def test_a_finding_that_fails_only_in_a_combination_is_not_robust():
    """One factor at a time, with the others as in the baseline, it holds everywhere; in one corner it does not."""
    corner = Cell("strong", "mid", "draft")
    cells = crossed({corner: 49.0})
    one_factor = {
        cell: outcomes
        for cell, outcomes in cells.items()
        if sum(a != b for a, b in zip(cell, BASELINE, strict=True)) <= 1
    }
    assert len(one_factor) == 1 + 4 + 2 + 1
    assert all(each.robust for each in robustness([CLAIM], one_factor, PLAYS).verdicts)
    result = robustness([CLAIM], cells, PLAYS)
    assert not all(each.robust for each in result.verdicts)
    assert result.verdicts[0].where("fails") == (corner,)
    assert result.verdicts[0].in_words() == (
        "not robust: holds in 29 of 30 cells; fails in 1 (`mid` under strong (draft))"
    )


def test_a_finding_that_is_open_in_a_combination_is_not_robust():
    result = robustness([CLAIM], crossed({Cell("weak", "rulebook", "draft"): 50.1}), PLAYS)
    assert not all(each.robust for each in result.verdicts)
    assert "is open in 1 (`rulebook` under weak (draft))" in result.verdicts[0].in_words()


@pytest.mark.parametrize(
    ("names", "plays", "words"),
    [
        (NAMES[:4], PLAYS[:4], "not judged against two independent lines of strong play"),
        (NAMES[:4], PLAYS, "not judged against two independent lines of strong play"),  # known, but in no cell
        (NAMES, [*PLAYS[:4], PLAYS[4]._replace(line=PLAYS[3].line)], "not judged against two independent lines"),
        (NAMES[2:], PLAYS, "not judged for weak and casual play"),
    ],
)
def test_what_was_not_judged_for_all_strengths_is_not_called_robust(names, plays, words):
    result = robustness([CLAIM], crossed(plays=names), plays)
    assert not all(each.robust for each in result.verdicts)
    assert words in result.verdicts[0].in_words()


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


@pytest.mark.parametrize(
    ("claims", "cells", "plays", "words"),
    [
        ([CLAIM], {BASELINE: known(1.0)}, PLAYS, "at least two cells"),
        ([], crossed(), PLAYS, "one claim"),
        ([Claim("No.", "luck", 1)], crossed(), PLAYS, "no cell has an outcome luck; they have it"),
        ([CLAIM], crossed(plays=["weak", "odd"]), PLAYS, "play odd is not one of weak, casual"),
        ([CLAIM], crossed(), [*PLAYS, PLAYS[3]._replace(name="sixth", line="third")], "occurs more than once"),
    ],
)
def test_what_cannot_be_judged_is_refused(claims, cells, plays, words):
    with pytest.raises(InputError, match=words):
        robustness(claims, cells, plays)
