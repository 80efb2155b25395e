"""The figures of habits while an event card lies open, in the register."""

from __future__ import annotations

from collections.abc import Mapping

from wallsim.analysis.claims.cells import Cell
from wallsim.stats.intervals import LEVEL, Confidence
from wallsim.studies.figure import Rows
from wallsim.studies.scope import THREE_TABLES

from ..play.changes import POINTS, WINS
from .open_cards import MORE, OPEN, OTHERWISE, PLAYERS, ROUNDS, SIZE, WHEN, OpenCards
from .round_habits import HABITS, PAIRS, effect_words

WHILE_OPEN = "while-open"
UNIT = f"blocks of {ROUNDS * SIZE} games"  # of errors
_UNITS = {POINTS: "VP", WINS: "% points"}
_WHEN = {
    OPEN: "in a round in which {} lies open",
    OTHERWISE: "in a round in which {} does not lie open",
    MORE: "in a round in which {} lies open, less otherwise",
}


def while_open(outcome: str) -> str:
    """The quantity of what habits change of an outcome."""
    return f"{WHILE_OPEN}-{outcome.lower()}"


def pair(effect: str, habit: str, when: str) -> str:
    """The item of a habit and a card, in rounds in which it lies open or not."""
    return f"{effect} {habit} {when}"


def sure_of_habits() -> Confidence:
    """The confidence of the changes of one outcome by all habits at the three tables."""
    return Confidence(LEVEL, len(PAIRS) * len(WHEN) * len(THREE_TABLES))


def add_open_cards(result: Mapping[Cell, OpenCards], rows: Rows) -> None:
    """Add every figure of habits while a card lies open."""
    for table, changes in result.items():
        for (effect, habit, outcome, when), estimate in changes.items():
            what = HABITS[habit].measure if outcome not in _UNITS else outcome
            rows.estimate(
                while_open(outcome), pair(effect, habit, when), estimate, sure_of_habits(),
                words=f"change of a seat's {what} by the habit: {habit}, {_WHEN[when].format(effect_words(effect))}",
                unit=_UNITS.get(outcome, what), players=PLAYERS, cell=table, null=0.0, n_unit=UNIT,
            )  # fmt: skip
