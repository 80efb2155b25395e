"""What sayings bring a seat that is tuned for them, as a table, and which still cost points then."""

from __future__ import annotations

from wallsim.analysis.claims.cells import Cell
from wallsim.markdown import markdown_table
from wallsim.report.tables.estimates import of_estimate
from wallsim.stats.intervals import LEVEL, side_of
from wallsim.studies.figure import Figure, Figures

from .changes import POINTS, SHOWN, WINS
from .figures import GAIN, TUNED, item, sure_of_habits, sure_of_tuned, sure_of_tuning
from .finding import LEAST, NAMES, points_of
from .habits import HABITS
from .tables import PLAYERS
from .tuned import COSTLY


def still_cost(figures: Figures, table: Cell) -> list[str]:
    """The habits that are known to cost a tuned seat points at a table, and that it still follows; most first."""
    costs = {
        name: _of(figures, table, name, POINTS)
        for name in COSTLY[table]
        if side_of(_of(figures, table, name, POINTS).interval(sure_of_tuned())) < 0 and followed(figures, table, name)
    }
    return sorted(costs, key=lambda name: costs[name].value)


def followed(figures: Figures, table: Cell, name: str) -> bool:
    """Whether a seat that is tuned for a habit still moves its measure to the side that it should, by LEAST or more."""
    value = _of(figures, table, name, SHOWN).value
    return (value if HABITS[name].more else -value) >= LEAST


def tuned_table(figures: Figures, table: Cell) -> str:
    """One row per habit that costs an untuned seat points at a table."""
    alone = [figures.of(TUNED, what, players=PLAYERS, cell=table) for what in (POINTS, WINS)]
    points, wins = (of_estimate(figure, sure_of_tuning(), 1, sign="+") for figure in alone)
    rows = []
    for name in COSTLY[table]:
        texts = [
            of_estimate(_of(figures, table, name, what), sure_of_tuned(), 1, sign="+")
            for what in (POINTS, WINS, GAIN, SHOWN)
        ]
        untuned = of_estimate(points_of(figures, name, table), sure_of_habits(), 1, sign="+")
        shown = f"{texts.pop()} {HABITS[name].measure.words}"
        rows.append((name, untuned, *texts, shown if followed(figures, table, name) else f"({shown})"))
    heads = (
        f"{NAMES[table]}, {PLAYERS} players", "untuned, VP", "tuned, VP", "tuned, wins, % points",
        "tuned, VP, to an untuned seat", "what shows the habit, to an untuned seat",
    )  # fmt: skip
    return (
        f"{markdown_table(heads, rows)}\n\nSeats that follow a saying and are tuned for it, less a seat that was tuned "
        f"as long without one; that seat is {points} VP and {wins} percentage points of wins above an untuned one. The "
        f"last columns compare with an untuned seat; in brackets: the tuned seat hardly follows the saying. The ± are "
        f"half-widths of {sure_of_tuned().n_comparisons} simultaneous {LEVEL:.0%} intervals for each number."
    )


def _of(figures: Figures, table: Cell, name: str, what: str) -> Figure:
    return figures.of(TUNED, item(name, what), players=PLAYERS, cell=table)
