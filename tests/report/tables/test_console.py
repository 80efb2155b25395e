"""Means on the screen are never nought give or take nought."""

from io import StringIO
from types import SimpleNamespace

from rich.console import Console

from wallsim.analysis.games.breakdown import Line, Mean
from wallsim.report.tables.console import print_breakdown
from wallsim.stats.intervals import Confidence


def test_a_mean_that_is_nearly_nought_is_reported_as_a_bound():
    means = Mean(0.0004, (0.0001, 0.0007)), Mean(0.0004, (-0.2, 0.2008)), Mean(0.0004, None), Mean(1.5, (1.25, 1.75))
    seats = [SimpleNamespace(lineup="", seat=seat) for seat in range(len(means))]
    summary = SimpleNamespace(
        seats=seats, breakdown=(Line("palaces", True, means),), games=100, confidence=Confidence(), level=0.95
    )
    console = Console(width=120, record=True, file=StringIO())
    print_breakdown(console, summary)
    row = next(line for line in console.export_text().splitlines() if "palaces" in line)
    assert "< 0.01 ±< 0.01" in row
    assert "0.00 ±0.20" in row
    assert "0.00 ±< " not in row
    assert "1.50 ±0.25" in row
