"""The figures of the study `play` in the register."""

from __future__ import annotations

from wallsim.analysis.claims.cells import Cell
from wallsim.rules.board import load_board
from wallsim.stats.intervals import LEVEL, Confidence
from wallsim.studies.figure import Rows

from .changes import POINTS, SHOWN, WINS
from .estimates import Play
from .habits import HABITS, MEASURES, ROUNDS
from .tables import PLAYERS, TABLES
from .tuned import COSTLY, TunedTable

MEASURE, CHANGE = "measure", "habit"
ATTACKED, LOST = "attacked", "lost"
TUNED, GAIN = "tuned", "VP of an untuned seat"
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


def sure_of_tuned() -> Confidence:
    """The confidence of one number of all habits that are tuned, at the three tables."""
    return Confidence(LEVEL, sum(map(len, COSTLY.values())))


def sure_of_tuning() -> Confidence:
    """The confidence of what tuning alone brings, at the three tables."""
    return Confidence(LEVEL, len(TABLES))


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
    for table, tuned in result.tuned.items():
        _add_tuned(table, tuned, rows)


def _add_tuned(table: Cell, tuned: TunedTable, rows: Rows) -> None:
    for what, estimate in ((POINTS, tuned.points), (WINS, tuned.wins)):
        rows.estimate(
            TUNED, what, estimate, sure_of_tuning(), words=f"change of a seat's {what} by tuning alone",
            unit=UNITS[what], players=PLAYERS, cell=table, null=0.0,
        )  # fmt: skip
    for name, each in tuned.habits.items():
        measure = HABITS[name].measure.words
        for what, estimate, words, unit in (
            (POINTS, each.points, f"{POINTS} of a seat tuned for the habit, less one tuned without: {name}", POINTS),
            (WINS, each.wins, f"wins of a seat tuned for the habit, less one tuned without: {name}", UNITS[WINS]),
            (GAIN, each.gain, f"{POINTS} of a seat tuned for the habit, less an untuned one: {name}", POINTS),
            (SHOWN, each.kept, f"{measure} of a seat tuned for the habit, less an untuned one: {name}", measure),
        ):
            rows.estimate(
                TUNED, item(name, what), estimate, sure_of_tuned(), words=words, unit=unit, players=PLAYERS,
                cell=table, null=0.0,
            )  # fmt: skip
