"""The figures of the study `play` in the register."""

from __future__ import annotations

from wallsim.rules.board import load_board
from wallsim.stats.intervals import LEVEL, Confidence
from wallsim.studies.figure import Rows

from .estimates import PLAYERS, POINTS, SHOWN, TABLES, WINS, Play
from .habits import HABITS, MEASURES, ROUNDS

MEASURE, CHANGE = "measure", "habit"
ATTACKED, LOST = "attacked", "lost"
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


def sure_of_counties() -> Confidence:
    """The confidence of one number of all counties at the three tables."""
    return Confidence(LEVEL, len(TABLES) * len(load_board().counties))


def add_figures(result: Play, rows: Rows) -> None:
    """Add every figure: measures by round, the changes by each habit, and the counties that are fought for."""
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
    for table, counties in result.fought.items():
        for county, each in counties.items():
            for quantity, estimate, words, unit in (
                (ATTACKED, each.attacks, f"attacks of players on owners of {county} in a game", "attacks a game"),
                (LOST, each.lost, f"owners of {county} that lose it in the game", "%"),
            ):
                rows.estimate(
                    quantity, county, estimate, sure_of_counties(), words=words, unit=unit, players=PLAYERS, cell=table
                )
