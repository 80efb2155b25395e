"""The figures of the study `play` in the register."""

from __future__ import annotations

from wallsim.stats.intervals import LEVEL, Confidence
from wallsim.studies.figure import Rows

from .estimates import POINTS, SHOWN, WINS, Play
from .habits import HABITS, MEASURES, ROUNDS

MEASURE, CHANGE = "measure", "habit"
UNITS = {POINTS: "VP", WINS: "% points", SHOWN: ""}
_PER_ROUND = "per seat and round"


def item(habit: str, what: str) -> str:
    """The item of a change by a habit."""
    return f"{habit} {what}"


def sure_of_measures() -> Confidence:
    """The confidence of the measures by round of one table."""
    return Confidence(LEVEL, len(MEASURES) * len(ROUNDS))


def sure_of_habits() -> Confidence:
    """The confidence of the changes of one outcome by all habits, at the three tables of one number of players."""
    return Confidence(LEVEL, 3 * len(HABITS))


def add_figures(result: Play, rows: Rows) -> None:
    """Add every figure: measures by round, and the changes by each habit."""
    for (players, table), measures in result.measures.items():
        for (name, moment), estimate in measures.items():
            rows.estimate(
                MEASURE, name, estimate, sure_of_measures(), words=f"{name} of a seat in a round", unit=_PER_ROUND,
                players=players, cell=table, moment=moment,
            )  # fmt: skip
    for (players, table), changes in result.changes.items():
        for (name, what), estimate in changes.items():
            measure = HABITS[name].measure.words
            words = f"change of a seat's {measure if what == SHOWN else what} by the habit: {name}"
            rows.estimate(
                CHANGE, item(name, what), estimate, sure_of_habits(), words=words, unit=UNITS[what] or measure,
                players=players, cell=table, null=0.0,
            )  # fmt: skip
