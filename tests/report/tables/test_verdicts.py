"""Judged claims are listed with the ends of their assumptions, and outcomes cell by cell."""

import numpy as np

from tests.refusals import assert_names
from wallsim.analysis.claims.cells import Cell
from wallsim.analysis.claims.verdicts import Claim, judge
from wallsim.report.tables.verdicts import counted_sides, extreme, verdict_table
from wallsim.stats.blocks import Estimate
from wallsim.stats.intervals import Confidence

NOISE = np.tile([-1.0, 1.0], 50)
CLAIM = Claim("It is more than 50.", "it", 50)
VALUES = {("weak", "spielbyweb"): 49.0, ("weak", "mid"): 50.1, ("strong", "spielbyweb"): 51.0, ("strong", "mid"): 52.0}
ARMS = {Cell(*at, "lineup"): Estimate(value, NOISE) for at, value in VALUES.items()}
CONFIDENCE = Confidence(0.95, 4)
HALF = f"{CONFIDENCE.t(100) * 0.1005:.1f}"


def cells_of(table):
    """The cells of each row of a table in Markdown."""
    heads, _, *rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()]
    return heads, rows


def test_the_table_has_a_row_a_claim_with_its_lowest_and_highest_cell():
    heads, [row] = cells_of(verdict_table([judge(CLAIM, ARMS, CONFIDENCE)], {"it": ARMS}, CONFIDENCE))
    assert heads == ["claim", "measured by", "lowest", "highest", "answer"]
    low, high = f"49.0 ± {HALF} (`spielbyweb`, weak)", f"52.0 ± {HALF} (`mid`, strong)"
    assert row[:4] == [CLAIM.words, "it > 50", low, high]
    assert_names(row[4], "not robust: holds in 2 of 4", "fails in 1 (`spielbyweb`", "open in 1 (`mid` under weak)")


def test_cells_are_counted_by_the_side_on_which_they_are_known_to_lie():
    low = {cell: Estimate(arm.value - 5, NOISE) for cell, arm in ARMS.items()}
    heads, rows = cells_of(counted_sides({"it": (ARMS, 50.0), "less": (low, 50.0)}, CONFIDENCE, "what"))
    assert heads == ["what", "above", "below", "not known"]
    assert rows == [["it", "2", "1", "1"], ["less", "0", "4", "0"]]


def test_a_share_of_nearly_all_is_never_written_as_all_of_it():
    nearly, cell = Estimate(99.99, NOISE * 0.01), Cell("weak", "mid", "lineup")
    arms = {"it": {cell: nearly, Cell("weak", "spielbyweb", "lineup"): Estimate(0.01, NOISE * 0.01)}}
    low = "< 0.1 ± < 0.1"
    assert extreme(arms["it"], CONFIDENCE, 1, largest=False, top=100.0) == f"{low} (`spielbyweb`)"
    assert extreme(arms["it"], CONFIDENCE, 1, largest=True, top=100.0) == "> 99.9 ± < 0.1 (`mid`)"
    # A difference in per cent has no such end.
    [other] = verdict_table([judge(CLAIM, arms["it"], CONFIDENCE)], arms, CONFIDENCE).splitlines()[2:]
    assert "| 100.0 ± < 0.1 (`mid`) |" in other


def test_what_has_no_value_is_no_extreme():
    nothing = Cell("weak", "rulebook", "lineup")
    arms = {**ARMS, nothing: Estimate(float("nan"), NOISE)}
    assert extreme(arms, CONFIDENCE, 1, largest=False) == f"49.0 ± {HALF} (`spielbyweb`, weak)"
    assert extreme({nothing: arms[nothing]}, CONFIDENCE, 1, largest=True) == "–"
